// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/assumptions_view.h"

#include "gui/view/field_presentation.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

TableCell valueCell(const core::Json& value)
{
    const std::string* text = value.asString();
    const QString shown =
        toQString(text != nullptr ? *text : core::writeJson(value, core::JsonStyle::Compact));
    if (value.isNumber())
        return {shown, value.number(), QStringLiteral("Press F2 to change it")};
    return {shown, std::nullopt, QStringLiteral("Press F2 to change it")};
}

} // namespace

AssumptionsView makeAssumptionsView(const pricing::Report& report, const DisplayLocale& locale)
{
    AssumptionsView view;
    view.table.columns = {{QStringLiteral("Assumption"), false},
                          {QStringLiteral("Value"), true},
                          {QStringLiteral("Unit"), false},
                          {QStringLiteral("Source"), false},
                          {QStringLiteral("In the file"), false}};
    view.table.editable = 1;
    for (const pricing::AssumptionRow& row : report.assumptions) {
        const std::size_t slash = row.pointer.rfind('/');
        const FieldName name = nameOf(std::string_view(row.pointer).substr(slash + 1));
        view.table.rows.push_back({{settingTitle(row.pointer)},
                                   valueCell(row.value),
                                   {name.unit},
                                   {toQString(row.source)},
                                   {toQString(row.pointer)}});
        view.pointers.push_back(row.pointer);
    }
    view.summary =
        QStringLiteral("%1 defaults are in force; one that you change becomes part of the "
                       "experiment")
            .arg(locale.toString(qulonglong{report.assumptions.size()}));
    return view;
}

core::Json valueOf(const QString& typed)
{
    const std::string text = typed.trimmed().toStdString();
    if (auto json = core::readJson(text))
        return std::move(*json);
    return core::Json(text);
}

} // namespace outlay::gui
