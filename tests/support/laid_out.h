// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published trainings, as their tables say that they were laid out.
#pragma once

#include "core/hardware/devices.h"
#include "core/hardware/hardware_catalog.h"
#include "tests/support/rates.h"
#include "tests/support/table.h"

#include <cmath>

namespace outlay::tests {

/// In machines of eight, joined as those of H100 mostly are.
inline core::Devices joined(const std::string& device, std::int64_t count)
{
    return {.device = *core::hardwareCatalog()->find(device),
            .count = count,
            .calibration = rates(),
            .machines = std::max<std::int64_t>(1, count / 8),
            .networkGbPerS = 400};
}

/// Of a row; what its table has no column for is usual.
inline core::Training laidOut(const Table& table, std::size_t row, core::Precision precision)
{
    const auto whole = [&](const char* column) {
        return std::max(1LL, std::llround(table.number(row, column)));
    };
    const auto isUsual = [&](const char* column) { return table.text(row, column) != "0"; };
    const std::string again = table.text(row, "checkpointing");
    core::Training t{.tokens = 1e12,
                     .sequence = whole("sequence"),
                     .batch = whole("batch"),
                     .globalBatch = whole("global"),
                     .precision = precision,
                     .masterWeights = isUsual("master"),
                     .optimizer = core::Optimizer::AdamW,
                     .checkpointing = !again.empty() && again != "0",
                     .recomputeEvery = again == "layer" ? 2 : 1, // as is usual
                     .recomputed = again == "op" ? core::Recomputed::BetweenProducts
                                                 : core::Recomputed::Blocks,
                     .tensorParallel = whole("tensor"),
                     .pipelineStages = whole("pipeline"),
                     .pipelineChunks = whole("chunks"),
                     .expertParallel = whole("experts"),
                     .compiled = isUsual("compiled"),
                     .packed = isUsual("packed")};
    if (isUsual("sharded"))
        t.sharding = core::Sharding::Full;
    return t;
}

} // namespace outlay::tests
