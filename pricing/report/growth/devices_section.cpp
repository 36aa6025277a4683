// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
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
constexpr Formula ShardedFormula{
    "devices.sharded", "{0} x {1} s of a step on the fewest that hold it / {2} s, sharded"};
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

DataParallel unavailableStep(const Note& why)
{
    const Quantity seconds = Quantity::unavailable(Unit::Seconds, why);
    return {seconds, seconds, seconds, seconds, Quantity::unavailable(Unit::One, why)};
}

/// Times of sharded devices are of one machine as a whole: what is work there and what exchange is one in another.
class Steps {
public:
    Steps(const Subject& subject, const ChosenMachine& machine)
        : m_subject(subject), m_machine(machine)
    {
    }

    [[nodiscard]] DataParallel of(std::int64_t count, std::int64_t machines)
    {
        const MachineKind& kind = m_machine.kind();
        const std::int64_t inOne = std::min(count, kind.count);
        const TrainingForecast whole = m_machine.forecast(m_subject.training, inOne);
        if (whole.fits == Fits::No)
            return unavailableStep("it doesn't fit on " + plainNumber(real(count)) + " x " +
                                   kind.device.name);
        if (m_base == 0) {
            m_base = inOne;
            m_first = whole;
        }
        const bool isSharded = m_base > 1 || whole.sharding != Sharding::None;
        const Link link = linkFor(m_subject, kind, machines);
        const Calibration& calibration = m_subject.catalogs.calibration();
        if (!isSharded)
            return dataParallel(m_subject.training,
                                {m_first.stepSeconds, m_first.runSeconds, m_first.runShare}, count,
                                link, calibration);
        DataParallel step = dataParallel(
            m_subject.training, {whole.stepSeconds, whole.runSeconds, whole.runShare, real(inOne)},
            machines, link, calibration);
        const auto devices = static_cast<double>(count);
        step.speedUp = quotient(m_first.stepSeconds * devices, step.stepSeconds, Unit::One)
                           .because(how(ShardedFormula, {devices, m_first.stepSeconds.value(),
                                                         step.stepSeconds.value()}));
        step.speedUp =
            Quantity::within(step.speedUp.value(), step.speedUp.value(), step.speedUp.value(),
                             Unit::One, Basis::Forecast, step.speedUp.how());
        return step;
    }

private:
    const Subject& m_subject;
    const ChosenMachine& m_machine;
    std::int64_t m_base = 0; // devices of the first that holds it
    TrainingForecast m_first;
};

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
    Steps steps(subject, machine);
    for (const std::int64_t count : Counts) {
        DevicesRow row{.devices = count, .machines = (count + kind.count - 1) / kind.count};
        row.step = steps.of(count, row.machines);
        row.hours = machine.hours(row.step.runSeconds);
        row.usd = machine.usd(row.hours, static_cast<double>(row.machines));
        devices.rows.push_back(std::move(row));
    }
}

} // namespace outlay::pricing
