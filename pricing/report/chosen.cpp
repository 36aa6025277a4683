// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/chosen.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {

std::optional<double> OfferDevices::memoryBytes() const
{
    return device.memoryGb ? std::optional(*device.memoryGb * core::BytesPerGb) : std::nullopt;
}

std::optional<OfferDevices> devicesOf(const core::HardwareCatalog& hardware, const Machine& machine)
{
    if (machine.accelerator.empty()) {
        if (!machine.vcpus)
            return std::nullopt;
        return OfferDevices{
            hardware.processorsOf(machine.instance, *machine.vcpus, machine.memoryGb), 1};
    }
    const core::Device* device = hardware.find(machine.accelerator);
    if (device == nullptr)
        return std::nullopt;
    OfferDevices devices{*device,
                         std::max<std::int64_t>(1, std::llround(std::floor(machine.accelerators)))};
    if (machine.acceleratorMemoryGb)
        devices.device.memoryGb = machine.acceleratorMemoryGb;
    return devices;
}

const Option* optionOf(const Catalogs& catalogs, const std::vector<Option>& options,
                       const std::optional<OptionText>& text)
{
    if (!text)
        return nullptr;
    const Offer& offer = text->offer;
    const OfferRow* row = catalogs.book->find(
        {offer.machine.provider, offer.machine.instance, offer.region, offer.purchase});
    if (row == nullptr)
        return nullptr;
    const std::size_t index = catalogs.book->indexOf(*row);
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const Option& option) { return option.row == index; });
    return found == options.end() ? nullptr : &*found;
}

bool isGood(const Option& option)
{
    return option.fits == core::Fits::Yes && option.isAllowed && option.meetsDeadline &&
           option.trust != Trust::Doubtful && option.hasUsd && option.usd.value > 0;
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
    return (plan.providers.empty() || names(plan.providers, provider)) &&
           (plan.regions.empty() || names(plan.regions, region) || names(plan.regions, name));
}

} // namespace outlay::pricing
