// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the design's costs grow: with the sequence, against its twin, over several devices.
#pragma once

#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"
#include "pricing/report/scaling_report.h"

namespace outlay::gui {

/// One subject of the page: what it says, charts, and a table of all their numbers.
struct GrowthPart {
    QString id; // begins the object names
    QString title;
    QString verdict;
    std::vector<ChartModel> charts;
    QString tableTitle;
    TableData table;
    QString action;   // what its button says; empty where there is nothing to press
    core::Json patch; // that the button applies

    /// Of the object that shows its chart at this place, and its table.
    [[nodiscard]] QString chartName(std::size_t place) const;
    [[nodiscard]] QString tableName() const;
    [[nodiscard]] QString actionName() const;

    bool operator==(const GrowthPart&) const = default;
};

/// Always the same parts with the same number of charts, whatever is known.
[[nodiscard]] std::vector<GrowthPart> makeGrowthView(const pricing::ScalingReport& scaling,
                                                     const DisplayLocale& locale);

} // namespace outlay::gui
