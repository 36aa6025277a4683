// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt and the tokens after it, made one by one: with what was remembered, or from the start each time.
#pragma once

#include "core/probe/worker/network/network.h"
#include "core/settings/settings.h"

namespace outlay::worker {

class Generation {
public:
    /// `tokens` after the prompt, chosen as the likeliest where the design says tokens, by the exact way:
    /// stepwise, of small designs in fp64. The ways that are timed are fed the same ones.
    Generation(Network& network, const core::Serving& serving, torch::Device device,
               std::int64_t tokens);

    /// As many tokens as the full way can make in a part of `seconds`, two at least.
    [[nodiscard]] static std::int64_t affordable(Network& network, const core::Serving& serving,
                                                 torch::Device device, double seconds);

    [[nodiscard]] std::int64_t tokens() const { return m_tokens; }
    [[nodiscard]] const Input& input() const { return m_input; }
    [[nodiscard]] std::int64_t prompt() const { return m_prompt; }

    /// Both give the output after the prompt and after every token but the last: [tokens, width].
    [[nodiscard]] torch::Tensor stepwise() const;
    [[nodiscard]] torch::Tensor fullPrefix() const;

    /// Those of the exact way, and of how many tokens `outputs` makes the same choice.
    [[nodiscard]] const torch::Tensor& expected() const { return m_expected; }
    [[nodiscard]] std::int64_t sameTokens(const torch::Tensor& outputs) const;

private:
    [[nodiscard]] Input prefix(std::int64_t tokens) const;
    /// Chooses the tokens as it goes, where that can be.
    void generate();

    Network& m_network;
    Input m_input; // prompt and tokens
    std::int64_t m_prompt;
    std::int64_t m_tokens;
    torch::Tensor m_expected;
};

} // namespace outlay::worker
