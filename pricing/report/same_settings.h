// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a measurement is of what the experiment says now.
#pragma once

#include "core/experiment/experiment.h"
#include "core/probe/measurement.h"

#include <algorithm>
#include <initializer_list>

namespace outlay::pricing {

/// Of the same design, with the same values of these settings of the training.
[[nodiscard]] inline bool isOfSame(const core::Measurement& m, const core::Experiment& e,
                                   std::initializer_list<const char*> trainingKeys)
{
    if (m.model != core::fieldsOf(e.model))
        return false;
    const core::Json now = core::fieldsOf(e.training);
    return std::all_of(trainingKeys.begin(), trainingKeys.end(), [&](const char* key) {
        const core::Json* measured = m.trainingSettings.find(key);
        return measured != nullptr && *measured == *now.find(key);
    });
}

} // namespace outlay::pricing
