// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the C library does with memory that this process has freed.
#pragma once

namespace outlay::worker {

/// Whether it can be asked to keep it: glibc can.
[[nodiscard]] bool canKeepFreed();
/// Blocks of up to 32 MiB stay in the heap from now on, and its end stays with the process.
void keepFreed();
/// As it was before the first time that it was asked to keep them; what it has kept goes back.
void giveFreedBack();

} // namespace outlay::worker
