// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published rows as samples of a fit: how far a calibration misses them, and the fit itself.
#pragma once

#include "tests/fit/knobs.h"
#include "tests/support/truth_cases.h"

namespace outlay::tests {

/// What has an interval of its own.
enum class Group { Training, Recurrent, Pass, Prompt, Token, Run };
inline constexpr std::array<std::string_view, 6> GroupNames{"training", "recurrent", "pass",
                                                            "prompt",   "token",     "run"};

struct Sample {
    TruthCase truth;
    const core::Device* device = nullptr;
    TruthDemand demand;
    Group group = Group::Training;
    double weight = 1; // pairs of source and device count by the root of their rows

    [[nodiscard]] bool isFitted() const
    {
        return !truth.isSetAside() && truth.doubt.empty() && group != Group::Run;
    }
};

/// Those whose device is listed and whose time can be forecast.
[[nodiscard]] std::vector<Sample> samplesOf(std::vector<TruthCase> cases,
                                            const core::HardwareCatalog& catalog,
                                            const core::Calibration& calibration);

/// Natural logarithm of forecast over truth.
[[nodiscard]] double missOf(const Sample& sample, const core::Calibration& calibration);

/// Moves the knobs of `calibration` to where these samples and the priors are missed least, then those of engines on
/// devices on which they have many. Deterministic.
void fit(core::Calibration& calibration, const std::vector<const Sample*>& samples, int sweeps);
/// All knobs to where physics puts them.
void reset(core::Calibration& calibration);

} // namespace outlay::tests
