// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment's service on kinds of machines, as its engine answers there.
#pragma once

#include "pricing/report/here/serving_here.h"
#include "pricing/report/machine_devices.h"
#include "pricing/report/offers/capacity.h"

namespace outlay::pricing {

/// Refers to all that it is made of.
class Service {
public:
    Service(const Subject& subject, const ServingHere& here);

    [[nodiscard]] static core::Devices devicesOf(const Subject& subject, const MachineKind& kind);

    /// Of a request alone, corrected by what was measured.
    [[nodiscard]] core::ServingForecast forecastOn(const MachineKind& kind) const;

    /// Nothing where requests are answered one batch after the other, as processors do.
    [[nodiscard]] std::optional<BusyMachine> busy(const MachineKind& kind,
                                                  const core::ServingForecast& forecast) const;

    [[nodiscard]] static Capacity under(const Traffic& traffic, const MachineKind& kind,
                                        const core::ServingForecast& forecast,
                                        const std::optional<BusyMachine>& busy);

private:
    const Subject& m_subject;
    const Corrections& m_corrections;
    std::optional<core::FlightDemand> m_demand;
};

} // namespace outlay::pricing
