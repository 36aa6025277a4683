// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's side of the protocol: writes messages, beats once a second, hears "cancel", and whether anybody is
// still there.
#pragma once

#include "core/probe/message.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace outlay::worker {

/// Whether something can be read, or the other end is closed; false after `lease`.
[[nodiscard]] bool hasNews(int in, std::optional<std::chrono::milliseconds> lease);

class Channel {
public:
    /// Beats as long as it lives.
    explicit Channel(std::FILE* out);

    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    /// Thread-safe. After a terminal message everything else is swallowed.
    void send(const core::Message& message);
    /// Also what the heartbeat repeats; more than ten in a second are left out.
    void progress(const core::Progress& progress);
    /// What is said instead of `Cancelled` where the job is ended in the midst of a step.
    void keep(core::Done soFar);

    /// What is made of the last message before it is sent: a result is stored first, or can't be.
    void setEnding(std::function<core::Message(core::Message)> ending);

    /// What is done with other lines, on the thread that listens.
    void setHearing(std::function<void(std::string_view)> hearing);

    /// Stops when a line says cancel, when `in` closes, or when nothing comes for as long as `lease`: then whoever
    /// started this is out of reach. A worker that goes on for two seconds more is ended. Reads on a thread of its own
    /// until the process ends.
    void listen(int in, std::optional<std::chrono::milliseconds> lease = {});
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }

private:
    void beat(const std::stop_token& stop);
    /// After nobody wants it any more.
    [[noreturn]] void leave();

    std::FILE* m_out;
    std::mutex m_mutex;
    bool m_isClosed = false;
    core::Progress m_progress;
    std::optional<core::Done> m_kept;
    std::function<core::Message(core::Message)> m_ending;
    std::mutex m_hearingMutex;
    std::function<void(std::string_view)> m_hearing;
    std::chrono::steady_clock::time_point m_lastProgress;
    std::stop_source m_stop;
    std::jthread m_heart; // last: stops before the rest goes
};

} // namespace outlay::worker
