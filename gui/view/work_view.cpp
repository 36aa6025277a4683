// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/work_view.h"

#include "core/base/units.h"
#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

struct KindWork {
    QString kind;
    int layers = 0;
    double flops = 0;
};

constexpr std::size_t MostKinds = 6;

/// The kinds with work, most work first; those beyond the limit together.
std::vector<KindWork> kindsOf(const pricing::ModelReport& model)
{
    std::vector<KindWork> kinds;
    for (const pricing::LayerRow& layer : model.layers) {
        if (layer.flops <= 0)
            continue;
        const QString kind = toQString(layer.kind);
        auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const KindWork& k) { return k.kind == kind; });
        if (found == kinds.end())
            found = kinds.insert(kinds.end(), {kind});
        found->flops += layer.flops;
        ++found->layers;
    }
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const KindWork& a, const KindWork& b) { return a.flops > b.flops; });
    if (kinds.size() <= MostKinds)
        return kinds;
    KindWork others{QStringLiteral("others")};
    for (auto it = kinds.begin() + MostKinds - 1; it != kinds.end(); ++it) {
        others.flops += it->flops;
        others.layers += it->layers;
    }
    kinds.resize(MostKinds - 1);
    kinds.push_back(others);
    return kinds;
}

QString verdictOf(const std::vector<KindWork>& kinds, const DisplayLocale& locale)
{
    if (kinds.empty())
        return QStringLiteral("No matrix products in this design");
    double all = 0;
    for (const KindWork& kind : kinds)
        all += kind.flops;
    return QStringLiteral("%1 %2 layers do %3 % of the work")
        .arg(kinds.front().layers)
        .arg(kinds.front().kind,
             locale.toString(core::PerCent * kinds.front().flops / all, 'f', 0));
}

ChartModel chartOf(const std::vector<KindWork>& kinds, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("Forward work by kind of layer");
    chart.subtitle = QStringLiteral("One training batch; exact");
    chart.empty = QStringLiteral("This design has no matrix products to count.");
    const ScaledAxis scaled = scaledAxis(kinds.empty() ? 0 : kinds.front().flops,
                                         QStringLiteral("Work"), QStringLiteral("FLOP"));
    chart.y = scaled.axis;
    ChartSeries series{QStringLiteral("Work"), 2, {}};
    for (const KindWork& kind : kinds) {
        chart.categories.push_back(kind.kind);
        series.points.push_back(
            {.y = kind.flops / scaled.factor, .label = scaledText(kind.flops, u"FLOP", locale)});
    }
    chart.series.push_back(std::move(series));
    chart.description = verdictOf(kinds, locale);
    return chart;
}

} // namespace

WorkView makeWorkView(const pricing::Report& report, const DisplayLocale& locale)
{
    const std::vector<KindWork> kinds = kindsOf(report.model);
    WorkView view;
    view.verdict = verdictOf(kinds, locale);
    view.chart = chartOf(kinds, locale);
    view.total = QStringLiteral("%1 steps, %2 in all, %3 a step")
                     .arg(countText(report.training.steps, locale),
                          scaledText(report.training.flops, u"FLOP", locale),
                          scaledText(report.training.flopsPerStep, u"FLOP", locale));
    return view;
}

} // namespace outlay::gui
