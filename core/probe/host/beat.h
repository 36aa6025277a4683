// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Who works on a job says so beside its result, for those who are given the same job by mistake, as by a queue that has
// forgotten it. Nobody is kept out: who is silent for some seconds counts as gone.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace outlay::worker {

/// A file that changes as long as this lives, and is gone afterwards.
class Beat {
public:
    static constexpr std::chrono::milliseconds Pace{1000};
    /// In which a file changes if anybody is there.
    static constexpr std::chrono::milliseconds Silence{5000};

    explicit Beat(std::string path);
    ~Beat();
    Beat(const Beat&) = delete;
    Beat& operator=(const Beat&) = delete;

    /// Returns once nobody beats there, or `stop` is asked for. At once where nobody has begun.
    static void awaitSilence(const std::string& path, const std::stop_token& stop);

private:
    std::string m_path;
    std::jthread m_heart; // last
};

} // namespace outlay::worker
