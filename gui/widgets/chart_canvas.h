// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing inside of a Chart: all that the program knows of Qt Charts is behind it.
#pragma once

#include "gui/view/chart_model.h"

#include <QLocale>
#include <QStringList>
#include <QWidget>

#include <functional>

namespace outlay::gui {

class ChartCanvas : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// `model` must live until another is shown.
    virtual void show(const ChartModel& model) = 0;
    virtual void setShown(int series, bool isShown) = 0;
    /// Where values lie, in the canvas's coordinates.
    [[nodiscard]] virtual QRectF plotArea() const = 0;
    [[nodiscard]] virtual QPointF placeOf(const QPointF& value) const = 0;
    [[nodiscard]] virtual QPointF valueAt(const QPointF& place) const = 0;
    /// Names and labels that were cut when the chart was last painted.
    [[nodiscard]] virtual QStringList cutTexts() const = 0;

    std::function<QString(std::size_t key)> hintOf; // asked when the pointer rests near a point

Q_SIGNALS:
    void pointChosen(std::size_t key);
    void plotMoved();
};

[[nodiscard]] ChartCanvas* makeChartCanvas(const QLocale& locale, QWidget* parent);

} // namespace outlay::gui
