// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/training_machines.h"

#include "core/base/units.h"
#include "core/hardware/holding.h"
#include "core/hardware/sharding.h"
#include "pricing/report/assumption.h"
#include "pricing/report/offers/chosen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outlay::pricing {

using namespace outlay::core;

Devices devicesOf(const Subject& subject, const MachineKind& kind, std::int64_t machines)
{
    return {.device = kind.device,
            .count = kind.count * machines,
            .calibration = subject.catalogs.calibration(),
            .runtimeBytes = runtimeBytesOn(subject, kind.device),
            .machines = machines,
            .networkGbPerS = machines > 1 ? kind.networkGbPerS : std::nullopt,
            .hostVcpus = kind.hostVcpus,
            .hostGb = kind.hostGb};
}

std::optional<Devices> chosenDevices(const Subject& subject, const TrainingReport& training)
{
    const MachineKind* kind = machineOf(subject.catalogs, training.recommended);
    if (kind == nullptr)
        return std::nullopt;
    return devicesOf(subject, *kind,
                     training.forecasts[training.recommended.chosen->forecast].machines);
}

TrainingMachines::TrainingMachines(const Subject& subject, const Corrections& corrections)
    : m_subject(subject), m_corrections(corrections), m_hours(subject),
      m_deadlineHours(subject.experiment.plan.deadlineHours.value_or(HUGE_VAL)),
      m_longestHours(longestRunHours(subject))
{
}

TrainingForecast TrainingMachines::on(const MachineKind& kind, std::int64_t machines,
                                      TimedPasses& timed) const
{
    const Devices devices = devicesOf(m_subject, kind, machines);
    TrainingForecast forecast =
        trainingForecast(holdingOn(m_subject.training, devices, timed), devices);
    correct(forecast, m_corrections, kind.device);
    return forecast;
}

double TrainingMachines::hoursOf(const TrainingForecast& f) const
{
    return judged(m_hours.range(f.runSeconds, Purchase::OnDemand, f.machines),
                  m_subject.experiment.plan.risk);
}

std::int64_t TrainingMachines::moreMachines(const MachineKind& kind,
                                            const TrainingForecast& forecast, std::int64_t most,
                                            TimedPasses& timed) const
{
    std::int64_t machines = std::min(2 * forecast.machines, most);
    if (!m_subject.experiment.training.globalBatch)
        return machines; // then a step doesn't get shorter: there are fewer
    const double hoursOfSecond = hoursOf(forecast) * m_corrections.of(kind.device).ratio /
                                 forecast.stepSeconds.value(); // which is a corrected one
    const auto leastHours = [&](std::int64_t number) {
        const Devices devices = devicesOf(m_subject, kind, number);
        return hoursOfSecond * leastSeconds(m_subject.training, devices, timed);
    };
    while (machines < most && leastHours(machines) > m_longestHours)
        machines = std::min(2 * machines, most);
    return machines;
}

TrainingForecast TrainingMachines::enough(const MachineKind& kind, const TrainingForecast& alone,
                                          TimedPasses& timed) const
{
    // More devices than a step has samples would wait.
    const Training& training = m_subject.experiment.training;
    const std::int64_t ofCopy = training.tensorParallel.value_or(1) *
                                training.pipelineStages.value_or(1) *
                                training.contextParallel.value_or(1);
    const std::int64_t plan = m_subject.experiment.plan.maxMachines;
    // Where none holds a sample several train each.
    const std::int64_t sharing = alone.fits == Fits::No ? widestContext(m_subject.training) : 1;
    const std::int64_t shared =
        training.globalBatch
            ? std::max<std::int64_t>(1, *training.globalBatch * ofCopy * sharing / kind.count)
            : plan;
    const std::int64_t most = std::min(plan, shared);
    // A layout may ask for more than one machine, which then has neither time nor memory.
    const bool isKnown = alone.runSeconds.isAvailable() || !alone.memory.isAvailable();
    if (!kind.networkGbPerS || !isKnown)
        return alone;
    TrainingForecast forecast = alone;
    // Of stages, whose devices divide experts, too.
    const std::int64_t least =
        std::lcm(ofCopy, training.pipelineStages.value_or(1) *
                             m_subject.training.training.expertParallel.value_or(1));
    const std::int64_t ofWhole = least / std::gcd(least, kind.count);
    for (std::int64_t machines = 1; forecast.fits == Fits::No && machines < most;) {
        machines = std::min(machines < ofWhole ? ofWhole : 2 * machines, most);
        const Devices together = devicesOf(m_subject, kind, machines);
        // Cheaper to ask than a forecast.
        if (fitsOn(m_subject.training, together) == Fits::Yes)
            forecast = on(kind, machines, timed);
    }
    // Each sooner than the one before; none that takes too long for a plan.
    std::vector<TrainingForecast> late;
    const double enough = std::min(m_deadlineHours, m_longestHours);
    while (forecast.fits == Fits::Yes && hoursOf(forecast) > enough) {
        if (hoursOf(forecast) <= m_longestHours)
            late.push_back(forecast);
        if (forecast.machines >= most)
            break;
        TrainingForecast more = on(kind, moreMachines(kind, forecast, most, timed), timed);
        // Beyond some number they wait for each other.
        if (!more.runSeconds.isAvailable() ||
            more.runSeconds.value() >= forecast.runSeconds.value())
            break;
        forecast = std::move(more);
    }
    if (!forecast.runSeconds.isAvailable())
        return forecast;
    if (hoursOf(forecast) <= enough)
        return cheaperOf(kind, std::move(forecast), most, timed);
    const auto nearly = std::find_if(late.begin(), late.end(), [&](const TrainingForecast& f) {
        return hoursOf(f) <= Nearly * hoursOf(late.back());
    });
    return nearly != late.end() ? *nearly : forecast;
}

TrainingForecast TrainingMachines::cheaperOf(const MachineKind& kind, TrainingForecast forecast,
                                             std::int64_t most, TimedPasses& timed) const
{
    constexpr std::int64_t Furthest = 4;
    constexpr double Notable = 0.95;
    const auto machineSeconds = [](const TrainingForecast& f) {
        return f.runSeconds.value() * static_cast<double>(f.machines);
    };
    // None takes less than its kernels: where even those cost too much, it needn't be laid out.
    const auto mayBeCheaper = [&](std::int64_t machines) {
        if (!m_subject.experiment.training.globalBatch)
            return true;
        const double leastS =
            leastSeconds(m_subject.training, devicesOf(m_subject, kind, machines), timed);
        return leastS * m_corrections.of(kind.device).ratio * real(machines) <
               Notable * forecast.stepSeconds.value() * real(forecast.machines);
    };
    const std::int64_t first = forecast.machines;
    for (std::int64_t machines = 2 * first;
         forecast.fits == Fits::Yes && gathersWeights(forecast.layout.sharding) &&
         machines <= std::min(most, Furthest * first);
         machines *= 2) {
        if (!mayBeCheaper(machines))
            continue;
        TrainingForecast more = on(kind, machines, timed);
        if (more.fits == Fits::Yes && more.runSeconds.isAvailable() &&
            machineSeconds(more) < Notable * machineSeconds(forecast))
            forecast = std::move(more);
    }
    return forecast;
}

} // namespace outlay::pricing
