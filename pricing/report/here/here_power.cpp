// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/here/here_power.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula GivenPowerFormula{"here.power.given", "{0} W"};
constexpr Formula ModelFormula{"here.power.model", "{0} W idle + {1} x ({2} W - {0} W)"};
constexpr Formula IdleFormula{"here.power.idle", "{0} W"};

/// The machine that the time is from: of these steps' measurement, else of the newest.
const core::HostMachine& machineOf(const Subject& subject)
{
    if (const MeasurementPtr m = subject.measuredSteps())
        return m->machine;
    return subject.measured.isEmpty() ? subject.catalogs.here()
                                      : subject.measured.newest()->machine;
}

struct PowerModel {
    PowerRange range;
    std::string name;
};

std::optional<PowerModel> modelOf(const Subject& subject)
{
    const core::HostMachine& machine = machineOf(subject);
    const Catalogs& catalogs = subject.catalogs;
    const double idleShare = catalogs.calibration().idleShareOfTdp;
    if (!isProcessor(machine)) {
        const Device* device = deviceNamed(catalogs.hardware(), machine.device);
        if (device == nullptr)
            return std::nullopt;
        return PowerModel{powerRange(*device, idleShare), device->name};
    }
    if (machine.cores < 1)
        return std::nullopt;
    const Device device =
        catalogs.hardware().processorsOf("", static_cast<double>(machine.cores), std::nullopt);
    return PowerModel{powerRange(device, idleShare),
                      std::to_string(machine.cores) + " of the vCPUs of " + device.name};
}

Quantity unknownPower()
{
    return Quantity::unavailable(Unit::Watts, "what this machine draws isn't known; give "
                                              "`site.power_w`");
}

} // namespace

Quantity powerHere(const Subject& subject)
{
    if (const auto& watts = subject.experiment.site.powerWatts)
        return Quantity::within(*watts, *watts, *watts, Unit::Watts, Basis::Assumed,
                                how(GivenPowerFormula, {*watts}, "given in `site.power_w`"));
    const auto model = modelOf(subject);
    if (!model || model->range.maxWatts <= 0)
        return unknownPower();
    const double idle = model->range.idleWatts;
    const double above = model->range.maxWatts - idle;
    const double busy = subject.catalogs.calibration().computePower;
    return Quantity::within(
        idle + busy * above, idle + busy / 2 * above, idle + above, Unit::Watts, Basis::Forecast,
        how(ModelFormula, {idle, busy, idle + above},
            "as if it were " + model->name + "; `site.power_w` says it better"));
}

Quantity idlePowerHere(const Subject& subject)
{
    const auto model = modelOf(subject);
    if (!model || model->range.maxWatts <= 0)
        return unknownPower();
    const double idle = model->range.idleWatts;
    return Quantity::within(idle, idle / 2, idle * 2, Unit::Watts, Basis::Forecast,
                            how(IdleFormula, {idle}, "as if it were " + model->name));
}

} // namespace outlay::pricing
