// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/badge.h"

#include "gui/style/theme.h"

#include <QPainter>

namespace outlay::gui {
namespace {

QColor colourOf(core::Basis basis, const Tokens& tokens)
{
    switch (basis) {
    case core::Basis::Exact:
    case core::Basis::Measured: return tokens.good;
    case core::Basis::Listed: return tokens.accent;
    case core::Basis::Forecast:
    case core::Basis::Assumed: return tokens.caution;
    case core::Basis::Unavailable: break;
    }
    return tokens.disabled;
}

/// Filled marks are facts, hollow ones are not: exact a disc, measured a diamond, listed a square,
/// forecast a hollow diamond, assumed a ring, unavailable a line.
void drawMark(QPainter& painter, core::Basis basis, const QRectF& box)
{
    const QPolygonF diamond({{box.center().x(), box.top()},
                             {box.right(), box.center().y()},
                             {box.center().x(), box.bottom()},
                             {box.left(), box.center().y()}});
    switch (basis) {
    case core::Basis::Exact: painter.drawEllipse(box); break;
    case core::Basis::Measured: painter.drawPolygon(diamond); break;
    case core::Basis::Listed:
        painter.drawRect(
            box.marginsRemoved({size::Hairline, size::Hairline, size::Hairline, size::Hairline}));
        break;
    case core::Basis::Forecast:
        painter.setBrush(Qt::NoBrush);
        painter.drawPolygon(diamond);
        break;
    case core::Basis::Assumed:
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(box);
        break;
    case core::Basis::Unavailable:
        painter.drawLine(QPointF(box.left(), box.center().y()),
                         QPointF(box.right(), box.center().y()));
        break;
    }
}

} // namespace

Badge::Badge(QWidget* parent) : QWidget(parent)
{
    setFont(fontOf(TypeRole::Axis));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setBasis(core::Basis basis, bool isRough, const QString& word)
{
    if (m_basis == basis && m_isRough == isRough && m_word == word)
        return;
    m_basis = basis;
    m_isRough = isRough;
    m_word = word;
    updateGeometry();
    update();
}

QSize Badge::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_word) + size::Mark + size::Tiny + 2 * size::Small,
            fontMetrics().height() + size::Tiny};
}

void Badge::paintEvent(QPaintEvent*)
{
    const Tokens& tokens = tokensOf(palette());
    const QColor colour = m_isRough ? tokens.caution : colourOf(m_basis, tokens);
    constexpr int TintAlpha = 28;
    QColor tint = colour;
    tint.setAlpha(TintAlpha);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tint);
    painter.drawRoundedRect(rect(), size::ControlRadius, size::ControlRadius);
    painter.setPen(QPen(colour, size::LineMiddle));
    painter.setBrush(colour);
    const double inset = (height() - size::Mark) / 2.0;
    drawMark(painter, m_basis, QRectF(size::Small, inset, size::Mark, size::Mark));
    painter.setPen(tokens.text);
    painter.drawText(rect().adjusted(size::Small + size::Mark + size::Tiny, 0, 0, 0),
                     Qt::AlignVCenter | Qt::AlignLeft, m_word);
}

} // namespace outlay::gui
