// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/joined_machines.h"

#include "core/base/text.h"
#include "pricing/accelerator_name.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Families that are sold with accelerators only, and which, as the list calls them; empty where nobody knows.
struct Bare {
    std::string_view start;
    std::string_view accelerator;
    double count = 0; // 0: as the name says, "a2-highgpu-4g"
};
constexpr std::array BareFamilies{
    Bare{"a2-highgpu-", "A100"},
    Bare{"a2-megagpu-", "A100"},
    Bare{"a2-ultragpu-", "A100-80GB"},
    Bare{"a3-highgpu-", "H100"},
    Bare{"a3-megagpu-", "H100-MEGA"},
    Bare{"a3-ultragpu-", "H200"},
    Bare{"a4-highgpu-", "B200"},
    Bare{"g2-standard-24", "L4", 2},
    Bare{"g2-standard-48", "L4", 4},
    Bare{"g2-standard-96", "L4", 8},
    Bare{"g2-standard-", "L4", 1},
    Bare{"a2-", ""},
    Bare{"a3-", ""},
    Bare{"a4-", ""},
    Bare{"a4x-", ""},
    Bare{"g2-", ""},
    Bare{"g4-", ""},
};

const Bare* bareOf(std::string_view instance)
{
    const auto* const found =
        std::find_if(BareFamilies.begin(), BareFamilies.end(),
                     [&](const Bare& row) { return instance.starts_with(row.start); });
    return found == BareFamilies.end() ? nullptr : found;
}

/// "a2-highgpu-4g", "a3-ultragpu-8g-nolssd" -> 4, 8.
double countIn(std::string_view instance)
{
    for (const std::string& part : split(std::string(instance), '-')) {
        if (part.size() > 1 && part.back() == 'g') {
            if (const auto count = numberIn(std::string_view(part).substr(0, part.size() - 1)))
                return *count;
        }
    }
    return 0;
}

/// Of an accelerator as the list calls it: "A100" is the one with 40 GB.
AcceleratorName knownAs(std::string_view listed)
{
    const double usualGb = listed == "A100" ? 40 : listed == "V100" ? 16 : 0;
    return acceleratorNamed(listed, usualGb > 0 ? std::optional(usualGb) : std::nullopt);
}

/// The machines that accelerators are attached to, and what goes with one accelerator at least.
constexpr std::string_view AttachedTo = "n1-standard-";
constexpr double VcpusForOne = 4;
constexpr double MostVcpusForOne = 8;
constexpr std::array<std::string_view, 5> Attachable{"T4", "V100", "P100", "P4", "K80"};

std::optional<double> middle(std::vector<double> prices)
{
    if (prices.empty())
        return std::nullopt;
    std::sort(prices.begin(), prices.end());
    return (prices[prices.size() / 2] + prices[(prices.size() - 1) / 2]) / 2;
}

/// What is sold, where and how.
struct Sold {
    const Machine& machine;
    const std::string& region;
    Purchase purchase;
};

/// At the middle prices of the zones; false where either part has none.
bool sell(const Sold& what, const std::vector<double>& machine,
          const std::vector<double>& accelerators, OfferCollector& offers)
{
    const auto first = middle(machine);
    const auto second = middle(accelerators);
    if (!first || !second)
        return false;
    offers.add(what.machine, what.region, what.purchase, *first + *second);
    return true;
}

} // namespace

bool JoinedMachines::isBare(const Machine& machine)
{
    return machine.provider == "gcp" && machine.accelerator.empty() &&
           bareOf(machine.instance) != nullptr;
}

void JoinedMachines::Prices::add(const ListedRow& row)
{
    if (row.usdPerHour)
        onDemand.push_back(*row.usdPerHour);
    if (row.spotUsdPerHour)
        spot.push_back(*row.spotUsdPerHour);
    lines.push_back(row.line);
}

void JoinedMachines::addMachine(const Machine& machine, const ListedRow& row)
{
    const bool takesSome = machine.provider == "gcp" && machine.instance.starts_with(AttachedTo);
    if (!takesSome && !isBare(machine))
        return;
    Host& host = m_hosts[std::string(row.region)][machine.instance];
    host.machine = machine;
    host.prices.add(row);
}

void JoinedMachines::addAccelerators(std::string_view name, double count, const ListedRow& row)
{
    // By the list's own name: it may have two prices for what is one device.
    m_accelerators[std::string(row.region)][{std::string(name), count}].add(row);
}

std::optional<Machine> JoinedMachines::together(const Machine& host,
                                                const Accelerators& accelerators)
{
    const auto& [name, count] = accelerators;
    Machine machine = host;
    const AcceleratorName known = knownAs(name);
    machine.accelerator = known.name;
    machine.accelerators = count;
    machine.acceleratorMemoryGb = known.memoryGb;
    if (const Bare* bare = bareOf(host.instance)) {
        const double has = bare->count > 0 ? bare->count : countIn(host.instance);
        return bare->accelerator == name && has == count ? std::optional(machine) : std::nullopt;
    }
    const double vcpus = host.vcpus.value_or(0) / count;
    const bool isSold = std::find(Attachable.begin(), Attachable.end(), name) != Attachable.end() &&
                        vcpus >= VcpusForOne && vcpus <= MostVcpusForOne;
    if (!isSold)
        return std::nullopt;
    machine.instance += "+" + (count == 1 ? "" : plainNumber(count) + "x") +
                        name.substr(0, name.find('-')); // "V100"
    return machine;
}

void JoinedMachines::join(OfferCollector& offers, ImportAccount& account) const
{
    std::set<std::size_t> joined;
    for (const auto& [region, all] : m_accelerators) {
        const auto hosts = m_hosts.find(region);
        if (hosts == m_hosts.end())
            continue;
        for (const auto& [accelerators, prices] : all) {
            for (const auto& [instance, host] : hosts->second) {
                const auto machine = together(host.machine, accelerators);
                if (!machine)
                    continue;
                const bool isOnDemand = sell({*machine, region, Purchase::OnDemand},
                                             host.prices.onDemand, prices.onDemand, offers);
                const bool isSpot =
                    sell({*machine, region, Purchase::Spot}, host.prices.spot, prices.spot, offers);
                if (!isOnDemand && !isSpot)
                    continue;
                joined.insert(prices.lines.begin(), prices.lines.end());
                if (isBare(host.machine))
                    joined.insert(host.prices.lines.begin(), host.prices.lines.end());
            }
        }
    }
    settle(joined, account);
}

/// In the order of the file, so that the first row of each reason is the first.
void JoinedMachines::settle(const std::set<std::size_t>& joined, ImportAccount& account) const
{
    std::map<std::size_t, std::string_view> left;
    const auto count = [&](const std::vector<std::size_t>& lines, std::string_view why) {
        for (const std::size_t line : lines) {
            if (joined.contains(line))
                ++account.imported;
            else
                left[line] = why;
        }
    };
    for (const auto& [region, all] : m_accelerators) {
        for (const auto& [accelerators, prices] : all)
            count(prices.lines, "it is an accelerator without a machine");
    }
    for (const auto& [region, all] : m_hosts) {
        for (const auto& [instance, host] : all) {
            if (!isBare(host.machine))
                continue;
            count(host.prices.lines,
                  bareOf(instance)->accelerator.empty()
                      ? "it is sold with accelerators only, and which these are isn't known here"
                      : "it is sold with accelerators only, and they have no price");
        }
    }
    for (const auto& [line, why] : left)
        account.leaveOut(line, why);
}

} // namespace outlay::pricing
