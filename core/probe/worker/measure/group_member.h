// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One of several processes that train together, each on a batch of its own.
#pragma once

#include "core/probe/job.h"
#include "core/probe/processes.h"
#include "core/probe/worker/measure/process_group.h"

#include <functional>

namespace outlay::worker {

struct Place {
    int rank = 0;
    int count = 1;
    double aloneStepS =
        0; // where it is known already; else the first one measures it, and the others wait
    std::function<void(std::int64_t step)> tick = {};
};

/// Exchanges, then steps, with as many threads as there are now. Throws where another one is gone.
[[nodiscard]] core::ProcessesMeasurement measureMember(const core::Job& job, const Place& place,
                                                       ProcessGroup& group);

} // namespace outlay::worker
