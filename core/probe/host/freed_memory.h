// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the C library does with memory that this process has freed.
#pragma once

namespace outlay::worker {

/// Whether it can be asked to keep it: glibc can, unless another allocator stands in its place.
[[nodiscard]] bool canKeepFreed();
/// Blocks that the heap holds stay in it from now on, and its end stays with the process.
void keepFreed();
/// With the sizes that it had learned before the first time; it learns no more. What it has kept goes back.
void giveFreedBack();
/// With the largest sizes that it ever learns, as after blocks of many sizes have come and gone.
void giveLittleBack();

} // namespace outlay::worker
