// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The headline figures above every page.
#pragma once

#include "gui/view/figure_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

/// `baseline` may be null. A figure that the Report doesn't hold is unavailable, with the reason.
[[nodiscard]] std::vector<FigureView> makeTilesView(const pricing::Report& report,
                                                    const pricing::Report* baseline,
                                                    const DisplayLocale& locale);

} // namespace outlay::gui
