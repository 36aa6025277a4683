// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/weights_view.h"

#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

/// Of a precision or a format.
QString weightsTitle(std::string_view name)
{
    const auto format =
        std::find(core::WeightFormatNames.begin(), core::WeightFormatNames.end(), name);
    return toQString(format == core::WeightFormatNames.end()
                         ? name
                         : core::WeightFormatTitles.at(
                               static_cast<std::size_t>(format - core::WeightFormatNames.begin())));
}

} // namespace

WeightsView makeWeightsView(const pricing::Report& report, const DisplayLocale& locale)
{
    WeightsView view;
    const QString size = toQString(report.model.sizeClass);
    view.verdict = (size.startsWith(QLatin1Char('u')) || size.startsWith(QLatin1Char('e'))
                        ? QStringLiteral("An %1 model by its size class")
                        : QStringLiteral("A %1 model by its size class"))
                       .arg(size);
    ChartModel& chart = view.chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("Weights by precision");
    chart.subtitle = QStringLiteral("Parameters only; exact");
    chart.empty = QStringLiteral("This design has no parameters.");
    double highest = 0;
    for (const pricing::WeightMemory& row : report.model.weights)
        highest = std::max(highest, row.bytes.value());
    const ScaledAxis scaled = scaledAxis(highest, QStringLiteral("Memory"), QStringLiteral("B"));
    chart.y = scaled.axis;
    ChartSeries series{QStringLiteral("Weights"), 0, {}};
    for (const pricing::WeightMemory& row : report.model.weights) {
        if (!row.bytes.isAvailable())
            continue;
        chart.categories.push_back(weightsTitle(row.precision));
        series.points.push_back(
            {.y = row.bytes.value() / scaled.factor, .label = figureText(row.bytes, locale)});
    }
    chart.series.push_back(std::move(series));
    chart.description = view.verdict;
    return view;
}

} // namespace outlay::gui
