// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment's service on kinds of machines, as its engine answers there.
#pragma once

#include "pricing/report/here/serving_here.h"
#include "pricing/report/machine_devices.h"
#include "pricing/report/offers/capacity.h"

#include <map>
#include <tuple>

namespace outlay::pricing {

/// Refers to all that it is made of. What it was asked of an accelerator it keeps.
class Service {
public:
    Service(const Subject& subject, const ServingHere& here);

    [[nodiscard]] static core::Devices devicesOf(const Subject& subject, const MachineKind& kind);

    /// Of a request alone, corrected by what was measured. Of the ways to divide a machine's devices among copies of the
    /// model it is the one that answers most of those that keep the promises, surely where the plan is cautious; where none
    /// does, the one that answers soonest.
    [[nodiscard]] core::ServingForecast forecastOn(const MachineKind& kind);

    /// What a machine answers at once depends on its memory, even of processors.
    [[nodiscard]] bool countsMemory(const MachineKind& kind) const
    {
        return kind.device.kind == core::DeviceKind::Cpu && m_onProcessors.has_value();
    }
    /// Nothing where requests are answered one batch after the other, and on processors that are far too slow or can't keep
    /// their speed.
    [[nodiscard]] std::optional<BusyMachine> busy(const MachineKind& kind,
                                                  const core::ServingForecast& forecast);

    [[nodiscard]] static Capacity under(const Traffic& traffic, const MachineKind& kind,
                                        const core::ServingForecast& forecast,
                                        const std::optional<BusyMachine>& busy);

private:
    /// On some devices of an accelerator's machine.
    struct Copy {
        core::ServingForecast forecast;
        std::optional<BusyCopy> busy;
        double mostPerS = 0;   // that it answers
        bool isInTime = false; // a request alone is answered as promised

        [[nodiscard]] bool isBetterThan(const Copy& other) const;
    };
    [[nodiscard]] core::ServingForecast oneOn(const core::Devices& each) const;
    [[nodiscard]] const Copy& copyOn(const core::Devices& each);
    [[nodiscard]] Copy newCopyOn(const core::Devices& each) const;
    [[nodiscard]] std::optional<BusyMachine> busyProcessors(
        const MachineKind& kind, const core::ServingForecast& forecast) const;

    const Subject& m_subject;
    const Corrections& m_corrections;
    Traffic m_traffic;
    std::optional<core::FlightDemand> m_demand; // of accelerators
    std::optional<core::FlightDemand> m_onProcessors;
    std::map<std::tuple<std::string, double, std::int64_t>, Copy> m_copies; // device, memory, count
};

} // namespace outlay::pricing
