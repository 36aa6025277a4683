// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The line to whoever started `outlay run --live`, or a worker that runs a program: messages leave by what was standard
// output, and the end of what was standard input asks for the program's end.
#pragma once

#include "core/program/program_message.h"

#include <chrono>

namespace outlay::core {

class LiveLine {
public:
    /// From now on what is printed goes where complaints go, and there is nothing to read. With a lease, so many
    /// seconds without a word end it, too.
    explicit LiveLine(std::optional<double> leaseS = {});
    ~LiveLine();
    LiveLine(const LiveLine&) = delete;
    LiveLine& operator=(const LiveLine&) = delete;

    void say(const ProgramMessage& message) const;
    /// What the other end asks for first; empty where it has gone.
    [[nodiscard]] std::string readLine() const;
    /// Whether the other end wants no more of it, or is gone.
    [[nodiscard]] bool isClosed() const;
    /// The job, told of on this line every second until the other end wants no more.
    [[nodiscard]] ProgramJob toldHere(ProgramJob job) const;

private:
    [[nodiscard]] bool isOverdue() const;

    int m_out;
    int m_in;
    std::optional<double> m_leaseS;
    mutable std::chrono::steady_clock::time_point m_heard = std::chrono::steady_clock::now();
};

} // namespace outlay::core
