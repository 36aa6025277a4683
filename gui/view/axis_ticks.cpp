// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/axis_ticks.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

/// A power of ten in as few characters as say it: "100", "100,000", "10 M".
QString powerText(double value, const QLocale& locale)
{
    struct Prefix {
        double factor;
        char16_t sign;
    };
    constexpr std::array Prefixes{Prefix{1e12, u'T'}, Prefix{1e9, u'G'}, Prefix{1e6, u'M'}};
    constexpr double Slack = 1 + 1e-9;
    for (const auto& [factor, sign] : Prefixes) {
        if (value * Slack >= factor)
            return countText(value / factor, locale) + QLatin1Char(' ') + QChar(sign);
    }
    return numberText(value, locale);
}

std::vector<AxisTick> powersOn(const ChartAxis& axis, const QLocale& locale)
{
    constexpr double Slack = 1e-9; // an end that is a power of ten has its tick
    const double low = std::log10(axis.low);
    const double high = std::log10(axis.high);
    std::vector<AxisTick> ticks;
    const auto last = static_cast<int>(std::floor(high + Slack));
    for (auto power = static_cast<int>(std::ceil(low - Slack)); power <= last; ++power)
        ticks.push_back({(power - low) / (high - low), powerText(std::pow(10, power), locale)});
    return ticks;
}

std::vector<AxisTick> timesOn(const ChartAxis& axis)
{
    constexpr std::size_t Enough = 3;
    constexpr double Slack = 1 + 1e-9;
    const double low = std::log10(axis.low);
    const double high = std::log10(axis.high);
    const auto ticksOf = [&](bool isMajor) {
        std::vector<AxisTick> ticks;
        for (const RoundTime& time : roundTimes()) {
            const bool isInside = time.hours * Slack >= axis.low && time.hours <= axis.high * Slack;
            if (isInside && (time.isMajor || !isMajor))
                ticks.push_back({(std::log10(time.hours) - low) / (high - low), time.label});
        }
        return ticks;
    };
    std::vector<AxisTick> ticks = ticksOf(true);
    return ticks.size() >= Enough ? ticks : ticksOf(false);
}

std::vector<AxisTick> wordsOn(const ChartAxis& axis)
{
    std::vector<AxisTick> ticks;
    for (std::size_t i = 0; i < axis.words.size(); ++i)
        ticks.push_back(
            {(static_cast<double>(i) + 1 - axis.low) / (axis.high - axis.low), axis.words[i]});
    return ticks;
}

} // namespace

const std::vector<RoundTime>& roundTimes()
{
    static const std::vector<RoundTime> Times = [] {
        struct Scale {
            double hours;
            const char16_t* unit;
            std::vector<int> counts;
            std::vector<int> major;
        };
        const std::array scales{
            Scale{1e-3 / core::SecondsPerHour,
                  u"ms",
                  {1, 2, 5, 10, 20, 50, 100, 200, 500},
                  {1, 10, 100}},
            Scale{1 / core::SecondsPerHour, u"s", {1, 2, 5, 10, 20, 30}, {1, 10}},
            Scale{1.0 / 60, u"min", {1, 2, 5, 10, 20, 30}, {1, 10}},
            Scale{1, u"h", {1, 2, 5, 10}, {1}},
            Scale{24,
                  u"d",
                  {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10'000, 100'000},
                  {1, 10, 100, 1000, 10'000, 100'000}}};
        std::vector<RoundTime> times;
        for (const Scale& scale : scales) {
            for (const int count : scale.counts)
                times.push_back(
                    {count * scale.hours,
                     QStringLiteral("%1 %2").arg(count).arg(QString::fromUtf16(scale.unit)),
                     std::find(scale.major.begin(), scale.major.end(), count) !=
                         scale.major.end()});
        }
        return times;
    }();
    return Times;
}

std::vector<AxisTick> ticksOf(const ChartAxis& axis, const QLocale& locale)
{
    if (!(axis.high > axis.low) || (axis.isLog && !(axis.low > 0)))
        return {};
    if (!axis.words.empty())
        return wordsOn(axis);
    if (axis.isTime)
        return timesOn(axis);
    if (axis.isLog)
        return powersOn(axis, locale);
    std::vector<AxisTick> ticks;
    const int intervals = std::max(1, axis.ticks - 1);
    for (int i = 0; i <= intervals; ++i) {
        const double place = static_cast<double>(i) / intervals;
        ticks.push_back({place, locale.toString(axis.low + place * (axis.high - axis.low), 'f',
                                                axis.decimals)});
    }
    return ticks;
}

std::vector<AxisTick> thinned(const std::vector<AxisTick>& ticks, double length, double room)
{
    if (ticks.size() < 2)
        return ticks;
    const std::size_t intervals = ticks.size() - 1;
    // The ends of a logarithmic axis need not have ticks.
    const double span = length * (ticks.back().place - ticks.front().place);
    const double each = span / static_cast<double>(intervals);
    // A divisor of the number of intervals keeps both ends.
    std::size_t step = 1;
    while (step < intervals && (intervals % step != 0 || each * static_cast<double>(step) < room))
        ++step;
    std::vector<AxisTick> kept;
    for (std::size_t i = 0; i < ticks.size(); i += step)
        kept.push_back(ticks[i]);
    return kept;
}

} // namespace outlay::gui
