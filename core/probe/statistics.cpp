// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace outlay::core {

double percentile(std::vector<double> samples, double share)
{
    std::sort(samples.begin(), samples.end());
    return percentileOfSorted(samples, share);
}

double percentileOfSorted(std::span<const double> samples, double share)
{
    if (samples.empty())
        return 0;
    const double position = share * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], position - std::floor(position));
}

double median(std::vector<double> samples)
{
    return percentile(std::move(samples), 0.5);
}

double winsorisedMean(std::vector<double> samples, double share)
{
    if (samples.empty())
        return 0;
    std::sort(samples.begin(), samples.end());
    const auto count = static_cast<double>(samples.size());
    const auto moved = static_cast<std::size_t>(share * count);
    const double low = samples[moved];
    const double high = samples[samples.size() - 1 - moved];
    double total = 0;
    for (const double sample : samples)
        total += std::clamp(sample, low, high);
    return total / count;
}

std::size_t warmUpCount(std::span<const double> samples)
{
    constexpr double Warm = 1.15;
    constexpr std::size_t Most = 5;
    if (samples.size() < 2)
        return 0;
    const std::size_t half = samples.size() / 2;
    const double usual =
        median({samples.begin() + static_cast<std::ptrdiff_t>(half), samples.end()});
    std::size_t count = 1;
    while (count < std::min(Most, half) && samples[count] > Warm * usual)
        ++count;
    return count;
}

namespace {

/// Of many, faster than by sorting; it may reorder them.
double middleOf(std::vector<double>& samples)
{
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return samples.size() % 2 == 1
               ? *middle
               : std::lerp(*std::max_element(samples.begin(), middle), *middle, 0.5);
}

} // namespace

namespace {

/// Of so few that the true median lies outside of them too often: by how they differ, as ratios.
Interval fewInterval(std::span<const double> samples)
{
    // Student's distribution, below which 90 of 100 lie, by degrees of freedom. One sample says nothing of itself.
    constexpr std::array<double, 2> Student{3.078, 1.886};
    if (samples.size() == 1)
        return {samples[0] * (1 - UnsteadyMiss), samples[0] * (1 + UnsteadyMiss)};
    const auto count = static_cast<double>(samples.size());
    double mean = 0;
    for (const double sample : samples)
        mean += std::log(sample) / count;
    double variance = 0;
    for (const double sample : samples)
        variance += std::pow(std::log(sample) - mean, 2) / (count - 1);
    const double around = Student.at(samples.size() - 2) * std::sqrt(variance / count);
    return {std::exp(mean - around), std::exp(mean + around)};
}

Interval resampledInterval(std::span<const double> samples)
{
    constexpr int Rounds = 400;
    const std::size_t block = std::max<std::size_t>(1, samples.size() / 8);
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> start(0, samples.size() - block);
    std::vector<double> medians;
    std::vector<double> drawn;
    for (int i = 0; i < Rounds; ++i) {
        drawn.clear();
        while (drawn.size() < samples.size()) {
            const std::size_t at = start(random);
            drawn.insert(drawn.end(), samples.begin() + static_cast<std::ptrdiff_t>(at),
                         samples.begin() + static_cast<std::ptrdiff_t>(at + block));
        }
        medians.push_back(middleOf(drawn));
    }
    return {percentile(medians, 0.1), percentile(medians, 0.9)};
}

} // namespace

Interval medianInterval(std::span<const double> samples)
{
    if (samples.empty())
        return {};
    constexpr std::size_t Few = 4;
    const bool isFew = samples.size() < Few &&
                       std::all_of(samples.begin(), samples.end(), [](double s) { return s > 0; });
    const Interval around = isFew ? fewInterval(samples) : resampledInterval(samples);
    // Blocks of a machine that comes and goes may all agree on another one.
    const double middle = median({samples.begin(), samples.end()});
    return {std::min(around.low, middle), std::max(around.high, middle)};
}

std::optional<Interval> rankInterval(std::vector<double> samples, double share)
{
    constexpr double Outside = 0.1; // on either side
    std::sort(samples.begin(), samples.end());
    const auto count = static_cast<double>(samples.size());
    // Of those that lie below the true value so many do by chance, none to all of them.
    double below = 0;
    std::optional<std::size_t> low;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto k = static_cast<double>(i);
        below += std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) +
                          k * std::log(share) + (count - k) * std::log1p(-share));
        if (!low && below > Outside)
            low = i > 0 ? i - 1 : 0;
        if (below >= 1 - Outside)
            return Interval{samples[*low], samples[i]};
    }
    return std::nullopt;
}

double renewedForecast(std::span<const double> doneSteps, double steps)
{
    constexpr double Twentieth = 0.05;
    const double done = std::accumulate(doneSteps.begin(), doneSteps.end(), 0.0);
    const auto warm = static_cast<std::ptrdiff_t>(warmUpCount(doneSteps));
    const double stepS = winsorisedMean({doneSteps.begin() + warm, doneSteps.end()}, Twentieth);
    return done + std::max(0.0, steps - static_cast<double>(doneSteps.size())) * stepS;
}

Ratio ratioOf(std::span<const double> numerators, std::span<const double> denominators)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(numerators.size(), denominators.size()); ++i)
        ratios.push_back(numerators[i] / denominators[i]);
    return {median(ratios), medianInterval(ratios), ratios.size()};
}

double relativeSpread(std::vector<double> samples)
{
    const double middle = median(samples);
    if (middle == 0)
        return 0;
    for (double& sample : samples)
        sample = std::abs(sample - middle);
    return median(std::move(samples)) / middle;
}

std::string_view name(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Steady: return "steady";
    case Verdict::Unstable: return "unstable";
    case Verdict::TooFew: return "too few";
    }
    return "";
}

std::string_view remedy(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Steady: return "";
    case Verdict::Unstable: return "stop other programs and measure again, or give it more time";
    case Verdict::TooFew: return "give the measurement more time";
    }
    return "";
}

Verdict verdictOf(std::span<const double> samples, const Disturbance& disturbance)
{
    constexpr double MostSpread = 0.05;
    constexpr double MostWaiting = 0.10;
    constexpr double MostDrift = 0.05;
    if (samples.size() < EnoughSamples)
        return Verdict::TooFew;
    const bool isSteady = relativeSpread({samples.begin(), samples.end()}) <= MostSpread &&
                          disturbance.waiting <= MostWaiting && disturbance.drift <= MostDrift;
    return isSteady ? Verdict::Steady : Verdict::Unstable;
}

} // namespace outlay::core
