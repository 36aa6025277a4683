// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights a provider's name for a model means.
#pragma once

#include "pricing/token_prices.h"

namespace outlay::pricing {

class WeightNames {
public:
    explicit WeightNames(std::span<const PublishedWeights> known);

    /// The weights that are served under a provider's name for them; empty where it may be another model, one that
    /// was made of them too.
    [[nodiscard]] std::string meantBy(std::string_view model) const;

private:
    struct Weights {
        std::string name;
        std::vector<std::string> words;
    };
    std::vector<Weights> m_known;
};

} // namespace outlay::pricing
