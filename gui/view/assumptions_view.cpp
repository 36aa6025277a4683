// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/assumptions_view.h"

#include "gui/view/field_presentation.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

namespace outlay::gui {
namespace {

TableCell valueCell(const core::Json& value, const QLocale& locale)
{
    const QString hint = QStringLiteral("Press F2, or click twice, to change it");
    if (const std::string* text = value.asString())
        return {optionTitle(toQString(*text)), std::nullopt, hint, toQString(*text)};
    const QString typed = toQString(core::writeJson(value, core::JsonStyle::Compact));
    if (value.isNumber())
        return {numberText(value.number(), locale), value.number(), hint, typed};
    return {value.asBool() != nullptr
                ? (*value.asBool() ? QStringLiteral("yes") : QStringLiteral("no"))
                : typed,
            std::nullopt, hint, typed};
}

/// Its first words; all of it where the pointer rests.
TableCell sourceCell(const std::string& source)
{
    const QString whole = toQString(source);
    return {whole.section(QStringLiteral(" ("), 0, 0), std::nullopt, whole};
}

} // namespace

AssumptionsView makeAssumptionsView(const pricing::Report& report, const DisplayLocale& locale)
{
    AssumptionsView view;
    view.table.columns = {{QStringLiteral("Assumption"), false},
                          {QStringLiteral("Value"), true},
                          {QStringLiteral("Unit"), false},
                          {QStringLiteral("Source"), false}};
    view.table.editable = 1;
    for (const pricing::AssumptionRow& row : report.assumptions) {
        const std::size_t slash = row.pointer.rfind('/');
        const FieldName name = nameOf(std::string_view(row.pointer).substr(slash + 1));
        view.table.rows.push_back({{settingTitle(row.pointer), std::nullopt,
                                    QStringLiteral("In the file: ") + toQString(row.pointer)},
                                   valueCell(row.value, locale),
                                   {name.unit},
                                   sourceCell(row.source)});
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
