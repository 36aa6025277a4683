// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the picture of the comparison shows: the offers for one experiment, or experiments side by side.
#pragma once

#include "gui/panels/panel.h"
#include "gui/view/display_locale.h"

namespace outlay::gui {

[[nodiscard]] QWidget* makeComparisonPage(const PanelInput& input, const DisplayLocale& locale,
                                          QWidget* parent);

} // namespace outlay::gui
