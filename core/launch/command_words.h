// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words of each command that starts or asks something on a machine of a profile. No shell reads them here; the one
// that ssh starts there gets each word quoted.
#pragma once

#include "core/launch/profile.h"

#include <span>

namespace outlay::core {

using Words = std::vector<std::string>;

/// What the machine that the program runs on puts in where the profile doesn't say.
struct LaunchSite {
    double leaseSeconds = 20; // how long a worker goes on after it has heard nothing
    double silenceSeconds =
        40; // and one elsewhere is waited for: a connection takes its time, and a slow disk
    std::string worker;     // of this program
    std::string sockets;    // a folder for connections that are shared; empty: each has its own
    std::int64_t cores = 1; // of this machine
};

/// For a shell: 'as it is', whatever it holds.
[[nodiscard]] std::string quotedForShell(std::string_view word);

/// Measurements at once, of so many cores each (0: the worker chooses).
struct Slots {
    std::int64_t count = 1;
    std::int64_t cores = 0;
};
[[nodiscard]] Slots slotsOf(const Profile& profile, const LaunchSite& site);

/// `words` there: as they are on this machine, by ssh on another.
[[nodiscard]] Words wordsOn(const Profile& profile, const LaunchSite& site, const Words& words);
/// The worker there, with the environment of the profile. `options` are its own.
[[nodiscard]] Words workerWords(const Profile& profile, const LaunchSite& site,
                                const Words& options);

/// An array of tasks: numbers of a manifest's parts.
struct QueueTask {
    std::string name; // of the array, which it is found by
    std::vector<std::int64_t> tasks;
    std::string manifest;
    std::int64_t each = 1;         // lines of a task
    std::int64_t leastMinutes = 1; // that it may need
};
/// "3,7-9" of sorted numbers.
[[nodiscard]] std::string rangesOf(std::span<const std::int64_t> numbers);

[[nodiscard]] Words submitWords(const Profile& profile, const LaunchSite& site,
                                const QueueTask& task);
[[nodiscard]] Words listWords(const Profile& profile, const LaunchSite& site,
                              const std::string& name);
[[nodiscard]] Words cancelWords(const Profile& profile, const LaunchSite& site,
                                const std::string& name);

} // namespace outlay::core
