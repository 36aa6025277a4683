// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement from the command line: run with a progress line, and stored.
#pragma once

#include "core/experiment/experiment.h"
#include "core/probe/job.h"
#include "gui/commands/command.h"

namespace outlay::gui {

inline constexpr CommandOption StoreOption{"-o", "FILE",
                                           "store the measurement in a copy of the experiment"};

/// The time for a measurement, as a person gives it.
[[nodiscard]] core::Result<double> probeSecondsOf(const std::string& text);

/// What is said of a measurement that was interrupted.
[[nodiscard]] core::Error cancelledError(const std::string& whatIsLeft);

/// Runs the worker to its end or until the program is interrupted; a measurement that can be read, with
/// its time, and where it was cancelled. `file` is named in errors.
[[nodiscard]] core::Result<core::Json> measureNow(const core::Job& job, const std::string& file,
                                                  const Streams& streams);

/// Appends to the file as it is now: it may have been changed while the worker ran.
[[nodiscard]] core::Result<void> storeMeasurements(const core::Experiment& measured,
                                                   const std::vector<core::Json>& measurements,
                                                   const std::string& from, const std::string& to);

} // namespace outlay::gui
