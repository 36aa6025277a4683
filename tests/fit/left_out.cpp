// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/left_out.h"

#include <atomic>
#include <cmath>
#include <set>
#include <thread>

namespace outlay::tests {
namespace {

using namespace outlay::core;

constexpr int Sweeps = 8;

/// By a fit to the others, what those that have the key are missed by.
void leaveOut(const std::string& key, const std::vector<std::string>& keys,
              const Calibration& calibration, const Samples& samples, Misses& misses)
{
    Samples kept;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (keys[i] != key)
            kept.push_back(samples[i]);
    }
    Calibration without = calibration;
    reset(without);
    fit(without, kept, Sweeps);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (keys[i] == key)
            misses[i] = std::abs(missOf(*samples[i], without));
    }
}

} // namespace

Misses missesWithout(const Calibration& calibration, const Samples& samples,
                     const std::function<std::string(const Sample&, std::size_t)>& keyOf)
{
    Misses misses(samples.size());
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < samples.size(); ++i)
        keys.push_back(keyOf(*samples[i], i));
    std::set<std::string> different(keys.begin(), keys.end());
    different.erase("");
    const std::vector<std::string> all(different.begin(), different.end());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t k = next++; k < all.size(); k = next++)
            leaveOut(all[k], keys, calibration, samples, misses);
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    threads.clear();
    return misses;
}

} // namespace outlay::tests
