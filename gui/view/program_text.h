// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A program that was run, in words: what `outlay run` prints.
#pragma once

#include "core/program/program_run.h"
#include "gui/view/display_locale.h"

#include <QString>

namespace outlay::gui {

/// Before it starts: what is going to happen to it.
[[nodiscard]] QString programBeginText(const core::ProgramJob& job, const DisplayLocale& locale);

/// "It failed with exit status 7 after 12 s".
[[nodiscard]] QString programEndText(const core::ProgramOutcome& outcome,
                                     const DisplayLocale& locale);

/// While it runs, in one line: "40 s: 212 of 12,000 steps, 0.19 s each; the whole run takes 38 min".
[[nodiscard]] QString programProgressText(double seconds,
                                          const std::optional<core::ProgramForecast>& forecast,
                                          const DisplayLocale& locale);

/// A page of what was seen; without an experiment that stands for it, also what the devices alone say of others.
[[nodiscard]] QString programText(const core::ProgramOutcome& outcome, const core::ProgramJob& job,
                                  bool hasExperiment, const DisplayLocale& locale);

} // namespace outlay::gui
