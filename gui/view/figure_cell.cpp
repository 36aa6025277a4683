// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/figure_cell.h"

#include "gui/view/field_presentation.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

namespace outlay::gui {

TableCell figureCell(const core::Quantity& figure, const DisplayLocale& locale)
{
    if (!figure.isAvailable())
        return {QStringLiteral("unavailable"), std::nullopt, reasonText(figure)};
    QString hint = toQString(core::name(figure.basis()));
    if (const QString interval = intervalText(figure, locale); !interval.isEmpty())
        hint += QStringLiteral(", ") + interval;
    if (const std::string how = figure.how().sentence(); !how.empty())
        hint += QStringLiteral(": ") + readable(how);
    const bool isMoney = figure.unit() == core::Unit::Usd;
    if (const QString rate = locale.rateText(); isMoney && !rate.isEmpty())
        hint += QStringLiteral("; ") + rate;
    return {headlineText(figure.value(), figure.unit(), locale), figure.value(), hint};
}

} // namespace outlay::gui
