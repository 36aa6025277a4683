// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/process_memory.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace outlay::worker {
namespace {

/// The number behind a word.
std::optional<double> numberAfter(const std::string& file, const std::string& key)
{
    std::ifstream in(file);
    for (std::string word; in >> word;) {
        double value = 0;
        if (word == key && in >> value)
            return value;
    }
    return std::nullopt;
}

/// A line such as "VmHWM:   1234 kB".
double kilobytesOf(const char* file, const std::string& key)
{
    constexpr double Kilobyte = 1024;
    return Kilobyte * numberAfter(file, key).value_or(0);
}

std::optional<double> numberIn(const std::string& file)
{
    std::ifstream in(file);
    double value = 0;
    return in >> value ? std::optional(value) : std::nullopt;
}

/// What a container's limit leaves; file pages give way.
std::optional<double> leftInGroup(const std::string& folder)
{
    const auto most = numberIn(folder + "/memory.max"); // "max" where there is no limit
    const auto used = numberIn(folder + "/memory.current");
    if (!most || !used)
        return std::nullopt;
    return std::max(0.0, *most - *used + numberAfter(folder + "/memory.stat", "file").value_or(0));
}

/// This process's groups, the innermost first: version 2's line of /proc/self/cgroup is "0::/a/b".
std::vector<std::string> groupFolders()
{
    std::ifstream in("/proc/self/cgroup");
    std::string line;
    while (std::getline(in, line) && line.rfind("0::", 0) != 0) {
    }
    std::string path = line.rfind("0::", 0) == 0 ? line.substr(3) : std::string();
    std::vector<std::string> folders;
    while (path.size() > 1) {
        folders.push_back("/sys/fs/cgroup" + path);
        path.resize(path.rfind('/'));
    }
    folders.emplace_back("/sys/fs/cgroup");
    return folders;
}

} // namespace

double residentBytes()
{
    return kilobytesOf("/proc/self/status", "VmRSS:");
}

double peakBytes()
{
    return kilobytesOf("/proc/self/status", "VmHWM:");
}

double availableBytes()
{
    double bytes = kilobytesOf("/proc/meminfo", "MemAvailable:");
    for (const std::string& folder : groupFolders())
        bytes = std::min(bytes, leftInGroup(folder).value_or(bytes));
    return bytes;
}

void resetPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

} // namespace outlay::worker
