// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/service/day.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace outlay::core {
namespace {

constexpr std::size_t Places = 16384;
constexpr double NearPeak = 0.9;

/// The mean of a raised cosine from 0 to 1 to that power.
double meanOf(double power)
{
    return std::exp(std::lgamma(power + 0.5) - std::lgamma(power + 1)) /
           std::sqrt(std::numbers::pi);
}

double powerWith(double factor)
{
    constexpr double Steepest = 1e9;
    constexpr int Halvings = 80;
    double low = 0;
    double high = Steepest;
    for (int i = 0; i < Halvings; ++i) {
        // In the logarithm of 1 + power: the powers that occur lie near 0.
        const double middle = std::expm1((std::log1p(low) + std::log1p(high)) / 2);
        (factor * meanOf(middle) > 1 ? low : high) = middle;
    }
    return high;
}

double raisedCosine(double place)
{
    return (1 - std::cos(2 * std::numbers::pi * place)) / 2;
}

} // namespace

TrafficShape::TrafficShape(double peakFactor)
    : m_factor(std::max(peakFactor, 1.0)), m_power(m_factor > 1 ? powerWith(m_factor) : 0)
{
}

double TrafficShape::rateAt(double place) const
{
    return m_power > 0 ? m_factor * std::pow(raisedCosine(place), m_power) : 1;
}

std::vector<double> TrafficShape::rates(std::size_t parts) const
{
    std::vector<double> rates;
    double sum = 0;
    for (std::size_t i = 0; i < parts; ++i) {
        rates.push_back(rateAt((static_cast<double>(i) + 0.5) / static_cast<double>(parts)));
        sum += rates.back();
    }
    for (double& rate : rates)
        rate *= static_cast<double>(parts) / sum;
    return rates;
}

double TrafficShape::peakBegins() const
{
    if (m_power <= 0)
        return 0;
    const double least = std::pow(NearPeak, 1 / m_power);
    return std::acos(1 - 2 * least) / (2 * std::numbers::pi);
}

Day::Day(double hours, double peakFactor)
    : m_hours(hours), m_shape(peakFactor), m_peakBegins(m_shape.peakBegins())
{
    double sum = 0;
    m_come.push_back(0);
    for (const double rate : m_shape.rates(Places)) {
        sum += rate / Places;
        m_come.push_back(sum);
    }
}

double Day::placeOf(double share) const
{
    const auto above = std::upper_bound(m_come.begin() + 1, m_come.end() - 1, share);
    const double from = *(above - 1);
    const double part = *above > from ? (share - from) / (*above - from) : 0;
    return (static_cast<double>(above - 1 - m_come.begin()) + part) / Places;
}

double Day::shareInPeak() const
{
    const double place = m_peakBegins * Places;
    const auto at = std::min(static_cast<std::size_t>(place), Places - 1);
    const double part = place - static_cast<double>(at);
    return 1 - 2 * (m_come[at] + part * (m_come[at + 1] - m_come[at]));
}

} // namespace outlay::core
