// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What training and serving keep in memory.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "gui/view/figure_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct MemoryView {
    QString verdict;
    ChartModel chart;
    FigureView training;
    FigureView serving;

    bool operator==(const MemoryView&) const = default;
};

[[nodiscard]] MemoryView makeMemoryView(const pricing::Report& report,
                                        const pricing::Report* baseline,
                                        const DisplayLocale& locale);

} // namespace outlay::gui
