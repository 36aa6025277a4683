// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Steps and their times in the files that trackers write beside a training: TensorBoard's events, MLflow's metrics and
// Transformers' trainer_state.json. Of each record the step and the wall time are read, and nothing else.
#pragma once

#include "core/program/step_mark.h"

#include <map>
#include <vector>

namespace outlay::core {

/// A record of one of these files.
struct TimedStep {
    double atUnixS = 0;
    double step = 0;

    bool operator==(const TimedStep&) const = default;
};

/// TFRecord frames around Event messages, as far as they are whole; a broken one ends the reading.
class EventFile {
public:
    /// As the file grows, in pieces of any size.
    void feed(std::string_view bytes);

    [[nodiscard]] const std::vector<TimedStep>& steps() const { return m_steps; }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    std::string m_rest;
    std::vector<TimedStep> m_steps;
    bool m_isBroken = false;
};

/// "1732592400123 0.4521 15" a line: milliseconds, value, step.
[[nodiscard]] std::vector<TimedStep> metricSteps(std::string_view lines);

/// Of a checkpoint's trainer_state.json, which says no time: how far the training was, and of how many steps.
struct TrainerState {
    double step = 0;
    std::optional<double> of;
};
[[nodiscard]] std::optional<TrainerState> trainerState(std::string_view json);

/// In the order of their steps, one mark each, from `beginUnixS` on: what an earlier run left is none of this one's.
[[nodiscard]] std::vector<StepMark> marksOf(const std::vector<TimedStep>& steps, double beginUnixS);

} // namespace outlay::core
