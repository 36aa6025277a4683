// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/setting_text.h"

#include "gui/view/field_presentation.h"
#include "gui/view/format.h"
#include "pricing/report/compare/comparison.h"

#include <QStringList>

#include <array>

namespace outlay::gui {
namespace {

QString valueText(const core::Json& value)
{
    if (value.isNull())
        return QStringLiteral("not set");
    const std::string* text = value.asString();
    return text != nullptr ? optionTitle(toQString(*text))
                           : toQString(core::writeJson(value, core::JsonStyle::Compact));
}

} // namespace

QString differenceText(const core::Experiment& before, const core::Experiment& after,
                       std::size_t most)
{
    const std::array both{&before, &after};
    const std::vector<pricing::SettingRow> rows = pricing::settingsThatDiffer(both);
    QStringList texts;
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i)
        texts.append(QStringLiteral("%1 %2 → %3")
                         .arg(settingTitle(rows[i].pointer), valueText(rows[i].values.front()),
                              valueText(rows[i].values.back())));
    if (rows.size() > most)
        texts.append(QStringLiteral("and %1 more").arg(rows.size() - most));
    return texts.join(QStringLiteral("; "));
}

} // namespace outlay::gui
