// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/prompt_time.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {

PromptTime::PromptTime(double tokens, double seconds, double secondsOfTwice)
{
    const double bent = secondsOfTwice - 2 * seconds;
    if (bent > 0) {
        m_squareS = bent / (2 * tokens * tokens);
        m_tokenS = std::max(0.0, seconds / tokens - m_squareS * tokens);
    } else {
        m_tokenS = std::max(0.0, secondsOfTwice - seconds) / tokens;
        m_fixedS = seconds - m_tokenS * tokens;
    }
}

double PromptTime::seconds(double tokens) const
{
    return m_fixedS + tokens * (m_tokenS + tokens * m_squareS);
}

double PromptTime::mean(double tokens, double spread) const
{
    return seconds(tokens) + m_squareS * tokens * tokens * spread * spread;
}

double PromptTime::spread(double tokens, double spread) const
{
    // The n-th moment of a log-normal length is its mean to the n, times this to n (n - 1) / 2.
    const double wide = 1 + spread * spread;
    const double wideCubed = wide * wide * wide;
    const double line = m_tokenS * tokens;
    const double square = m_squareS * tokens * tokens;
    const double squared = m_fixedS * m_fixedS + 2 * m_fixedS * line +
                           (line * line + 2 * m_fixedS * square) * wide +
                           2 * line * square * wideCubed + square * square * wideCubed * wideCubed;
    const double usual = mean(tokens, spread);
    return usual > 0 ? std::sqrt(std::max(0.0, squared / (usual * usual) - 1)) : 0;
}

PromptTime PromptTime::times(double slower) const
{
    PromptTime time = *this;
    for (double* part : {&time.m_fixedS, &time.m_tokenS, &time.m_squareS})
        *part *= slower;
    return time;
}

} // namespace outlay::core
