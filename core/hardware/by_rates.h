// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A program of which nothing is known but what it took on one accelerator, on others of its kind: by the rates that are
// listed of both.
#pragma once

#include "core/base/quantity.h"
#include "core/hardware/hardware_catalog.h"

namespace outlay::core {

/// In the middle of what memory and products alone would say. Unavailable where a rate isn't listed, or one of them is
/// no GPU of the same maker: other software runs there.
[[nodiscard]] Quantity timesAsFast(const Device& from, const Device& to);

struct OnAnother {
    std::string device;
    Quantity times;
};
/// The fastest first, without itself and those that only serve; none where nobody knows the device.
[[nodiscard]] std::vector<OnAnother> onOthers(const HardwareCatalog& catalog,
                                              std::string_view accelerator);

} // namespace outlay::core
