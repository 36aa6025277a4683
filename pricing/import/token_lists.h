// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other people's lists of what hosted models cost by the token: genai-prices' data.json and LiteLLM's
// model_prices_and_context_window.json. Of them the models with weights that Outlay knows become prices.
#pragma once

#include "pricing/import/import.h"
#include "pricing/token_prices.h"

namespace outlay::pricing {

struct TokenImport {
    std::string kind; // "genai-prices"
    std::vector<TokenPrice> prices;
    ImportAccount account; // of its models
};

/// Whether a file that begins so is such a list.
[[nodiscard]] bool isTokenList(std::string_view begin);

/// Fails where it can't be read, or has no price of known weights. What isn't dated was checked on `options.asOf`.
[[nodiscard]] core::Result<TokenImport> importTokenList(std::string_view json,
                                                        const TokenPrices& known,
                                                        const ImportOptions& options);

/// The weights that are served under a provider's name for them; empty where it may be another model, one that
/// was made of them too.
[[nodiscard]] std::string weightsNamed(std::string_view model,
                                       std::span<const PublishedWeights> known);

} // namespace outlay::pricing
