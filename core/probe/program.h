// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a person's own program was measured to take, as it is stored.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

struct ProgramMeasurement {
    std::string command;
    std::string source;   // what told its steps
    bool isWhole = false; // it ran to its end
    double seconds = 0;   // that it was watched
    double doneSteps = 0;
    std::optional<double> ofSteps; // of the whole run
    double startS = 0;             // before the first step
    double pausedS = 0;            // between steps: validation, saving
    std::int64_t pauses = 0;
    // Of the whole run; none where nobody knows how many steps it has.
    std::optional<double> wholeS;
    std::optional<double> lowS; // these hold it in 80 of 100 cases
    std::optional<double> highS;
    double processorS = 0;
    std::optional<double> idleShare; // of the time, with no core at work for it
    double peakBytes = 0;            // of all its processes
    std::optional<double> readBytes;
    std::optional<double> writtenBytes;
    std::int64_t processes = 1;
    std::int64_t threads = 1;

    bool operator==(const ProgramMeasurement&) const = default;
};

void describe(FieldVisitor& v, ProgramMeasurement& p);

} // namespace outlay::core
