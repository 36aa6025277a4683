// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/memory_view.h"

#include "core/base/units.h"
#include "gui/view/format.h"

#include <algorithm>
#include <array>

namespace outlay::gui {
namespace {

using core::Quantity;

struct Part {
    const char16_t* name;
    const char16_t* takes; // the start of a sentence on it
    Quantity pricing::TrainingReport::*figure;
};

constexpr std::array MemoryParts{
    Part{u"Parameters", u"Parameters take", &pricing::TrainingReport::parameters},
    Part{u"Gradients", u"Gradients take", &pricing::TrainingReport::gradients},
    Part{u"Optimizer", u"The optimizer takes", &pricing::TrainingReport::optimizer},
    Part{u"Activations", u"Activations take", &pricing::TrainingReport::activations}};

const Part& largestOf(const pricing::TrainingReport& training)
{
    return *std::max_element(MemoryParts.begin(), MemoryParts.end(),
                             [&](const Part& a, const Part& b) {
                                 return (training.*a.figure).value() < (training.*b.figure).value();
                             });
}

QString adviceOn(const Part& part, const pricing::TrainingReport& training)
{
    if (part.figure == &pricing::TrainingReport::activations)
        return QStringLiteral("cut the batch, or checkpoint");
    const bool isOfWeights = part.figure == &pricing::TrainingReport::parameters;
    if (part.figure == &pricing::TrainingReport::optimizer)
        return QStringLiteral("choose a leaner one");
    if (training.isQuantised || (!isOfWeights && training.method != core::Method::Full))
        return QStringLiteral("narrow the model");
    return training.method == core::Method::Full
               ? QStringLiteral("narrow the model or the precision")
               : QStringLiteral("keep frozen ones in 4 bits");
}

QString verdictOf(const pricing::TrainingReport& training, const DisplayLocale& locale)
{
    if (!training.memory.isAvailable() || training.memory.value() <= 0)
        return QStringLiteral("Unavailable: ") + toQString(training.memory.how().note.text());
    const Part& largest = largestOf(training);
    const double share =
        core::PerCent * (training.*largest.figure).value() / training.memory.value();
    return QStringLiteral("%1 %2 %: %3")
        .arg(QString::fromUtf16(largest.takes), locale.toString(share, 'f', 0),
             adviceOn(largest, training));
}

ChartModel chartOf(const pricing::TrainingReport& training, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("Training memory by part");
    chart.subtitle = QStringLiteral("On paper, one device; lower is better");
    chart.empty = QStringLiteral("The memory is unavailable. ") +
                  toQString(training.memory.how().note.text());
    double highest = 0;
    for (const Part& part : MemoryParts)
        highest = std::max(highest, (training.*part.figure).high());
    const ScaledAxis scaled = scaledAxis(highest, QStringLiteral("Memory"), QStringLiteral("B"));
    chart.y = scaled.axis;
    ChartSeries series{QStringLiteral("Memory"), 0, {}};
    for (const Part& part : MemoryParts) {
        const Quantity& figure = training.*part.figure;
        if (!figure.isAvailable())
            continue;
        chart.categories.push_back(QString::fromUtf16(part.name));
        series.points.push_back({.y = figure.value() / scaled.factor,
                                 .low = figure.low() / scaled.factor,
                                 .high = figure.high() / scaled.factor,
                                 .label = figureText(figure, locale)});
    }
    chart.series.push_back(std::move(series));
    chart.description = verdictOf(training, locale);
    return chart;
}

} // namespace

MemoryView makeMemoryView(const pricing::Report& report, const pricing::Report* baseline,
                          const DisplayLocale& locale)
{
    MemoryView view;
    view.verdict = verdictOf(report.training, locale);
    view.chart = chartOf(report.training, locale);
    // What was measured beside what was counted would be a difference that nobody made.
    const bool isMeasured = report.training.memoryHere.isAvailable();
    const bool isComparable =
        baseline != nullptr && baseline->training.memoryHere.isAvailable() == isMeasured;
    view.training =
        makeFigureView(QStringLiteral("Training"), report.training.bestMemory(),
                       isComparable ? &baseline->training.bestMemory() : nullptr, locale);
    view.serving =
        makeFigureView(QStringLiteral("Serving"), report.serving.memory,
                       baseline == nullptr ? nullptr : &baseline->serving.memory, locale);
    return view;
}

} // namespace outlay::gui
