// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart has beyond series: labels of bars, whiskers, reference ticks, marks of their own shape,
// bubbles, the words in a doughnut. Painted into the chart, so that pictures have it, too.
#pragma once

#include "gui/style/tokens.h"
#include "gui/view/chart_model.h"

#include <QPointF>
#include <QRectF>
#include <QStringList>

#include <functional>

class QPainter;

namespace outlay::gui {

struct OverlayPlace {
    QRectF plot;
    /// Where a point of a series lies; bars give their category as `x`.
    std::function<QPointF(std::size_t series, double x, double y)> at;
    std::function<bool(std::size_t series)> isShown;
    double barThickness = 0;
    double right = 0; // where labels end
    bool isBrief = false;
};

/// Returns the words for which there was no room.
QStringList paintOverlay(QPainter& painter, const ChartModel& model, const OverlayPlace& place,
                         const Tokens& tokens);

/// Whether points of the series differ in colour: its bars are then painted here, too.
[[nodiscard]] bool hasOwnColours(const ChartSeries& series);

/// Room to the left of horizontal bars for their names.
[[nodiscard]] int nameRoom(const ChartModel& model, int width);

/// Room to the right of horizontal bars for their labels, of a width that both share.
struct LabelRoom {
    int width = 0;
    bool isBrief = false; // whole labels would leave too little to the bars
};
[[nodiscard]] LabelRoom labelRoom(const ChartModel& model, int width);

} // namespace outlay::gui
