// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements on other machines from the command line.
#pragma once

#include "gui/commands/command.h"
#include "gui/session/launcher.h"

#include <functional>

namespace outlay::gui {

inline constexpr CommandOption OnOption{
    "--on", "HOST,...", "measure on these hosts instead of here (see `outlay hosts`)"};

/// Profiles by the names or files that `--on` gives; none without it.
[[nodiscard]] core::Result<std::vector<core::Profile>> profilesOf(const Arguments& arguments);
[[nodiscard]] std::vector<std::string> namesOf(const std::vector<core::Profile>& profiles);

/// What is done with each result as it comes. Measurements that can't be stored end it all.
struct ElsewhereHandlers {
    /// What came since the last time: many at once where storing takes longer than measuring.
    std::function<core::Result<void>(const std::vector<core::Json>& measurements)> store;
    std::function<void(std::size_t job, const core::Error& error)> fail;
    std::function<bool()> isSpent; // nothing more may be begun
};

enum class Joining {
    Apart,
    Together // a job a profile, at once; these then train together
};

/// Until all jobs have ended, or the program is asked to end.
[[nodiscard]] core::Result<void> measureElsewhere(const std::vector<core::Profile>& profiles,
                                                  std::vector<core::Job> jobs, Reuse reuse,
                                                  Joining joining,
                                                  const ElsewhereHandlers& handlers,
                                                  const Streams& streams);

} // namespace outlay::gui
