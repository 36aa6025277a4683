// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_parts.h"
#include "gui/view/offer_name.h"

#include <algorithm>
#include <cmath>

namespace outlay::gui {
namespace {

using core::Quantity;
using core::Sharding;
using core::Unit;
using pricing::LayoutPart;
using pricing::LayoutReport;
using pricing::LayoutRow;
using Bars = std::vector<std::pair<QString, Quantity>>;

struct PartTitle {
    std::string_view name;
    const char16_t* title;
};
constexpr std::array PartTitles{
    PartTitle{"weights", u"Weights"},           PartTitle{"gradients", u"Gradients"},
    PartTitle{"optimizer", u"Optimizer"},       PartTitle{"activations", u"Activations, rest"},
    PartTitle{"update_copy", u"Update's copy"}, PartTitle{"kernels", u"Work"},
    PartTitle{"update", u"Optimizer, program"}, PartTitle{"within_layers", u"Exchange in layers"},
    PartTitle{"idle_stages", u"Idle stages"},   PartTitle{"copies", u"Other copies"},
    PartTitle{"at_work", u"Fetched for work"},  PartTitle{"fetching", u"Fetching, exchange"}};

QString titleOf(const LayoutPart& part)
{
    const auto* found = std::find_if(PartTitles.begin(), PartTitles.end(),
                                     [&](const PartTitle& t) { return t.name == part.name; });
    return found == PartTitles.end() ? toQString(part.name) : QString::fromUtf16(found->title);
}

QString shardedText(Sharding sharding)
{
    switch (sharding) {
    case Sharding::None: return QStringLiteral("a copy on each");
    case Sharding::Optimizer: return QStringLiteral("optimizer sharded");
    case Sharding::Gradients: return QStringLiteral("optimizer and gradients sharded");
    case Sharding::Full: return QStringLiteral("all sharded");
    case Sharding::Hybrid: break;
    }
    return QStringLiteral("all sharded within machines");
}

/// Of copies: "all sharded, optimizer in the machine's memory".
QString copiesText(const core::Layout& layout)
{
    const QString text = shardedText(layout.sharding);
    switch (layout.offload) {
    case core::Offload::None: break;
    case core::Offload::Optimizer:
        return text + QStringLiteral(", optimizer in the machine's memory");
    case core::Offload::Weights: return text + QStringLiteral(", weights in the machine's memory");
    }
    return text;
}

/// "tensor 8 x pipeline 4 in 2 chunks, optimizer sharded"; "a copy on each".
QString nameOf(const core::Layout& layout)
{
    if (layout.isPlain())
        return copiesText(layout);
    QString text = layoutTitle(layout);
    if (layout.chunks > 1)
        text += QStringLiteral(" in %1 chunks").arg(layout.chunks);
    return layout.sharding == Sharding::None
               ? text
               : text + QStringLiteral(", ") + shardedText(layout.sharding);
}

/// What tells it from the others: "tensor 8 x pipeline 4", "all sharded, offloaded".
QString briefName(const core::Layout& layout)
{
    if (!layout.isPlain())
        return layoutTitle(layout);
    const QString text = layout.sharding == Sharding::Gradients
                             ? QStringLiteral("gradients sharded")
                             : shardedText(layout.sharding);
    switch (layout.offload) {
    case core::Offload::None: break;
    case core::Offload::Optimizer: return text + QStringLiteral(", states offloaded");
    case core::Offload::Weights: return text + QStringLiteral(", offloaded");
    }
    return text;
}

/// "the next best, all sharded, costs $12.40 (3 %) more".
QString nextText(const LayoutReport& layouts, const DisplayLocale& locale)
{
    // Those that fit come first.
    const bool fitsAny = layouts.rows.size() > 1 && layouts.rows[1].fits == core::Fits::Yes;
    const QString untried =
        layouts.untried.empty() ? QString() : QStringLiteral("; ") + toQString(layouts.untried);
    if (!fitsAny)
        return QStringLiteral("no other way is known to fit") + untried;
    const LayoutRow& plan = layouts.rows.front();
    const LayoutRow& next = layouts.rows[1];
    const QString name = nameOf(next.layout);
    const bool isPriced =
        plan.fits == core::Fits::Yes && plan.usd.isAvailable() && next.usd.isAvailable();
    if (!isPriced || plan.usd.value() <= 0)
        return name + QStringLiteral(" fits") + untried;
    const double more = next.usd.value() - plan.usd.value();
    const double percent = core::PerCent * std::abs(more) / plan.usd.value();
    if (percent < 1)
        return name + QStringLiteral(" costs as much") + untried;
    const QString amount =
        QStringLiteral("%1 (%2 %)")
            .arg(headlineText(std::abs(more), Unit::Usd, locale), locale.toString(percent, 'f', 0));
    return (more > 0 ? QStringLiteral("the next best, %1, costs %2 more").arg(name, amount)
                     : QStringLiteral("%1 would cost %2 less").arg(name, amount)) +
           untried;
}

/// Before what it holds, where that isn't known to be little enough.
QString fitText(core::Fits fits)
{
    switch (fits) {
    case core::Fits::Yes: return {};
    case core::Fits::No: return QStringLiteral(" doesn't fit");
    case core::Fits::Unknown: break;
    }
    return QStringLiteral(" may not fit");
}

QString verdictOf(const LayoutReport& layouts, const DisplayLocale& locale)
{
    if (layouts.rows.empty())
        return unavailableText(layouts.why);
    const LayoutRow& plan = layouts.rows.front();
    QString text =
        QStringLiteral("%1 x %2 (%3): %4")
            .arg(countText(static_cast<double>(layouts.devices), locale), toQString(layouts.device),
                 toQString(layouts.machine), nameOf(plan.layout) + fitText(plan.fits));
    if (plan.memory.isAvailable() && layouts.memoryGb > 0)
        text += QStringLiteral(", %1 of %2 on each")
                    .arg(headlineText(plan.memory.value(), Unit::Bytes, locale),
                         headlineText(layouts.memoryGb * core::Giga, Unit::Bytes, locale));
    if (plan.hostMemory)
        text += QStringLiteral(", %1 in each machine")
                    .arg(headlineText(plan.hostMemory->value(), Unit::Bytes, locale));
    if (plan.waitingSeconds.isAvailable() && plan.stepSeconds.isAvailable())
        text += QStringLiteral("; %1 % of a step is waiting")
                    .arg(locale.toString(core::PerCent * plan.waitingSeconds.value() /
                                             plan.stepSeconds.value(),
                                         'f', 0));
    return text + QStringLiteral("; ") + nextText(layouts, locale);
}

/// Bars of one unit; where there are none, why.
ChartModel barChart(const LayoutReport& layouts, const QString& title, const QString& subtitle,
                    const Bars& bars, const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = title;
    chart.subtitle = subtitle;
    chart.empty = chart.description = unavailableText(layouts.why);
    if (bars.empty())
        return chart;
    double highest = 0;
    for (const auto& [name, figure] : bars)
        highest = std::max(highest, figure.high());
    const bool isTime = bars.front().second.unit() == Unit::Seconds;
    const ScaledAxis scaled =
        isTime ? scaledAxis(highest, QStringLiteral("Time"), QStringLiteral("s"))
               : scaledAxis(highest, QStringLiteral("Memory"), QStringLiteral("B"));
    chart.y = scaled.axis;
    ChartSeries series{title, 0, {}};
    for (const auto& [name, figure] : bars) {
        chart.categories.push_back(name);
        series.points.push_back({.y = figure.value() / scaled.factor,
                                 .low = figure.low() / scaled.factor,
                                 .high = figure.high() / scaled.factor,
                                 .label = headlineText(figure.value(), figure.unit(), locale)});
    }
    chart.series.push_back(std::move(series));
    return chart;
}

ChartModel partsChart(const LayoutReport& layouts, const std::vector<LayoutPart>& parts,
                      const QString& title, const DisplayLocale& locale)
{
    Bars bars;
    for (const LayoutPart& part : parts)
        bars.emplace_back(titleOf(part), part.amount);
    ChartModel chart = barChart(layouts, title, QStringLiteral("Lower is better"), bars, locale);
    if (bars.empty())
        return chart;
    const auto largest =
        std::max_element(bars.begin(), bars.end(), [](const auto& a, const auto& b) {
            return a.second.value() < b.second.value();
        });
    chart.description =
        QStringLiteral("%1: most is %2, %3")
            .arg(title, largest->first.toLower(),
                 headlineText(largest->second.value(), largest->second.unit(), locale));
    return chart;
}

ChartModel stepsChart(const LayoutReport& layouts, const DisplayLocale& locale)
{
    constexpr std::size_t Most = 6;
    Bars bars;
    for (const LayoutRow& row : layouts.rows) {
        if (bars.size() < Most && row.stepSeconds.isAvailable() &&
            (bars.empty() || row.fits == core::Fits::Yes))
            bars.emplace_back(briefName(row.layout), row.stepSeconds);
    }
    ChartModel chart =
        barChart(layouts, QStringLiteral("A step, laid out otherwise"),
                 QStringLiteral("The plan first, then what fits; lower is better"), bars, locale);
    if (bars.empty())
        return chart;
    chart.series.front().points.front().isStrong = true;
    chart.description = verdictOf(layouts, locale);
    return chart;
}

TableCell numberCell(std::int64_t value, const DisplayLocale& locale)
{
    const auto number = static_cast<double>(value);
    return {countText(number, locale), number};
}

std::vector<TableCell> cellsOf(const LayoutRow& row, bool isPlan, std::int64_t devices,
                               const DisplayLocale& locale)
{
    const QString name = nameOf(row.layout);
    TableCell memory = figureCell(row.memory, locale);
    if (row.fits == core::Fits::No)
        memory.text += QStringLiteral(", too much");
    return {{isPlan ? QStringLiteral("The plan: ") + name : name, std::nullopt},
            numberCell(devices / row.layout.ofCopy(), locale),
            numberCell(row.batch, locale),
            numberCell(row.passes, locale),
            std::move(memory),
            figureCell(row.stepSeconds, locale),
            figureCell(row.waitingSeconds, locale),
            figureCell(row.hours, locale),
            figureCell(row.usd, locale)};
}

core::Json settingsPatch(const std::vector<std::pair<std::string_view, core::Json>>& settings)
{
    core::Json patch = core::Json::array();
    for (const auto& [key, value] : settings)
        patch.append(core::Json::Object{
            {"op", "add"}, {"path", "/training/" + std::string(key)}, {"value", value}});
    return patch;
}

/// The layout becomes the settings', or theirs is dropped.
void addAction(const LayoutReport& layouts, GrowthPart& part)
{
    if (layouts.isAsked) {
        part.action = QStringLiteral("Let the layout be chosen");
        part.patch = settingsPatch({{"tensor_parallel", {}},
                                    {"pipeline_stages", {}},
                                    {"pipeline_chunks", {}},
                                    {"context_parallel", {}},
                                    {"expert_parallel", {}},
                                    {"sharding", {}}});
        return;
    }
    if (layouts.rows.empty() || layouts.rows.front().fits != core::Fits::Yes)
        return;
    const core::Layout& layout = layouts.rows.front().layout;
    const std::string_view sharding =
        core::ShardingNames.at(static_cast<std::size_t>(layout.sharding));
    part.action = QStringLiteral("Keep this layout");
    part.patch = settingsPatch({{"tensor_parallel", core::Json(layout.tensor)},
                                {"pipeline_stages", core::Json(layout.stages)},
                                {"pipeline_chunks", core::Json(layout.chunks)},
                                {"context_parallel", core::Json(layout.context)},
                                {"expert_parallel", core::Json(layout.experts)},
                                {"sharding", core::Json(sharding)}});
}

} // namespace

GrowthPart makeLayoutsPart(const LayoutReport& layouts, const DisplayLocale& locale)
{
    GrowthPart part{.id = QStringLiteral("layouts"),
                    .title = QStringLiteral("Layout of the training"),
                    .verdict = verdictOf(layouts, locale),
                    .charts = {partsChart(layouts, layouts.holds,
                                          QStringLiteral("What a device holds"), locale),
                               partsChart(layouts, layouts.does,
                                          QStringLiteral("What a step goes into"), locale),
                               stepsChart(layouts, locale)},
                    .tableTitle = QStringLiteral("Ways to lay the training out")};
    part.table.columns = {{QStringLiteral("Layout"), false}};
    for (const char16_t* title :
         {u"Copies", u"Batch", u"Passes", u"Memory", u"A step", u"Waiting", u"Time", u"Cost"})
        part.table.columns.push_back(numberColumn(QString::fromUtf16(title)));
    for (std::size_t i = 0; i < layouts.rows.size(); ++i)
        part.table.rows.push_back(cellsOf(layouts.rows[i], i == 0, layouts.devices, locale));
    addAction(layouts, part);
    return part;
}

} // namespace outlay::gui
