// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The design that most tests begin with.
#pragma once

#include "core/experiment/presets.h"

namespace outlay::tests {

inline const core::Experiment& generator()
{
    static const core::Experiment Whole = core::preset("text-generator")->experiment;
    return Whole;
}

} // namespace outlay::tests
