// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/focus_frame.h"

#include "gui/style/theme.h"

#include <QPainter>
#include <QWidget>

namespace outlay::gui {

void paintFocusFrame(QWidget& widget)
{
    if (!widget.hasFocus())
        return;
    QPainter painter(&widget);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(tokensOf(widget.palette()).accent, size::FocusWidth));
    constexpr double Inset = size::FocusWidth / 2.0; // the pen isn't cut
    painter.drawRoundedRect(QRectF(widget.rect()).marginsRemoved({Inset, Inset, Inset, Inset}),
                            size::ControlRadius, size::ControlRadius);
}

} // namespace outlay::gui
