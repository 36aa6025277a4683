// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/chosen.h"

#include "core/base/units.h"
#include "core/hardware/flight.h"
#include "pricing/provider.h"

#include <algorithm>

namespace outlay::pricing {

const MachineKind* machineOf(const Catalogs& catalogs, const Recommendation& chosen)
{
    if (!chosen.chosen)
        return nullptr;
    const MachineKind& kind = catalogs.devices().kinds()[chosen.chosen->forecast];
    return kind.unknown.empty() ? &kind : nullptr;
}

const core::ServingDemand& servedDemand(const Subject& subject, const Report& report)
{
    const MachineKind* machine = machineOf(subject.catalogs, report.serving.recommended);
    return subject.servingOn(machine != nullptr ? machine->device.kind : core::DeviceKind::Gpu);
}

bool takesInRequests(const Subject& subject, const Report& report)
{
    const auto& chosen = report.serving.recommended.chosen;
    return chosen ? report.serving.capacities[chosen->forecast].inFlight.isAvailable()
                  : core::isContinuous(subject.serving);
}

bool allowsRegion(const core::Plan& plan, std::string_view region)
{
    const std::size_t slash = region.find('/');
    const std::string_view provider = region.substr(0, slash);
    const std::string_view name =
        slash == std::string_view::npos ? region : region.substr(slash + 1);
    const auto names = [](const std::vector<std::string>& list, std::string_view word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    };
    return (plan.providers.empty() || isAmong(plan.providers, provider)) &&
           (plan.regions.empty() || names(plan.regions, region) || names(plan.regions, name));
}

} // namespace outlay::pricing
