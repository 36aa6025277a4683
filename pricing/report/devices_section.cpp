// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/data_parallel.h"
#include "pricing/report/assumption.h"
#include "pricing/report/chosen_machine.h"
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Inside of one machine its link, where that is listed; else, and between machines, an assumed network.
Link linkFor(const Subject& subject, const MachineKind& kind, std::int64_t machines)
{
    if (machines == 1) {
        if (const auto inside = linkInside(kind.device, *subject.catalogs.calibration))
            return *inside;
    }
    const double gbPerS = valueOf(subject, NetworkGbPerS);
    return assumedNetwork(gbPerS > 0 ? gbPerS : NetworkGbPerS.byDefault,
                          "assumed: no speed of the network is listed; /assumptions/" +
                              std::string(NetworkGbPerS.name) + " sets it");
}

} // namespace

void addDevices(const Subject& subject, Report& report)
{
    constexpr std::array<std::int64_t, 4> Counts{1, 2, 4, 8};
    DevicesReport& devices = report.scaling.devices;
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
                         linkFor(subject, kind, row.machines), *subject.catalogs.calibration);
        row.hours = machine.hours(row.step.runSeconds);
        row.usd = machine.usd(row.hours, static_cast<double>(row.machines));
        devices.rows.push_back(std::move(row));
    }
}

} // namespace outlay::pricing
