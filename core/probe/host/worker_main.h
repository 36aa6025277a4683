// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker does with its arguments, whatever it measures with: one job that somebody waits for, one task of a
// manifest, or looking after a folder of results on a machine that others can't reach.
#pragma once

#include "core/base/manual_page.h"
#include "core/probe/host/channel.h"
#include "core/probe/job.h"

#include <optional>
#include <string>

namespace outlay::worker {

struct WorkerProgram {
    std::string build;                // tells workers apart whose results can't be compared
    core::Hello (*hello)() = nullptr; // a driver may take seconds
    /// Sends exactly one terminal message; the exit status.
    int (*run)(const core::Job& job, Channel& channel) = nullptr;
    /// Before a job; may start the program anew.
    void (*prepare)(char* argv[]) = nullptr;
    /// Runs somebody's program, which standard input names, as it is; the exit status.
    int (*runProgram)(std::optional<double> leaseS) = nullptr;
    /// Behind walls before it reads anything, see walls.h.
    bool isWalled = false;
};

[[nodiscard]] core::ManualPage workerManual();

/// The exit status. What the program's libraries have started isn't waited for.
[[nodiscard]] int workerMain(int argc, char* argv[], const WorkerProgram& program);

} // namespace outlay::worker
