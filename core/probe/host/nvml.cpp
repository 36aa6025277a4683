// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/nvml.h"

#include "core/base/text.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>

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

void* deviceIn(void* library)
{
    void* device = nullptr;
    const std::string wanted = firstVisible();
    unsigned number = 0;
    const char* end = wanted.data() + wanted.size();
    const auto parsed = std::from_chars(wanted.data(), end, number);
    const bool isFound = parsed.ec == std::errc() && parsed.ptr == end
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
    constexpr unsigned Longest = 96;
    std::array<char, Longest + 1> text{};
    return call(m_library, "nvmlDeviceGetName", m_device, text.data(), Longest) ? text.data() : "";
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
