// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/machine.h"
#include "core/probe/worker/variants/makers.h"

namespace outlay::worker {

using namespace outlay::core;

void addThreads(const Context& c, Rows& rows)
{
    const std::int64_t most = mostThreads(c.job());
    for (const Threads& other : {Threads{1, 1}, Threads{1, most}, Threads{most, 1}}) {
        const bool isPlain = other.torch == c.threads.torch && other.blas == c.threads.blas;
        if (isPlain || (most == 1 && other.torch * other.blas == 1))
            continue;
        const auto stepWith = [&](const Threads& threads) {
            return Contestant{[&c, threads] {
                                  setThreads(threads);
                                  c.plain.step();
                              },
                              1};
        };
        VariantMeasurement m = tried([&] {
            VariantMeasurement row =
                compare(c.bench, stepWith(c.threads), stepWith(other), c.seconds);
            row.proof = "the same steps";
            return row;
        });
        setThreads(c.threads);
        rows.add(named(std::move(m), "threads " + std::to_string(other.torch) + " LibTorch, " +
                                         std::to_string(other.blas) + " matrix library"));
    }
}

} // namespace outlay::worker
