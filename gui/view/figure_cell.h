// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A figure as a cell of a table: sorted by its value, explained by its hint.
#pragma once

#include "core/base/quantity.h"
#include "gui/view/display_locale.h"
#include "gui/view/table_data.h"

namespace outlay::gui {

[[nodiscard]] TableCell figureCell(const core::Quantity& figure, const DisplayLocale& locale);

} // namespace outlay::gui
