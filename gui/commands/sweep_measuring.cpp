// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/sweep_measuring.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/launch/queue.h"
#include "core/probe/measurements.h"
#include "gui/commands/measuring.h"

#include <algorithm>
#include <chrono>
#include <ostream>

namespace outlay::gui {
namespace {

/// Whether a probe on these hosts, or on this machine, has been asked for just this before.
bool isMeasured(const core::Experiment& point, const core::Measurements& measurements,
                const std::vector<core::Profile>& on)
{
    const core::Measured there =
        on.empty() ? measurements.on(core::thisMachine()) : measurements.onHosts(namesOf(on));
    return there.answering(core::askedOf(point)) != nullptr;
}

std::vector<std::size_t> missingPoints(const core::Sweep& sweep, const Measuring& measuring,
                                       const core::Measurements& measurements)
{
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
        const auto point = sweep.at(i);
        // One that can't be is named when its Report is made.
        if (point && !isMeasured(*point, measurements, measuring.on))
            missing.push_back(i);
    }
    return missing;
}

core::SweepMachines machinesOf(const Measuring& measuring)
{
    core::SweepMachines machines{.secondsOfPoint = measuring.seconds + core::WorkerStartSeconds};
    if (measuring.on.empty())
        return machines;
    const core::LaunchSite site{.worker = {}, .sockets = {}, .cores = core::thisMachine().cores};
    machines.atOnce = 0;
    double usd = 0;
    bool isKnown = true;
    for (const core::Profile& profile : measuring.on) {
        const auto count = static_cast<double>(core::slotsOf(profile, site).count);
        machines.atOnce += count;
        isKnown = isKnown && profile.hourPriceUsd.has_value();
        // Each task of a queue may have a machine to itself.
        const double machinesPaid = profile.kind == core::ProfileKind::Queue ? count : 1;
        usd += profile.hourPriceUsd.value_or(0) * machinesPaid;
    }
    if (isKnown)
        machines.usdPerHour = usd;
    return machines;
}

/// The points to measure, in their order; told, where a budget bounds them.
core::Result<std::vector<std::size_t>> chosenPoints(const core::Sweep& sweep,
                                                    const Measuring& measuring,
                                                    std::vector<std::size_t> missing,
                                                    const Streams& streams)
{
    if (!measuring.budget)
        return missing;
    for (const core::Profile& profile : measuring.on) {
        if (profile.kind == core::ProfileKind::Queue && !profile.atOnce)
            return core::usageError(
                "how many points " + profile.name +
                    " measures at once isn't known, and so not how long it takes",
                "give at_once in its profile, or no --budget");
    }
    const auto plan =
        core::planWithin(sweep, std::move(missing), *measuring.budget, machinesOf(measuring));
    if (!plan)
        return core::failureOf(plan);
    constexpr double MinutesInHour = 60;
    streams.err << "outlay: measuring " << plan->points.size() << " points takes about "
                << core::plainNumber(plan->hours * MinutesInHour) << " min";
    if (plan->usd)
        streams.err << " and $" << core::plainNumber(*plan->usd);
    if (plan->leftOut > 0)
        streams.err << "; " << plan->leftOut << " that lie between them are left out";
    streams.err << ".\n";
    return plan->points;
}

/// Whether the time or the money of a budget is used up, should one more point be begun.
class BudgetWatch {
public:
    explicit BudgetWatch(const Measuring& measuring)
        : m_budget(measuring.budget), m_machines(machinesOf(measuring)),
          m_start(std::chrono::steady_clock::now())
    {
    }

