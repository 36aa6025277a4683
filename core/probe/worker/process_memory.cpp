// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/process_memory.h"

#include <fstream>
#include <string>

namespace outlay::worker {
namespace {

/// A line such as "VmHWM:   1234 kB".
double kilobytesOf(const char* file, const std::string& key)
{
    std::ifstream in(file);
    for (std::string word; in >> word;) {
        double value = 0;
        if (word == key && in >> value)
            return value * 1024;
    }
    return 0;
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
    return kilobytesOf("/proc/meminfo", "MemAvailable:");
}

void resetPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

} // namespace outlay::worker
