// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a limit of a chart is moved by: a strip over its line for the mouse, and the arrow keys while it
// has the focus. The line itself is drawn by the chart, so that pictures have it.
#pragma once

#include "gui/view/chart_model.h"

#include <QWidget>

namespace outlay::gui {

class LimitHandle final : public QWidget {
    Q_OBJECT
public:
    LimitHandle(const QString& name, QWidget* parent);

    /// `plot` is where the chart's values lie, `at` where the line crosses its axis.
    void show(const ChartLimit& limit, const QRectF& plot, const QPointF& at);

Q_SIGNALS:
    void dragStarted();
    /// In the coordinates of the parent.
    void draggedTo(const QPointF& place);
    /// By so many small steps, up or down.
    void stepped(int steps);
    /// To the least value of the axis.
    void sentLow();
    void removed();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    ChartLimit::Of m_of = ChartLimit::Of::X;
};

} // namespace outlay::gui
