// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them. Pure: the locale is an argument.
#pragma once

#include "core/base/quantity.h"

#include <QLocale>
#include <QString>

namespace outlay::gui {

/// Three significant digits and an SI prefix: 11365600 and "B" -> "11.4 MB".
[[nodiscard]] QString scaledText(double value, QStringView unit, const QLocale& locale);

/// "2,842,400".
[[nodiscard]] QString countText(double value, const QLocale& locale);

/// The value with its unit; "unavailable" where there is none.
[[nodiscard]] QString figureText(const core::Quantity& figure, const QLocale& locale);

/// "10.9 MB to 16.5 MB"; empty for a figure without an interval.
[[nodiscard]] QString intervalText(const core::Quantity& figure, const QLocale& locale);

/// UTF-8 text of the core.
[[nodiscard]] QString toQString(std::string_view text);

} // namespace outlay::gui
