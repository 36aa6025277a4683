// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/summary.h"

#include "core/base/text.h"
#include "gui/view/format.h"
#include "gui/view/money_summary.h"
#include "gui/view/text_table.h"
#include "gui/view/verdict_view.h"

#include <algorithm>
#include <vector>

namespace outlay::gui {
namespace {

using pricing::LayerRow;
using pricing::Report;

struct Group {
    QString name;
    QString count;
    LayerRow total;
};

LayerRow emptyTotal()
{
    return {.activationBytes = 0};
}

void addTo(LayerRow& total, const LayerRow& row)
{
    total.parameters += row.parameters;
    total.flops += row.flops;
    total.bytes += row.bytes;
    if (total.activationBytes && row.activationBytes)
        *total.activationBytes += *row.activationBytes;
    else
        total.activationBytes.reset();
}

/// Every layer where there are few; otherwise one row for each kind.
std::vector<Group> groupsOf(const std::vector<LayerRow>& layers)
{
    constexpr std::size_t FewLayers = 16;
    std::vector<Group> groups;
    std::vector<int> counts;
    for (const LayerRow& row : layers) {
        const bool isFew = layers.size() <= FewLayers;
        const QString name = toQString(isFew ? row.name : row.kind);
        auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const Group& g) { return !isFew && g.name == name; });
        if (found == groups.end()) {
            groups.push_back({name, isFew ? toQString(row.kind) : QString(), emptyTotal()});
            counts.push_back(0);
            found = groups.end() - 1;
        }
        addTo(found->total, row);
        ++counts[static_cast<std::size_t>(found - groups.begin())];
        if (!isFew)
            found->count =
                QString::number(counts[static_cast<std::size_t>(found - groups.begin())]);
    }
    return groups;
}

QStringList layerCells(const QString& name, const QString& second, const LayerRow& row,
                       const QLocale& locale)
{
    const auto bytes = [&](double value) { return scaledText(value, u"B", locale); };
    return {name,
            second,
            countText(static_cast<double>(row.parameters), locale),
            scaledText(row.flops, u"FLOP", locale),
            bytes(row.bytes),
            row.activationBytes ? bytes(*row.activationBytes) : QStringLiteral("unavailable")};
}

QString layersText(const std::vector<LayerRow>& layers, const QLocale& locale)
{
    TextTable table(
        {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
    table.add({QStringLiteral("Layer"), QString(), QStringLiteral("Parameters"),
               QStringLiteral("Forward work"), QStringLiteral("Bytes moved"),
               QStringLiteral("Activations")});
    LayerRow total = emptyTotal();
    for (const Group& group : groupsOf(layers)) {
        table.add(layerCells(group.name, group.count, group.total, locale));
        addTo(total, group.total);
    }
    table.add(layerCells(QStringLiteral("total"), QString(), total, locale));
    return table.text();
}

QString trainingText(const pricing::TrainingReport& training, const QLocale& locale)
{
    TextTable table = figureTable();
    table.add(figureCells(QStringLiteral("time here"), training.here, locale));
    table.add(figureCells(QStringLiteral("energy here"), training.hereKwh, locale));
    table.add(figureCells(QStringLiteral("cost here"), training.hereUsd, locale));
    table.add(figureCells(QStringLiteral("carbon here"), training.hereKgCo2e, locale));
    if (training.memoryHere.isAvailable())
        table.add(figureCells(QStringLiteral("memory here"), training.memoryHere, locale));
    table.add(figureCells(QStringLiteral("memory"), training.memory, locale));
    table.add(figureCells(QStringLiteral("  parameters"), training.parameters, locale));
    table.add(figureCells(QStringLiteral("  gradients"), training.gradients, locale));
    table.add(figureCells(QStringLiteral("  optimizer"), training.optimizer, locale));
    table.add(figureCells(QStringLiteral("  activations"), training.activations, locale));
    return QStringLiteral("Training: %1 steps over %2 samples%3, %4 in all, %5 a step\n")
               .arg(countText(training.steps, locale), countText(training.samples, locale),
                    training.isSamplesAssumed ? QStringLiteral(" (assumed)") : QString(),
                    scaledText(training.flops, u"FLOP", locale),
                    scaledText(training.flopsPerStep, u"FLOP", locale)) +
           table.text();
}

QString servingText(const pricing::ServingReport& serving, const QLocale& locale)
{
    TextTable table = figureTable();
    table.add(figureCells(QStringLiteral("memory"), serving.memory, locale));
    table.add(figureCells(QStringLiteral("one token"), serving.tokenFlops, locale));
    table.add(figureCells(QStringLiteral("latency"), serving.latencyMs, locale));
    table.add(figureCells(QStringLiteral("p95"), serving.p95Ms, locale));
    table.add(figureCells(QStringLiteral("requests a second"), serving.throughputPerS, locale));
    const pricing::Capacity* planned = serving.plannedCapacity();
    if (planned != nullptr && planned->tokenP95Ms.isAvailable()) {
        table.add(figureCells(QStringLiteral("as planned, p95"), planned->p95Ms, locale));
        table.add(figureCells(QStringLiteral("  first token"), planned->firstTokenP95Ms, locale));
        table.add(figureCells(QStringLiteral("  a token"), planned->tokenP95Ms, locale));
    }
    table.add(figureCells(QStringLiteral("a million requests"), serving.usdPerMillion, locale));
    if (const pricing::HostedRow* best = serving.hosted.best()) {
        table.add(figureCells(QStringLiteral("a month by the token"), best->usdPerMonth, locale));
        table.add(figureCells(QStringLiteral("  break-even, a day"), serving.hosted.crossingPerDay,
                              locale));
        table.add(
            figureCells(QStringLiteral("  of a machine"), serving.hosted.crossingShare, locale));
    }
    return QStringLiteral("Serving: %1 for the prompts of a batch\n")
               .arg(scaledText(serving.promptFlops, u"FLOP", locale)) +
           table.text();
}

} // namespace

QString makeSummary(const Report& report, const pricing::Catalogs& catalogs, const QLocale& locale)
{
    const QString title = report.name.empty() ? QStringLiteral("Experiment")
                                              : toQString(core::printable(report.name));
    const QString trained =
        report.training.method == core::Method::Full
            ? QString()
            : QStringLiteral("; %1 are trained").arg(countText(report.model.trainable, locale));
    const QString model =
        QStringLiteral("%1, %2 parameters (%3), size class %4%5\n")
            .arg(toQString(report.model.family),
                 countText(static_cast<double>(report.model.parameters), locale),
                 toQString(report.model.convention), toQString(report.model.sizeClass), trained);
    return title + QLatin1Char('\n') + model + QLatin1Char('\n') +
           makeVerdictView(report, locale).sentence + QStringLiteral("\n\n") +
           layersText(report.model.layers, locale) + QLatin1Char('\n') +
           trainingText(report.training, locale) + QLatin1Char('\n') +
           servingText(report.serving, locale) + makeMoneySummary(report, catalogs, locale);
}

} // namespace outlay::gui
