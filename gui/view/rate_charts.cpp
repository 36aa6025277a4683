// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/rate_charts.h"

#include "gui/view/figure_view.h"

#include <algorithm>

namespace outlay::gui {
namespace {

/// So many at once, and what comes of them in a second.
struct RateBar {
    std::int64_t count = 0;
    double perS = 0;
    std::optional<core::TimedRange> range;
};

struct RateWords {
    QString title;
    QString subtitle;
    QString empty;
    QString count; // of the axis
    QString unit;
    QString best; // with the number and the rate of the largest
};

ChartModel rateChart(const RateWords& words, const std::vector<RateBar>& bars,
                     const QLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Bars;
    chart.title = words.title;
    chart.subtitle = words.subtitle;
    chart.empty = words.empty;
    chart.x.title = words.count;
    ChartSeries series{words.unit, 0, {}};
    double highest = 0;
    for (const RateBar& bar : bars) {
        chart.categories.push_back(locale.toString(qlonglong{bar.count}));
        ChartPoint point{.y = bar.perS, .label = numberText(bar.perS, locale)};
        if (bar.range) {
            point.low = bar.range->low;
            point.high = bar.range->high;
        }
        highest = std::max(highest, point.high.value_or(point.y));
        series.points.push_back(std::move(point));
    }
    chart.y = axisFromZero(highest, words.unit);
    const auto most =
        std::max_element(bars.begin(), bars.end(),
                         [](const RateBar& a, const RateBar& b) { return a.perS < b.perS; });
    if (most != bars.end())
        chart.description =
            words.best.arg(locale.toString(qlonglong{most->count}), numberText(most->perS, locale));
    chart.series.push_back(std::move(series));
    return chart;
}

} // namespace

ChartModel batchChart(const core::InferenceMeasurement& inference, const QLocale& locale)
{
    std::vector<RateBar> bars;
    for (const core::BatchThroughput& row : inference.throughput)
        bars.push_back({row.batch, row.samplesPerS, row.range});
    return rateChart(
        {.title = QStringLiteral("Serving throughput by batch size"),
         .subtitle = QStringLiteral("Forward passes, with where each lies in 80 of 100 cases"),
         .empty = QStringLiteral("No batch sizes were measured."),
         .count = QStringLiteral("Batch size"),
         .unit = QStringLiteral("Samples/s"),
         .best = QStringLiteral("Batch %1 is the fastest, with %2 samples/s")},
        bars, locale);
}

std::optional<ChartModel> togetherChart(const core::InferenceMeasurement& inference,
                                        const QLocale& locale)
{
    std::vector<RateBar> bars;
    for (const core::TokensTogether& row : inference.together)
        bars.push_back({row.requests, row.tokensPerS, row.range});
    if (bars.empty())
        return std::nullopt;
    return rateChart(
        {.title = QStringLiteral("Generated tokens by requests at once"),
         .subtitle = QStringLiteral("One more token of each in a pass, after their prompts"),
         .count = QStringLiteral("Requests"),
         .unit = QStringLiteral("Tokens/s"),
         .best = QStringLiteral("%1 at once make the most, %2 tokens/s")},
        bars, locale);
}

} // namespace outlay::gui
