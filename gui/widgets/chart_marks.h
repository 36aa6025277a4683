// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the n-th series is told from the others: marks by their shape, lines by their dashes, in a chart and in
// its legend.
#pragma once

#include "gui/style/tokens.h"

#include <QPen>

class QPainter;
class QPointF;

namespace outlay::gui {

/// Circle, square, triangle, diamond, and the hollow ones of the first two.
void drawMarker(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens);

/// The same shapes, of any size, with the painter's pen and brush.
void drawShape(QPainter& painter, std::size_t colour, const QPointF& at, double half);

/// One of so many that they lie on one another: small, and a rim parts it from those below.
void drawDot(QPainter& painter, std::size_t colour, const QPointF& at, const Tokens& tokens);

void drawWhisker(QPainter& painter, const QPointF& from, const QPointF& to, const Tokens& tokens);

[[nodiscard]] QPen linePen(std::size_t colour, const Tokens& tokens);

} // namespace outlay::gui
