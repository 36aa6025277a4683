// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them. Pure: the locale is an argument.
#pragma once

#include "core/base/quantity.h"
#include "gui/view/display_locale.h"

#include <QString>

#include <array>
#include <optional>

namespace outlay::gui {

/// By steps of a thousand: none, kilo, mega and on.
inline constexpr std::array<const char*, 8> Prefixes{"", "k", "M", "G", "T", "P", "E", "Z"};
/// "MB" for 2 and "B"; of grams tonnes from mega on.
[[nodiscard]] QString prefixed(std::size_t prefix, QStringView unit);

/// Three significant digits and an SI prefix: 11365600 and "B" -> "11.4 MB".
[[nodiscard]] QString scaledText(double value, QStringView unit, const QLocale& locale);

/// "2,842,400".
[[nodiscard]] QString countText(double value, const QLocale& locale);

/// Percent without a fraction: what is nearly all isn't rounded to all.
[[nodiscard]] QString partText(double percent, const QLocale& locale);

/// A value in its unit, as that is usually written: "$185.15", "$0.00758", "24.5 g CO2e", "47.3 min".
[[nodiscard]] QString valueText(double value, core::Unit unit, const DisplayLocale& locale);

/// The value with its unit; "unavailable" where there is none.
[[nodiscard]] QString figureText(const core::Quantity& figure, const DisplayLocale& locale);

/// "10.9 MB to 16.5 MB"; empty for a figure without an interval.
[[nodiscard]] QString intervalText(const core::Quantity& figure, const DisplayLocale& locale);

/// Why a figure is unavailable.
[[nodiscard]] QString reasonText(const core::Quantity& figure);

/// UTF-8 text of the core.
[[nodiscard]] QString toQString(std::string_view text);

/// A number as people of this locale write it, or with a point; an empty text is 0, nothing else is none.
[[nodiscard]] std::optional<double> typedNumber(const QString& text, const QLocale& locale);

} // namespace outlay::gui
