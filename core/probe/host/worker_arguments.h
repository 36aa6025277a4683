// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace outlay::worker {

/// What a worker is asked for. Each mode has a field that it can't do without.
struct WorkerArguments {
    bool help = false;
    bool manual = false;
    bool version = false;
    bool machine = false;
    bool together = false;               // others on other machines may be reached
    bool program = false;                // run somebody's program; what, on standard input
    std::optional<std::string> job;      // a file; else one line of standard input
    std::optional<std::string> accept;   // a folder; a manifest on standard input
    std::optional<std::string> collect;  // a folder; keys on standard input
    std::optional<std::string> manifest; // a file, of which a task or a line is done
    std::optional<std::int64_t> task;
    std::optional<std::int64_t> line;
    std::int64_t each = 1; // lines of a task
    std::optional<std::string> results;
    std::optional<double> leaseS;
};

[[nodiscard]] core::Result<WorkerArguments> readWorkerArguments(std::span<const std::string> words);

} // namespace outlay::worker
