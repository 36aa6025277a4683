// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/chart_text.h"

#include "gui/style/theme.h"

#include <QFontMetricsF>

namespace outlay::gui {

QString fittedText(const QString& text, const QFontMetricsF& metrics, double room, QStringList& cut)
{
    if (metrics.horizontalAdvance(text) <= room)
        return text;
    cut.append(text);
    return metrics.elidedText(text, Qt::ElideRight, room);
}

QFont fontWithin(double width, const QString& text)
{
    constexpr double Room = 0.9;
    for (const TypeRole role : {TypeRole::PageTitle, TypeRole::CardTitle}) {
        if (QFontMetricsF(fontOf(role)).horizontalAdvance(text) <= Room * width)
            return fontOf(role);
    }
    return fontOf(TypeRole::Axis);
}

} // namespace outlay::gui
