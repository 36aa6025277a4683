// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's program, run for a while and watched, or to its end.
#pragma once

#include "core/program/process_tree.h"
#include "core/program/program_forecast.h"
#include "core/program/step_watch.h"

#include <functional>

namespace outlay::core {

struct ProgramOutcome;

struct ProgramJob {
    std::vector<std::string> command;
    double seconds = 90;           // then it is ended
    std::optional<double> steps;   // or when that many are done
    bool isWhole = false;          // it runs to its end
    std::optional<double> ofSteps; // of the whole run, where a person knows it
    /// What is known so far, now and then: first after that time, then every so often, else more and more seldom.
    std::function<void(const ProgramOutcome&)> tell;
    double tellFirstS = 10;
    std::optional<double> tellEveryS;
    std::function<bool()> isAskedToEnd; // as if its time was up
};

/// Waits before the next, harder way of ending it.
struct Patience {
    double interruptS = 10; // from SIGINT to SIGTERM
    double terminateS = 5;  // from there to SIGKILL
    double byItselfS = 2;   // what is left behind by a program that has ended by itself
    static constexpr double LongestS = 5; // after all of that
};

struct ProgramOutcome {
    double seconds = 0; // until it ended, or was told to
    int status = 0;     // as waitpid has it
    bool wasEnded = false;
    bool wasInterrupted = false; // by somebody else, it was told to end
    std::int64_t leftBehind = 0; // processes that it hadn't ended
    TreeUsage usage;
    std::string energySource; // empty where no counter may be read
    double joules = 0;
    double idleWatts = 0;    // before it began
    std::string accelerator; // that it opened; empty where it has used processors alone
    SeenSteps steps;
    std::optional<ProgramForecast> forecast;

    /// It came to its own end, and did all that it had to.
    [[nodiscard]] bool isWhole() const { return !wasEnded && !wasInterrupted && status == 0; }
};

/// What it ended with, as a shell has it; 0 where it was ended.
[[nodiscard]] int exitStatusOf(const ProgramOutcome& outcome);

/// No process that it started is left. Fails only where it can't be started.
[[nodiscard]] Result<ProgramOutcome> runProgram(const ProgramJob& job, Patience patience = {});

} // namespace outlay::core
