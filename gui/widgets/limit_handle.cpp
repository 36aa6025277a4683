// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/limit_handle.h"

#include "gui/style/tokens.h"
#include "gui/widgets/focus_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace outlay::gui {

LimitHandle::LimitHandle(const QString& name, QWidget* parent) : QWidget(parent)
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    setToolTip(QStringLiteral("Drag it, or use the arrow keys; Delete removes the limit"));
}

void LimitHandle::show(const ChartLimit& limit, const QRectF& plot, const QPointF& at)
{
    m_of = limit.of;
    const bool isX = limit.of == ChartLimit::Of::X;
    setAccessibleName(limit.name);
    setAccessibleDescription(QStringLiteral("A limit of the chart: the arrow keys move it, Delete "
                                            "removes it"));
    setCursor(isX ? Qt::SplitHCursor : Qt::SplitVCursor);
    constexpr double Half = size::Small / 2.0;
    const QRectF strip = isX ? QRectF(at.x() - Half, plot.top(), 2 * Half, plot.height())
                             : QRectF(plot.left(), at.y() - Half, plot.width(), 2 * Half);
    setGeometry(strip.toAlignedRect());
    setVisible(plot.width() > 0 && plot.height() > 0);
}

void LimitHandle::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT dragStarted();
}

void LimitHandle::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        Q_EMIT draggedTo(mapToParent(event->position()));
}

void LimitHandle::keyPressEvent(QKeyEvent* event)
{
    constexpr int Page = 5;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up: return Q_EMIT stepped(1);
    case Qt::Key_Left:
    case Qt::Key_Down: return Q_EMIT stepped(-1);
    case Qt::Key_PageUp: return Q_EMIT stepped(Page);
    case Qt::Key_PageDown: return Q_EMIT stepped(-Page);
    case Qt::Key_Home: return Q_EMIT sentLow();
    case Qt::Key_End:
    case Qt::Key_Delete:
    case Qt::Key_Backspace: return Q_EMIT removed();
    default: QWidget::keyPressEvent(event);
    }
}

void LimitHandle::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void LimitHandle::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void LimitHandle::paintEvent(QPaintEvent*)
{
    paintFocusFrame(*this);
}

} // namespace outlay::gui
