// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// By how much a person's own runs took longer than was forecast of them: an assumption that its owner took into the
// experiment, and may take out again.
#pragma once

#include "core/base/quantity.h"
#include "core/experiment/experiment.h"

#include <optional>

namespace outlay::pricing {

enum class RunPlace { Planned, Here };
/// The keys of an experiment's assumptions.
inline constexpr std::array<std::string_view, 2> OwnFactorNames{"own_factor", "own_factor_here"};

struct OwnFactor {
    double value = 1;
    double low = 1; // these hold it in 80 of 100 cases
    double high = 1;
    std::int64_t runs = 0; // that it was got from; 0 where a person just says it

    bool operator==(const OwnFactor&) const = default;
};
void describe(core::FieldVisitor& v, OwnFactor& f);

/// Nothing where the experiment has none, or one that makes no sense.
[[nodiscard]] std::optional<OwnFactor> ownFactorOf(const core::Experiment& experiment,
                                                   RunPlace place);

/// The forecast with both intervals in its own.
[[nodiscard]] core::Quantity times(const core::Quantity& forecast, const OwnFactor& factor);

/// Where it is from, and how sure.
[[nodiscard]] std::string sourceOf(const OwnFactor& factor, RunPlace place);

/// A JSON Patch that puts it into an experiment, or with nothing takes it out.
[[nodiscard]] core::Json patchWith(const std::optional<OwnFactor>& factor, RunPlace place);

} // namespace outlay::pricing
