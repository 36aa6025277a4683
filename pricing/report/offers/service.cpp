// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/service.h"

#include "core/base/units.h"
#include "pricing/report/assumption.h"
#include "pricing/report/offers/running.h"

namespace outlay::pricing {

using namespace outlay::core;

Service::Service(const Subject& subject, const ServingHere& here)
    : m_subject(subject), m_corrections(here.corrections), m_traffic(trafficOf(subject, here.tails))
{
    const auto demandOn = [&](DeviceKind kind) -> std::optional<FlightDemand> {
        if (!isContinuous(subject.servingOn(kind)))
            return std::nullopt;
        const Experiment& e = subject.experiment;
        FlightDemand demand = flightDemand(e.model, subject.kinds, e.serving, here.tails, kind);
        demand.promises = promisedIn(e);
        return demand;
    };
    m_demand = demandOn(DeviceKind::Gpu);
    m_onProcessors = demandOn(DeviceKind::Cpu);
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
    const ServingDemand& demand = m_subject.servingOn(kind.device.kind);
    const std::vector<std::int64_t> sizes = copySizes(demand, on);
    if (on.device.kind == DeviceKind::Cpu && !sizes.empty()) // all that it has
        return oneOn(on);
    const Copy* best = nullptr;
    for (const std::int64_t size : sizes) {
        Devices each = on;
        each.count = size;
        const Copy& copy = copyOn(each);
        if (best == nullptr || copy.isBetterThan(*best))
            best = &copy;
    }
    return best == nullptr ? undividedServing(demand, on)
                           : beside(best->forecast, on.count / best->forecast.ofCopy);
}

bool Service::Copy::isBetterThan(const Copy& other) const
{
    if (isInTime != other.isInTime)
        return isInTime;
    const Quantity& latency = forecast.latencyMs;
    if (!isInTime && latency.isAvailable() && other.forecast.latencyMs.isAvailable())
        return latency.value() < other.forecast.latencyMs.value();
    return mostPerS * real(other.forecast.ofCopy) > other.mostPerS * real(forecast.ofCopy);
}

const Service::Copy& Service::copyOn(const Devices& each)
{
    const auto [entry, isNew] = m_copies.try_emplace(
        {each.device.name, each.device.memoryGb.value_or(0), each.count}, Copy{});
    if (isNew)
        entry->second = newCopyOn(each);
    return entry->second;
}

ServingForecast Service::oneOn(const Devices& each) const
{
    ServingForecast one = servingForecast(m_subject.servingOn(each.device.kind), each);
    correct(one, m_corrections.of(each.device));
    return one;
}

Service::Copy Service::newCopyOn(const Devices& each) const
{
    Copy copy{.forecast = oneOn(each)};
    if (!copy.forecast.latencyMs.isAvailable())
        return copy;
    if (m_demand)
        copy.busy.emplace(Flight(*m_demand, each), copy.forecast);
    const bool isCautious = m_subject.experiment.plan.risk == Risk::Cautious;
    const auto end = isCautious ? &Quantity::high : &Quantity::value;
    const BusyCopy* busy = copy.busy ? &*copy.busy : nullptr;
    const AloneS alone = busy == nullptr ? aloneOf(m_traffic, copy.forecast, end)
                         : isCautious    ? busy->surelyAlone()
                                         : busy->alone();
    copy.isInTime = areKeptAlone(m_traffic.promises, alone);
    const Quantity& perS = copy.forecast.requestsPerS;
    copy.mostPerS = busy == nullptr ? (isCautious ? perS.low() : perS.value())
                    : isCautious    ? busy->slow().capacityPerS
                                    : busy->own().capacityPerS;
    return copy;
}

std::optional<BusyMachine> Service::busy(const MachineKind& kind, const ServingForecast& forecast)
{
    if (kind.device.kind == DeviceKind::Cpu)
        return busyProcessors(kind, forecast);
    if (!m_demand || !kind.unknown.empty() || !forecast.latencyMs.isAvailable())
        return std::nullopt;
    Devices each = devicesOf(m_subject, kind);
    each.count = forecast.ofCopy;
    const Copy& copy = copyOn(each);
    return copy.busy ? std::optional(BusyMachine(*copy.busy, forecast.copies)) : std::nullopt;
}

std::optional<BusyMachine> Service::busyProcessors(const MachineKind& kind,
                                                   const ServingForecast& forecast) const
{
    if (!m_onProcessors || !kind.unknown.empty() || kind.sustained < 1 ||
        !forecast.latencyMs.isAvailable() || forecast.fits == Fits::No ||
        forecast.latencyMs.value() / MillisPerS > MuchTooLate * m_onProcessors->promises.answerS)
        return std::nullopt;
    const BusyCopy copy(Flight(*m_onProcessors, devicesOf(m_subject, kind)), forecast);
    return BusyMachine(copy, forecast.copies);
}

Capacity Service::under(const Traffic& traffic, const MachineKind& kind,
                        const ServingForecast& forecast, const std::optional<BusyMachine>& busy)
{
    return busy ? busy->under(traffic) : capacityOf(traffic, forecast, kind.sustained);
}

} // namespace outlay::pricing
