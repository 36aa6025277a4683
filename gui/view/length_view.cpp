// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_chart.h"
#include "gui/view/growth_parts.h"

#include <algorithm>
#include <array>

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::LengthCost;
using pricing::LengthReport;
using pricing::LengthRow;
using pricing::MixingReport;

constexpr std::size_t ChosenLengthColour = 2;

/// Colours and name of the twin follow from what the design is.
struct Kinds {
    std::size_t ownColour = RecurrentColour;
    std::size_t twinColour = AttentionColour;
    QString twinName;
};

Kinds kindsOf(const MixingReport& mixing)
{
    if (mixing.own == "attention")
        return {AttentionColour, RecurrentColour, QStringLiteral("Recurrent twin")};
    return {RecurrentColour, AttentionColour, QStringLiteral("Attention twin")};
}

struct LengthCurve {
    const char16_t* title;
    const char16_t* axis;
    const char16_t* unit;
    bool hasPrefix;
    Quantity LengthCost::*figure;
};
constexpr std::array LengthCurves{
    LengthCurve{u"Time of a run over the sequence", u"Time", u"hours", false, &LengthCost::hours},
    LengthCurve{u"Cost of a run over the sequence", u"Cost", u"", false, &LengthCost::usd},
    LengthCurve{u"Training memory over the sequence", u"Memory", u"B", true, &LengthCost::memory}};

ChartModel lengthChart(const pricing::ScalingReport& scaling, const LengthCurve& curve,
                       const DisplayLocale& locale)
{
    constexpr double HoursPerSecond = 1 / 3600.0;
    const Kinds kinds = kindsOf(scaling.mixing);
    const bool isTime = curve.figure == &LengthCost::hours;
    const bool isMoney = curve.figure == &LengthCost::usd;
    GrowthLine design{QStringLiteral("This design"), kinds.ownColour, {}};
    GrowthLine twin{kinds.twinName, kinds.twinColour, {}};
    GrowthLine here{QStringLiteral("This design here"), ChosenLengthColour, {}};
    double own = 0;
    for (const LengthRow& row : scaling.lengths.rows) {
        design.points.push_back({row.tokens, row.design.*curve.figure});
        if (row.twin)
            twin.points.push_back({row.tokens, (*row.twin).*curve.figure});
        if (isTime && row.here.isAvailable())
            here.points.push_back(
                {row.tokens,
                 core::product(row.here, Quantity::exact(HoursPerSecond, core::Unit::One, {}),
                               core::Unit::Hours)});
        own = row.isOwn ? row.tokens : own;
    }
    ChartModel chart = makeGrowthChart(
        {.title = QString::fromUtf16(curve.title),
         .subtitle =
             isTime || scaling.lengths.machine.empty()
                 ? QStringLiteral("Lower is better")
                 : QStringLiteral("Lower is better; %1").arg(toQString(scaling.lengths.machine)),
         .over = QStringLiteral("Tokens of a sequence"),
         .what = QString::fromUtf16(curve.axis),
         .unit = isMoney ? locale.currency.code : QString::fromUtf16(curve.unit),
         .factor = isMoney ? locale.money(1) : 1,
         .hasPrefix = curve.hasPrefix},
        GrowthScale::Logarithmic, {design, twin, here}, locale);
    if (chart.isEmpty() && !scaling.lengths.why.empty())
        chart.empty = chart.description = unavailableText(scaling.lengths.why);
    if (own > 0 && !chart.isEmpty())
        chart.limits.push_back({ChartLimit::Of::X, own, QStringLiteral("now")});
    return chart;
}

QString lengthVerdict(const LengthReport& lengths, const DisplayLocale& locale)
{
    if (lengths.rows.empty())
        return unavailableText(lengths.why);
    const auto fits = [](const LengthRow& row) { return row.design.usd.isAvailable(); };
    const auto first = std::find_if(lengths.rows.begin(), lengths.rows.end(), fits);
    if (first == lengths.rows.end())
        return QStringLiteral("Unavailable: ") + reasonText(lengths.rows.front().design.usd);
    const auto last = std::find_if(lengths.rows.rbegin(), lengths.rows.rend(), fits);
    const auto text = [&](const LengthRow& row) {
        return QStringLiteral("%1 with %2 tokens")
            .arg(headlineText(row.design.usd.value(), core::Unit::Usd, locale),
                 countText(row.tokens, locale));
    };
    QString verdict = QStringLiteral("A run costs %1, %2, on %3")
                          .arg(text(*first), text(*last), toQString(lengths.machine));
    if (last != lengths.rows.rbegin())
        verdict += QStringLiteral("; longer sequences don't fit");
    return verdict;
}

TableData lengthTable(const pricing::ScalingReport& scaling, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Sequence"), false},
                     numberColumn(QStringLiteral("Time")),
                     numberColumn(QStringLiteral("Cost")),
                     numberColumn(QStringLiteral("Memory")),
                     numberColumn(QStringLiteral("Time here"))};
    const QString twin = kindsOf(scaling.mixing).twinName;
    for (const char16_t* what : {u"time", u"cost", u"memory"})
        table.columns.push_back(
            numberColumn(QStringLiteral("%1, %2").arg(twin, QString::fromUtf16(what))));
    for (const LengthRow& row : scaling.lengths.rows) {
        TableCell tokens = rowName(row.tokens, QStringLiteral("tokens"), locale);
        if (row.isOwn)
            tokens.hint = QStringLiteral("as in the experiment");
        std::vector<TableCell> cells{
            tokens, figureCell(row.design.hours, locale), figureCell(row.design.usd, locale),
            figureCell(row.design.memory, locale), figureCell(row.here, locale)};
        const LengthCost other = row.twin.value_or(LengthCost{});
        for (const auto& curve : {&LengthCost::hours, &LengthCost::usd, &LengthCost::memory})
            cells.push_back(figureCell(other.*curve, locale));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace

GrowthPart makeLengthPart(const pricing::ScalingReport& scaling, const DisplayLocale& locale)
{
    GrowthPart part{.id = QStringLiteral("length"),
                    .title = QStringLiteral("Sequence length"),
                    .verdict = lengthVerdict(scaling.lengths, locale),
                    .tableTitle = QStringLiteral("A training run over the sequence"),
                    .table = lengthTable(scaling, locale)};
    for (const LengthCurve& curve : LengthCurves)
        part.charts.push_back(lengthChart(scaling, curve, locale));
    return part;
}

} // namespace outlay::gui
