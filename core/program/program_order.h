// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A program that is run for somebody on another machine: what a worker is asked there, in one line of JSON, and how it
// does that.
#pragma once

#include "core/probe/job.h"
#include "core/program/program_run.h"

namespace outlay::core {

struct ProgramOrder {
    std::vector<std::string> command;
    std::string folder;          // to run it in; empty: where the worker was started
    double seconds = 90;         // then it is ended
    std::optional<double> steps; // or when that many are done
    bool isWhole = false;        // it runs to its end
    std::optional<double> ofSteps;
    std::optional<Job>
        design; // that stands for it; without one nothing is made a measurement of it

    bool operator==(const ProgramOrder&) const = default;
};

/// With its line's end.
[[nodiscard]] std::string lineOf(const ProgramOrder& order);
[[nodiscard]] Result<ProgramOrder> readProgramOrder(std::string_view line);

/// What is asked on standard input; what is seen leaves by standard output, and what the program prints by standard
/// error. It ends with the input, or after so many seconds in which nothing came. The exit status.
[[nodiscard]] int carryOutOrder(std::optional<double> leaseS);

} // namespace outlay::core
