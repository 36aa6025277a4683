// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/data_parallel.h"
#include "pricing/report/assumption.h"
#include "pricing/report/growth/devices_on.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <array>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::int64_t UsualMost = 8;

constexpr Formula AloneFormula{"devices.here.alone", "{0} s, the median while the others waited"};
constexpr Formula ShardedFormula{
    "devices.sharded", "{0} x {1} s of a step on the fewest that hold it / {2} s, sharded"};
constexpr Formula WorkFormula{"devices.joined.work", "{0} s of a step without {1} s of waiting"};
constexpr Formula OnHostFormula{"devices.hosts.alone", "{0} s, its median alone"};
constexpr Formula HostsCostFormula{"devices.hosts.usd", "{0} h x {1} machines x {2} USD an hour"};
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

/// One process, as it was measured beside others: on this machine with one thread, on a host with all.
Alone aloneOf(const Subject& subject, const Measurement& m)
{
    constexpr double Miss = 0.15; // of so few steps
    const bool isHere = m.processes->hosts.empty();
    const double step = m.processes->aloneStepS;
    const auto around = [&](double value, How how) {
        return Quantity::within(value, value * (1 - Miss), value * (1 + Miss), Unit::Seconds,
                                Basis::Measured, std::move(how));
    };
    const std::string note =
        (isHere ? "one thread on " + m.machine.processor : "on " + m.host) + ", " + m.created;
    Training training = subject.experiment.training;
    training.devices = 1;
    const double run = trainingRun(subject.kinds, training).steps * step;
    return {around(step, how(isHere ? AloneFormula : OnHostFormula, {step}, note)),
            around(run, how(AloneRunFormula, {run, step}, note))};
}

/// In powers of two up to the most, and as many as are asked for.
std::vector<std::int64_t> countsOf(std::int64_t asked, std::int64_t most)
{
    std::vector<std::int64_t> counts;
    for (std::int64_t count = 1; count <= most; count *= 2)
        counts.push_back(count);
    const auto place = std::lower_bound(counts.begin(), counts.end(), asked);
    if (place == counts.end() || *place != asked)
        counts.insert(place, asked);
    return counts;
}

/// By the exchange and the loss that were measured of some.
std::vector<DevicesRow> measuredRows(const Subject& subject, const Measurement& m,
                                     std::int64_t most)
{
    const Calibration calibration = calibrationFrom(*m.processes, subject.catalogs.calibration());
    const Link link = linkMeasured(*m.processes);
    const Alone alone = aloneOf(subject, m);
    std::vector<DevicesRow> rows;
    for (const std::int64_t count : countsOf(m.processes->processes, most)) {
        DevicesRow row{.devices = count};
        row.step = dataParallel(subject.training, alone, count, link, calibration);
        row.hours = product(row.step.runSeconds, Quantity::exact(1 / SecondsPerHour, Unit::One, {}),
                            Unit::Hours)
                        .because(row.step.runSeconds.how());
        rows.push_back(std::move(row));
    }
    return rows;
}

void addHere(const Subject& subject, DevicesReport& devices)
{
    const MeasurementPtr m = subject.measured.withProcesses(subject.asked());
    if (m == nullptr) {
        devices.hereWhy = "several processes of just these steps weren't measured here; `outlay "
                          "probe --processes 2` does it";
        return;
    }
    const std::int64_t most =
        std::min(UsualMost, std::max(m->machine.cores, m->processes->processes));
    devices.here = measuredRows(subject, *m, most);
    for (DevicesRow& row : devices.here)
        row.usd = Quantity::unavailable(Unit::Usd, "processes of this machine have no price");
}

/// Of an hour of each, on average over them; nothing where one has no price.
struct HostPrices {
    std::optional<double> meanUsd;
    bool areAlike = true;
    std::string without; // a host that has none
};

HostPrices pricesOf(const Subject& subject, const std::vector<std::string>& hosts)
{
    HostPrices prices{.meanUsd = 0};
    std::optional<double> first;
    for (const std::string& host : hosts) {
        const MeasurementPtr newest =
            subject.experiment.measurements.onHosts(std::array<std::string, 1>{host}).newest();
        if (newest == nullptr || !newest->hostHourUsd)
            return {.meanUsd = {}, .without = host};
        first = first.value_or(*newest->hostHourUsd);
        prices.areAlike = prices.areAlike && *newest->hostHourUsd == *first;
        *prices.meanUsd += *newest->hostHourUsd / static_cast<double>(hosts.size());
    }
    return prices;
}

Quantity costOfHosts(const DevicesRow& row, const HostPrices& prices, std::size_t measured)
{
    if (!prices.meanUsd)
        return Quantity::unavailable(Unit::Usd,
                                     "give hour_price_usd in the profile of " + prices.without);
    if (!prices.areAlike && static_cast<std::size_t>(row.devices) != measured)
        return Quantity::unavailable(Unit::Usd, "these hosts cost differently");
    if (!row.hours.isAvailable())
        return Quantity::unavailable(Unit::Usd, row.hours.how().sentence());
    const double perHour = real(row.devices) * *prices.meanUsd;
    return Quantity::within(row.hours.value() * perHour, row.hours.low() * perHour,
                            row.hours.high() * perHour, Unit::Usd, row.hours.basis(),
                            how(HostsCostFormula,
                                {row.hours.value(), real(row.devices), *prices.meanUsd},
                                "as their profiles say"));
}

