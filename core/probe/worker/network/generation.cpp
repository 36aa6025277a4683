// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/generation.h"

#include "core/probe/worker/network/exactly.h"
#include "core/probe/worker/network/trainer.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using torch::Tensor;

/// What follows the last token, whether the design says something after each or only after the last.
Tensor lastOf(const Tensor& output)
{
    return (output.dim() == 3 ? output.select(1, output.size(1) - 1) : output).select(0, 0);
}

} // namespace

Generation::Generation(Network& network, const core::Serving& serving, torch::Device device,
                       std::int64_t tokens)
    : m_network(network), m_prompt(serving.inputTokens),
      m_tokens(std::min(tokens, serving.outputTokens))
{
    m_input = network.randomInput(1, m_prompt + m_tokens);
    m_input.values = m_input.values.to(device);
    if (m_input.memory.defined())
        m_input.memory = m_input.memory.narrow(1, 0, m_prompt).to(device);
    generate();
}

std::int64_t Generation::affordable(Network& network, const core::Serving& serving,
                                    torch::Device device, double seconds)
{
    constexpr std::int64_t Most = 100;
    constexpr double Turns = 8; // of the full way: two to begin, two for the memory, four in rounds
    const Generation few(network, serving, device, 1);
    const double start = wallClock();
    (void)few.fullPrefix();
    synchronise(device);
    const double once = std::max(1e-6, wallClock() - start);
    const double most = std::min(seconds / (Turns * once), static_cast<double>(Most));
    return std::max<std::int64_t>(2, static_cast<std::int64_t>(most));
}

Input Generation::prefix(std::int64_t tokens) const
{
    return {m_input.values.narrow(1, 0, tokens), m_input.memory};
}

void Generation::generate()
{
    const PassForm before = m_network.form();
    m_network.setForm({});
    {
        constexpr std::int64_t MostElements = 50'000'000; // twice their memory is no matter
        std::optional<Exactly> exactly;
        if (m_network.elementCount() <= MostElements)
            exactly.emplace(m_network);
        const Tensor given = m_input.values;
        if (given.is_floating_point() && exactly)
            m_input.values = given.to(torch::kDouble);
        States states;
        std::vector<Tensor> outputs{lastOf(m_network.step(prefix(m_prompt), states, 0))};
        const auto choose = [&](std::int64_t i) {
            // Of designs that say something else than the tokens they read, the next one is random.
            if (!given.is_floating_point() && m_network.saysTokens())
                m_input.values[0][m_prompt + i] = outputs.back().argmax();
        };
        for (std::int64_t i = 0; i + 1 < m_tokens; ++i) {
            choose(i);
            outputs.push_back(
                lastOf(m_network.step({m_input.values.narrow(1, m_prompt + i, 1), m_input.memory},
                                      states, m_prompt + i)));
        }
        m_expected = torch::stack(outputs);
        m_input.values = m_input.values.to(given.scalar_type());
    }
    m_network.setForm(before);
}

Tensor Generation::stepwise() const
{
    States states;
    std::vector<Tensor> outputs{lastOf(m_network.step(prefix(m_prompt), states, 0))};
    for (std::int64_t i = 0; i + 1 < m_tokens; ++i)
        outputs.push_back(lastOf(m_network.step(
            {m_input.values.narrow(1, m_prompt + i, 1), m_input.memory}, states, m_prompt + i)));
    return torch::stack(outputs);
}

Tensor Generation::fullPrefix() const
{
    std::vector<Tensor> outputs;
    for (std::int64_t i = 0; i < m_tokens; ++i)
        outputs.push_back(lastOf(m_network.forward(prefix(m_prompt + i))));
    return torch::stack(outputs);
}

std::int64_t Generation::sameTokens(const Tensor& outputs) const
{
    return (outputs.argmax(-1) == m_expected.argmax(-1)).sum().item<std::int64_t>();
}

} // namespace outlay::worker
