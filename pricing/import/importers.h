// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The importers: each recognises its file by the first bytes, and reads it in one pass where it can.
#pragma once

#include "pricing/import/import.h"

namespace outlay::pricing {

[[nodiscard]] bool looksLikeSkypilot(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importSkypilot(std::istream& file,
                                                       const ImportOptions& options);

[[nodiscard]] bool looksLikeAwsJson(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importAwsJson(std::istream& file,
                                                      const ImportOptions& options);

[[nodiscard]] bool looksLikeAwsCsv(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importAwsCsv(std::istream& file,
                                                     const ImportOptions& options);

[[nodiscard]] bool looksLikeAzure(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importAzure(std::istream& file,
                                                    const ImportOptions& options);

[[nodiscard]] bool looksLikeGpuhunt(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importGpuhunt(std::istream& file,
                                                      const ImportOptions& options);

[[nodiscard]] bool looksLikeOwnPrices(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importOwnPrices(std::istream& file,
                                                        const ImportOptions& options);

/// What hosted models cost by the token: genai-prices' data.json and LiteLLM's model_prices_and_context_window.json.
/// Of them the models with weights that Outlay knows become prices.
[[nodiscard]] bool looksLikeTokenList(std::string_view start);
[[nodiscard]] core::Result<PriceImport> importTokenList(std::istream& file,
                                                        const ImportOptions& options);

} // namespace outlay::pricing