/// Machines of one's own that were measured to train together.
void addOnHosts(const Subject& subject, DevicesReport& devices)
{
    const MeasurementPtr m = subject.experiment.measurements.all().withMachines(subject.asked());
    if (m == nullptr)
        return;
    devices.host = m->host;
    devices.hosts = m->processes->hosts;
    devices.onHosts = measuredRows(subject, *m, UsualMost);
    const HostPrices prices = pricesOf(subject, devices.hosts);
    for (DevicesRow& row : devices.onHosts) {
        row.machines = row.devices;
        row.usd = costOfHosts(row, prices, devices.hosts.size());
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
        if (machines > 1 && kind.networkGbPerS)
            return joined(count, machines);
        const std::int64_t inOne = std::min(count, kind.count);
        const TrainingForecast whole = m_machine.forecast(m_subject.training, inOne);
        if (whole.fits == Fits::No)
            return unavailableStep("it doesn't fit on " + plainNumber(real(count)) + " x " +
                                   kind.device.name);
        if (m_base == 0) {
            m_base = inOne;
            m_first = whole;
        }
        // What is left of a step for each isn't that of one device over their number.
        if (m_subject.experiment.training.globalBatch && machines == 1)
            return together(whole, count);
        const bool isSharded = m_base > 1 || whole.layout != Layout{};
        const Link link = linkFor(m_subject, kind, machines);
        const Calibration& calibration = m_subject.catalogs.calibration();
        if (!isSharded)
            return dataParallel(m_subject.training,
                                {m_first.stepSeconds, m_first.runSeconds, m_first.runShare}, count,
                                link, calibration);
        DataParallel step = dataParallel(
            m_subject.training, {whole.stepSeconds, whole.runSeconds, whole.runShare, real(inOne)},
            machines, link, calibration);
        step.speedUp = speedUp(count, step.stepSeconds);
        return step;
    }

private:
    /// Just as an offer of so many machines is forecast.
    [[nodiscard]] DataParallel joined(std::int64_t count, std::int64_t machines)
    {
        const TrainingForecast whole = m_machine.forecastOn(m_subject.training, machines);
        if (whole.fits == Fits::No)
            return unavailableStep("it doesn't fit on " + plainNumber(real(count)) + " x " +
                                   m_machine.kind().device.name);
        if (m_base == 0) {
            m_base = count;
            m_first = whole;
        }
        return together(whole, count);
    }

    [[nodiscard]] DataParallel together(const TrainingForecast& whole, std::int64_t count) const
    {
        const Quantity& step = whole.stepSeconds;
        const double work = 1 - whole.waitingSeconds.value() / step.value();
        return {.computeSeconds =
                    (step * work)
                        .because(how(WorkFormula, {step.value(), whole.waitingSeconds.value()})),
                .exchangeSeconds = whole.waitingSeconds,
                .stepSeconds = step,
                .runSeconds = whole.runSeconds,
                .speedUp = speedUp(count, step)};
    }

    /// The error of the work is in both steps and drops out.
    [[nodiscard]] Quantity speedUp(std::int64_t count, const Quantity& step) const
    {
        const double first = m_first.stepSeconds.value();
        // A global batch is the same step for any number; else each device adds samples to it.
        const double samples =
            m_subject.experiment.training.globalBatch ? real(m_base) : real(count);
        const double value = samples * first / step.value();
        return Quantity::within(value, value, value, Unit::One, Basis::Forecast,
                                how(ShardedFormula, {samples, first, step.value()}));
    }

    const Subject& m_subject;
    const ChosenMachine& m_machine;
    std::int64_t m_base = 0; // devices of the first that holds it
    TrainingForecast m_first;
};

void addRows(const Subject& subject, const ChosenMachine& machine,
             const std::vector<std::int64_t>& counts, DevicesReport& devices)
{
    const MachineKind& kind = machine.kind();
    devices.device = kind.device.name;
    devices.globalBatch = subject.experiment.training.globalBatch.value_or(0);
    Steps steps(subject, machine);
    for (const std::int64_t count : counts) {
        DevicesRow row{.devices = count, .machines = (count + kind.count - 1) / kind.count};
        row.step = steps.of(count, row.machines);
        row.hours = machine.hours(row.step.runSeconds, row.machines);
        row.usd = machine.usd(row.hours, row.machines);
        devices.rows.push_back(std::move(row));
    }
}

} // namespace

void addDevices(const Subject& subject, Report& report)
{
    DevicesReport& devices = report.scaling.devices;
    addHere(subject, devices);
    addOnHosts(subject, devices);
    const ChosenMachine machine(subject, report);
    devices.machine = machine.name();
    devices.why = machine.why();
    if (!devices.why.empty())
        return;
    const MachineKind& kind = machine.kind();
    // As many again as are chosen, where the plan allows and something joins them.
    const std::int64_t chosen = machine.machines() * kind.count;
    const std::int64_t allowed =
        kind.networkGbPerS ? subject.experiment.plan.maxMachines * kind.count : UsualMost;
    const std::int64_t most = std::max(UsualMost, std::min(2 * chosen, allowed));
    // Six machines of eight aren't met by doubling.
    addRows(subject, machine, countsOf(machine.machines() > 1 ? chosen : 1, most), devices);
}

DevicesReport devicesOn(const Subject& subject, const ChosenMachine& machine, std::int64_t asked)
{
    DevicesReport devices{.machine = machine.name(), .why = machine.why()};
    if (devices.why.empty())
        addRows(subject, machine, countsOf(asked, std::max(UsualMost, 2 * asked)), devices);
    return devices;
}

} // namespace outlay::pricing
