// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a list of timings says, and whether it can be trusted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace outlay::core {

/// The value below which a share of the samples lies, between neighbours in proportion; 0 of none.
[[nodiscard]] double percentile(std::vector<double> samples, double share);
[[nodiscard]] double percentileOfSorted(std::span<const double> samples, double share);
[[nodiscard]] double median(std::vector<double> samples);

/// The mean with the lowest and the highest `share` of the samples moved to the nearest of the others:
/// a run pays its slow steps too, so they may not be left out, yet one of them may not decide.
[[nodiscard]] double winsorisedMean(std::vector<double> samples, double share);

/// How many leading samples are warm-up: those that exceed 1.15 times the median of the second half,
/// at least one and at most five where there are enough to spare.
[[nodiscard]] std::size_t warmUpCount(std::span<const double> samples);

struct Interval {
    double low = 0;
    double high = 0;

    bool operator==(const Interval&) const = default;
};

/// By how much probes of ten seconds missed runs of a hundred on machines that weren't steady; docs/worker.md has the
/// runs.
inline constexpr double UnsteadyMiss = 0.15;

/// Holds the true median in 80 of 100 cases: by resampling blocks of neighbours, because neighbouring steps
/// share the machine's state; of less than four by how they differ. The list's own median always lies in it;
/// the same list gives the same interval.
[[nodiscard]] Interval medianInterval(std::span<const double> samples);

/// Holds the true value below which that share lies in 80 of 100 cases, whatever the distribution: two of the samples, by
/// how many of so many lie below it by chance. Nothing where too few lie beyond it to say how high it may be.
[[nodiscard]] std::optional<Interval> rankInterval(std::vector<double> samples, double share);

/// What a run of so many steps takes in all, from those that are done: renewed while it goes on, it gets
/// better with every step.
[[nodiscard]] double renewedForecast(std::span<const double> doneSteps, double steps);

/// A ratio of two things that were timed in turns.
struct Ratio {
    double value = 0;
    Interval interval;
    std::size_t rounds = 0;
};

/// Of the rounds' ratios, each of which saw the same state of the machine: their median.
[[nodiscard]] Ratio ratioOf(std::span<const double> numerators,
                            std::span<const double> denominators);

/// Median absolute deviation from the median, as a share of it: the error of a single sample.
[[nodiscard]] double relativeSpread(std::vector<double> samples);

enum class Verdict { Steady, Unstable, TooFew };
[[nodiscard]] std::string_view name(Verdict verdict);
/// What to do about it; empty for steady.
[[nodiscard]] std::string_view remedy(Verdict verdict);

/// By how much the machine disturbed a measurement, each as a share.
struct Disturbance {
    double waiting = 0; // by which wall time exceeds processor time
    double drift = 0;   // by which the medians of bursts differ

    bool operator==(const Disturbance&) const = default;
};

inline constexpr std::size_t EnoughSamples = 12;

/// Unstable beyond 5 % relative spread, 10 % waiting or 5 % drift: something else used the machine.
/// Fewer than `EnoughSamples` are too few.
[[nodiscard]] Verdict verdictOf(std::span<const double> samples, const Disturbance& disturbance);

} // namespace outlay::core
