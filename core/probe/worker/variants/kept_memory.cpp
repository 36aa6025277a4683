// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/freed_memory.h"
#include "core/probe/worker/variants/makers.h"

#include <algorithm>

namespace outlay::worker {

using namespace outlay::core;

namespace {

/// So many that those which find their memory for the first time weigh little: of two turns in a row the first.
std::int64_t stepsOfTurn(double stepS, double seconds)
{
    constexpr double Turns = 12; // of three rounds
    constexpr double Least = 4;
    constexpr double Most = 16;
    return static_cast<std::int64_t>(std::clamp(seconds / (Turns * stepS), Least, Most));
}

VariantMeasurement keptMemory(const Context& c)
{
    if (!c.plain.device().is_cpu())
        return missing("an accelerator keeps its memory already");
    if (!canKeepFreed())
        return missing("this C library can't be asked to keep it");
    const std::int64_t steps = stepsOfTurn(c.plain.step().wallS, c.seconds);
    const auto after = [&](void (*set)()) {
        return Contestant{[&c, set, steps] {
                              set();
                              for (std::int64_t i = 0; i < steps; ++i)
                                  c.plain.step();
                          },
                          static_cast<double>(steps) * Context::training(c.plain).work};
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
    keepFreed(); // asks first what isn't kept
    VariantMeasurement m = tried([&] { return keptMemory(c); });
    giveFreedBack();
    m.pointer = "/training/keep_memory";
    m.value = "true";
    rows.add(named(std::move(m), "freed memory kept"));
}

} // namespace outlay::worker
