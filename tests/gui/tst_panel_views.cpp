// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The dashboard's views on Reports that are filled by hand: figures, order, words, and what isn't known.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "gui/view/advice_view.h"
#include "gui/view/carbon_view.h"
#include "gui/view/cost_view.h"
#include "gui/view/efficiency_view.h"
#include "gui/view/plan_view.h"
#include "gui/view/resources_view.h"
#include "gui/view/scaling_view.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"
#include "tests/support/view_figures.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::gui;
using core::Basis;
using core::Quantity;
using core::Unit;
using outlay::tests::English;
using pricing::Report;
using tests::figure;
using tests::unknown;

namespace {

bool isInside(const ChartModel& chart)
{
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            const double high = point.high.value_or(point.y);
            if (!std::isfinite(point.y) || high > chart.y.high * (1 + 1e-9) || point.y < 0)
                return false;
        }
    }
    return !chart.title.isEmpty() && !chart.description.isEmpty() && !chart.empty.isEmpty();
}

Report withMonth(std::vector<pricing::MonthItem> items, const Quantity& total)
{
    Report report;
    report.month.items = std::move(items);
    report.month.total = total;
    return report;
}

pricing::AdviceRow advice(const char* title, pricing::Level priority, pricing::Level effort,
                          double usd)
{
    pricing::AdviceRow row;
    row.title = title;
    row.priority = priority;
    row.effort = effort;
    row.savingUsd = figure(usd, Unit::Usd);
    row.share = usd / 100;
    return row;
}

} // namespace

class TestPanelViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theLargestSliceComesFirst()
    {
        const Report report = withMonth({{"storage", figure(2, Unit::Usd)},
                                         {"training", figure(6, Unit::Usd)},
                                         {"idle", unknown(Unit::Usd, "no hours")}},
                                        figure(8, Unit::Usd));
        const CostView view = makeCostView(report, nullptr, English);
        QCOMPARE(view.verdict, QStringLiteral("Training is 75 % of the month: start there"));
        QCOMPARE(view.chart.series.size(), std::size_t{2}); // what isn't known is no slice of zero
        QCOMPARE(view.chart.series[0].name, QStringLiteral("Training"));
        QCOMPARE(view.chart.series[1].points[0].label, QStringLiteral("$2.00"));
        QCOMPARE(view.chart.middle, QStringLiteral("$8.00\nper month"));
        QCOMPARE(view.lacking, QStringLiteral("Unavailable: idle · no hours"));
        QCOMPARE(view.total.value, QStringLiteral("$8.00"));
    }

    // What lacks comes first; then why, once where that is the same.
    void lackingItemsSayWhy()
    {
        const auto lackingOf = [](const char* storage) {
            return makeCostView(withMonth({{"training", figure(6, Unit::Usd)},
                                           {"transfer", unknown(Unit::Usd, "no tariff")},
                                           {"storage", unknown(Unit::Usd, storage)}},
                                          figure(6, Unit::Usd)),
                                nullptr, English)
                .lacking;
        };
        QCOMPARE(lackingOf("no tariff"),
                 QStringLiteral("Unavailable: data transfer, storage · no tariff"));
        QCOMPARE(lackingOf("no size"),
                 QStringLiteral("Unavailable: data transfer, storage · data transfer: "
                                "no tariff · storage: no size"));
    }

    // The colour follows the thing, whatever its rank.
    void anItemKeepsItsColour()
    {
        const auto colourOf = [](double training) {
            const Report report = withMonth(
                {{"training", figure(training, Unit::Usd)}, {"storage", figure(5, Unit::Usd)}},
                figure(10, Unit::Usd));
            for (const ChartSeries& s : makeCostView(report, nullptr, English).chart.series) {
                if (s.name == QStringLiteral("Training"))
                    return s.colour;
            }
            return std::size_t{99};
        };
        QCOMPARE(colourOf(1), colourOf(100));
    }

    void noMoreThanFiveSlices()
    {
        std::vector<pricing::MonthItem> items;
        for (int i = 1; i <= 9; ++i)
            items.push_back({"item " + std::to_string(i), figure(i, Unit::Usd)});
        const auto chart =
            makeCostView(withMonth(items, figure(45, Unit::Usd)), nullptr, English).chart;
        QCOMPARE(chart.series.size(), std::size_t{5});
        double all = 0;
        for (const ChartSeries& slice : chart.series)
            all += slice.points.front().y;
        QCOMPARE(all, 45.0);
        QCOMPARE(chart.series.back().name, QStringLiteral("Other"));
    }

    void anUnknownMonthSaysWhy()
    {
        const CostView view =
            makeCostView(withMonth({{"training", unknown(Unit::Usd, "no offer fits")}},
                                   unknown(Unit::Usd, "no offer fits")),
                         nullptr, English);
        QVERIFY(view.chart.isEmpty());
        QCOMPARE(view.verdict, QStringLiteral("Unavailable: no offer fits"));
        QCOMPARE(view.total.value, QStringLiteral("–"));
        QVERIFY(view.chart.middle.isEmpty());
    }

    void scores_data()
    {
        QTest::addColumn<double>("score");
        QTest::addColumn<QString>("text");
        QTest::newRow("low") << 12.4 << QStringLiteral("12");
        QTest::newRow("high") << 99.6 << QStringLiteral("100");
        QTest::newRow("unknown") << std::nan("") << QStringLiteral("–");
    }
    void scores()
    {
        QFETCH(double, score);
        QFETCH(QString, text);
        Report report;
        report.efficiency.score = std::isnan(score) ? unknown(Unit::Percent, "no measurement")
                                                    : Quantity::exact(score, Unit::Percent, {});
        report.efficiency.band = std::isnan(score) ? "" : "good";
        const EfficiencyView view = makeEfficiencyView(report, nullptr, English);
        QCOMPARE(view.whole.text, text);
        QCOMPARE(view.figure.value, text);
        QCOMPARE(view.whole.score.has_value(), !std::isnan(score));
        QVERIFY(view.verdict.startsWith(std::isnan(score)
                                            ? QStringLiteral("Unavailable: no measurement")
                                            : QStringLiteral("Good")));
    }

    void theWeakestPartIsNamed()
    {
        Report report;
        report.efficiency.score = figure(70, Unit::Percent);
        report.efficiency.band = "needs-improvement";
        report.efficiency.parts = {{"compute", figure(40, Unit::Percent), 1, "", "a larger batch"},
                                   {"money", figure(10, Unit::Percent), 0.1, "", "spot"},
                                   {"carbon", unknown(Unit::Percent, "no grid"), 9, "", "move"}};
        const EfficiencyView view = makeEfficiencyView(report, nullptr, English);
        QCOMPARE(view.verdict, QStringLiteral("Needs improvement; next: try a larger batch"));
        QCOMPARE(view.parts[2].text, QStringLiteral("–"));
        QCOMPARE(view.parts[2].remedy, QStringLiteral("no grid"));
        QCOMPARE(view.parts[1].score, std::optional(10.0));
    }

    void whatPassesItsMarkIsTold()
    {
        Report report;
        report.benchmarks = {{"step time", figure(50, Unit::Milliseconds),
                              figure(40, Unit::Milliseconds), true, "a"},
                             {"rate", figure(9, Unit::SamplesPerSecond),
                              figure(8, Unit::SamplesPerSecond), false, "a"},
                             {"energy", unknown(Unit::KilowattHours, "no meter"),
                              figure(1, Unit::KilowattHours), true, "b"}};
        const ResourcesView view = makeResourcesView(report, English);
        QCOMPARE(view.chart.categories.size(), std::size_t{2});
        QCOMPARE(view.chart.series[0].points[0].y, 125.0);
        QVERIFY(view.chart.series[0].points[0].label.endsWith(QStringLiteral("worse")));
        QVERIFY(!view.chart.series[0].points[1].label.contains(QStringLiteral("worse")));
        QCOMPARE(view.verdict, QStringLiteral("1 of 2 is worse than its mark: step time"));
        QVERIFY(view.sources.contains(QStringLiteral("Unavailable: energy")));
        QVERIFY(isInside(view.chart));
    }

    void longBarsAreCutAndSaySo()
    {
        Report report;
        report.benchmarks = {{"x", figure(5000, Unit::One), figure(1, Unit::One), true, ""}};
        const ChartModel chart = makeResourcesView(report, English).chart;
        QVERIFY(isInside(chart));
        QVERIFY(chart.y.title.contains(QStringLiteral("cut")));
        QCOMPARE(chart.series[0].points[0].y, 300.0);
        report.benchmarks.front().value = figure(2.4, Unit::One); // its interval ends at 2.88
        QVERIFY(!makeResourcesView(report, English).chart.y.title.contains(QStringLiteral("cut")));
        QVERIFY(chart.series[0].points[0].label.startsWith(QStringLiteral("5,000")));
    }

    void placesAreInOrder()
    {
        Report report;
        report.carbon.kgCo2e = figure(0.03, Unit::KilogramsCo2e);
        report.carbon.gridBasis = "location";
        for (int i = 1; i <= 40; ++i)
            report.carbon.elsewhere.push_back({.region = "r" + std::to_string(i),
                                               .location = "Place " + std::to_string(i),
                                               .kg = figure(0.002 * i, Unit::KilogramsCo2e)});
        report.carbon.elsewhere.push_back({.region = "?", .location = "Nowhere"});
        const CarbonView view = makeCarbonView(report, nullptr, English);
        const auto& points = view.chart.series.front().points;
        QCOMPARE(points.size(), std::size_t{4});
        QVERIFY(std::is_sorted(points.begin(), points.end(),
                               [](const auto& a, const auto& b) { return a.y < b.y; }));
        QCOMPARE(view.chart.categories[1], QStringLiteral("As planned"));
        QVERIFY(view.verdict.contains(QStringLiteral("93 % less in Place 1")));
        QVERIFY(isInside(view.chart));
        QCOMPARE(view.figures.size(), std::size_t{4});
        QCOMPARE(view.figures[0].basis, Basis::Unavailable); // the energy wasn't given
    }

    void adviceKeepsItsOrder()
    {
        using pricing::Level;
        Report report;
        report.advice = {advice("first", Level::High, Level::High, 50),
                         advice("plan", Level::High, Level::Low, 1),
                         advice("later", Level::Low, Level::Low, 100)};
        const AdviceView view = makeAdviceView(report, English);
        QCOMPARE(view.items[0].title, QStringLiteral("first"));
        QCOMPARE(view.items[1].title, QStringLiteral("plan"));
        QCOMPARE(view.items[2].title, QStringLiteral("later"));
        QCOMPARE(view.items[0].saving, QStringLiteral("saves $50.00 a month"));
        double largest = 0;
        for (const ChartPoint& point : view.chart.series.front().points) {
            QVERIFY(point.weight > 0 && point.weight <= 1);
            QVERIFY(point.x > view.chart.x.low && point.x < view.chart.x.high);
            QVERIFY(point.y > view.chart.y.low && point.y < view.chart.y.high);
            if (point.weight > largest)
                largest = point.weight;
        }
        QCOMPARE(largest, 1.0);
    }

    void theAdviceIsSummedUp()
    {
        using pricing::Level;
        Report report;
        QVERIFY(makeAdviceView(report, English).verdict.startsWith(QStringLiteral("Nothing")));
        report.advice = {advice("only", Level::High, Level::Low, 7)};
        QCOMPARE(makeAdviceView(report, English).verdict,
                 QStringLiteral("One way; it saves $7.00 a month"));
        report.advice.push_back(advice("next", Level::Low, Level::Low, 9));
        QCOMPARE(makeAdviceView(report, English).verdict,
                 QStringLiteral("2 ways; the first saves $7.00 a month"));
        report.advice.front().savingKgCo2e = figure(-0.00234, Unit::KilogramsCo2e);
        QCOMPARE(makeAdviceView(report, English).items.front().saving,
                 QStringLiteral("saves $7.00 a month · emits 2.34 g CO₂e a month more"));
        report.advice.front().savingUsd = figure(-7, Unit::Usd);
        report.advice.front().savingKgCo2e = figure(0.00234, Unit::KilogramsCo2e);
        QCOMPARE(makeAdviceView(report, English).items.front().saving,
                 QStringLiteral("saves 2.34 g CO₂e a month · costs $7.00 a month more"));
        // What lets a design fit has nothing before it that it could save of.
        report.advice.front().savingUsd = core::Quantity::unavailable(core::Unit::Usd, "no cost");
        report.advice.front().savingKgCo2e =
            core::Quantity::unavailable(core::Unit::KilogramsCo2e, "no energy");
        report.advice.front().enables = pricing::Enables::Fit;
        QCOMPARE(makeAdviceView(report, English).verdict,
                 QStringLiteral("2 ways; the first makes it possible at all"));
        QCOMPARE(makeAdviceView(report, English).items.front().saving,
                 QStringLiteral("makes it possible at all"));
        // And what keeps a promise is said before what it costs.
        report.advice.front().enables = pricing::Enables::Latency;
        report.advice.front().savingUsd = figure(-7, Unit::Usd);
        QCOMPARE(makeAdviceView(report, English).verdict,
                 QStringLiteral("2 ways; the first lets it answer in time"));
        QCOMPARE(makeAdviceView(report, English).items.front().saving,
                 QStringLiteral("lets it answer in time · costs $7.00 a month more"));
        QCOMPARE(makeAdviceView(report, English).items.front().share, QStringLiteral("in time"));
        report.advice.front().enables = pricing::Enables::Nothing;
        report.advice.front().savingUsd = core::Quantity::unavailable(core::Unit::Usd, "no cost");
        // A measured share is known without a price.
        report.advice.front().savingTimePercent = figure(30, Unit::Percent);
        QCOMPARE(makeAdviceView(report, English).verdict,
                 QStringLiteral("2 ways; the first saves 30 % of a run here"));
        report.advice.front().most = pricing::SavedThing::Time;
        report.advice.front().savingTimeS = figure(97.7, Unit::Seconds);
        report.advice.front().savingTimePercent =
            core::Quantity::within(97.7, 97, 98, Unit::Percent, core::Basis::Measured, {});
        QCOMPARE(makeAdviceView(report, English).verdict,
                 QStringLiteral("2 ways; the first makes a run here 43 times as fast, "
                                "measured"));
        QCOMPARE(makeAdviceView(report, English).items.front().saving,
                 QStringLiteral("saves 1 min 38 s of a run here (43 times as fast)"));
    }

    // Where a line is all the room, it says the share of what the sentence begins with, not of another.
    void aShareIsOfWhatIsSaidFirst()
    {
        using pricing::Level;
        Report report;
        report.advice = {advice("only", Level::High, Level::Low, 7)};
        pricing::AdviceRow& row = report.advice.front();
        const auto share = [&] { return makeAdviceView(report, English).items.front().share; };
        row.share = 0.96;
        row.most = pricing::SavedThing::Money;
        row.savingPercent = figure(84, Unit::Percent);
        row.savingTimePercent = figure(30, Unit::Percent);
        QCOMPARE(share(), QStringLiteral("84 % cost"));
        row.most = pricing::SavedThing::Time;
        QCOMPARE(share(), QStringLiteral("30 % time"));
        row.most = pricing::SavedThing::Carbon;
        QCOMPARE(share(), QStringLiteral("96 % CO₂e"));
        row.share = 0.004;
        QCOMPARE(share(), QString());
        row.most = pricing::SavedThing::Money;
        row.savingPercent = core::Quantity::unavailable(Unit::Percent, "no cost");
        QCOMPARE(share(), QString());
    }

    void noBubbleHidesAnother()
    {
        Report report;
        for (int i = 0; i < 20; ++i)
            report.advice.push_back(advice("a", pricing::Level::High, pricing::Level::Low, i));
        const AdviceView view = makeAdviceView(report, English);
        const auto& points = view.chart.series.front().points;
        QCOMPARE(points.size(), std::size_t{20});
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(points[i].x != points[j].x || points[i].y != points[j].y);
        }
        QVERIFY(makeAdviceView({}, English).chart.isEmpty());
    }

    void trafficIsRead()
    {
        Report report;
        for (const double traffic : {1e3, 1e5, 1e7})
            report.serving.scaling.push_back({.requestsPerDay = traffic,
                                              .instance = "g4dn.xlarge",
                                              .instances = figure(traffic > 1e6 ? 9 : 1, Unit::One),
                                              .p95Ms = unknown(Unit::Milliseconds, "no latency"),
                                              .usdPerMonth = figure(traffic / 100, Unit::Usd)});
        const ScalingView view = makeScalingView(report, English);
        QCOMPARE(view.table.rows.size(), std::size_t{3});
        QCOMPARE(view.cost.series.front().points.size(), std::size_t{3});
        QVERIFY(view.latency.isEmpty());
        QCOMPARE(view.table.rows[0][4].text, QStringLiteral("unavailable"));
        QCOMPARE(view.table.rows[0][4].hint, QStringLiteral("no latency"));
        QVERIFY(view.verdict.contains(QStringLiteral("From 10,000,000 requests a day")));
        QVERIFY(isInside(view.cost));
        report.serving.scaling.pop_back();
        QCOMPARE(makeScalingView(report, English).verdict,
                 QStringLiteral("One g4dn.xlarge holds all of the traffic shown"));
        // Tokens bought: where a machine costs as much, and how sure it is how full that makes it.
        report.serving.hosted.crossingPerDay = Quantity::exact(5000, Unit::One, {});
        report.serving.hosted.crossingShare =
            Quantity::within(60, 40, 90, Unit::Percent, core::Basis::Forecast, {});
        QVERIFY(makeScalingView(report, English)
                    .verdict.endsWith(QStringLiteral(
                        "; a machine that answers 5,000 requests a day, 60 % (40 to 90 %) of what "
                        "it can, costs as much as their tokens")));
        report.serving.hosted.crossingShare =
            Quantity::within(900, 101, 990, Unit::Percent, core::Basis::Forecast, {});
        QVERIFY(makeScalingView(report, English)
                    .verdict.endsWith(QStringLiteral("they always cost less than such a machine")));
    }

    void thePlanIsTables()
    {
        Report report = withMonth({{"training", figure(6, Unit::Usd)}}, figure(6, Unit::Usd));
        report.plan.environments = {
            {.name = "staging", .offer = "aws/g4dn.xlarge/spot", .count = 2}};
        report.month.environments = {{"staging", "g4dn.xlarge", 352, figure(185.152, Unit::Usd)}};
        report.alerts = {{"cost", figure(5, Unit::Usd), figure(6, Unit::Usd), "exceeded", "stop"}};
        report.risks = {{"spot", "it may end", pricing::Level::High, "save often"}};
        const PlanView view = makePlanView(report, English);
        QCOMPARE(view.tables.size(), std::size_t{4});
        for (const PlanTable& table : view.tables) {
            QVERIFY(!table.empty.isEmpty() || !table.table.rows.empty());
            for (const auto& row : table.table.rows)
                QCOMPARE(row.size(), table.table.columns.size());
        }
        QCOMPARE(view.environments.size(), std::size_t{1});
        const EnvironmentView& staging = view.environments.front();
        QCOMPARE(staging.machine, QStringLiteral("aws/g4dn.xlarge"));
        QCOMPARE(staging.purchase, QStringLiteral("spot"));
        QCOMPARE(staging.cost, QStringLiteral("$185.15 a month"));
        QCOMPARE(view.verdict, QStringLiteral("$6.00 a month; 1 of 1 limits not kept, 0 near"));
    }

    void environmentsComeAndGo()
    {
        Environments all = withOneMore({});
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].name, std::string("development"));
        all = withOneMore(withOneMore(std::move(all)));
        QCOMPARE(all[2].name, std::string("environment 3"));
        const Environments fewer = without(all, 1);
        QVERIFY((fewer == Environments{all[0], all[2]}));
    }

    // What is shown is what is written, and what can't be read changes nothing.
    void environmentsAreEditedInWords()
    {
        core::Plan plan;
        for (const char* offer : {"", "g4dn.xlarge", "aws/g4dn.xlarge", "aws/g4dn.xlarge/us-east-1",
                                  "aws/g4dn.xlarge/us-east-1/reserved_3y", "big-box/spot"})
            plan.environments.push_back({.name = "one",
                                         .offer = offer,
                                         .count = 1200,
                                         .hoursPerDay = 7.5,
                                         .daysPerMonth = 22});
        const QLocale german(QLocale::German, QLocale::Germany);
        for (const QLocale& locale : {English, german}) {
            const auto views = makeEnvironmentViews(plan, {}, locale);
            for (std::size_t i = 0; i < views.size(); ++i)
                QVERIFY2(environmentOf(views[i], views[i], plan.environments[i], locale) ==
                             plan.environments[i],
                         plan.environments[i].offer.c_str());
        }
        const EnvironmentView shown = makeEnvironmentViews(plan, {}, English).front();
        EnvironmentView view = shown;
        view.count = QStringLiteral("many");
        view.hoursPerDay = QString();
        view.daysPerMonth = QStringLiteral("-3");
        QVERIFY(environmentOf(view, shown, plan.environments.front(), English) ==
                plan.environments.front());
        for (const char* count : {"1.5", "1e30", "inf"}) {
            view.count = QLatin1String(count);
            const std::int64_t made =
                environmentOf(view, shown, plan.environments.front(), English).count;
            QVERIFY2(made == 1200 || made == 1'000'000'000, count);
        }
        // What is shown with fewer digits is kept with all of them.
        core::Environment exact{.name = "one", .hoursPerDay = 7.3333, .daysPerMonth = 30.4167};
        plan.environments = {exact};
        const EnvironmentView rounded = makeEnvironmentViews(plan, {}, English).front();
        EnvironmentView renamed = rounded;
        renamed.name = QStringLiteral("two");
        exact.name = "two";
        QVERIFY(environmentOf(renamed, rounded, plan.environments.front(), English) == exact);
    }

    // A share of one provider leaves the others'; with none left there is no split.
    void theSplitIsEditedByRow()
    {
        core::Plan plan;
        const core::Experiment e = core::preset("mlp")->experiment;
        const auto one = core::edited(e, splitPatch(plan, 1, 40));
        QVERIFY(one.has_value());
        QCOMPARE(one->plan.split->gcpPercent, 40.0);
        QCOMPARE(one->plan.split->awsPercent, 0.0);
        const auto two = core::edited(*one, splitPatch(one->plan, 0, 60));
        QVERIFY(two.has_value() && two->plan.split->gcpPercent == 40.0);
        const auto none = core::edited(*one, splitPatch(one->plan, 1, 0));
        QVERIFY(none.has_value() && !none->plan.split);
    }

    void nothingIsNeverZero()
    {
        const Report nothing;
        QVERIFY(makeCostView(nothing, nullptr, English).chart.isEmpty());
        QVERIFY(makeCarbonView(nothing, nullptr, English).chart.isEmpty());
        QVERIFY(makeResourcesView(nothing, English).chart.isEmpty());
        QVERIFY(makeScalingView(nothing, English).cost.isEmpty());
        QVERIFY(!makeEfficiencyView(nothing, nullptr, English).whole.score.has_value());
        for (const QString& verdict : {makeCostView(nothing, nullptr, English).verdict,
                                       makeCarbonView(nothing, nullptr, English).verdict,
                                       makeResourcesView(nothing, English).verdict,
                                       makeScalingView(nothing, English).verdict,
                                       makeEfficiencyView(nothing, nullptr, English).verdict})
            QVERIFY2(verdict.startsWith(QStringLiteral("Unavailable: ")), qPrintable(verdict));
    }
};

OUTLAY_TEST(TestPanelViews)
#include "tst_panel_views.moc"
