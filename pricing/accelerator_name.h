// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One name for an accelerator, whatever a catalog calls it, so that equal ones can be compared.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace outlay::pricing {

struct AcceleratorName {
    std::string name;
    std::optional<double> memoryGb; // of one

    bool operator==(const AcceleratorName&) const = default;
};

/// `listedGb` is what the catalog says. Where it contradicts the maker's only size, that one counts:
/// public catalogs list 80 GB for an H200. Unknown names stay as they are.
[[nodiscard]] AcceleratorName acceleratorNamed(std::string_view listed,
                                               std::optional<double> listedGb);

} // namespace outlay::pricing
