// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace outlay::worker {

/// Bytes that are resident now, that were so at most since `resetPeak`, and that the machine has left.
[[nodiscard]] double residentBytes();
[[nodiscard]] double peakBytes();
[[nodiscard]] double availableBytes();
void resetPeak();

} // namespace outlay::worker
