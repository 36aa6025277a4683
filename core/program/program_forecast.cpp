// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_forecast.h"

#include "core/probe/margins.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// From one mark to the next.
struct Stretch {
    double seconds = 0;
    double steps = 0;

    [[nodiscard]] double stepS() const { return seconds / steps; }
};

/// What came at one time is one mark, the last of it.
std::vector<Stretch> stretchesOf(const std::vector<StepMark>& marks)
{
    std::vector<Stretch> stretches;
    for (std::size_t i = 1; i < marks.size(); ++i) {
        const Stretch s{marks[i].atS - marks[i - 1].atS, marks[i].steps - marks[i - 1].steps};
        if (s.steps <= 0)
            continue;
        if (s.seconds > 0)
            stretches.push_back(s);
        else if (!stretches.empty())
            stretches.back().steps += s.steps;
    }
    return stretches;
}

std::vector<double> stepTimesOf(const std::vector<Stretch>& stretches)
{
    std::vector<double> times;
    times.reserve(stretches.size());
    for (const Stretch& s : stretches)
        times.push_back(s.stepS());
    return times;
}

/// By which the medians of its thirds differ.
double driftOf(const std::vector<double>& times)
{
    constexpr std::size_t Parts = 3;
    const std::size_t each = times.size() / Parts;
    if (each < Parts)
        return 0;
    std::vector<double> medians;
    for (std::size_t i = 0; i < Parts; ++i) {
        const auto begin = times.begin() + static_cast<std::ptrdiff_t>(i * each);
        medians.push_back(median({begin, begin + static_cast<std::ptrdiff_t>(each)}));
    }
    const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
    return *low > 0 ? *high / *low - 1 : 0;
}

/// What takes as long as this isn't steps alone.
bool isPause(const Stretch& s, double usualS)
{
    constexpr double Times = 4;
    constexpr double LeastS = 0.2;
    const double more = s.seconds - usualS * s.steps;
    return more > LeastS && more > Times * usualS;
}

double secondsOf(const std::vector<Stretch>& stretches)
{
    double seconds = 0;
    for (const Stretch& s : stretches)
        seconds += s.seconds;
    return seconds;
}

double stepsOf(const std::vector<Stretch>& stretches)
{
    double steps = 0;
    for (const Stretch& s : stretches)
        steps += s.steps;
    return steps;
}

/// So many pauses may as well have been fewer or more by chance.
Interval rangeOfPauses(std::int64_t pauses)
{
    constexpr double Tenth = 1.28; // of a normal distribution beyond it
    const double count = static_cast<double>(pauses);
    const double miss = Tenth * std::sqrt(count);
    return {std::max(count - miss, 0.0), count + miss};
}

void addWhole(ProgramForecast& f)
{
    const double left = *f.ofSteps - f.doneSteps;
    const Interval margins = runMargins(f.step, f.disturbance);
    const double stepsS = left * f.step.meanS;
    const double pauseS = f.pauses > 0 ? f.pausedS / static_cast<double>(f.pauses) : 0;
    const double perPause = f.seenSteps > 0 ? left / f.seenSteps * pauseS : 0; // of each seen
    const Interval pauses = rangeOfPauses(f.pauses);
    f.wholeS = f.doneS + stepsS + static_cast<double>(f.pauses) * perPause;
    f.lowS = f.doneS + stepsS * margins.low + pauses.low * perPause;
    f.highS = f.doneS + stepsS * margins.high + pauses.high * perPause;
}

} // namespace

std::optional<ProgramForecast> forecastOf(const std::vector<StepMark>& marks,
                                          std::optional<double> ofSteps, double waiting,
                                          double untilS)
{
    constexpr std::size_t Enough = 3;
    std::vector<Stretch> stretches = stretchesOf(marks);
    if (stretches.size() < Enough)
        return std::nullopt;
    const std::vector<double> all = stepTimesOf(stretches);
    const std::size_t warm = warmUpCount(all);
    const auto begin = stretches.begin() + static_cast<std::ptrdiff_t>(warm);
    const std::vector<Stretch> first(stretches.begin(), begin);
    stretches.erase(stretches.begin(), begin);
    const double usualS = median(stepTimesOf(stretches));
    std::vector<Stretch> steady;
    ProgramForecast f;
    f.seenSteps = stepsOf(stretches);
    for (const Stretch& s : stretches) {
        if (!isPause(s, usualS)) {
            steady.push_back(s);
            continue;
        }
        ++f.pauses;
        f.pausedS += s.seconds - usualS * s.steps;
    }
    f.doneSteps = marks.back().steps;
    f.doneS = marks.back().atS;
    if (const Stretch tail{untilS - f.doneS, 1}; untilS > f.doneS && isPause(tail, usualS)) {
        ++f.pauses; // which goes on
        f.pausedS += tail.seconds;
        f.doneS = untilS;
    }
    const std::vector<double> times = stepTimesOf(steady);
    f.disturbance = {.waiting = waiting, .drift = driftOf(times)};
    f.step = timingOf(times, f.disturbance);
    f.step.meanS = secondsOf(steady) / stepsOf(steady); // stretches aren't all as long
    f.warmUpS = std::max(0.0, secondsOf(first) - stepsOf(first) * f.step.meanS);
    f.startS = std::max(0.0, marks.front().atS - marks.front().steps * f.step.meanS);
    f.ofSteps = ofSteps ? ofSteps : marks.back().of;
    if (f.ofSteps && *f.ofSteps < f.doneSteps) {
        f.isToldTooFew = ofSteps.has_value();
        f.ofSteps.reset();
    }
    if (f.ofSteps)
        addWhole(f);
    return f;
}

ProgramForecast asGuess(ProgramForecast forecast)
{
    constexpr double Factor = 2;
    forecast.step.verdict = Verdict::Unstable;
    forecast.lowS = std::max(forecast.doneS, forecast.lowS / Factor);
    forecast.highS *= Factor;
    forecast.step.lowS /= Factor;
    forecast.step.highS *= Factor;
    return forecast;
}

} // namespace outlay::core
