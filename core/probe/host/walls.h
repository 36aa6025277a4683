// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker can't do, whatever it is fed: reach the network, start programs, read or write other files than those
// that it was told of. docs/worker.md says what is kept out, and on which kernels.
#pragma once

#include "core/probe/job.h"

#include <string>
#include <vector>

namespace outlay::worker {

/// What it was told of, beside the system's libraries.
struct Places {
    std::vector<std::string> read;
    std::vector<std::string> write; // files, and folders with all below
    bool reachesOthers = false;     // by TCP
    std::vector<int> descriptors;   // that stay open, beside standard input, output and error
};

/// For this process from here on: before it has threads of its own, and before it reads what others wrote. Sentences
/// on what couldn't be had; none where all could.
[[nodiscard]] std::vector<std::string> raiseWalls(const Places& places);

/// One that trains with others, before its program begins: only `folder`, and the system's files. Its files are limited.
void raiseFileWallOfRank(const std::string& folder);
/// And when it has begun.
void raiseCallWallOfRank();

/// Whatever who started this process has left open: files, sockets and terminals that nothing here is told of.
/// Standard input, output and error stay.
void closeAllBut(std::vector<int> descriptors);

/// Of the processor's time and of memory: many times what the job may take, so that only a runaway meets them.
void limitTo(const core::Job& job);

} // namespace outlay::worker
