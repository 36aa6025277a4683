// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log_normal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace outlay::core {

double normalShare(double deviations)
{
    return std::erfc(-deviations / std::numbers::sqrt2) / 2;
}

LogNormal::LogNormal(double mean, double spread)
    : m_mean(mean), m_sigma(std::sqrt(std::log1p(spread * spread))),
      m_middle(mean > 0 ? std::log(mean) - m_sigma * m_sigma / 2 : 0)
{
}

double LogNormal::at(double deviations) const
{
    return m_sigma > 0 && m_mean > 0 ? std::exp(m_middle + m_sigma * deviations) : m_mean;
}

double LogNormal::shareBelow(double value) const
{
    if (m_sigma <= 0 || m_mean <= 0)
        return value >= m_mean ? 1 : 0;
    return value > 0 ? normalShare((std::log(value) - m_middle) / m_sigma) : 0;
}

double LogNormal::sumBelow(double value) const
{
    if (m_sigma <= 0 || m_mean <= 0)
        return std::max(value - m_mean, 0.0);
    if (value <= 0)
        return 0;
    const double deviations = (std::log(value) - m_middle) / m_sigma;
    return value * normalShare(deviations) - m_mean * normalShare(deviations - m_sigma);
}

SumsBelow::SumsBelow(double spread)
{
    if (spread <= 0)
        return;
    constexpr std::size_t Sums = 128;
    constexpr double Far = 3; // standard deviations, beyond which it is all
    const LogNormal one(1, spread);
    m_apart = one.at(Far) / Sums;
    for (std::size_t i = 0; i <= Sums; ++i)
        m_sums.push_back(one.sumBelow(static_cast<double>(i) * m_apart));
}

double SumsBelow::at(double value, double mean) const
{
    const double place = m_sums.empty() || mean <= 0 ? -1 : std::max(value, 0.0) / (mean * m_apart);
    if (place < 0 || place >= static_cast<double>(m_sums.size() - 1))
        return std::max(value - mean, 0.0);
    const auto i = static_cast<std::size_t>(place);
    return mean * (m_sums[i] + (place - static_cast<double>(i)) * (m_sums[i + 1] - m_sums[i]));
}

} // namespace outlay::core
