// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements that other predictors were held against, and by how much each missed them.
#pragma once

#include "tests/support/truth_cases.h"

#include <map>

namespace outlay::tests {

struct PredictedCase {
    TruthCase truth;
    std::map<std::string, double> percents; // by the predictor's name
};

/// Requests that SGLang answered at once, their prompts, and each of their tokens; prompts are taken as equally long.
[[nodiscard]] core::Result<std::vector<PredictedCase>> predictedRequestsIn(const std::string& path);
/// Passes of PyTorch in fp32, and passes with their gradients.
[[nodiscard]] core::Result<std::vector<PredictedCase>> predictedPassesIn(const std::string& path);
/// Both of a folder, as cases of a fit: of requests prompts and tokens alone.
[[nodiscard]] core::Result<std::vector<TruthCase>> predictedCasesIn(const std::string& folder);

} // namespace outlay::tests
