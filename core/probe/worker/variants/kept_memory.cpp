// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/freed_memory.h"
#include "core/probe/worker/variants/makers.h"

#include <algorithm>

namespace outlay::worker {

using namespace outlay::core;

namespace {

/// Of a turn: several where they are short, or the clock counts as much.
std::int64_t stepsOfTurn(double stepS, double seconds)
{
    constexpr double Turns = 12; // of three rounds
    constexpr double Most = 16;
    return static_cast<std::int64_t>(std::clamp(seconds / (Turns * stepS) - 1, 1.0, Most));
}

VariantMeasurement keptMemory(const Context& c)
{
    const std::int64_t steps = stepsOfTurn(c.plain.step().wallS, c.seconds);
    const auto after = [&](void (*set)()) {
        Contestant way = Context::training(c.plain);
        way.work *= static_cast<double>(steps);
        way.turn = [&c, steps] {
            for (std::int64_t i = 0; i < steps; ++i)
                c.plain.step();
        };
        // What is kept has to be had once.
        way.prepare = [&c, set] {
            set();
            c.plain.step();
            c.bench.tick("variants", 0);
        };
        return way;
    };
    VariantMeasurement row = compare(c.bench, after(giveFreedBack), after(keepFreed), c.seconds);
    row.proof = "the same steps";
    return row;
}

} // namespace

void addKeptMemory(const Context& c, Rows& rows)
{
    if (c.job().training.keepMemory)
        return;
    VariantMeasurement m = tried([&] {
        if (!c.plain.device().is_cpu())
            return missing("an accelerator keeps its memory already");
        if (!canKeepFreed())
            return missing("this program's allocator can't be asked to keep it");
        keepFreed(); // once before, for it learns first what is given back
        return keptMemory(c);
    });
    if (c.plain.device().is_cpu() && canKeepFreed())
        giveLittleBack(); // for the other ways, which it would else be frozen for
    m.pointer = "/training/keep_memory";
    m.value = "true";
    rows.add(named(std::move(m), "freed memory kept"));
}

} // namespace outlay::worker
