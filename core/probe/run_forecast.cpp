// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/run_forecast.h"

#include "core/probe/statistics.h"

namespace outlay::core {

void RunForecast::add(const std::vector<double>& stepSeconds)
{
    constexpr std::size_t Enough = 4;
    constexpr std::size_t Fiftieth = 50;
    m_done.insert(m_done.end(), stepSeconds.begin(), stepSeconds.end());
    if (m_done.size() < Enough || m_done.size() <= m_renewedAt + m_renewedAt / Fiftieth)
        return;
    m_renewedAt = m_done.size();
    m_seconds = renewedForecast(m_done, m_steps);
}

} // namespace outlay::core
