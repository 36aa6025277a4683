// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/track_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"

#include <algorithm>

namespace outlay::gui {
namespace {

using pricing::Actual;
using pricing::Foretold;
using pricing::OwnFactor;
using pricing::RunPlace;
using pricing::TrackedThing;

constexpr std::array TrackPlaces{RunPlace::Planned, RunPlace::Here};

QString thingTitle(TrackedThing thing)
{
    constexpr std::array Titles{u"Time", u"Money", u"Energy", u"Emissions"};
    return QString::fromUtf16(Titles.at(static_cast<std::size_t>(thing)));
}

QString trackedAmount(double value, TrackedThing thing, const DisplayLocale& locale)
{
    constexpr std::array Units{core::Unit::Seconds, core::Unit::Usd, core::Unit::KilowattHours,
                               core::Unit::KilogramsCo2e};
    return valueText(value, Units.at(static_cast<std::size_t>(thing)), locale);
}

QString foldText(double factor, const DisplayLocale& locale)
{
    return locale.toString(factor, 'f', 2);
}

QString verdictOn(const pricing::Pair& pair)
{
    return pair.isInside()                  ? QStringLiteral("inside")
           : pair.found < pair.foretold.low ? QStringLiteral("below")
                                            : QStringLiteral("above");
}

/// Outside of the interval, and on which side; its words are in the hint.
QString markOf(const pricing::Pair& pair)
{
    return pair.isInside()                  ? QString()
           : pair.found < pair.foretold.low ? QStringLiteral(" ↓")
                                            : QStringLiteral(" ↑");
}

/// "10.7 to 55.2 min": the unit once, where both have the same.
QString rangeOf(const Foretold& f, TrackedThing thing, const DisplayLocale& locale)
{
    const QString high = trackedAmount(f.high, thing, locale);
    QString low = trackedAmount(f.low, thing, locale);
    const qsizetype at = high.lastIndexOf(QLatin1Char(' '));
    if (at > 0 && low.endsWith(QStringView(high).mid(at)))
        low.chop(high.size() - at);
    return QStringLiteral("%1 to %2").arg(low, high);
}

TableCell unknownCell(const QString& why)
{
    return {QStringLiteral("–"), std::nullopt, QStringLiteral("Unavailable: ") + why};
}

/// Forecast, interval, what it took, and how that lies.
std::vector<TableCell> outcomeCells(const Actual& actual, TrackedThing thing,
                                    const DisplayLocale& locale)
{
    const auto pair = pricing::pairOf(actual, thing);
    const auto found = pricing::foundOf(actual, thing);
    if (!pair) {
        const TableCell none = unknownCell(
            found ? QStringLiteral("nothing was forecast of it on the day on which it was attached")
                  : QStringLiteral("what was kept of the run doesn't say it"));
        return {none, none, found ? TableCell{trackedAmount(*found, thing, locale), *found} : none,
                none};
    }
    const Foretold& f = pair->foretold;
    const double share = pair->found / f.value;
    return {{trackedAmount(f.value, thing, locale), f.value},
            {rangeOf(f, thing, locale), f.high - f.low},
            {trackedAmount(pair->found, thing, locale), pair->found},
            {partText(core::PerCent * share, locale) + QStringLiteral(" %") + markOf(*pair), share,
             QStringLiteral("It lies %1 the forecast's interval").arg(verdictOn(*pair))}};
}

TableData runsTable(const std::vector<TrackedRun>& runs, TrackedThing thing,
                    const DisplayLocale& locale)
{
    constexpr qsizetype Day = 10;
    TableData table;
    table.columns = {{QStringLiteral("Run"), true},           {QStringLiteral("Experiment"), false},
                     {QStringLiteral("Began"), false},        {QStringLiteral("Forecast"), true},
                     {QStringLiteral("80 % interval"), true}, {QStringLiteral("Took"), true},
                     {QStringLiteral("Of forecast"), false}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Actual& actual = runs[i].actual;
        const bool isAttachedAlone = actual.began.empty();
        const std::string& day = isAttachedAlone ? actual.attached : actual.began;
        std::vector<TableCell> row{
            {locale.toString(qulonglong{i + 1}), static_cast<double>(i + 1)},
            {runs[i].experiment + (actual.isHere ? QStringLiteral(" (here)") : QString()),
             std::nullopt,
             QStringLiteral("Kept by %1 in %2, attached %3")
                 .arg(toQString(actual.kind), toQString(actual.file), toQString(actual.attached))},
            {toQString(day).left(Day), std::nullopt,
             isAttachedAlone ? QStringLiteral("The day on which it was attached: what was kept "
                                              "doesn't say when it began")
                             : QString()}};
        const std::vector<TableCell> cells = outcomeCells(actual, thing, locale);
        row.insert(row.end(), cells.begin(), cells.end());
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<Actual> actualsIn(const std::vector<TrackedRun>& runs)
{
    std::vector<Actual> actuals;
    actuals.reserve(runs.size());
    for (const TrackedRun& run : runs)
        actuals.push_back(run.actual);
    return actuals;
}

TableData kindsTable(const std::vector<Actual>& actuals, const DisplayLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Kind of forecast"), false},
                     {QStringLiteral("Runs"), true},
                     {QStringLiteral("In 80 % interval"), true},
                     {QStringLiteral("Off by, median"), true},
                     {QStringLiteral("Your factor (80 %)"), true}};
    for (std::size_t i = 0; i < pricing::TrackedThingNames.size(); ++i) {
        for (const RunPlace place : TrackPlaces) {
            const auto thing = static_cast<TrackedThing>(i);
            const pricing::Track track = pricing::trackOf(actuals, thing, place);
            if (track.runs == 0)
                continue;
            const double inside =
                static_cast<double>(track.inside) / static_cast<double>(track.runs);
            const auto count = [&](std::size_t n) { return locale.toString(qulonglong{n}); };
            table.rows.push_back(
                {{thingTitle(thing) + (place == RunPlace::Here
                                           ? QStringLiteral(", this machine")
                                           : QStringLiteral(", planned machine"))},
                 {count(track.runs), static_cast<double>(track.runs)},
                 {QStringLiteral("%1 (%2 %)")
                      .arg(count(track.inside), partText(core::PerCent * inside, locale)),
                  inside},
                 {partText(core::PerCent * track.medianMiss, locale) + QStringLiteral(" %"),
                  track.medianMiss},
                 track.factor ? TableCell{QStringLiteral("%1 (%2 to %3)")
                                              .arg(foldText(track.factor->value, locale),
                                                   foldText(track.factor->low, locale),
                                                   foldText(track.factor->high, locale)),
                                          track.factor->value}
                              : TableCell{QStringLiteral("–"), std::nullopt,
                                          QStringLiteral("Unavailable before %1 runs")
                                              .arg(pricing::EnoughForFactor)}});
        }
    }
    return table;
}

/// What each run took as a share of its forecast, over the interval of that.
ChartModel trackChart(const std::vector<TrackedRun>& runs, TrackedThing thing,
                      const DisplayLocale& locale)
{
    ChartModel chart;
    chart.kind = ChartModel::Kind::Scatter;
    chart.title =
        QStringLiteral("%1 of each run, as a share of its forecast").arg(thingTitle(thing));
    chart.subtitle =
        QStringLiteral("Dots: what it took; bars: the forecast's 80 % interval, on which eight of "
                       "ten dots belong; dashed: as forecast");
    chart.empty = QStringLiteral("No run has both a forecast of this and what it took.");
    ChartSeries inside{QStringLiteral("Inside of its interval"), 0, {}};
    ChartSeries outside{QStringLiteral("Outside of it"), 1, {}};
    double lowest = core::PerCent;
    double highest = core::PerCent;
    std::size_t held = 0;
    std::size_t all = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto pair = pricing::pairOf(runs[i].actual, thing);
        if (!pair)
            continue;
        const Foretold& f = pair->foretold;
        const auto part = [&](double amount) { return core::PerCent * amount / f.value; };
        ChartPoint point{.x = static_cast<double>(i + 1),
                         .y = part(pair->found),
                         .low = part(f.low),
                         .high = part(f.high)};
        lowest = std::min({lowest, point.y, *point.low});
        highest = std::max({highest, point.y, *point.high});
        ++all;
        held += pair->isInside() ? 1U : 0U;
        (pair->isInside() ? inside : outside).points.push_back(std::move(point));
    }
    chart.x = axisFromZero(static_cast<double>(runs.size()), QStringLiteral("Run, by its begin"));
    // One that took many times its forecast leaves room for the others.
    constexpr double Many = 10 * core::PerCent;
    const QString ofForecast = QStringLiteral("Of the forecast, %");
    chart.y = highest > Many ? logAxis(std::max(lowest, 1.0), highest, ofForecast)
                             : axisFromZero(highest, ofForecast);
    chart.limits.push_back({.at = core::PerCent, .name = {}});
    if (all > 0)
        chart.description =
            QStringLiteral("%1 of %2 runs are inside of their intervals")
                .arg(locale.toString(qulonglong{held}), locale.toString(qulonglong{all}));
    for (ChartSeries* series : {&inside, &outside}) {
        if (!series->points.empty())
            chart.series.push_back(std::move(*series));
    }
    return chart;
}

FactorOffer offerOf(const std::vector<Actual>& actuals, RunPlace place,
                    const core::Experiment& open, const DisplayLocale& locale)
{
    const QString where = place == RunPlace::Here ? QStringLiteral("on this machine")
                                                  : QStringLiteral("on planned machines");
    const auto inForce = pricing::ownFactorOf(open, place);
    const auto found = pricing::ownFactorFrom(actuals, place);
    const auto text = [&](const OwnFactor& f) {
        return QStringLiteral("%1 times (%2 to %3 in 80 of 100 cases)")
            .arg(foldText(f.value, locale), foldText(f.low, locale), foldText(f.high, locale));
    };
    FactorOffer offer;
    if (inForce) {
        offer.text = QStringLiteral("Forecasts of time %1 are taken %2 in the open experiment; the "
                                    "page Assumptions has it.")
                         .arg(where, text(*inForce));
        offer.button = QStringLiteral("Take it back");
        offer.hint = QStringLiteral("Forecasts are as without your own runs again");
        offer.patch = pricing::patchWith(std::nullopt, place);
        offer.undoName = QStringLiteral("the factor of your own runs");
    } else if (found) {
        offer.text = QStringLiteral("Your runs %1 took %2 their forecast, by %3 of them. No "
                                    "forecast has that in it.")
                         .arg(where, text(*found), locale.toString(qlonglong{found->runs}));
        offer.button = QStringLiteral("Use it in this experiment");
        offer.hint = QStringLiteral("Multiplies forecasts of time, and what follows from it, as an "
                                    "assumption that you can take back");
        offer.patch = pricing::patchWith(found, place);
        offer.undoName = QStringLiteral("the factor of your own runs");
    } else {
        const std::size_t runs = pricing::trackOf(actuals, TrackedThing::Time, place).runs;
        if (runs > 0)
            offer.text =
                QStringLiteral("A factor of your own for time %1 needs %2 runs; there %3.")
                    .arg(where, locale.toString(qulonglong{pricing::EnoughForFactor}),
                         runs == 1 ? QStringLiteral("is one") : QStringLiteral("are %1").arg(runs));
    }
    return offer;
}

QString emptyText(const TrackFolder& folder)
{
    if (folder.isReading)
        return QStringLiteral("The folder is being read…");
    if (!folder.problem.isEmpty())
        return folder.problem;
    if (folder.path.isEmpty())
        return QStringLiteral("Choose the folder that has your experiments, and see how forecasts "
                              "did beside what runs took.");
    if (folder.experiments == 0)
        return QStringLiteral("There are no experiments in this folder: choose another one, or "
                              "save experiments there (Ctrl+S).");
    return QStringLiteral("None of its %1 experiments says what a run took: open one and choose "
                          "\"Attach what it took…\", or run `outlay actual FILE --from PATH`.")
        .arg(folder.experiments);
}

} // namespace

TrackView makeTrackView(const TrackFolder& folder, std::size_t thing, const core::Experiment& open,
                        const DisplayLocale& locale)
{
    TrackView view;
    for (std::size_t i = 0; i < pricing::TrackedThingNames.size(); ++i)
        view.things.push_back(thingTitle(static_cast<TrackedThing>(i)));
    view.folder = folder.path;
    const auto count = [&](std::size_t n) { return locale.toString(qulonglong{n}); };
    view.summary =
        folder.path.isEmpty()
            ? QStringLiteral("No folder is chosen yet")
            : QStringLiteral("%1 runs in %2 experiments%3")
                  .arg(count(folder.runs.size()), count(folder.experiments),
                       folder.others == 0
                           ? QString()
                           : QStringLiteral("; %1 other files left out").arg(count(folder.others)));
    const std::vector<Actual> actuals = actualsIn(folder.runs);
    for (const RunPlace place : TrackPlaces) {
        if (FactorOffer offer = offerOf(actuals, place, open, locale); !offer.text.isEmpty())
            view.offers.push_back(std::move(offer));
    }
    if (folder.runs.empty() || folder.isReading) {
        view.empty = emptyText(folder);
        return view;
    }
    const auto shown = static_cast<TrackedThing>(std::min(thing, view.things.size() - 1));
    view.chart = trackChart(folder.runs, shown, locale);
    view.kinds = kindsTable(actuals, locale);
    view.runs = runsTable(folder.runs, shown, locale);
    return view;
}

} // namespace outlay::gui
