// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the picture of the comparison shows: the offers for one experiment, or experiments side by side.
#pragma once

#include "gui/panels/panel.h"

namespace outlay::gui {

[[nodiscard]] QWidget* makeComparisonPage(const PanelInput& input, const QLocale& locale,
                                          QWidget* parent);

} // namespace outlay::gui
