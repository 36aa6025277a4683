// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of Markdown tables, and figures as plain text in them.
#pragma once

#include "core/base/quantity.h"

#include <string>
#include <vector>

namespace outlay::pricing {

/// Whatever the texts hold, each stays one cell.
[[nodiscard]] std::string tableRow(const std::vector<std::string>& cells);
[[nodiscard]] std::string tableHead(const std::vector<std::string>& cells);

/// "12.5 USD"; "unavailable" where there is no value.
[[nodiscard]] std::string plainValue(const core::Quantity& figure);
/// Empty for a figure without an interval, or without a value.
[[nodiscard]] std::string plainInterval(const core::Quantity& figure);
[[nodiscard]] std::string basisText(const core::Quantity& figure);
/// Label, value, interval, basis and how it was got.
[[nodiscard]] std::string figureRow(const std::string& label, const core::Quantity& figure);
/// A figure among others of its row: no words on where it comes from.
[[nodiscard]] std::string briefText(const core::Quantity& figure);

} // namespace outlay::pricing
