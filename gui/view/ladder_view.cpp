// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/format.h"
#include "gui/view/growth_parts.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using pricing::LadderReport;
using pricing::LadderRow;
using pricing::Rung;

constexpr std::array<const char16_t*, pricing::RungNames.size()> Titles{
    u"As planned", u"Everything", u"Checkpointed", u"LoRA", u"QLoRA"};

/// In a sentence, as what takes some.
constexpr std::array<const char16_t*, pricing::RungNames.size()> Ways{
    u"the plan", u"all of it with nothing computed again", u"all of it with checkpointing", u"LoRA",
    u"QLoRA"};

std::optional<std::int64_t> devicesOf(const LadderRow& row, Rung rung)
{
    return row.devices.at(static_cast<std::size_t>(rung));
}

/// Of the fewest devices the smallest; null where none holds it.
const LadderRow* easiest(const LadderReport& ladder, Rung rung)
{
    const LadderRow* best = nullptr;
    for (const LadderRow& row : ladder.rows) {
        const auto count = devicesOf(row, rung);
        if (count && (best == nullptr || *count < *devicesOf(*best, rung)))
            best = &row;
    }
    return best;
}

/// "8 x A100-40GB", "one L4".
QString holderText(const LadderRow& row, Rung rung)
{
    const std::int64_t count = devicesOf(row, rung).value_or(0);
    return (count == 1 ? QStringLiteral("one ") : QStringLiteral("%1 x ").arg(count)) +
           toQString(row.accelerator);
}

QString verdictOf(const LadderReport& ladder)
{
    if (ladder.rows.empty())
        return unavailableText(ladder.why);
    const LadderRow* plan = easiest(ladder, Rung::Plan);
    QString text = plan == nullptr
                       ? QStringLiteral("Not even 1,024 of any accelerator for rent hold the plan")
                       : QStringLiteral("At least %1 %2 the plan")
                             .arg(holderText(*plan, Rung::Plan), devicesOf(*plan, Rung::Plan) == 1
                                                                     ? QStringLiteral("holds")
                                                                     : QStringLiteral("hold"));
    QStringList others;
    for (const Rung rung :
         {Rung::Everything, Rung::Checkpointed, Rung::Adapters, Rung::Quantised}) {
        if (const LadderRow* row = easiest(ladder, rung))
            others.append(QString::fromUtf16(Ways.at(static_cast<std::size_t>(rung))) +
                          QStringLiteral(" takes ") + holderText(*row, rung));
    }
    if (!others.isEmpty())
        text += QStringLiteral("; ") + others.join(QStringLiteral(", "));
    return text;
}

TableCell countCell(const std::optional<std::int64_t>& count, const DisplayLocale& locale)
{
    if (!count)
        return {QStringLiteral("–"), std::nullopt,
                QStringLiteral("1,024 don't hold it, or the design can't be trained so")};
    const auto value = static_cast<double>(*count);
    return {countText(value, locale), value};
}

} // namespace

GrowthPart makeLadderPart(const LadderReport& ladder, const DisplayLocale& locale)
{
    GrowthPart part{.id = QStringLiteral("ladder"),
                    .title = QStringLiteral("How far from fitting"),
                    .verdict = verdictOf(ladder),
                    .tableTitle = QStringLiteral("The fewest devices that hold the training")};
    part.table.columns = {{QStringLiteral("Accelerator"), false},
                          numberColumn(QStringLiteral("Memory"))};
    for (const char16_t* title : Titles)
        part.table.columns.push_back(numberColumn(QString::fromUtf16(title)));
    for (const LadderRow& row : ladder.rows) {
        std::vector<TableCell> cells{
            {toQString(row.accelerator), std::nullopt},
            {QStringLiteral("%1 GB").arg(std::round(row.memoryGb)), row.memoryGb}};
        for (const auto& count : row.devices)
            cells.push_back(countCell(count, locale));
        part.table.rows.push_back(std::move(cells));
    }
    return part;
}

} // namespace outlay::gui
