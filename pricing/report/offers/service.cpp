// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/service.h"

#include "pricing/report/assumption.h"
#include "pricing/report/offers/running.h"

namespace outlay::pricing {

using namespace outlay::core;

Service::Service(const Subject& subject, const ServingHere& here)
    : m_subject(subject), m_corrections(here.corrections)
{
    const Experiment& e = subject.experiment;
    if (isContinuous(subject.serving))
        m_demand = flightDemand(e.model, subject.kinds, e.serving, here.p95OverMedian);
    if (m_demand)
        m_demand->promises = promisedIn(e);
}

Devices Service::devicesOf(const Subject& subject, const MachineKind& kind)
{
    return {kind.device, kind.count, subject.catalogs.calibration(),
            runtimeBytesOn(subject, kind.device)};
}

ServingForecast Service::forecastOn(const MachineKind& kind) const
{
    if (!kind.unknown.empty()) {
        ServingForecast unknown = unavailableServing(kind.unknown);
        unknown.memory = m_subject.serving.memory;
        return unknown;
    }
    ServingForecast f = servingForecast(m_subject.serving, devicesOf(m_subject, kind));
    correct(f, m_corrections.of(kind.device));
    return f;
}

std::optional<BusyMachine> Service::busy(const MachineKind& kind,
                                         const ServingForecast& forecast) const
{
    const bool isContinuous = m_demand && kind.unknown.empty() &&
                              kind.device.kind != DeviceKind::Cpu &&
                              forecast.latencyMs.isAvailable();
    if (!isContinuous)
        return std::nullopt;
    return BusyMachine(Flight(*m_demand, devicesOf(m_subject, kind)), forecast);
}

Capacity Service::under(const Traffic& traffic, const MachineKind& kind,
                        const ServingForecast& forecast, const std::optional<BusyMachine>& busy)
{
    return busy ? busy->under(traffic) : capacityOf(traffic, forecast, kind.sustained);
}

} // namespace outlay::pricing
