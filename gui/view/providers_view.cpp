// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/providers_view.h"

#include "core/base/units.h"
#include "gui/view/field_presentation.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace outlay::gui {
namespace {

using core::Quantity;
using core::Unit;
using pricing::Option;

constexpr std::size_t MostBars = 8;
constexpr qsizetype MonthLength = 7;        // of a date: the day is in the table of all offers
constexpr std::size_t OwnMachineColour = 0; // the ways of buying follow it

struct Bar {
    QString place;    // short: it stands beside its bar
    QString instance; // empty for this machine
    pricing::UsdRange usd;
    std::size_t colour = OwnMachineColour;
    QString asOf; // of a stale price
};

/// The first of each provider and way of buying, as many as are shown: the options are ranked.
std::vector<Bar> offerBars(const ReportInput& input)
{
    std::vector<Bar> bars;
    if (input.catalogs == nullptr)
        return bars;
    const pricing::PriceBook& book = input.catalogs->book();
    std::set<std::pair<std::string_view, core::Purchase>> seen;
    // Looked up first: thousands of options are of hundreds of machines, and these of a few providers.
    std::vector<std::array<bool, core::PurchaseNames.size()>> seenOf(book.table().machines.size());
    for (const Option& option : input.report.training.options) {
        if (bars.size() == MostBars)
            break;
        if (!pricing::isUsable(option))
            continue;
        const pricing::OfferRow& row = book.rows()[option.row];
        if (std::exchange(seenOf[row.machine].at(static_cast<std::size_t>(row.purchase)), true))
            continue;
        const pricing::Machine& machine = book.machine(row);
        const auto hours = hoursTaken(input.report, option, row.purchase);
        if (hours && !pricing::isPractical(machine, hours->value))
            continue;
        // One that is dearer by far would only set the scale.
        constexpr double Far = 10;
        const bool isFar = !bars.empty() && option.usd.value > Far * bars.front().usd.value;
        if (isFar || !seen.insert({machine.provider, row.purchase}).second)
            continue;
        const bool isStale = option.trust == pricing::Trust::Stale;
        bars.push_back(
            {providerTitle(machine.provider) + QLatin1Char(' ') + purchaseTitle(row.purchase),
             timesText(core::real(input.report.training.forecasts[option.forecast].machines)) +
                 instanceTitle(machine),
             option.usd, OwnMachineColour + 1 + static_cast<std::size_t>(row.purchase),
             isStale ? toQString(book.source(row).asOf) : QString()});
    }
    return bars;
}

/// What is recommended, where another offer stands for its provider and way of buying.
void addPlanned(const ReportInput& input, std::size_t most, std::vector<Bar>& bars)
{
    const auto& chosen = input.report.training.recommended.chosen;
    const auto& option = input.report.training.recommended.option;
    if (!chosen || !option || input.catalogs == nullptr || bars.empty())
        return;
    const pricing::PriceBook& book = input.catalogs->book();
    const pricing::OfferRow& row = book.rows()[chosen->row];
    const QString instance =
        timesText(core::real(input.report.training.forecasts[chosen->forecast].machines)) +
        instanceTitle(book.machine(row));
    const bool isThere = std::any_of(bars.begin(), bars.end(), [&](const Bar& bar) {
        return bar.instance == instance && bar.usd.value == chosen->usd.value;
    });
    if (isThere)
        return;
    bars.resize(std::min(bars.size(), most - 1));
    const bool isStale = chosen->trust == pricing::Trust::Stale;
    const auto place = std::find_if(bars.begin(), bars.end(), [&](const Bar& bar) {
        const bool isBehind = !bar.asOf.isEmpty(); // old prices come after fresh ones
        return isBehind == isStale ? bar.usd.value > chosen->usd.value : isBehind;
    });
    bars.insert(place, {QStringLiteral("As planned"), instance, chosen->usd,
                        OwnMachineColour + 1 + static_cast<std::size_t>(row.purchase),
                        isStale ? toQString(book.source(row).asOf) : QString()});
}

/// In the order of the options, which has stale prices after fresh ones, and no more than can be read;
/// this machine and what is planned are always among them.
std::vector<Bar> barsOf(const ReportInput& input)
{
    std::vector<Bar> bars = offerBars(input);
    const Quantity& here = input.report.training.hereUsd;
    const std::size_t most = MostBars - (here.isAvailable() ? 1 : 0);
    bars.resize(std::min(bars.size(), most));
    addPlanned(input, most, bars);
    if (!here.isAvailable())
        return bars;
    const auto place = std::find_if(bars.begin(), bars.end(),
                                    [&](const Bar& bar) { return bar.usd.value > here.value(); });
    bars.insert(place, {.place = QStringLiteral("This machine"),
                        .usd = {here.value(), here.low(), here.high()}});
    return bars;
}

/// A price that may have changed is never called the cheapest without its date. The brief form
/// leaves the word to the verdict above: the bars need the room.
enum class LabelForm { Whole, Brief };

QString labelOf(const Bar& bar, bool isFirst, bool isLeast, LabelForm form,
                const DisplayLocale& locale)
{
    QString label = headlineText(bar.usd.value, Unit::Usd, locale);
    if (!bar.instance.isEmpty() && form == LabelForm::Whole)
        label += QLatin1Char(' ') + bar.instance;
    if (isFirst && form == LabelForm::Whole)
        label += !bar.asOf.isEmpty() ? QStringLiteral(", cheapest known")
                 : isLeast           ? QStringLiteral(", cheapest")
                                     : QStringLiteral(", cheapest today");
    return bar.asOf.isEmpty() ? label : label + QStringLiteral(", ") + bar.asOf.left(MonthLength);
}

/// "AWS on demand" -> "AWS": who buys in the usual way needs no word for it.
QString usualLeftOut(QString place)
{
    const QString usual = QLatin1Char(' ') + purchaseTitle(core::Purchase::OnDemand);
    if (place.endsWith(usual))
        place.chop(usual.size());
    return place;
}

QString verdictOf(const std::vector<Bar>& bars, const pricing::Report& report,
                  const DisplayLocale& locale)
{
    if (bars.empty()) {
        const auto& reasons = report.training.recommended.reasons;
        return QStringLiteral("Unavailable: ") + (reasons.empty()
                                                      ? QStringLiteral("no offer is known to fit")
                                                      : readable(reasons.front()));
    }
    const Bar& first = bars.front();
    // Short, for it stands in one line; a price that may have changed has its date.
    return QStringLiteral("From %1%2: %3")
        .arg(headlineText(first.usd.value, Unit::Usd, locale),
             first.asOf.isEmpty() ? QString()
                                  : QStringLiteral(" (%1)").arg(first.asOf.left(MonthLength)),
             first.instance.isEmpty()
                 ? QStringLiteral("this machine")
                 : usualLeftOut(first.place) + QLatin1Char(' ') + first.instance);
}

ChartModel chartOf(const std::vector<Bar>& bars, const QString& verdict,
                   const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::HorizontalBars;
    chart.title = QStringLiteral("Cost of one training run by provider");
    chart.subtitle = QStringLiteral("Cheapest fitting offer of each provider; shorter is cheaper");
    chart.description = verdict;
    chart.empty = verdict;
    double highest = 0;
    for (const Bar& bar : bars)
        highest = std::max(highest, bar.usd.high);
    chart.y = axisFromZero(locale.money(highest), locale.currency.code + QStringLiteral(" a run"));
    ChartSeries series{locale.currency.code + QStringLiteral(" a run"), OwnMachineColour, {}};
    // Behind the first are old prices that were lower.
    const bool isLeast = std::none_of(bars.begin(), bars.end(), [&](const Bar& bar) {
        return bar.usd.value < bars.front().usd.value;
    });
    for (const Bar& bar : bars) {
        const bool isFirst = series.points.empty();
        chart.categories.push_back(bar.place);
        series.points.push_back({.y = locale.money(bar.usd.value),
                                 .low = locale.money(bar.usd.low),
                                 .high = locale.money(bar.usd.high),
                                 .label = labelOf(bar, isFirst, isLeast, LabelForm::Whole, locale),
                                 .brief = labelOf(bar, isFirst, isLeast, LabelForm::Brief, locale),
                                 .colour = bar.colour,
                                 .isStrong = isFirst});
    }
    chart.series.push_back(std::move(series));
    return chart;
}

Quantity cheapestRun(const pricing::Report& report)
{
    const pricing::Recommendation& recommended = report.training.recommended;
    if (recommended.option)
        return recommended.option->usd;
    return Quantity::unavailable(Unit::Usd, recommended.reasons.empty()
                                                ? "no offer is known to fit"
                                                : recommended.reasons.front());
}

} // namespace

FigureView makeCheapestView(const pricing::Report& report, const pricing::Report* baseline,
                            const DisplayLocale& locale)
{
    const Quantity before = baseline == nullptr ? Quantity() : cheapestRun(*baseline);
    FigureView view = makeFigureView(QStringLiteral("Cost of a run"), cheapestRun(report),
                                     baseline == nullptr ? nullptr : &before, locale);
    if (const auto& option = report.training.recommended.option;
        option && option->usd.isAvailable())
        view.place = QStringList{machinesTitle(*option), toQString(option->offer.source.asOf),
                                 purchaseTitle(option->offer.purchase)}
                         .join(QStringLiteral(" · "));
    return view;
}

ProvidersView makeProvidersView(const ReportInput& input, const DisplayLocale& locale)
{
    const std::vector<Bar> bars = barsOf(input);
    ProvidersView view;
    view.verdict = verdictOf(bars, input.report, locale);
    view.chart = chartOf(bars, view.verdict, locale);
    view.cheapest = makeCheapestView(input.report, input.baseline, locale);
    return view;
}

} // namespace outlay::gui
