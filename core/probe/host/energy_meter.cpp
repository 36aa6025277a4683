// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/energy_meter.h"

#include "core/probe/host/nvml.h"

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

class NvmlMeter final : public EnergyMeter {
public:
    NvmlMeter(const Nvml& nvml, double startJoules) : m_nvml(nvml), m_startJoules(startJoules) {}

    [[nodiscard]] std::string name() const override { return "NVML"; }

    [[nodiscard]] std::optional<double> joules() override
    {
        const auto now = m_nvml.joules();
        return now ? std::optional(*now - m_startJoules) : std::nullopt;
    }

private:
    Nvml m_nvml;
    double m_startJoules;
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
    const auto nvml = Nvml::open();
    const auto start = nvml ? nvml->joules() : std::nullopt;
    return start ? std::make_unique<NvmlMeter>(*nvml, *start) : nullptr;
}

} // namespace outlay::worker
