// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace outlay::core {

/// Of a block: glibc has larger ones from the system by themselves, and gives each back at once.
inline constexpr int MostBytesInHeap = 32 * 1024 * 1024;

/// From now on the process keeps what it frees, up to 64 MB, for what it allocates next: a window makes a
/// Report of some MB at each tick of a slider, and the kernel takes as long to hand over fresh pages as a
/// fifth of the Report takes. All threads share two such stores.
void keepFreedMemory();
/// What is kept so, back to the system: for a program at rest.
void giveBackFreedMemory();

} // namespace outlay::core
