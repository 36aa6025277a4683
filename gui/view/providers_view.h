// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One training run here and on the cheapest fitting offer of each provider and way of buying.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "gui/view/figure_view.h"
#include "pricing/report/report.h"

namespace outlay::gui {

struct ProvidersView {
    QString verdict;
    ChartModel chart;
    FigureView cheapest;

    bool operator==(const ProvidersView&) const = default;
};

/// What the views are made of that compare a Report with a baseline and name offers. All but the
/// Report may be null.
struct ReportInput {
    const pricing::Report& report;
    const pricing::Report* baseline = nullptr;
    const pricing::Catalogs* catalogs = nullptr;
};

[[nodiscard]] ProvidersView makeProvidersView(const ReportInput& input,
                                              const DisplayLocale& locale);

/// The recommended option's cost, with the offer and the date of its price as its detail.
[[nodiscard]] FigureView makeCheapestView(const pricing::Report& report,
                                          const pricing::Report* baseline,
                                          const DisplayLocale& locale);

} // namespace outlay::gui
