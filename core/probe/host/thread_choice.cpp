// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/thread_choice.h"

#include "core/probe/statistics.h"

#include <algorithm>
#include <cmath>

namespace outlay::worker {

std::vector<Threads> threadChoices(const Threads& usual, std::int64_t most)
{
    const Threads start{std::min(usual.torch, most), std::min(usual.blas, most)};
    std::vector<Threads> choices;
    const auto add = [&](const Threads& threads) {
        if (std::find(choices.begin(), choices.end(), threads) == choices.end())
            choices.push_back(threads);
    };
    if (std::min(start.torch, start.blas) == 1)
        add(start);
    for (const Threads& one : {Threads{1, 1}, Threads{1, most}, Threads{most, 1}})
        add(one);
    add(start);
    return choices;
}

Threads untriedThreads(const Threads& usual, std::int64_t most)
{
    const Threads start{std::min(usual.torch, most), std::min(usual.blas, most)};
    return std::min(start.torch, start.blas) == 1 ? start : Threads{1, start.blas};
}

std::size_t fastestOf(const std::vector<std::vector<double>>& stepSeconds)
{
    // Other programs slow single steps by about a quarter, and never hasten one: the faster steps are
    // compared, and the fewer they are, the larger a gain must be to be believed.
    constexpr double Disturbance = 0.25;
    const auto undisturbed = [&](std::size_t i) { return core::percentile(stepSeconds[i], 0.25); };
    const double worthIt =
        1 - Disturbance / std::sqrt(static_cast<double>(stepSeconds.front().size()));
    std::size_t best = 0;
    for (std::size_t i = 1; i < stepSeconds.size(); ++i) {
        const double limit = best == 0 ? worthIt * undisturbed(0) : undisturbed(best);
        if (undisturbed(i) < limit)
            best = i;
    }
    return best;
}

} // namespace outlay::worker
