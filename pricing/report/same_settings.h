// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a measurement is of what the experiment says now.
#pragma once

#include "core/experiment/experiment.h"
#include "core/probe/measurement.h"

#include <algorithm>
#include <initializer_list>

namespace outlay::pricing {

/// What a step of training depends on, and a request.
inline constexpr std::initializer_list<const char*> StepKeys{
    "sequence", "batch", "accumulation", "precision", "optimizer", "checkpointing"};
inline constexpr std::initializer_list<const char*> RequestKeys{"input_tokens", "output_tokens",
                                                                "precision"};

[[nodiscard]] inline bool hasSame(const core::Json& stored, const core::Json& now,
                                  std::initializer_list<const char*> keys)
{
    return std::all_of(keys.begin(), keys.end(), [&](const char* key) {
        const core::Json* then = stored.find(key);
        return then != nullptr && *then == *now.find(key);
    });
}

/// Of the same design, with the same values of these settings of the training.
[[nodiscard]] inline bool isOfSame(const core::Measurement& m, const core::Experiment& e,
                                   std::initializer_list<const char*> trainingKeys)
{
    return m.model == core::fieldsOf(e.model) &&
           hasSame(m.trainingSettings, core::fieldsOf(e.training), trainingKeys);
}

/// Whether a probe of the experiment would do just this again: where the worker can't run what was asked
/// for, it is done all the same.
[[nodiscard]] inline bool answers(const core::Measurement& m, const core::Experiment& e)
{
    return m.model == core::fieldsOf(e.model) &&
           hasSame(m.askedTraining, core::fieldsOf(e.training), StepKeys) &&
           hasSame(m.askedServing, core::fieldsOf(e.serving), RequestKeys);
}

} // namespace outlay::pricing
