// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What runs took beside what was foretold, in words: what `outlay actual` and `outlay track` print.
#pragma once

#include "gui/view/display_locale.h"
#include "pricing/actual/track.h"

#include <QString>

namespace outlay::gui {

[[nodiscard]] QString actualText(const pricing::Actual& actual, const DisplayLocale& locale);

struct TrackedRun {
    QString experiment;
    pricing::Actual actual;
};

/// A line for each run and thing, then what holds over all of them.
[[nodiscard]] QString trackText(const std::vector<TrackedRun>& runs, const DisplayLocale& locale);

} // namespace outlay::gui
