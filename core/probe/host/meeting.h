// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What workers on several machines have to know of one another before they reach each other: whoever started them
// keeps it, and is told and asked on the channel.
#pragma once

#include "core/probe/host/channel.h"

#include <condition_variable>
#include <map>

namespace outlay::worker {

class Meeting {
public:
    /// Hears on the channel, which listens already, as long as it lives.
    explicit Meeting(Channel& channel);
    ~Meeting();
    Meeting(const Meeting&) = delete;
    Meeting& operator=(const Meeting&) = delete;

    void tell(const std::string& key, const std::string& bytes);
    /// As soon as somebody has told it; nothing after so long.
    [[nodiscard]] std::optional<std::string> ask(const std::string& key,
                                                 std::chrono::milliseconds most);

private:
    void hear(std::string_view line);

    Channel& m_channel;
    std::mutex m_mutex;
    std::condition_variable m_bell;
    std::map<std::string, std::string> m_known;
};

/// Of this machine for others: what OUTLAY_ADDRESS says, or where ssh was reached, else its first that isn't the loopback's.
[[nodiscard]] std::string ownAddress();

} // namespace outlay::worker
