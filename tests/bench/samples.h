// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the benchmarks share: times as median and 99th percentile, and the machine's name.
#pragma once

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

namespace outlay::bench {

using Milliseconds = std::chrono::duration<double, std::milli>;

template <typename Run>
std::vector<double> timesOf(int count, const Run& run)
{
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        times.push_back(Milliseconds(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times;
}

/// Of sorted times: the smallest that `share` of them do not exceed.
inline double percentile(const std::vector<double>& sorted, double share)
{
    const auto index =
        static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
    return sorted[index];
}

inline std::string machineName()
{
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("model name"))
            return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

} // namespace outlay::bench
