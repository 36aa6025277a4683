// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt and the tokens after it, made one by one: with what was remembered, or from the start each time.
#pragma once

#include "core/probe/worker/network.h"
#include "core/settings/settings.h"

namespace outlay::worker {

class Generation {
public:
    /// As many tokens as the full way can make in a part of `seconds`, two at least.
    Generation(Network& network, const core::Serving& serving, torch::Device device,
               double seconds);

    [[nodiscard]] std::int64_t tokens() const { return m_tokens; }

    /// Both give the output after the last token.
    [[nodiscard]] torch::Tensor stepwise() const;
    [[nodiscard]] torch::Tensor fullPrefix() const;

private:
    [[nodiscard]] Input prefix(std::int64_t tokens) const;

    Network& m_network;
    Input m_input; // prompt and tokens
    std::int64_t m_prompt;
    std::int64_t m_tokens = 2;
};

} // namespace outlay::worker
