// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_marks.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace outlay::gui {

void drawMarker(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens)
{
    constexpr double Half = size::MarkerSize / 2.0;
    constexpr std::size_t Shapes = 4;
    const bool isHollow = colour >= Shapes;
    painter.setPen(QPen(tokens.mark(colour), size::LineWidth));
    painter.setBrush(isHollow ? tokens.card : tokens.mark(colour));
    const QRectF box(at.x() - Half, at.y() - Half, 2 * Half, 2 * Half);
    switch (colour % Shapes) {
    case 0: painter.drawEllipse(box); break;
    case 1: painter.drawRect(box); break;
    case 2:
        painter.drawPolygon(QPolygonF{{{at.x(), box.top()}, box.bottomRight(), box.bottomLeft()}});
        break;
    default:
        painter.drawPolygon(QPolygonF{{{at.x(), box.top()},
                                       {box.right(), at.y()},
                                       {at.x(), box.bottom()},
                                       {box.left(), at.y()}}});
    }
}

void drawDot(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens)
{
    painter.setPen(QPen(tokens.card, size::Hairline));
    painter.setBrush(tokens.mark(colour));
    painter.drawEllipse(at, size::DotRadius, size::DotRadius);
}

void drawWhisker(QPainter& painter, const QPointF& from, const QPointF& to, const Tokens& tokens)
{
    painter.setPen(QPen(tokens.text, size::LineMiddle));
    painter.drawLine(from, to);
    const bool isFlat = std::abs(from.y() - to.y()) < std::abs(from.x() - to.x());
    const QPointF across = isFlat ? QPointF(0, size::Tiny) : QPointF(size::Tiny, 0);
    for (const QPointF& end : {from, to})
        painter.drawLine(end - across, end + across);
}

QPen linePen(std::size_t colour, const Tokens& tokens)
{
    constexpr std::array Styles{Qt::SolidLine,   Qt::DashLine,  Qt::DotLine,
                                Qt::DashDotLine, Qt::SolidLine, Qt::DashLine};
    constexpr std::size_t Thin = 4; // the last two are thin
    return {tokens.mark(colour),
            static_cast<double>(colour < Thin ? size::LineWidth : size::Hairline),
            Styles.at(colour), Qt::RoundCap, Qt::RoundJoin};
}

} // namespace outlay::gui
