// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A seccomp filter: from here on the kernel refuses what a measurement never asks it for.
#pragma once

#include <string>

namespace outlay::worker {

enum class Sockets {
    None,
    Driver, // an accelerator's driver among its own processes: local ones of packets, which few services have
    Tcp // TCP over version 4, and asking for the network's interfaces
};

/// For all threads of this process and what they start. Refused are other sockets, new processes and programs,
/// signals to others and their priorities, other users' and the kernel's affairs; `docs/worker.md` has the list. A sentence on what isn't
/// walled off, empty where all is.
[[nodiscard]] std::string raiseCallWall(Sockets sockets);

} // namespace outlay::worker
