// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is imported into prices of one's own.
#pragma once

#include "pricing/offer_table.h"

namespace outlay::pricing {

/// How an import changed them.
struct MergeCounts {
    std::size_t added = 0;
    std::size_t replaced = 0;
    std::size_t same = 0;
    std::size_t older = 0; // than what is there, which stays
};

MergeCounts merge(const OfferTable& imported, OfferTable& book);

} // namespace outlay::pricing
