// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/format.h"

#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

constexpr int SignificantDigits = 3;

/// The number with three significant digits, none of them after a decimal point that isn't needed.
QString digitsText(double value, const QLocale& locale)
{
    const double magnitude = std::abs(value);
    const int before = magnitude < 1 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return locale.toString(value, 'f', std::max(0, SignificantDigits - before));
}

} // namespace

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString scaledText(double value, QStringView unit, const QLocale& locale)
{
    static constexpr std::array<const char*, 8> Prefixes{"", "k", "M", "G", "T", "P", "E", "Z"};
    if (!std::isfinite(value))
        return QStringLiteral("unavailable");
    constexpr double Step = 1000;
    constexpr double RoundsUp = 999.5; // beyond it three digits show the next prefix
    std::size_t prefix = 0;
    while (std::abs(value) >= RoundsUp && prefix + 1 < Prefixes.size()) {
        value /= Step;
        ++prefix;
    }
    const QString digits = prefix == 0 && value == std::floor(value)
                               ? locale.toString(value, 'f', 0)
                               : digitsText(value, locale);
    return digits + QLatin1Char(' ') + QLatin1String(Prefixes.at(prefix)) + unit;
}

QString countText(double value, const QLocale& locale)
{
    return locale.toString(value, 'f', 0);
}

QString figureText(const core::Quantity& figure, const QLocale& locale)
{
    if (!figure.isAvailable())
        return QStringLiteral("unavailable");
    return scaledText(figure.value(), toQString(core::symbol(figure.unit())), locale);
}

QString intervalText(const core::Quantity& figure, const QLocale& locale)
{
    if (!figure.isAvailable() || figure.low() == figure.high())
        return {};
    const QString unit = toQString(core::symbol(figure.unit()));
    return scaledText(figure.low(), unit, locale) + QStringLiteral(" to ") +
           scaledText(figure.high(), unit, locale);
}

} // namespace outlay::gui
