// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/energy_meter.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>

namespace outlay::worker {
namespace {

std::optional<double> numberIn(const std::filesystem::path& file)
{
    std::ifstream in(file);
    double value = 0;
    if (in >> value)
        return value;
    return std::nullopt;
}

std::string wordIn(const std::filesystem::path& file)
{
    std::ifstream in(file);
    std::string word;
    in >> word;
    return word;
}

/// One counter of microjoules that starts again at its range.
struct Counter {
    std::filesystem::path file;
    double rangeMicrojoules = 0;
    double lastMicrojoules = 0;
};

class RaplMeter final : public EnergyMeter {
public:
    explicit RaplMeter(std::vector<Counter> counters) : m_counters(std::move(counters)) {}

    [[nodiscard]] std::string name() const override { return "RAPL"; }

    [[nodiscard]] std::optional<double> joules() override
    {
        for (Counter& counter : m_counters) {
            const auto now = numberIn(counter.file);
            if (!now)
                return std::nullopt;
            const double rise = *now - counter.lastMicrojoules;
            m_microjoules += rise < 0 ? rise + counter.rangeMicrojoules : rise;
            counter.lastMicrojoules = *now;
        }
        constexpr double PerJoule = 1e6;
        return m_microjoules / PerJoule;
    }

private:
    std::vector<Counter> m_counters;
    double m_microjoules = 0;
};

/// NVML's functions, found at run time: the library comes with the driver.
class NvmlMeter final : public EnergyMeter {
public:
    static std::unique_ptr<EnergyMeter> make()
    {
        void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            return nullptr;
        auto meter = std::make_unique<NvmlMeter>();
        using Init = int (*)();
        using Handle = int (*)(unsigned, void**);
        const auto init = reinterpret_cast<Init>(::dlsym(library, "nvmlInit_v2"));
        const auto handle =
            reinterpret_cast<Handle>(::dlsym(library, "nvmlDeviceGetHandleByIndex_v2"));
        meter->m_energy =
            reinterpret_cast<Energy>(::dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"));
        const bool isReady = init != nullptr && handle != nullptr && meter->m_energy != nullptr &&
                             init() == 0 && handle(0, &meter->m_device) == 0;
        if (!isReady)
            return nullptr;
        const auto start = meter->millijoules();
        if (!start)
            return nullptr;
        meter->m_startMillijoules = *start;
        return meter;
    }

    [[nodiscard]] std::string name() const override { return "NVML"; }

    [[nodiscard]] std::optional<double> joules() override
    {
        constexpr double PerJoule = 1e3;
        const auto now = millijoules();
        return now ? std::optional((*now - m_startMillijoules) / PerJoule) : std::nullopt;
    }

private:
    using Energy = int (*)(void*, unsigned long long*);

    std::optional<double> millijoules()
    {
        unsigned long long value = 0;
        if (m_energy(m_device, &value) != 0)
            return std::nullopt;
        return static_cast<double>(value);
    }

    Energy m_energy = nullptr;
    void* m_device = nullptr;
    double m_startMillijoules = 0;
};

} // namespace

std::unique_ptr<EnergyMeter> EnergyMeter::makeRapl(const std::string& folder)
{
    std::vector<Counter> counters;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        // "intel-rapl:0" is a package; "intel-rapl:0:1" is a part of it.
        const std::string zone = entry.path().filename().string();
        const std::string prefix = "intel-rapl:";
        if (!zone.starts_with(prefix) || zone.find(':', prefix.size()) != std::string::npos)
            continue;
        // That of the whole platform has the packages in it.
        if (wordIn(entry.path() / "name") == "psys")
            continue;
        const auto now = numberIn(entry.path() / "energy_uj");
        const auto range = numberIn(entry.path() / "max_energy_range_uj");
        if (now && range)
            counters.push_back({entry.path() / "energy_uj", *range, *now});
    }
    if (counters.empty())
        return nullptr;
    return std::make_unique<RaplMeter>(std::move(counters));
}

std::unique_ptr<EnergyMeter> EnergyMeter::makeNvml()
{
    return NvmlMeter::make();
}

} // namespace outlay::worker
