// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/merge.h"

#include "pricing/price_book.h"

namespace outlay::pricing {

MergeCounts merge(const OfferTable& imported, OfferTable& book)
{
    const PriceBook before(PriceFile{book, {}}, {});
    OfferTableBuilder builder(book);
    MergeCounts changes;
    for (const OfferRow& row : imported.rows) {
        const Offer offer = offerOf(imported, row);
        const OfferRow* present = before.find(
            {offer.machine.provider, offer.machine.instance, offer.region, offer.purchase});
        const bool isSame = present != nullptr && present->usdPerHour == offer.usdPerHour &&
                            before.source(*present) == offer.source;
        switch (builder.add(offer)) {
        case Added::New: ++changes.added; break;
        case Added::Replaced: ++(isSame ? changes.same : changes.replaced); break;
        case Added::Older: ++changes.older; break;
        }
    }
    book = builder.take();
    return changes;
}

} // namespace outlay::pricing
