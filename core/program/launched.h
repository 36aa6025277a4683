// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's program, started as it is: its folder, environment, terminal, standard input and output are those of this
// process. Its standard error passes through here, unchanged, and it gets one descriptor more.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace outlay::core {

class Launched {
public:
    /// Fails where there is no such program, or it may not be run.
    /// Where nobody takes what it writes to standard error, that is waited for until `isGivenUp` says so.
    void setGivenUp(std::function<bool()> isGivenUp) { m_isGivenUp = std::move(isGivenUp); }
    [[nodiscard]] static Result<Launched> start(const std::vector<std::string>& command);

    Launched(Launched&& other) noexcept;
    Launched& operator=(Launched&&) = delete;
    ~Launched();

    [[nodiscard]] pid_t process() const { return m_process; }
    /// As waitpid has it; nothing while it runs.
    [[nodiscard]] std::optional<int> status() const { return m_status; }

    /// Waits for at most so long for something to happen, hands on what was written to standard error and tells it, and
    /// what was written to the other descriptor. Whether any of it came.
    bool wait(int milliseconds, const std::function<void(std::string_view)>& toError,
              const std::function<void(std::string_view)>& toSteps);

    /// Signals that were sent to this process since the last call, and not to the program as well.
    [[nodiscard]] std::vector<int> signalsReceived() const;
    /// Whether anybody has asked it to end, or its terminal.
    [[nodiscard]] static bool wasAskedToEnd();
    /// As in the background of a script: then the program has ignored SIGINT from its begin.
    [[nodiscard]] static bool isInterruptIgnored();

    /// To the program and all below it.
    void signalAll(int signal) const;

private:
    std::function<bool()> m_isGivenUp;
    Launched() = default;
    void reap();
    bool pass(int& descriptor, int to, const std::function<void(std::string_view)>& tell);

    pid_t m_process = -1;
    int m_error = -1;
    int m_steps = -1;
    std::optional<int> m_status;
};

} // namespace outlay::core
