// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Price books as files ("outlay-prices"): columns with indices into lists, so that 5,000 offers in four
// purchase kinds stay small and quick to read.
#pragma once

#include "core/base/byte_window.h"
#include "core/base/fields.h"
#include "pricing/offer.h"

namespace outlay::pricing {

inline constexpr std::string_view PricesFormat = "outlay-prices";
inline constexpr std::int64_t PricesVersion = 1;

struct PriceFile {
    OfferTable offers;
    std::vector<OfferRow> earlier; // prices that some of the offers had before
};

/// Strict: a file that Outlay wrote is whole, or it is refused.
[[nodiscard]] core::Result<PriceFile> readPriceFile(core::ByteWindow& text);
[[nodiscard]] std::string writePriceFile(const OfferTable& table, std::string_view producer,
                                         std::string_view saved);

/// The keys of one offer, as `outlay prices list --json` prints it and as a person writes it.
void describe(core::FieldVisitor& v, Offer& offer);

} // namespace outlay::pricing
