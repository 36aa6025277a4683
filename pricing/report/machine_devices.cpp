// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/machine_devices.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Every word of the offer's name is in one of the device's.
bool hasEveryWord(const Device& device, std::string_view accelerator)
{
    std::string known = lowerCase(device.name);
    for (const std::string& alias : device.aliases)
        known += " " + lowerCase(alias);
    std::string word;
    const std::string words = lowerCase(accelerator) + " ";
    for (const char c : words) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isLetter) {
            word += c;
            continue;
        }
        const bool isMaker = word == "nvidia" || word == "tesla" || word == "amd";
        if (!isMaker && known.find(word) == std::string::npos)
            return false;
        word.clear();
    }
    return true;
}

MachineKind kindOfMachine(const Machine& machine, const HardwareCatalog& hardware)
{
    if (!isKnown(machine))
        return {.unknown = "nobody says what is inside of " + machine.instance};
    if (machine.accelerator.empty())
        return {.device = hardware.processorsOf(machine.instance, machine.vcpus.value_or(0),
                                                machine.memoryGb),
                .sustained = hardware.sustainedShare(machine.instance)};
    const Device* device = deviceNamed(hardware, machine.accelerator);
    if (device == nullptr)
        return {.unknown = "nothing is known of the accelerator " + machine.accelerator};
    if (machine.accelerators < 1 || machine.accelerators != std::floor(machine.accelerators))
        return {.unknown = "the machine has a part of one " + machine.accelerator};
    MachineKind kind{.device = *device, .count = static_cast<std::int64_t>(machine.accelerators)};
    // What the offer says of its memory is nearer than the catalog's.
    if (machine.acceleratorMemoryGb)
        kind.device.memoryGb = machine.acceleratorMemoryGb;
    kind.networkGbPerS = hardware.networkGbPerS(machine.instance);
    return kind;
}

/// Of an even number of them the smaller one in the middle.
std::optional<double> medianOf(std::vector<double> values)
{
    if (values.empty())
        return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

bool isTwin(const std::vector<MachineKind>& kinds, std::size_t i)
{
    const MachineKind& kind = kinds[i];
    const bool isOneProcessor = kind.device.kind == DeviceKind::Cpu && kind.count < 2;
    return kind.twin < i &&
           (isOneProcessor || kind.device.memoryGb == kinds[kind.twin].device.memoryGb);
}

const Device* deviceNamed(const HardwareCatalog& hardware, std::string_view accelerator)
{
    const Device* found = hardware.find(accelerator);
    return found != nullptr && hasEveryWord(*found, accelerator) ? found : nullptr;
}

std::optional<double> MachineKind::memoryBytes() const
{
    return device.memoryGb ? std::optional(*device.memoryGb * core::BytesPerGb) : std::nullopt;
}

MachineDevices::MachineDevices(std::shared_ptr<const PriceBook> book,
                               const HardwareCatalog& hardware)
    : m_book(std::move(book))
{
    using Speed = std::tuple<std::string, std::int64_t, double, double, std::string>;
    std::map<std::tuple<Speed, double, double>, std::uint32_t> seen;
    std::map<Speed, std::uint32_t> twins;
    // Of what is around accelerators, by the first of twins.
    std::map<std::uint32_t, std::vector<double>> vcpus;
    std::map<std::uint32_t, double> largest;
    for (const Machine& machine : m_book->table().machines) {
        MachineKind kind = kindOfMachine(machine, hardware);
        const Speed speed(kind.device.name, kind.count, kind.device.fp32Tflops.value_or(-1),
                          kind.sustained, kind.unknown.text());
        const auto next = static_cast<std::uint32_t>(m_kinds.size());
        const auto [entry, isNew] = seen.try_emplace(
            {speed, kind.device.memoryGb.value_or(-1), kind.networkGbPerS.value_or(0)}, next);
        if (isNew) {
            kind.twin = twins.try_emplace(speed, next).first->second;
            m_kinds.push_back(std::move(kind));
        }
        m_kindOf.push_back(entry->second);
        const std::uint32_t twin = m_kinds[entry->second].twin;
        if (machine.vcpus && !machine.accelerator.empty())
            vcpus[twin].push_back(*machine.vcpus);
        if (machine.memoryGb && !machine.accelerator.empty())
            largest[twin] = std::max(largest[twin], *machine.memoryGb);
    }
    for (MachineKind& kind : m_kinds) {
        if (const auto of = vcpus.find(kind.twin); of != vcpus.end())
            kind.hostVcpus = medianOf(of->second);
        if (const auto of = largest.find(kind.twin); of != largest.end())
            kind.hostGb = of->second;
    }
}

} // namespace outlay::pricing
