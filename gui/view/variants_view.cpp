// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/variants_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

constexpr double Nothing = -1; // sorts before every figure

bool hasSpeedUp(const core::VariantMeasurement& v)
{
    return v.isMeasured() && v.ratio > 0 && v.lowRatio > 0 && v.highRatio > 0;
}

QString speedUpText(const core::VariantMeasurement& v, const QLocale& locale)
{
    return numberText(1 / v.ratio, locale) + QStringLiteral(" x");
}

QString subjectText(const core::VariantMeasurement& v)
{
    return toQString(core::VariantSubjectNames.at(static_cast<std::size_t>(v.subject)));
}

/// "int8 (request)": of what, where that isn't the training.
QString barName(const core::VariantMeasurement& v)
{
    const QString name = toQString(v.name);
    return v.subject == core::VariantSubject::Training
               ? name
               : QStringLiteral("%1 (%2)").arg(name, subjectText(v));
}

/// The memory of a variant over the plain way's; both in bytes where the pointer rests.
TableCell memoryCell(const core::VariantMeasurement& v, const QLocale& locale)
{
    if (!v.peakBytes || !v.plainPeakBytes || *v.plainPeakBytes <= 0)
        return {QStringLiteral("–"), Nothing, QStringLiteral("unavailable on this device")};
    const double ratio = *v.peakBytes / *v.plainPeakBytes;
    return {numberText(ratio, locale) + QStringLiteral(" x"), ratio,
            QStringLiteral("%1 instead of %2, over the loaded model")
                .arg(scaledText(*v.peakBytes, u"B", locale),
                     scaledText(*v.plainPeakBytes, u"B", locale))};
}

std::vector<TableCell> variantRow(const core::VariantMeasurement& v, const QLocale& locale)
{
    std::vector<TableCell> row{
        {toQString(v.name), std::nullopt, toQString(core::whatIs(v.variant))}, {subjectText(v)}};
    if (!hasSpeedUp(v)) {
        row.insert(row.end(), 4, {QStringLiteral("–"), Nothing, toQString(v.unavailable)});
        return row;
    }
    row.push_back({speedUpText(v, locale), 1 / v.ratio, toQString(v.proof)});
    row.push_back(
        {QStringLiteral("%1 to %2 x")
             .arg(numberText(1 / v.highRatio, locale), numberText(1 / v.lowRatio, locale))});
    row.push_back(memoryCell(v, locale));
    row.push_back(v.difference ? TableCell{locale.toString(*v.difference, 'g', 2), *v.difference,
                                           toQString(v.proof)}
                               : TableCell{QStringLiteral("–"), Nothing, toQString(v.proof)});
    return row;
}

} // namespace

TableData variantsTable(const std::vector<core::VariantMeasurement>& variants,
                        const QLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Variant"), false}, {QStringLiteral("Of"), false},
                     {QStringLiteral("Speed-up"), true}, {QStringLiteral("Interval"), true},
                     {QStringLiteral("Memory"), true},   {QStringLiteral("Difference"), true}};
    for (const core::VariantMeasurement& v : core::fastestFirst(variants))
        table.rows.push_back(variantRow(v, locale));
    return table;
}

QString bestVariantText(const std::vector<core::VariantMeasurement>& variants,
                        const QLocale& locale)
{
    const auto ranked = core::fastestFirst(variants);
    const bool isFaster =
        !ranked.empty() && hasSpeedUp(ranked.front()) && ranked.front().highRatio < 1;
    if (!isFaster)
        return {};
    constexpr double MuchLess = 0.9;
    const core::VariantMeasurement& best = ranked.front();
    QString memory;
    if (best.peakBytes && best.plainPeakBytes && *best.peakBytes < MuchLess * *best.plainPeakBytes)
        memory =
            QStringLiteral(", at %1 % of the memory")
                .arg(numberText(core::PerCent * *best.peakBytes / *best.plainPeakBytes, locale));
    return QStringLiteral("%1 is %2 times as fast%3, measured")
        .arg(barName(best), numberText(1 / best.ratio, locale), memory);
}

ChartModel leagueChart(const std::vector<core::VariantMeasurement>& variants, const QLocale& locale)
{
    constexpr std::size_t Most = 12;
    std::vector<core::VariantMeasurement> timed;
    std::copy_if(variants.begin(), variants.end(), std::back_inserter(timed), hasSpeedUp);
    std::stable_sort(timed.begin(), timed.end(),
                     [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
    const std::size_t shown = std::min(Most, timed.size());
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("Speed-up of the other ways to run it");
    chart.subtitle = QStringLiteral("Times as fast as the plain way, which is the mark at 1; "
                                    "80 % intervals");
    if (shown < timed.size())
        chart.subtitle += QStringLiteral("; the first %1 of %2").arg(shown).arg(timed.size());
    chart.empty = QStringLiteral("The first other way to run it will show here.");
    ChartSeries series{QStringLiteral("Speed-up"), 0, {}};
    double highest = 1;
    for (std::size_t i = 0; i < shown; ++i) {
        const core::VariantMeasurement& v = timed[i];
        chart.categories.push_back(barName(v));
        series.points.push_back({.y = 1 / v.ratio,
                                 .low = 1 / v.highRatio,
                                 .high = 1 / v.lowRatio,
                                 .reference = 1,
                                 .label = speedUpText(v, locale)});
        highest = std::max(highest, 1 / v.lowRatio);
    }
    chart.y = axisFromZero(highest, QStringLiteral("Speed-up"));
    chart.description = QStringLiteral("No other way to run it is measured");
    if (shown > 0)
        chart.description = QStringLiteral("%1 is the fastest of %2 other ways: %3, measured")
                                .arg(chart.categories.front())
                                .arg(timed.size())
                                .arg(speedUpText(timed.front(), locale));
    chart.series.push_back(std::move(series));
    return chart;
}

} // namespace outlay::gui