    [[nodiscard]] bool isSpent() const
    {
        if (!m_budget)
            return false;
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
        const double hours = (seconds + m_machines.secondsOfPoint) / core::SecondsPerHour;
        if (m_budget->hours && hours > *m_budget->hours)
            return true;
        return m_budget->usd && m_machines.usdPerHour &&
               hours * *m_machines.usdPerHour > *m_budget->usd;
    }

private:
    std::optional<core::SweepBudget> m_budget;
    core::SweepMachines m_machines;
    std::chrono::steady_clock::time_point m_start;
};

core::Job jobAt(const core::Sweep& sweep, std::size_t point, const Measuring& measuring)
{
    core::Job job = core::jobOf(*sweep.at(point));
    job.seconds = measuring.seconds;
    return job;
}

core::Result<void> measureHere(const core::Sweep& sweep, const std::vector<std::size_t>& points,
                               const Measuring& measuring, const Streams& streams,
                               std::vector<core::Error>& errors)
{
    const BudgetWatch watch(measuring);
    for (const std::size_t i : points) {
        if (watch.isSpent())
            break;
        const auto stored = core::loadExperiment(measuring.file);
        if (!stored)
            return core::failureOf(stored);
        const auto measurement = measureNow(jobAt(sweep, i, measuring),
                                            measuring.file + " " + sweep.labelAt(i), streams);
        if (!measurement && measurement.error().code == core::ErrorCode::Cancelled)
            return core::failureOf(measurement);
        if (!measurement) {
            errors.push_back(measurement.error());
            continue;
        }
        if (!core::cancelledIn(*measurement).empty())
            return tl::unexpected<core::Error>(cancelledError("its points so far are stored"));
        // Where one can't be stored, the next can't either.
        if (const auto kept = storeMeasurements(stored->experiment, {*measurement}, measuring.file,
                                                measuring.file);
            !kept)
            return kept;
    }
    return {};
}

core::Error failureOfPoints(core::Error error, const std::vector<std::string>& labels)
{
    constexpr std::size_t MostNamed = 3;
    std::string named;
    for (std::size_t i = 0; i < std::min(MostNamed, labels.size()); ++i)
        named += (i == 0 ? "" : "; ") + labels[i];
    if (labels.size() > MostNamed)
        named += "; and " + std::to_string(labels.size() - MostNamed) + " more points";
    error.what = "not measured: " + named + ": " + error.what;
    return error;
}

core::Result<void> measureThere(const core::Sweep& sweep, const std::vector<std::size_t>& points,
                                const Measuring& measuring, const Streams& streams,
                                std::vector<core::Error>& errors)
{
    std::vector<core::Job> jobs;
    for (const std::size_t i : points)
        jobs.push_back(jobAt(sweep, i, measuring));
    const auto stored = core::loadExperiment(measuring.file);
    if (!stored)
        return core::failureOf(stored);
    const BudgetWatch watch(measuring);
    // What several points failed of is said once, with the points.
    std::vector<std::pair<core::Error, std::vector<std::size_t>>> failures;
    const auto fail = [&](std::size_t job, const core::Error& error) {
        auto same = std::find_if(failures.begin(), failures.end(),
                                 [&](const auto& each) { return each.first == error; });
        if (same == failures.end())
            same = failures.insert(failures.end(), {error, {}});
        same->second.push_back(job);
    };
    const auto done =
        measureElsewhere(measuring.on, std::move(jobs), Reuse::Stored, Joining::Apart,
                         {.store =
                              [&](const std::vector<core::Json>& measurements) {
                                  return storeMeasurements(stored->experiment, measurements,
                                                           measuring.file, measuring.file);
                              },
                          .fail = fail,
                          .isSpent = [&] { return watch.isSpent(); }},
                         streams);
    for (auto& [error, failed] : failures) {
        std::sort(failed.begin(), failed.end()); // they end in any order
        std::vector<std::string> labels;
        for (const std::size_t job : failed)
            labels.push_back(sweep.labelAt(points[job]));
        errors.push_back(failureOfPoints(std::move(error), labels));
    }
    return done;
}

} // namespace

core::Result<core::Experiment> measureAll(const core::Sweep& sweep, const Measuring& measuring,
                                          const Streams& streams, std::vector<core::Error>& errors)
{
    const auto before = core::loadExperiment(measuring.file);
    if (!before)
        return core::failureOf(before);
    auto points =
        chosenPoints(sweep, measuring,
                     missingPoints(sweep, measuring, before->experiment.measurements), streams);
    if (!points)
        return core::failureOf(points);
    if (!points->empty()) {
        const auto done = measuring.on.empty()
                              ? measureHere(sweep, *points, measuring, streams, errors)
                              : measureThere(sweep, *points, measuring, streams, errors);
        if (!done)
            return core::failureOf(done);
    }
    const auto stored = core::loadExperiment(measuring.file);
    if (!stored)
        return core::failureOf(stored);
    return stored->experiment;
}

} // namespace outlay::gui
