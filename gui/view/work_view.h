// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which kinds of layers a step's work goes into.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct WorkView {
    QString verdict;
    ChartModel chart;
    QString total; // of the training

    bool operator==(const WorkView&) const = default;
};

[[nodiscard]] WorkView makeWorkView(const pricing::Report& report, const DisplayLocale& locale);

} // namespace outlay::gui
