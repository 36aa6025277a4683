// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/service.h"

#include "pricing/report/assumption.h"
#include "pricing/report/offers/running.h"

namespace outlay::pricing {

using namespace outlay::core;

Service::Service(const Subject& subject, const ServingHere& here)
    : m_subject(subject), m_corrections(here.corrections),
      m_traffic(trafficOf(subject, here.p95OverMedian))
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

ServingForecast Service::forecastOn(const MachineKind& kind)
{
    if (!kind.unknown.empty()) {
        ServingForecast unknown = unavailableServing(kind.unknown);
        unknown.memory = m_subject.serving.memory;
        return unknown;
    }
    const Devices on = devicesOf(m_subject, kind);
    if (on.device.kind == DeviceKind::Cpu)
        return newCopyOn(on).forecast;
    const Copy* best = nullptr;
    for (const std::int64_t size : copySizes(m_subject.serving, on)) {
        Devices each = on;
        each.count = size;
        const Copy& copy = copyOn(each);
        const bool isMore = best == nullptr || copy.mostPerS() * real(best->forecast.ofCopy) >
                                                   best->mostPerS() * real(size);
        if (best == nullptr || copy.isInTime > best->isInTime ||
            (copy.isInTime == best->isInTime && isMore))
            best = &copy;
    }
    return best == nullptr ? undividedServing(m_subject.serving, on)
                           : beside(best->forecast, on.count / best->forecast.ofCopy);
}

double Service::Copy::mostPerS() const
{
    if (busy)
        return busy->mostPerS();
    return forecast.requestsPerS.isAvailable() ? forecast.requestsPerS.value() : 0;
}

const Service::Copy& Service::copyOn(const Devices& each)
{
    const auto [entry, isNew] = m_copies.try_emplace(
        {each.device.name, each.device.memoryGb.value_or(0), each.count}, Copy{});
    if (isNew)
        entry->second = newCopyOn(each);
    return entry->second;
}

Service::Copy Service::newCopyOn(const Devices& each) const
{
    Copy copy{.forecast = servingForecast(m_subject.serving, each)};
    correct(copy.forecast, m_corrections.of(each.device));
    if (!copy.forecast.latencyMs.isAvailable())
        return copy;
    if (m_demand && each.device.kind != DeviceKind::Cpu)
        copy.busy.emplace(Flight(*m_demand, each), copy.forecast);
    copy.isInTime = areKeptAlone(m_traffic.promises, copy.busy ? copy.busy->alone()
                                                               : aloneOf(m_traffic, copy.forecast));
    return copy;
}

std::optional<BusyMachine> Service::busy(const MachineKind& kind, const ServingForecast& forecast)
{
    if (!m_demand || !kind.unknown.empty() || kind.device.kind == DeviceKind::Cpu ||
        !forecast.latencyMs.isAvailable())
        return std::nullopt;
    Devices each = devicesOf(m_subject, kind);
    each.count = forecast.ofCopy;
    const Copy& copy = copyOn(each);
    return copy.busy ? std::optional(copy.busy->with(forecast.copies)) : std::nullopt;
}

Capacity Service::under(const Traffic& traffic, const MachineKind& kind,
                        const ServingForecast& forecast, const std::optional<BusyMachine>& busy)
{
    return busy ? busy->under(traffic) : capacityOf(traffic, forecast, kind.sustained);
}

} // namespace outlay::pricing
