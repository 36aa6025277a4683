// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/cost_view.h"

#include "core/base/units.h"
#include "gui/view/figure_cell.h"
#include "gui/view/format.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace outlay::gui {
namespace {

using core::Unit;

constexpr std::size_t MostSlices = 5;

/// The same item has the same colour in every month.
struct ItemRow {
    std::string_view item;
    const char16_t* title;
};
constexpr std::array Items{
    ItemRow{"training", u"Training"}, ItemRow{"inference", u"Inference"},
    ItemRow{"storage", u"Storage"},   ItemRow{"transfer", u"Data transfer"},
    ItemRow{"idle", u"Idle"},         ItemRow{"environments", u"Environments"}};
constexpr std::size_t OtherColour = Items.size(); // grey

struct Slice {
    QString name;
    std::size_t colour = OtherColour;
    core::Quantity usd;
};

std::size_t colourOf(std::string_view item)
{
    const auto* found =
        std::find_if(Items.begin(), Items.end(), [&](const ItemRow& r) { return r.item == item; });
    return static_cast<std::size_t>(found - Items.begin());
}

/// Largest first; where there are too many, the smallest are one.
std::vector<Slice> slicesOf(const pricing::MonthReport& month)
{
    std::vector<Slice> slices;
    for (const pricing::MonthItem& item : month.items) {
        if (item.usd.isAvailable())
            slices.push_back({monthItemTitle(item.item), colourOf(item.item), item.usd});
    }
    std::stable_sort(slices.begin(), slices.end(),
                     [](const Slice& a, const Slice& b) { return a.usd.value() > b.usd.value(); });
    if (slices.size() <= MostSlices)
        return slices;
    // What has no colour of its own would look like the rest, so it is in it.
    std::stable_partition(slices.begin(), slices.end(),
                          [](const Slice& slice) { return slice.colour != OtherColour; });
    Slice other{.name = QStringLiteral("Other"), .usd = slices[MostSlices - 1].usd};
    for (auto it = slices.begin() + MostSlices; it != slices.end(); ++it)
        other.usd = other.usd + it->usd;
    slices.resize(MostSlices - 1);
    slices.push_back(other);
    return slices;
}

QString verdictOf(const std::vector<Slice>& slices, const pricing::MonthReport& month,
                  const DisplayLocale& locale)
{
    if (slices.empty())
        return QStringLiteral("Unavailable: ") + reasonText(month.total);
    const auto most = largestShare(month);
    if (!most)
        return QStringLiteral("Nothing of what is known costs anything");
    double all = 0;
    for (const pricing::MonthItem& item : month.items)
        all += item.usd.isAvailable() ? item.usd.value() : 0;
    const QString name = most->name.left(1).toUpper() + most->name.mid(1);
    return QStringLiteral("%1 is %2 % of %3")
        .arg(name, partText(core::PerCent * most->usd / all, locale),
             month.total.isAvailable() ? QStringLiteral("the month: start there")
                                       : QStringLiteral("what is known of the month"));
}

/// What first, and then why: where there is no room, the last reasons give way.
QString lackingOf(const pricing::MonthReport& month)
{
    QStringList items;
    QStringList reasons;
    for (const pricing::MonthItem& item : month.items) {
        if (item.usd.isAvailable())
            continue;
        items.append(monthItemTitle(item.item).toLower());
        reasons.append(reasonText(item.usd));
    }
    if (items.isEmpty())
        return {};
    const bool isOne = reasons.count(reasons.front()) == reasons.size();
    QStringList parts{QStringLiteral("Unavailable: ") + items.join(QStringLiteral(", "))};
    for (qsizetype i = 0; i < (isOne ? 1 : reasons.size()); ++i)
        parts.append(isOne ? reasons[i] : items[i] + QStringLiteral(": ") + reasons[i]);
    return parts.join(QStringLiteral(" · "));
}

ChartPoint pointOf(const core::Quantity& usd, const DisplayLocale& locale)
{
    const TableCell cell = figureCell(usd, locale);
    return {.y = locale.money(usd.value()),
            .low = locale.money(usd.low()),
            .high = locale.money(usd.high()),
            .label = cell.text,
            .basis = toQString(core::name(usd.basis())),
            .hint = cell.hint};
}

ChartModel chartOf(const std::vector<Slice>& slices, const pricing::MonthReport& month,
                   const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Doughnut;
    chart.title = QStringLiteral("Cost of a month by item");
    chart.subtitle = locale.currency.code + QStringLiteral("; the largest slice first");
    chart.description = verdictOf(slices, month, locale);
    chart.empty = QStringLiteral("The month's cost is unavailable: ") + reasonText(month.total);
    chart.y.title = locale.currency.code + QStringLiteral(" a month");
    if (month.total.isAvailable())
        chart.middle =
            headlineText(month.total.value(), Unit::Usd, locale) + QStringLiteral("\nper month");
    for (const Slice& slice : slices)
        chart.series.push_back({slice.name, slice.colour, {pointOf(slice.usd, locale)}});
    return chart;
}

} // namespace

QString monthItemTitle(std::string_view item)
{
    const std::size_t index = colourOf(item);
    if (index < Items.size())
        return QString::fromUtf16(Items.at(index).title);
    QString title = toQString(item).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

QString monthItemSubject(std::string_view item)
{
    return item == "environments" ? QStringLiteral("What the environments take")
                                  : monthItemTitle(item);
}

CostView makeCostView(const pricing::Report& report, const pricing::Report* baseline,
                      const DisplayLocale& locale)
{
    const std::vector<Slice> slices = slicesOf(report.month);
    CostView view;
    view.verdict = verdictOf(slices, report.month, locale);
    view.chart = chartOf(slices, report.month, locale);
    view.total = makeFigureView(QStringLiteral("A month"), report.month.total,
                                baseline == nullptr ? nullptr : &baseline->month.total, locale);
    view.lacking = lackingOf(report.month);
    return view;
}

std::optional<MonthShare> largestShare(const pricing::MonthReport& month)
{
    constexpr std::array<std::string_view, 3> Serving{"inference", "idle", "load balancer"};
    std::vector<MonthShare> shares{{QStringLiteral("serving"), true}};
    for (const pricing::MonthItem& item : month.items) {
        if (!item.usd.isAvailable())
            continue;
        if (std::find(Serving.begin(), Serving.end(), item.item) != Serving.end())
            shares.front().usd += item.usd.value();
        else
            shares.push_back({monthItemSubject(item.item).toLower(), false, item.usd.value()});
    }
    const auto largest =
        std::max_element(shares.begin(), shares.end(),
                         [](const MonthShare& a, const MonthShare& b) { return a.usd < b.usd; });
    return largest->usd > 0 ? std::optional(*largest) : std::nullopt;
}

} // namespace outlay::gui
