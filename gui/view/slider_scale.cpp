// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/slider_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::gui {
namespace {

/// Powers of two with one step between: sizes of layers and batches are such numbers.
std::vector<double> binaryStops(double low, double high)
{
    std::vector<double> stops;
    constexpr double Between = 1.5;
    double power = 1;
    while (power <= high) {
        for (const double stop : {power, power * Between}) {
            if (stop >= low && stop <= high && stop == std::floor(stop))
                stops.push_back(stop);
        }
        power *= 2;
    }
    return stops;
}

std::vector<double> decimalStops(double low, double high)
{
    constexpr std::array Steps{1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
    std::vector<double> stops;
    for (int exponent = static_cast<int>(std::floor(std::log10(low)));
         std::pow(10, exponent) <= high; ++exponent) {
        for (const double step : Steps) {
            // Dividing by a whole power keeps 0.2 what it is.
            const double stop =
                exponent < 0 ? step / std::pow(10, -exponent) : step * std::pow(10, exponent);
            if (stop >= low && stop <= high)
                stops.push_back(stop);
        }
    }
    return stops;
}

std::vector<double> linearStops(const SliderRange& range)
{
    constexpr double MostStops = 200;
    const double span = range.high - range.low;
    double step = std::pow(10, std::floor(std::log10(span / MostStops)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (span / (step * factor) <= MostStops) {
            step *= factor;
            break;
        }
    }
    if (range.isWhole)
        step = std::max(1.0, std::round(step));
    std::vector<double> stops;
    const double perUnit = std::round(1 / step);
    for (int i = 0; range.low + i * step <= range.high + step / 2; ++i)
        stops.push_back(step < 1 ? range.low + i / perUnit : range.low + i * step);
    return stops;
}

} // namespace

std::vector<double> stopsOf(const SliderRange& range)
{
    if (!(range.high > range.low))
        return {range.low, range.low + 1};
    if (!range.isLog)
        return linearStops(range);
    const double least = range.low > 0 ? range.low : std::min(1.0, range.high / 10);
    std::vector<double> stops =
        range.isWhole ? binaryStops(least, range.high) : decimalStops(least, range.high);
    if (stops.empty() || range.low < stops.front())
        stops.insert(stops.begin(), range.low);
    if (stops.back() < range.high)
        stops.push_back(range.high);
    return stops;
}

std::size_t nearestStop(const std::vector<double>& stops, double value)
{
    const auto above = std::lower_bound(stops.begin(), stops.end(), value);
    if (above == stops.begin())
        return 0;
    if (above == stops.end())
        return stops.size() - 1;
    const auto below = above - 1;
    const bool isNearAbove = *above - value < value - *below;
    return static_cast<std::size_t>((isNearAbove ? above : below) - stops.begin());
}

double steppedFrom(const std::vector<double>& stops, double value, int steps)
{
    const auto last = static_cast<std::ptrdiff_t>(stops.size()) - 1;
    const auto lower = std::lower_bound(stops.begin(), stops.end(), value) - stops.begin();
    const auto upper = std::upper_bound(stops.begin(), stops.end(), value) - stops.begin();
    // Up from the last stop at or below the value, down from the first at or above.
    const std::ptrdiff_t at = steps >= 0 ? upper - 1 + steps : lower + steps;
    return stops.at(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last)));
}

} // namespace outlay::gui
