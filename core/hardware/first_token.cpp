// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/first_token.h"

#include "core/base/crossing.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

constexpr double Early = 0.95; // of the requests
constexpr double Least = 1e-9;
constexpr double LeastMet = 1e-4;
constexpr double MostUsual = 600; // its chance of none is still a number

/// More than that never come by chance where so many are usual.
double mostOf(double usual)
{
    return usual + 6 * std::sqrt(usual) + 6;
}

} // namespace

FirstTokens::FirstTokens(const PromptTraffic& traffic, const SumsBelow& sums)
    : m_traffic(traffic), m_sums(sums), m_promptS(traffic.promptS, traffic.promptSpread)
{
    const double wide = 1 + traffic.promptSpread * traffic.promptSpread;
    m_batchS = traffic.promptS * wide;
    m_batchesPerS = traffic.perS / wide;
    // After a long step more prompts have come, which makes the next one long: they spread wider than by chance,
    // by a negative binomial law. Who comes meets a long step more often than a short one.
    // All prompts are read while steps run, those as well that find none running.
    const double share = std::max(traffic.busyShare, Least);
    const double prompts = std::min(traffic.perS * traffic.promptS, MostPrompts);
    const double ofSteps = std::min(prompts / share, MostPrompts);
    const double usual = std::min(m_batchesPerS / share * traffic.stepS / (1 - ofSteps), MostUsual);
    const double kept = prompts * prompts;
    double sum = 0;
    double chance = std::exp(kept > 0 ? usual * (1 - kept) / kept * std::log1p(-kept) : -usual);
    for (double batches = 0; batches < mostOf(usual / (1 - kept)); ++batches) {
        m_met.push_back(chance * lengthWith(batches));
        sum += m_met.back();
        chance *= (batches * kept + usual * (1 - kept)) / (batches + 1);
    }
    for (double& met : m_met)
        met /= sum;
}

double FirstTokens::shareWithin(double seconds) const
{
    const double busy = m_traffic.busyShare;
    return (1 - busy) * m_promptS.shareBelow(seconds - m_traffic.aloneS) +
           busy * shareWhileBusy(seconds);
}

double FirstTokens::leftWithin(double seconds) const
{
    return shareWithin(seconds) - Early;
}

double FirstTokens::p95S() const
{
    double low = 0;
    double high = m_promptS.at(At95) + m_traffic.aloneS + m_traffic.stepS;
    constexpr int Doublings = 40; // enough wherever answers keep up with requests
    for (int i = 0; i < Doublings && leftWithin(high) < 0; ++i) {
        low = high;
        high *= 2;
    }
    constexpr double Part = 1e-4;
    return crossingOf([&](double seconds) { return leftWithin(seconds); }, {low, high}, Part).high;
}

double FirstTokens::shareWhileBusy(double seconds) const
{
    double share = 0;
    double batches = 0;
    for (const double met : m_met) {
        if (met > LeastMet)
            share += met * shareMeeting(lengthWith(batches), seconds);
        ++batches;
    }
    return share;
}

double FirstTokens::shareMeeting(double lengthS, double seconds) const
{
    double share = 0;
    const double usual = std::min(m_batchesPerS * lengthS, MostUsual);
    double chance = std::exp(-usual);
    for (double others = 0; others < mostOf(usual); ++others) {
        const double left = seconds - lengthWith(others); // for the rest and one's own prompt
        if (left <= 0)
            break;
        share += chance * (sumBelow(left) - sumBelow(left - lengthS)) / lengthS;
        chance *= usual / (others + 1);
    }
    return share;
}

} // namespace outlay::core
