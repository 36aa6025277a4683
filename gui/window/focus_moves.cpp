// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/focus_moves.h"

#include "gui/widgets/figure_label.h"

#include <QApplication>

namespace outlay::gui {

void focusNextArea(const std::vector<QWidget*>& areas)
{
    const QWidget* now = QApplication::focusWidget();
    std::size_t next = 0;
    for (std::size_t i = 0; i < areas.size(); ++i) {
        if (now != nullptr && areas[i]->isAncestorOf(now))
            next = (i + 1) % areas.size();
    }
    for (QWidget* widget : areas[next]->findChildren<QWidget*>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible() &&
            widget->isEnabled())
            return widget->setFocus(Qt::TabFocusReason);
    }
}

void explainFigure(const QWidget& figures)
{
    auto* figure = qobject_cast<FigureLabel*>(QApplication::focusWidget());
    if (figure == nullptr)
        figure = figures.findChild<FigureLabel*>();
    figure->setFocus();
    figure->explain();
}

} // namespace outlay::gui
