// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/machine.h"

#include "core/base/text.h"

#include <algorithm>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>

namespace outlay::core {
namespace {

constexpr std::array<std::string_view, 11> Interesting{
    "sse2",     "avx",      "avx2",        "fma",         "avx512f", "avx512dq",
    "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "amx_tile"};

bool has(const std::vector<std::string>& features, std::string_view name)
{
    return std::find(features.begin(), features.end(), name) != features.end();
}

/// The text after ": " of the first line of /proc/cpuinfo that starts with `key`.
std::string processorLine(std::string_view key)
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with(key) && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return {};
}

/// A digest, for the file's own content is to stay on the machine.
std::string machineId()
{
    std::ifstream file("/etc/machine-id");
    std::string id;
    return file >> id ? shortHash("outlay " + id) : std::string();
}

/// The first word of a small file of the system; empty where there is none.
std::string wordOf(const char* path)
{
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
}

/// "2595.124" -> that many times `unit`; nothing where it isn't a number.
std::optional<double> numberOf(const std::string& text, double unit)
{
    std::istringstream stream(text);
    double value = 0;
    return stream >> value && value >= 0 ? std::optional(value * unit) : std::nullopt;
}

std::int64_t usableCores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
}

} // namespace

void describe(FieldVisitor& v, HostMachine& m)
{
    v.text({"id", "which machine"}, m.id);
    v.text({"processor", "processor"}, m.processor);
    v.integer({"cores", "number of cores"}, m.cores);
    v.texts({"features", "instruction sets"}, m.features);
    v.number({"memory_bytes", "memory"}, m.memoryBytes);
    v.text({"system", "operating system"}, m.system);
    v.text({"governor", "governor of the clock"}, m.governor);
    v.number({"clock_hz", "clock at the start"}, m.clockHz);
    v.number({"cache_bytes", "last level of the cache"}, m.cacheBytes);
    v.number({"load", "load at the start"}, m.load);
    v.text({"blas", "matrix library and its kernels"}, m.blas);
    v.text({"torch", "version of LibTorch"}, m.torch);
    v.text({"device", "device"}, m.device);
    v.number({"matrix_flops_per_s", "rate of a large matrix product"}, m.matrixFlopsPerSecond);
    v.number({"whole_flops_per_s", "rate of it by all threads"}, m.wholeFlopsPerSecond);
    v.choice(Field{"matrix_precision", "precision of the product"}, m.matrixPrecision,
             PrecisionNames);
    v.number({"memory_bytes_per_s", "rate of a long copy"}, m.memoryBytesPerSecond);
}

HostMachine thisMachine()
{
    HostMachine machine;
    machine.id = machineId();
    machine.processor = processorLine("model name");
    machine.cores = usableCores();
    machine.memoryBytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<double>(::sysconf(_SC_PAGE_SIZE));
    std::istringstream flags(processorLine("flags"));
    for (std::string flag; flags >> flag;) {
        if (std::find(Interesting.begin(), Interesting.end(), flag) != Interesting.end())
            machine.features.push_back(flag);
    }
    return machine;
}

void addState(HostMachine& machine)
{
    constexpr double Mega = 1e6;
    constexpr double Kibi = 1024;
    utsname system{};
    if (::uname(&system) == 0)
        machine.system = std::string(system.sysname) + " " + system.release;
    machine.governor = wordOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    machine.clockHz = numberOf(processorLine("cpu MHz"), Mega);
    machine.cacheBytes = numberOf(processorLine("cache size"), Kibi);
    machine.load = numberOf(wordOf("/proc/loadavg"), 1);
}

bool isProcessor(const HostMachine& machine)
{
    return machine.device.empty() || machine.device == "cpu";
}

bool isSameMachine(const HostMachine& a, const HostMachine& b)
{
    const bool isOther = !a.id.empty() && !b.id.empty() && a.id != b.id;
    return !isOther && a.processor == b.processor && a.cores == b.cores;
}

std::string_view bestOpenBlasCore(const std::vector<std::string>& features)
{
    const bool hasAvx512 = has(features, "avx512f") && has(features, "avx512dq") &&
                           has(features, "avx512bw") && has(features, "avx512vl");
    if (hasAvx512)
        return "SkylakeX";
    return has(features, "avx2") && has(features, "fma") ? "Haswell" : "";
}

} // namespace outlay::core
