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

} // namespace outlay::core
