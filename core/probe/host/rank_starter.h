// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Behind its walls a worker starts no process. One that was started before them does, for the measurement of several
// processes: in a folder and, where the machine lets it, in a network of their own.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace outlay::worker {

/// Files in the folder that the processes of a group share.
inline constexpr const char* RankJobFile = "/job.json";
inline constexpr const char* RankStoreFile = "/store";
inline constexpr const char* RankResultFile = "/result.json";

/// "outlay-probe --process FOLDER RANK COUNT PARENT" for each of them.
inline constexpr const char* RankOption = "--process";

struct RankAnswer {
    std::string problem; // empty: they ended well
    bool hasOwnNetwork = false;
    std::string result; // the file that the first one wrote; of 1 MB at most
};

/// It reads nothing but how many are wanted, and hands on the rest. It ends with this process, however that ends, and
/// so do those that it started.
class RankStarter {
public:
    /// Before this process has threads of its own. Null where it can't be.
    [[nodiscard]] static std::unique_ptr<RankStarter> create();
    /// Stops whoever runs, and waits for them.
    ~RankStarter();
    RankStarter(const RankStarter&) = delete;
    RankStarter& operator=(const RankStarter&) = delete;

    /// What has to stay open for it.
    [[nodiscard]] std::vector<int> descriptors() const { return {m_requests, m_answers}; }
    /// Once. `job` is a line.
    [[nodiscard]] core::Result<void> start(int count, std::string_view job);
    /// Whether all have ended, waiting no longer than `most`.
    [[nodiscard]] bool hasAnswer(std::chrono::milliseconds most);
    [[nodiscard]] const RankAnswer& answer() const { return m_answer; }

private:
    RankStarter(pid_t process, int requests, int answers)
        : m_process(process), m_requests(requests), m_answers(answers)
    {
    }

    pid_t m_process;
    int m_requests;
    int m_answers;
    std::string m_text; // so far
    RankAnswer m_answer;
};

/// What this process's worker was given when it began, to be used once; null afterwards.
void keepRankStarter(std::unique_ptr<RankStarter> starter);
[[nodiscard]] std::unique_ptr<RankStarter> takeRankStarter();
/// What is open for it.
[[nodiscard]] std::vector<int> descriptorsOfRankStarter();

} // namespace outlay::worker
