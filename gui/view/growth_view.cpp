// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/growth_view.h"

#include "gui/view/format.h"
#include "gui/view/growth_parts.h"

namespace outlay::gui {

QString unavailableText(const std::string& why)
{
    return QStringLiteral("Unavailable: ") +
           (why.empty() ? QStringLiteral("it isn't known for this design") : toQString(why));
}

TableColumn numberColumn(const QString& title)
{
    return {title, true};
}

TableCell rowName(double count, const QString& what, const DisplayLocale& locale)
{
    return {countText(count, locale) + QLatin1Char(' ') + what, count};
}

QString GrowthPart::chartName(std::size_t place) const
{
    return id + QStringLiteral("Chart%1").arg(place + 1);
}

QString GrowthPart::tableName() const
{
    return id + QStringLiteral("Table");
}

QString GrowthPart::actionName() const
{
    return id + QStringLiteral("Action");
}

std::vector<GrowthPart> makeGrowthView(const pricing::ScalingReport& scaling,
                                       const DisplayLocale& locale)
{
    return {makeLengthPart(scaling, locale), makeMixingPart(scaling.mixing, locale),
            makeDevicesPart(scaling.devices, locale), makeLayoutsPart(scaling.layouts, locale),
            makeLadderPart(scaling.ladder, locale)};
}

} // namespace outlay::gui
