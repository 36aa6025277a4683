// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/setting_text.h"

#include "gui/view/field_presentation.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "pricing/report/compare/comparison.h"

#include <QStringList>

#include <array>

namespace outlay::gui {
namespace {

QString jsonText(const core::Json& value, const QLocale& locale)
{
    if (value.isNull())
        return QStringLiteral("not set");
    if (value.isNumber())
        return numberText(value.number(), locale);
    const std::string* text = value.asString();
    return text != nullptr ? optionTitle(toQString(*text))
                           : toQString(core::writeJson(value, core::JsonStyle::Compact));
}

} // namespace

QString differenceText(const core::Experiment& before, const core::Experiment& after,
                       std::size_t most, const QLocale& locale)
{
    const std::array both{&before, &after};
    const std::vector<pricing::SettingRow> rows = pricing::settingsThatDiffer(both);
    QStringList texts;
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i)
        texts.append(QStringLiteral("%1 %2 → %3")
                         .arg(settingTitle(rows[i].pointer),
                              jsonText(rows[i].values.front(), locale),
                              jsonText(rows[i].values.back(), locale)));
    if (rows.size() > most)
        texts.append(QStringLiteral("and %1 more").arg(rows.size() - most));
    return texts.join(QStringLiteral("; "));
}

} // namespace outlay::gui
