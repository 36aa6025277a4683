// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The option that a design is held against, with the device behind it.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// So many of one device, by what the offer calls it.
struct OfferDevices {
    core::Device device;
    std::int64_t count = 1;

    /// Of one device; nothing where it isn't known.
    [[nodiscard]] std::optional<double> memoryBytes() const;
};

/// Nothing where the hardware isn't known.
[[nodiscard]] std::optional<OfferDevices> devicesOf(const core::HardwareCatalog& hardware,
                                                    const Machine& machine);

/// The option among `options` that stands for `text`; null if there is none.
[[nodiscard]] const Option* optionOf(const Catalogs& catalogs, const std::vector<Option>& options,
                                     const std::optional<OptionText>& text);

/// Fits, is allowed, keeps the deadline, and its price can be believed.
[[nodiscard]] bool isGood(const Option& option);

/// Whether the plan allows the region ("aws/us-east-1").
[[nodiscard]] bool allowsRegion(const core::Plan& plan, std::string_view region);

} // namespace outlay::pricing
