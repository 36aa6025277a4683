// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing inside of a Chart: all that the program knows of Qt Charts is behind it.
#pragma once

#include "gui/view/chart_model.h"

#include <QWidget>

namespace outlay::gui {

class ChartCanvas : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// `model` must live until another is shown.
    virtual void show(const ChartModel& model) = 0;
    /// The colours again, of the palette as it is now.
    virtual void applyTheme() = 0;
    virtual void setShown(int series, bool isShown) = 0;

Q_SIGNALS:
    void pointChosen(std::size_t key);
};

[[nodiscard]] ChartCanvas* makeChartCanvas(QWidget* parent);

} // namespace outlay::gui
