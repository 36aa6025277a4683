// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Figures over a number that grows, as lines; what is unavailable is left out, never drawn as zero.
#pragma once

#include "core/base/quantity.h"
#include "gui/view/chart_model.h"
#include "gui/view/display_locale.h"

namespace outlay::gui {

struct GrowthPoint {
    double at = 0;
    core::Quantity figure;
};

struct GrowthLine {
    QString name;
    std::size_t colour = 0;
    std::vector<GrowthPoint> points;
};

struct GrowthWords {
    QString title;
    QString subtitle;
    QString over;          // title of the axis below
    QString what;          // of the axis at the left, before its unit
    QString unit;          // without a prefix
    double factor = 1;     // from the figures' unit to that
    bool hasPrefix = true; // k, M, G before the unit
};

enum class GrowthScale { Linear, Logarithmic };

/// Where no line has a point the chart says why.
[[nodiscard]] ChartModel makeGrowthChart(const GrowthWords& words, GrowthScale scale,
                                         const std::vector<GrowthLine>& lines,
                                         const DisplayLocale& locale);

} // namespace outlay::gui
