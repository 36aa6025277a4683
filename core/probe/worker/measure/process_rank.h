// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One of several processes that train together; the worker starts itself anew for each.
#pragma once

#include <string>

namespace outlay::worker {

struct Rank {
    std::string folder;
    int rank = 0;
    int count = 2;
    int parent = 0; // ends with it
};

/// Measures; the first one writes a `ProcessesMeasurement`. The exit status.
[[nodiscard]] int runRank(const Rank& rank);

} // namespace outlay::worker
