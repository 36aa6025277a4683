// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of a running program say of its whole run.
#pragma once

#include "core/probe/measurement.h"
#include "core/program/step_mark.h"

#include <vector>

namespace outlay::core {

struct ProgramForecast {
    Timing step; // as its marks let see it: of each stretch between two of them, without pauses
    Disturbance disturbance;
    double startS = 0;  // before its first step
    double warmUpS = 0; // what the first steps took longer than steady ones
    double pausedS =
        0; // what stretches with validation, saving and the like took beyond their steps
    std::int64_t pauses = 0;
    double seenSteps = 0; // that these times are of
    double doneSteps = 0;
    double doneS = 0; // when the last of them was done
    std::optional<double> ofSteps;
    bool isToldTooFew = false; // more are done than there should be in all

    // Of the run to its end, where it is known how many steps that are.
    double wholeS = 0;
    double lowS = 0; // these hold it in 80 of 100 cases
    double highS = 0;

    bool operator==(const ProgramForecast&) const = default;
};

/// Nothing before three stretches have been seen. `waiting`: the share by which its processes waited for a core;
/// `untilS`: when it was last looked at, which may be in a pause.
[[nodiscard]] std::optional<ProgramForecast> forecastOf(const std::vector<StepMark>& marks,
                                                        std::optional<double> ofSteps,
                                                        double waiting, double untilS = 0);

/// Of steps that nobody told: one may be half of what repeats, or two of it.
[[nodiscard]] ProgramForecast asGuess(ProgramForecast forecast);

} // namespace outlay::core
