// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/generation.h"

#include "core/probe/worker/trainer.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using torch::Tensor;

/// What follows the last token, whether the design says something after each or only after the last.
Tensor lastOf(const Tensor& output)
{
    return output.dim() == 3 ? output.select(1, output.size(1) - 1) : output;
}

} // namespace

Generation::Generation(Network& network, const core::Serving& serving, torch::Device device,
                       double seconds)
    : m_network(network), m_prompt(serving.inputTokens)
{
    m_input = network.randomInput(1, m_prompt + serving.outputTokens);
    m_input.values = m_input.values.to(device);
    if (m_input.memory.defined())
        m_input.memory = m_input.memory.narrow(1, 0, m_prompt).to(device);
    constexpr std::int64_t Most = 64;
    constexpr double Turns = 8; // of the full way: two to begin, two for the memory, four in rounds
    const double start = wallClock();
    (void)m_network.forward(prefix(m_prompt));
    synchronise(device);
    const double once = std::max(1e-6, wallClock() - start);
    const auto affordable =
        static_cast<std::int64_t>(std::min(seconds / (Turns * once), static_cast<double>(Most)));
    m_tokens = std::clamp<std::int64_t>(affordable, std::min<std::int64_t>(2, serving.outputTokens),
                                        std::min(Most, serving.outputTokens));
}

Input Generation::prefix(std::int64_t tokens) const
{
    return {m_input.values.narrow(1, 0, tokens), m_input.memory};
}

Tensor Generation::stepwise() const
{
    States states;
    Tensor last = m_network.step(prefix(m_prompt), states, 0);
    for (std::int64_t i = 0; i + 1 < m_tokens; ++i)
        last = m_network.step({m_input.values.narrow(1, m_prompt + i, 1), m_input.memory}, states,
                              m_prompt + i);
    return lastOf(last);
}

Tensor Generation::fullPrefix() const
{
    Tensor last;
    for (std::int64_t i = 0; i < m_tokens; ++i)
        last = m_network.forward(prefix(m_prompt + i));
    return lastOf(last);
}

} // namespace outlay::worker
