// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The processes that this one started, theirs and so on, as the system counts what they use.
#pragma once

#include "core/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace outlay::core {

/// What they used together until now, those that have ended included as far as they were seen.
struct TreeUsage {
    double processorS = 0;
    double delayedS = 0; // that threads were ready and had no core
    double watchedS = 0; // that was looked at in pieces
    double idleS = 0;    // of these, for which no thread can have been at work or ready for it
    std::optional<double> readBytes; // nothing where the system doesn't tell
    std::optional<double> writtenBytes;
    double peakBytes = 0;       // resident in all at once, at the worst moment that was looked at
    std::int64_t processes = 0; // at most at once
    std::int64_t threads = 0;

    bool operator==(const TreeUsage&) const = default;
};

/// Nothing before it was watched.
[[nodiscard]] std::optional<double> idleShareOf(const TreeUsage& usage);

class ProcessTree {
public:
    ProcessTree();

    /// All below this process, without it.
    [[nodiscard]] static std::vector<pid_t> members();

    /// Looks at all of them, so many seconds after they began.
    void look(double nowS);
    [[nodiscard]] TreeUsage usage() const;
    /// Processor time until now of those that the last look found: it can be asked often.
    [[nodiscard]] double workS() const;

    /// Files with one of these in their name, which they hold open now.
    [[nodiscard]] static std::vector<std::string> openFiles(
        const std::vector<std::string_view>& parts);

private:
    void noteIdle(double nowS);

    struct Counts {
        double processorS = 0;
        double delayedS = 0;
        std::optional<double> readBytes;
        std::optional<double> writtenBytes;
    };

    std::map<pid_t, Counts> m_counts; // as last seen
    std::vector<pid_t> m_alive;       // at the last look
    TreeUsage m_most;
    double m_endedBeforeS; // processor time of what had ended before
    double m_lookedS = 0;  // when it was last looked at
    double m_busyS = 0;    // until then
};

} // namespace outlay::core
