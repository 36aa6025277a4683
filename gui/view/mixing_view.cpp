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
using pricing::MixingCost;
using pricing::MixingReport;
using pricing::MixingRow;

struct MixingCurve {
    const char16_t* title;
    const char16_t* axis;
    const char16_t* unit;
    const char16_t* word; // in the verdict
    Quantity MixingCost::*figure;
    const char16_t* source = u"on paper";
};
constexpr std::array MixingCurves{
    MixingCurve{u"Work of a token", u"Work of a token", u"FLOP", u"work",
                &MixingCost::flopsPerToken},
    MixingCurve{u"State or cache after the sequence", u"State or cache", u"B", u"cache",
                &MixingCost::stateBytes},
    MixingCurve{u"Activations of a sequence", u"Activations", u"B", u"activations",
                &MixingCost::activationBytes},
    MixingCurve{u"A pass forward and back, here", u"Time", u"s", u"time here",
                &MixingCost::passSeconds, u"measured, one sequence at a time"}};

ChartModel mixingChart(const MixingReport& mixing, std::size_t index, const DisplayLocale& locale)
{
    const MixingCurve& curve = MixingCurves.at(index);
    GrowthLine recurrent{QStringLiteral("Recurrent"), RecurrentColour, {}};
    GrowthLine attention{QStringLiteral("Attention"), AttentionColour, {}};
    for (const MixingRow& row : mixing.rows) {
        recurrent.points.push_back({row.tokens, row.recurrent.*curve.figure});
        attention.points.push_back({row.tokens, row.attention.*curve.figure});
    }
    ChartModel chart = makeGrowthChart(
        {.title = QString::fromUtf16(curve.title),
         .subtitle = QStringLiteral("Lower is better; ") + QString::fromUtf16(curve.source),
         .over = QStringLiteral("Tokens of a sequence"),
         .what = QString::fromUtf16(curve.axis),
         .unit = QString::fromUtf16(curve.unit)},
        GrowthScale::Logarithmic, {recurrent, attention}, locale);
    if (chart.isEmpty())
        chart.empty = chart.description = unavailableText(
            mixing.rows.empty() ? mixing.twin
                                : (mixing.rows.front().recurrent.*curve.figure).how().note.text());
    if (index >= mixing.crossings.size() || chart.isEmpty())
        return chart;
    const Quantity& from = mixing.crossings[index].tokens;
    if (from.isAvailable() && from.value() >= chart.x.low && from.value() <= chart.x.high)
        chart.limits.push_back({ChartLimit::Of::X, from.value(),
                                QStringLiteral("from %1").arg(countText(from.value(), locale))});
    return chart;
}

/// What isn't measured says neither that attention takes more nor that it never does.
bool isKnown(const MixingReport& mixing, const MixingCurve& curve)
{
    return std::any_of(mixing.rows.begin(), mixing.rows.end(), [&](const MixingRow& row) {
        return (row.recurrent.*curve.figure).isAvailable() &&
               (row.attention.*curve.figure).isAvailable();
    });
}

QString mixingVerdict(const MixingReport& mixing, const DisplayLocale& locale)
{
    if (mixing.rows.empty())
        return unavailableText(mixing.twin);
    QStringList more;
    QStringList never;
    QString measured; // as far as it was
    for (std::size_t i = 0; i < mixing.crossings.size() && i < MixingCurves.size(); ++i) {
        const QString word = QString::fromUtf16(MixingCurves.at(i).word);
        const Quantity& tokens = mixing.crossings[i].tokens;
        const MixingCurve& curve = MixingCurves.at(i);
        if (!isKnown(mixing, curve))
            continue;
        if (!tokens.isAvailable() && curve.figure == &MixingCost::passSeconds)
            measured = QStringLiteral("; here ") + toQString(tokens.how().note.text());
        else if (!tokens.isAvailable())
            never.push_back(word);
        else
            more.push_back(tokens.value() <= 1 ? QStringLiteral("%1 at every length").arg(word)
                                               : QStringLiteral("%1 from %2 tokens")
                                                     .arg(word, countText(tokens.value(), locale)));
    }
    QString text = QStringLiteral("In the twin %1. ").arg(toQString(mixing.twin));
    if (!more.empty())
        text += QStringLiteral("Attention takes more %1").arg(more.join(QStringLiteral(", ")));
    if (!never.empty())
        text += (more.empty() ? QStringLiteral("Attention never takes more ")
                              : QStringLiteral("; never more ")) +
                never.join(QStringLiteral(", "));
    return text + measured;
}

TableData mixingTable(const MixingReport& mixing, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Sequence"), false}};
    for (const char16_t* kind : {u"Recurrent", u"Attention"})
        for (const char16_t* what : {u"token", u"sequence", u"state", u"kept", u"pass here"})
            table.columns.push_back(numberColumn(
                QStringLiteral("%1 %2").arg(QString::fromUtf16(kind), QString::fromUtf16(what))));
    for (const MixingRow& row : mixing.rows) {
        std::vector<TableCell> cells{rowName(row.tokens, QStringLiteral("tokens"), locale)};
        for (const MixingCost* cost : {&row.recurrent, &row.attention})
            for (const Quantity* figure :
                 {&cost->flopsPerToken, &cost->flopsPerSequence, &cost->stateBytes,
                  &cost->activationBytes, &cost->passSeconds})
                cells.push_back(figureCell(*figure, locale));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace

GrowthPart makeMixingPart(const MixingReport& mixing, const DisplayLocale& locale)
{
    GrowthPart part{.id = QStringLiteral("mixing"),
                    .title = QStringLiteral("Recurrent against attention"),
                    .verdict = mixingVerdict(mixing, locale),
                    .tableTitle = QStringLiteral("A sequence on paper and here"),
                    .table = mixingTable(mixing, locale)};
    for (std::size_t i = 0; i < MixingCurves.size(); ++i)
        part.charts.push_back(mixingChart(mixing, i, locale));
    return part;
}

} // namespace outlay::gui
