// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/hardware/data_parallel.h"
#include "pricing/report/assumption.h"
#include "pricing/report/offers/chosen_machine.h"
#include "pricing/report/sections.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::array<std::int64_t, 4> Counts{1, 2, 4, 8};

constexpr Formula AloneFormula{"devices.here.alone", "{0} s, the median while the others waited"};
constexpr Formula ShardedFormula{"devices.sharded",
                                 "{0} x {1} s of a step on one / {2} s, sharded"};
constexpr Formula AloneRunFormula{"devices.here.run", "{0} s in steps of {1} s"};

/// Inside of one machine its link, where that is listed; else, and between machines, an assumed network.
Link linkFor(const Subject& subject, const MachineKind& kind, std::int64_t machines)
{
    if (machines == 1) {
        if (const auto inside = linkInside(kind.device, subject.catalogs.calibration()))
            return *inside;
    }
    const double gbPerS = valueOf(subject, NetworkGbPerS);
    return assumedNetwork(gbPerS > 0 ? gbPerS : NetworkGbPerS.byDefault,
                          "assumed: no speed of the network is listed; /assumptions/" +
                              std::string(NetworkGbPerS.name) + " sets it");
}

/// One process on this machine, as it was measured beside others.
Alone aloneHere(const Subject& subject, const Measurement& m)
{
    constexpr double Miss = 0.15; // of so few steps
    const double step = m.processes->aloneStepS;
    const auto around = [&](double value, How how) {
        return Quantity::within(value, value * (1 - Miss), value * (1 + Miss), Unit::Seconds,
                                Basis::Measured, std::move(how));
    };
    const std::string note = "one thread on " + m.machine.processor + ", " + m.created;
    Training training = subject.experiment.training;
    training.devices = 1;
    const double run = trainingRun(subject.kinds, training).steps * step;
    return {around(step, how(AloneFormula, {step}, note)),
            around(run, how(AloneRunFormula, {run, step}, note))};
}

void addHere(const Subject& subject, DevicesReport& devices)
{
    const MeasurementPtr m = subject.measured.withProcesses(subject.asked());
    if (m == nullptr) {
        devices.hereWhy = "several processes of just these steps weren't measured here; `outlay "
                          "probe --processes 2` does it";
        return;
    }
    const Calibration calibration = calibrationFrom(*m->processes, subject.catalogs.calibration());
    const Link link = linkMeasured(*m->processes);
    const Alone alone = aloneHere(subject, *m);
    for (const std::int64_t count : Counts) {
        if (count > std::max(m->machine.cores, m->processes->processes))
            break;
        DevicesRow row{.devices = count};
        row.step = dataParallel(subject.training, alone, count, link, calibration);
        row.hours = product(row.step.runSeconds, Quantity::exact(1 / SecondsPerHour, Unit::One, {}),
                            Unit::Hours)
                        .because(row.step.runSeconds.how());
        row.usd = Quantity::unavailable(Unit::Usd, "processes of this machine have no price");
        devices.here.push_back(std::move(row));
    }
}

/// Devices of one machine that divide the training are forecast as a whole.
void takeSharded(DataParallel& step, const TrainingForecast& whole, const TrainingForecast& one,
                 std::int64_t devices)
{
    step.stepSeconds = whole.stepSeconds;
    step.runSeconds = whole.runSeconds;
    const auto count = static_cast<double>(devices);
    const double value = count * one.stepSeconds.value() / whole.stepSeconds.value();
    step.speedUp = Quantity::within(
        value, std::min(value, step.speedUp.low()), std::max(value, step.speedUp.high()), Unit::One,
        Basis::Forecast,
        how(ShardedFormula, {count, one.stepSeconds.value(), whole.stepSeconds.value()}));
}

} // namespace

void addDevices(const Subject& subject, Report& report)
{
    DevicesReport& devices = report.scaling.devices;
    addHere(subject, devices);
    const ChosenMachine machine(subject, report);
    devices.machine = machine.name();
    devices.why = machine.why();
    if (!devices.why.empty())
        return;
    const MachineKind& kind = machine.kind();
    devices.device = kind.device.name;
    const TrainingForecast one = machine.forecast(subject.training, 1);
    for (const std::int64_t count : Counts) {
        DevicesRow row{.devices = count, .machines = (count + kind.count - 1) / kind.count};
        row.step =
            dataParallel(subject.training, {one.stepSeconds, one.runSeconds}, count,
                         linkFor(subject, kind, row.machines), subject.catalogs.calibration());
        const TrainingForecast whole = machine.forecast(subject.training, count);
        if (row.machines == 1 && whole.sharding != Sharding::None)
            takeSharded(row.step, whole, one, count);
        row.hours = machine.hours(row.step.runSeconds);
        row.usd = machine.usd(row.hours, static_cast<double>(row.machines));
        devices.rows.push_back(std::move(row));
    }
}

} // namespace outlay::pricing
