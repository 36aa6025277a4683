// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/format.h"

#include "core/base/units.h"
#include "gui/view/field_presentation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace outlay::gui {
namespace {

constexpr int SignificantDigits = 3;

/// Three significant digits of what is below one.
QString smallText(double value, const QLocale& locale)
{
    const int zeros = static_cast<int>(-std::floor(std::log10(std::abs(value)))) - 1;
    return locale.toString(value, 'f', zeros + SignificantDigits);
}

/// The number with three significant digits, none of them after a decimal point that isn't needed.
QString digitsText(double value, const QLocale& locale)
{
    constexpr double Small = 0.1; // below it "0.00" would say that there is nothing
    const double magnitude = std::abs(value);
    if (magnitude > 0 && magnitude < Small)
        return smallText(value, locale);
    const int before = magnitude < 1 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return locale.toString(value, 'f', std::max(0, SignificantDigits - before));
}

/// Three significant digits, also of what is far below one.
QString significantText(double value, const QLocale& locale)
{
    const double magnitude = std::abs(value);
    if (magnitude == 0 || magnitude >= 1)
        return magnitude == std::floor(magnitude) ? locale.toString(value, 'f', 0)
                                                  : digitsText(value, locale);
    return smallText(value, locale);
}

/// The largest of the steps that the value reaches gives its unit.
struct UnitStep {
    double least; // the value from which it is used
    double divisor;
    const char* unit;
};

QString steppedText(double value, std::span<const UnitStep> steps, const QLocale& locale)
{
    const UnitStep* chosen = &steps.front();
    for (const UnitStep& step : steps) {
        if (std::abs(value) >= step.least)
            chosen = &step;
    }
    return significantText(value / chosen->divisor, locale) + QLatin1Char(' ') +
           QLatin1String(chosen->unit);
}

QString durationText(double seconds, const QLocale& locale)
{
    static constexpr std::array<UnitStep, 5> Steps{{{0, 0.001, "ms"},
                                                    {1, 1, "s"},
                                                    {120, 60, "min"},
                                                    {7200, 3600, "h"},
                                                    {172800, 86400, "days"}}};
    return seconds == 0 ? QStringLiteral("0 s") : steppedText(seconds, Steps, locale);
}

QString carbonText(double kg, const QLocale& locale)
{
    static constexpr std::array<UnitStep, 3> Steps{
        {{0, 0.001, "g CO2e"}, {1, 1, "kg CO2e"}, {10000, 1000, "t CO2e"}}};
    return steppedText(kg, Steps, locale);
}

QString moneyText(double usd, const DisplayLocale& locale)
{
    const double amount = std::abs(locale.money(usd));
    const QString digits =
        amount >= 1 ? locale.toString(amount, 'f', 2) : significantText(amount, locale);
    return (usd < 0 ? QStringLiteral("-") : QString()) + locale.moneySign() + digits;
}

} // namespace

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString prefixed(std::size_t prefix, QStringView unit)
{
    constexpr std::size_t Tonnes = 2;
    const bool isHeavy = unit == QLatin1String("g") && prefix >= Tonnes;
    return QLatin1String(Prefixes.at(isHeavy ? prefix - Tonnes : prefix)) +
           (isHeavy ? QStringLiteral("t") : unit.toString());
}

QString partText(double percent, const QLocale& locale)
{
    constexpr double NearlyAll = 99;
    return locale.toString(percent < core::PerCent ? std::min(NearlyAll, percent) : percent, 'f',
                           0);
}

QString scaledText(double value, QStringView unit, const QLocale& locale)
{
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
    return digits + QLatin1Char(' ') + prefixed(prefix, unit);
}

QString countText(double value, const QLocale& locale)
{
    return locale.toString(value, 'f', 0);
}

QString valueText(double value, core::Unit unit, const DisplayLocale& locale)
{
    constexpr double MsPerSecond = 1000;
    if (!std::isfinite(value))
        return QStringLiteral("unavailable");
    const QString symbol = QLatin1Char(' ') + toQString(core::symbol(unit));
    switch (unit) {
    case core::Unit::One: return significantText(value, locale);
    case core::Unit::Usd: return moneyText(value, locale);
    case core::Unit::UsdPerHour: return moneyText(value, locale) + QStringLiteral(" an hour");
    case core::Unit::UsdPerKilowattHour: return moneyText(value, locale) + QStringLiteral(" a kWh");
    case core::Unit::KilogramsCo2e: return carbonText(value, locale);
    case core::Unit::Seconds: return durationText(value, locale);
    case core::Unit::Hours: return durationText(value * core::SecondsPerHour, locale);
    case core::Unit::Milliseconds: return durationText(value / MsPerSecond, locale);
    case core::Unit::Percent:
    case core::Unit::KilowattHours:
    case core::Unit::GramsPerKilowattHour:
    case core::Unit::TokensPerSecond:
    case core::Unit::SamplesPerSecond: return significantText(value, locale) + symbol;
    default: return scaledText(value, toQString(core::symbol(unit)), locale);
    }
}

QString figureText(const core::Quantity& figure, const DisplayLocale& locale)
{
    if (!figure.isAvailable())
        return QStringLiteral("unavailable");
    return valueText(figure.value(), figure.unit(), locale);
}

QString reasonText(const core::Quantity& figure)
{
    const std::string& note = figure.how().note.text();
    return note.empty() ? QStringLiteral("it isn't known for this design") : readable(note);
}

QString intervalText(const core::Quantity& figure, const DisplayLocale& locale)
{
    if (!figure.isAvailable() || figure.low() == figure.high())
        return {};
    return valueText(figure.low(), figure.unit(), locale) + QStringLiteral(" to ") +
           valueText(figure.high(), figure.unit(), locale);
}

std::optional<double> typedNumber(const QString& text, const QLocale& locale)
{
    const QString trimmed = text.trimmed();
    bool isNumber = trimmed.isEmpty();
    double number = 0;
    if (!isNumber)
        number = locale.toDouble(trimmed, &isNumber);
    if (!isNumber)
        number = QLocale::c().toDouble(trimmed, &isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace outlay::gui
