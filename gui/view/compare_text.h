// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as people read it: the experiments are columns, each with its difference to the first.
#pragma once

#include "gui/view/display_locale.h"
#include "pricing/report/compare/comparison.h"

#include <QString>

namespace outlay::gui {

/// "+1.14 MB, +10.0 %"; "same" for none; empty where it can't be known.
[[nodiscard]] QString changeText(const pricing::Difference& cell, const DisplayLocale& locale);

[[nodiscard]] QString makeComparisonText(const pricing::Comparison& comparison,
                                         const DisplayLocale& locale);
[[nodiscard]] QString makeComparisonMarkdown(const pricing::Comparison& comparison,
                                             const DisplayLocale& locale);

} // namespace outlay::gui
