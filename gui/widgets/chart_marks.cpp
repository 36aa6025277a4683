// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_marks.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace outlay::gui {

namespace {

constexpr std::size_t Shapes = 4;

} // namespace

void drawShape(QPainter& painter, std::size_t colour, const QPointF& at, double half)
{
    const QRectF box(at.x() - half, at.y() - half, 2 * half, 2 * half);
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

void drawMarker(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens)
{
    painter.setPen(QPen(tokens.mark(colour), size::LineWidth));
    painter.setBrush(colour < Shapes ? tokens.mark(colour) : tokens.card);
    drawShape(painter, colour, at, size::MarkerSize / 2.0);
}

void drawDot(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens)
{
    painter.setPen(QPen(tokens.card, size::Hairline));
    painter.setBrush(tokens.mark(colour));
    drawShape(painter, colour, at, size::DotRadius);
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
            Styles.at(colour % Styles.size()), Qt::RoundCap, Qt::RoundJoin};
}

} // namespace outlay::gui
