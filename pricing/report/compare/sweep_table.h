// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The headline figures of all points of a sweep.
#pragma once

#include "core/experiment/sweep.h"
#include "pricing/report/compare/headline.h"

namespace outlay::pricing {

struct SweepRow {
    std::vector<core::Json> values; // one for each axis
    std::vector<Headline> headlines;
};

struct SweepTable {
    std::vector<core::SweepAxis> axes;
    std::vector<SweepRow> rows;
    std::vector<core::Error> errors; // of combinations that can't be
};

[[nodiscard]] core::Json toJson(const SweepTable& table);
/// A column for each axis, named by its pointer, and one for each headline.
[[nodiscard]] std::string csvOf(const SweepTable& table);

/// A setting as one word or more: texts bare, all else as JSON.
[[nodiscard]] std::string settingText(const core::Json& value);

} // namespace outlay::pricing
