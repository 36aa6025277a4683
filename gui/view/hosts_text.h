// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences and rows about the machines that are measured on.
#pragma once

#include "core/launch/profile.h"
#include "core/probe/host_facts.h"
#include "gui/view/display_locale.h"

#include <QString>

#include <optional>
#include <vector>

namespace outlay::gui {

/// How a list of measurements stands. Each is in one place.
struct LaunchCounts {
    std::size_t jobs = 0;
    std::size_t measured = 0;
    std::size_t failed = 0;
    std::size_t running = 0;
    QString waitsFor; // why none of the rest runs; may be empty
};
/// "12 of 24 measured, 3 running".
[[nodiscard]] QString launchText(const LaunchCounts& counts);

/// "ssh gpu1, 2 at once, 4 cores each".
[[nodiscard]] QString profileText(const core::Profile& profile, const QLocale& locale);
/// "AMD EPYC 7763, 64 cores, 256 GB", and the accelerator that was measured on.
[[nodiscard]] QString machineText(const core::HostMachine& machine, const std::string& device,
                                  const QLocale& locale);
/// "AMD EPYC 7763, 64 cores, 256 GB, load 0.4; outlay 1.0, LibTorch 1.13.1".
[[nodiscard]] QString factsText(const core::HostFacts& facts, const QLocale& locale);
/// Which one it is, and what it isn't kept from there.
[[nodiscard]] QString workerText(const core::HostFacts& facts);

/// What its profile should say where it has an accelerator and names none; empty elsewhere.
[[nodiscard]] QString deviceHint(const core::Profile& profile, const core::HostFacts& facts);

} // namespace outlay::gui
