// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Landlock: from here on this process reaches the files that are named, and no others.
#pragma once

#include <string>
#include <vector>

namespace outlay::worker {

/// Files, and folders with all below them. What isn't there is left out.
struct FileAccess {
    std::vector<std::string> readable;
    std::vector<std::string> writable; // and readable
    std::vector<std::string> devices;  // read, written and told things
    std::vector<std::string> runnable; // and readable
    bool listens = false;              // may still connect by TCP, as far as sockets may be made
};

/// For the calling thread, those that it starts and their programs; those before stay as they are. Takes
/// `PR_SET_NO_NEW_PRIVS`. A sentence on what isn't walled off, empty where all is.
[[nodiscard]] std::string raiseFileWall(const FileAccess& access);

/// Whether this kernel's Landlock says who may empty a file, not only who may write one.
[[nodiscard]] bool guardsEmptying();

/// What LibTorch, the matrix library and the measuring read of a system, wherever they were loaded from.
[[nodiscard]] FileAccess systemFiles();

/// The program that this process runs.
[[nodiscard]] std::string ownProgram();

} // namespace outlay::worker
