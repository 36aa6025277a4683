// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/nvml.h"

#include "core/base/text.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <set>
#include <string_view>

namespace outlay::worker {
namespace {

/// All of its functions return 0 where they worked.
template <typename... Arguments>
bool call(void* library, const char* name, Arguments... arguments)
{
    const auto function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, name));
    return function != nullptr && function(arguments...) == 0;
}

/// `CUDA_VISIBLE_DEVICES` says which ones LibTorch sees, by number or by name.
std::string firstVisible()
{
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr)
        return "0";
    const auto names = core::split(visible, ',');
    return names.empty() ? std::string() : names.front();
}

std::string nameIn(void* library, void* device)
{
    constexpr unsigned Longest = 96;
    std::array<char, Longest + 1> text{};
    return call(library, "nvmlDeviceGetName", device, text.data(), Longest) ? text.data() : "";
}

/// NVML counts them as they are plugged in; CUDA begins with the fastest unless it is told not to, which is the same
/// only where all are alike.
bool areCountedAlike(void* library)
{
    const char* order = std::getenv("CUDA_DEVICE_ORDER");
    if (order != nullptr && std::string_view(order) == "PCI_BUS_ID")
        return true;
    unsigned count = 0;
    std::set<std::string> names;
    if (!call(library, "nvmlDeviceGetCount_v2", &count))
        return false;
    for (unsigned i = 0; i < count; ++i) {
        void* device = nullptr;
        if (call(library, "nvmlDeviceGetHandleByIndex_v2", i, &device))
            names.insert(nameIn(library, device));
    }
    return names.size() == 1;
}

void* deviceIn(void* library)
{
    void* device = nullptr;
    const std::string wanted = firstVisible();
    unsigned number = 0;
    const char* end = wanted.data() + wanted.size();
    const auto parsed = std::from_chars(wanted.data(), end, number);
    const bool isNumber = parsed.ec == std::errc() && parsed.ptr == end;
    if (isNumber && !areCountedAlike(library))
        return nullptr;
    const bool isFound = isNumber
                             ? call(library, "nvmlDeviceGetHandleByIndex_v2", number, &device)
                             : call(library, "nvmlDeviceGetHandleByUUID", wanted.c_str(), &device);
    return isFound ? device : nullptr;
}

struct MemoryWords {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

} // namespace

std::optional<Nvml> Nvml::open()
{
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr || !call(library, "nvmlInit_v2"))
        return std::nullopt;
    void* device = deviceIn(library);
    return device != nullptr ? std::optional(Nvml(library, device)) : std::nullopt;
}

std::string Nvml::name() const
{
    return nameIn(m_library, m_device);
}

std::optional<double> Nvml::freeBytes() const
{
    MemoryWords words;
    if (!call(m_library, "nvmlDeviceGetMemoryInfo", m_device, &words))
        return std::nullopt;
    return static_cast<double>(words.free);
}

std::optional<double> Nvml::joules() const
{
    constexpr double PerJoule = 1e3;
    unsigned long long millijoules = 0;
    if (!call(m_library, "nvmlDeviceGetTotalEnergyConsumption", m_device, &millijoules))
        return std::nullopt;
    return static_cast<double>(millijoules) / PerJoule;
}

std::string deviceNameOf(std::string_view device)
{
    const auto nvml = device == "cpu" ? std::nullopt : Nvml::open();
    const std::string name = nvml ? nvml->name() : "";
    return name.empty() ? std::string(device) : name;
}

} // namespace outlay::worker
