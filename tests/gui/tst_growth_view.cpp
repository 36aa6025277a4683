// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/growth_chart.h"
#include "gui/view/growth_view.h"
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
using pricing::ScalingReport;
using tests::figure;
using tests::unknown;

namespace {

pricing::MixingCost mixingCost(double flops, double state)
{
    return {figure(flops, Unit::Flops),         figure(flops, Unit::Flops),
            figure(state, Unit::Bytes),         figure(1e6, Unit::Bytes),
            figure(state / 100, Unit::Seconds), figure(2e6, Unit::Bytes)};
}

pricing::LengthCost lengthCost(double usd)
{
    return {figure(usd, Unit::Hours), figure(usd, Unit::Usd), figure(1e9 * usd, Unit::Bytes),
            core::Fits::Yes};
}

pricing::LengthCost tooLong()
{
    return {unknown(Unit::Hours, "it needs 92 GB"), unknown(Unit::Usd, "it needs 92 GB"),
            figure(92e9, Unit::Bytes), core::Fits::No};
}

/// 16 devices of 80 GB as eight sharers in two stages; without stages it takes a fifth longer, a copy has no room.
pricing::LayoutReport layouts()
{
    const auto row = [](const core::Layout& layout, core::Fits fits, double gb, double seconds) {
        return pricing::LayoutRow{.layout = layout,
                                  .batch = 2,
                                  .passes = 4,
                                  .fits = fits,
                                  .memory = figure(gb * 1e9, Unit::Bytes),
                                  .stepSeconds = figure(seconds, Unit::Seconds),
                                  .waitingSeconds = figure(seconds / 4, Unit::Seconds),
                                  .hours = figure(seconds, Unit::Hours),
                                  .usd = figure(100 * seconds, Unit::Usd)};
    };
    pricing::LayoutReport all{
        .device = "A100", .machine = "2 x aws p4d.24xlarge", .devices = 16, .memoryGb = 80};
    all.rows = {row({.tensor = 8, .stages = 2, .chunks = 2}, core::Fits::Yes, 40, 10),
                row({.tensor = 8, .sharding = core::Sharding::Optimizer}, core::Fits::Yes, 60, 12),
                row({}, core::Fits::No, 900, 9)};
    all.holds = {{"weights", figure(30e9, Unit::Bytes)},
                 {"activations", figure(10e9, Unit::Bytes)}};
    all.does = {{"kernels", figure(7.5, Unit::Seconds)},
                {"idle_stages", figure(2.5, Unit::Seconds)}};
    return all;
}

ScalingReport growthReport()
{
    ScalingReport r;
    r.mixing.own = "attention";
    r.mixing.twin = "each self-attention is exchanged for an LSTM of equal width";
    r.mixing.rows = {{64, mixingCost(100, 10), mixingCost(50, 640)},
                     {128, mixingCost(100, 10), mixingCost(150, 1280)}};
    r.mixing.crossings = {{"flops", Quantity::exact(97, Unit::One, {})},
                          {"state", Quantity::exact(1, Unit::One, {})},
                          {"activations", unknown(Unit::One, "never")},
                          {"seconds", figure(128, Unit::One)}};
    r.ladder.rows = {{"T4", 16, {4, 8, 4, 2, 1}}};
    r.layouts = layouts();
    r.lengths.machine = "aws g4dn.xlarge in us-east-1";
    r.lengths.rows = {{64, false, unknown(Unit::Seconds, "not measured"), lengthCost(1), tooLong()},
                      {100, true, figure(7200, Unit::Seconds), lengthCost(2), lengthCost(3)},
                      {128, false, unknown(Unit::Seconds, "not measured"), tooLong(), tooLong()}};
    r.devices.device = "T4";
    r.devices.machine = r.lengths.machine;
    for (const std::int64_t n : {1, 2, 8}) {
        const auto count = static_cast<double>(n);
        r.devices.rows.push_back(
            {n,
             n,
             {figure(1, Unit::Seconds), figure(0.1, Unit::Seconds), figure(1.1, Unit::Seconds),
              figure(1, Unit::Seconds), figure(0.8 * count, Unit::One)},
             figure(10 / count, Unit::Hours),
             figure(5 * count, Unit::Usd)});
    }
    return r;
}

const ChartSeries* seriesOf(const ChartModel& chart, const char* name)
{
    for (const ChartSeries& series : chart.series) {
        if (series.name == QLatin1String(name))
            return &series;
    }
    return nullptr;
}

bool isDrawable(const ChartModel& chart)
{
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            const double low = point.low.value_or(point.y);
            const double high = point.high.value_or(point.y);
            if (point.x < chart.x.low || point.x > chart.x.high || low < chart.y.low ||
                high > chart.y.high)
                return false;
        }
    }
    return !chart.isEmpty() && !chart.title.isEmpty() && !chart.description.isEmpty();
}

} // namespace

class TestGrowthView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPartIsWhole()
    {
        for (const GrowthPart& part : makeGrowthView(growthReport(), English)) {
            QVERIFY(!part.verdict.isEmpty() && !part.title.isEmpty() && !part.table.rows.empty());
            QCOMPARE(part.charts.size(), std::size_t{part.id == QStringLiteral("mixing")   ? 4U
                                                     : part.id == QStringLiteral("ladder") ? 0U
                                                                                           : 3U});
            for (const ChartModel& chart : part.charts)
                QVERIFY2(isDrawable(chart), qPrintable(chart.title));
            for (const auto& row : part.table.rows)
                QCOMPARE(row.size(), part.table.columns.size());
        }
    }

    // Of the fewest the smallest, in words; where none is enough there is no number.
    void theLadderNamesTheEasiest()
    {
        ScalingReport scaling;
        scaling.ladder.rows = {{"T4", 16, {16, std::nullopt, 16, 4, 1}},
                               {"L4", 24, {16, 32, 16, 1, 1}},
                               {"H200", 141, {1, 2, 1, 1, 1}}};
        const GrowthPart part = makeGrowthView(scaling, English).back();
        QCOMPARE(part.verdict,
                 QStringLiteral("At least one H200 holds the plan; all of it with nothing computed "
                                "again takes 2 x H200, all of it with checkpointing takes one "
                                "H200, LoRA takes one L4, QLoRA takes one T4"));
        QCOMPARE(part.table.rows.size(), std::size_t{3});
        QCOMPARE(part.table.rows[0][3].text, QStringLiteral("–"));
        QVERIFY(!part.table.rows[0][3].order);
        QCOMPARE(part.table.rows[0][2].text, QStringLiteral("16"));
        QCOMPARE(part.table.rows[2][1].text, QStringLiteral("141 GB"));
        scaling.ladder.rows.resize(2);
        scaling.ladder.rows[0].devices[0] = scaling.ladder.rows[1].devices[0] = std::nullopt;
        const QString none = makeGrowthView(scaling, English).back().verdict;
        QVERIFY2(none.startsWith(QStringLiteral(
                     "Not even 1,024 of any accelerator for rent hold the plan; all of it")),
                 qPrintable(none));
    }

    // The plan's way, what it has and waits for, and what the next best costs.
    void theLayoutIsToldWithItsNext()
    {
        ScalingReport scaling = growthReport();
        const auto part = [&] { return makeGrowthView(scaling, English)[3]; };
        QCOMPARE(part().id, QStringLiteral("layouts"));
        QCOMPARE(
            part().verdict,
            QStringLiteral("16 x A100 (2 x aws p4d.24xlarge): tensor 8 x pipeline 2 in 2 "
                           "chunks, 40.0 GB of 80.0 GB on each; 25 % of a step is waiting; the "
                           "next best, tensor 8, optimizer sharded, costs $200.00 (20 %) more"));
        QCOMPARE(part().table.rows[0][0].text,
                 QStringLiteral("The plan: tensor 8 x pipeline 2 in 2 chunks"));
        QCOMPARE(part().table.rows[0][1].text, QStringLiteral("1"));
        QCOMPARE(part().table.rows[1][1].text, QStringLiteral("2"));
        QCOMPARE(part().table.rows[2][0].text, QStringLiteral("a copy on each"));
        QVERIFY(part().table.rows[2][4].text.endsWith(QStringLiteral(", too much")));
        // What doesn't fit is no alternative.
        QCOMPARE(part().charts[2].categories.size(), std::size_t{2});
        QCOMPARE(part().action, QStringLiteral("Keep this layout"));
        std::swap(scaling.layouts.rows[1].usd, scaling.layouts.rows[2].usd);
        QVERIFY(part().verdict.endsWith(
            QStringLiteral("; tensor 8, optimizer sharded would cost $100.00 (10 %) less")));
        // What a run would cost that can't be isn't compared with.
        scaling.layouts.rows[0].fits = core::Fits::No;
        QVERIFY(part().verdict.contains(
            QStringLiteral("in 2 chunks doesn't fit, 40.0 GB of 80.0 GB on each")));
        QVERIFY(part().verdict.endsWith(QStringLiteral("; tensor 8, optimizer sharded fits")));
        QVERIFY(part().action.isEmpty());
        scaling.layouts.isAsked = true;
        QCOMPARE(part().action, QStringLiteral("Let the layout be chosen"));
        scaling.layouts.rows.erase(scaling.layouts.rows.begin() + 1);
        scaling.layouts.untried = "adapters aren't divided otherwise";
        QVERIFY(part().verdict.endsWith(
            QStringLiteral("no other way is known to fit; adapters aren't divided otherwise")));
    }

    // What nobody measured is no claim.
    void timesAreToldWhereMeasured()
    {
        ScalingReport scaling = growthReport();
        QVERIFY(makeGrowthView(scaling, English)[1].verdict.contains(
            QStringLiteral("time here from 128 tokens")));
        scaling.mixing.crossings.back().tokens =
            unknown(Unit::One, "attention took no longer, up to 128 tokens");
        const QString sofar = makeGrowthView(scaling, English)[1].verdict;
        QVERIFY2(
            sofar.endsWith(QStringLiteral("; here attention took no longer, up to 128 tokens")) &&
                !sofar.contains(QStringLiteral("time here")),
            qPrintable(sofar));
        for (pricing::MixingRow& row : scaling.mixing.rows)
            row.attention.passSeconds = unknown(Unit::Seconds, "it may need 92 GB");
        const GrowthPart part = makeGrowthView(scaling, English)[1];
        QVERIFY2(!part.verdict.contains(QStringLiteral("time here")), qPrintable(part.verdict));
    }

    void withoutFiguresThereAreReasons()
    {
        ScalingReport nothing;
        nothing.mixing.twin = "no layer of this design looks at several tokens";
        nothing.lengths.why = "this design has no tokens";
        nothing.devices.why = "No offer is of the plan's providers";
        nothing.layouts.why = "the plan trains on one device";
        nothing.ladder.why = "the plan fits on one T4";
        const auto parts = makeGrowthView(nothing, English);
        const auto full = makeGrowthView(growthReport(), English);
        const std::array whys{nothing.lengths.why, nothing.mixing.twin, nothing.devices.why,
                              nothing.layouts.why, nothing.ladder.why};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QCOMPARE(parts[i].id, full[i].id);
            QCOMPARE(parts[i].charts.size(), full[i].charts.size());
            QCOMPARE(parts[i].verdict,
                     QStringLiteral("Unavailable: ") + QString::fromStdString(whys.at(i)));
            QVERIFY(parts[i].table.rows.empty());
            for (const ChartModel& chart : parts[i].charts) {
                QVERIFY(chart.isEmpty());
                QCOMPARE(chart.empty, parts[i].verdict);
            }
        }
        QVERIFY(!makeGrowthView({}, English).front().verdict.isEmpty());
    }

    void theTwinsCross()
    {
        const GrowthPart part = makeGrowthView(growthReport(), English)[1];
        QCOMPARE(part.charts[0].limits.size(), std::size_t{1});
        QCOMPARE(part.charts[0].limits[0].at, 97.0);
        QVERIFY(part.charts[1].limits.empty()); // below the axis
        QVERIFY(part.charts[2].limits.empty());
        QVERIFY(part.verdict.contains(QStringLiteral("work from 97 tokens")));
        QVERIFY(part.verdict.contains(QStringLiteral("cache at every length")));
        QVERIFY(part.verdict.contains(QStringLiteral("never more activations")));
        QCOMPARE(part.charts[0].series[0].points[0].y, 100.0);
        QCOMPARE(part.charts[0].series[1].points[0].y, 50.0);
    }

    void whatDoesntFitIsNoPoint()
    {
        const GrowthPart part = makeGrowthView(growthReport(), English)[0];
        const ChartSeries* design = seriesOf(part.charts[0], "This design");
        const ChartSeries* twin = seriesOf(part.charts[0], "Recurrent twin");
        const ChartSeries* here = seriesOf(part.charts[0], "This design here");
        QVERIFY(design != nullptr && twin != nullptr && here != nullptr);
        QCOMPARE(design->points.size(), std::size_t{2});
        QCOMPARE(twin->points.size(), std::size_t{1});
        QCOMPARE(here->points.size(), std::size_t{1});
        QCOMPARE(here->points[0].x, 100.0);
        QCOMPARE(here->points[0].y, 2.0);
        QVERIFY(seriesOf(part.charts[1], "This design here") == nullptr);
        QCOMPARE(seriesOf(part.charts[2], "This design")->points.size(), std::size_t{3});
        QCOMPARE(part.charts[0].limits.front().at, 100.0);
        QCOMPARE(part.table.rows[2][2].text, QStringLiteral("unavailable"));
        QCOMPARE(part.table.rows[2][2].hint, QStringLiteral("it needs 92 GB"));
        QVERIFY(part.verdict.contains(QStringLiteral("$1.00 with 64 tokens")));
        QVERIFY(part.verdict.endsWith(QStringLiteral("longer sequences don't fit")));
        // The attention that is the design's own has the colour of the attention beside it.
        const GrowthPart mixing = makeGrowthView(growthReport(), English)[1];
        QCOMPARE(design->colour, seriesOf(mixing.charts[0], "Attention")->colour);
        QCOMPARE(twin->colour, seriesOf(mixing.charts[0], "Recurrent")->colour);
    }

    void devicesAgainstNothingLost()
    {
        const GrowthPart part = makeGrowthView(growthReport(), English)[2];
        const ChartSeries* faster = seriesOf(part.charts[0], "Forecast");
        const ChartSeries* ideal = seriesOf(part.charts[0], "Nothing lost");
        QVERIFY(faster != nullptr && ideal != nullptr);
        constexpr std::size_t Colours = 6; // that a theme has for series
        for (const ChartModel& chart : part.charts) {
            for (const ChartSeries& series : chart.series)
                QVERIFY(series.colour < Colours);
        }
        QCOMPARE(ideal->points.back().y, 8.0);
        QCOMPARE(faster->points.back().y, 6.4);
        QCOMPARE(faster->points.back().label, QStringLiteral("6.4"));
        QCOMPARE(part.table.rows.back().front().text, QStringLiteral("8 x T4"));
        QCOMPARE(part.table.rows.back()[5].text, QStringLiteral("6.4"));
        QVERIFY2(part.verdict.startsWith(
                     QStringLiteral("8 x T4 end a run in 13 % of the time of one (8 times the "
                                    "samples a second), for 8 times the cost")),
                 qPrintable(part.verdict));
    }

    void processesHereStandBesideTheOffer()
    {
        ScalingReport r = growthReport();
        r.devices.here = {r.devices.rows[0], r.devices.rows[1]};
        r.devices.here[1].usd = unknown(Unit::Usd, "no price");
        const GrowthPart part = makeGrowthView(r, English)[2];
        QVERIFY(seriesOf(part.charts[0], "Processes here") != nullptr);
        QVERIFY(seriesOf(part.charts[1], "Processes here") != nullptr);
        QCOMPARE(part.table.rows.size(), std::size_t{5});
        QCOMPARE(part.table.rows[3][0].text, QStringLiteral("1 process here"));
        QCOMPARE(part.table.rows[4][7].text, QStringLiteral("unavailable"));
        QVERIFY(
            part.verdict.endsWith(QStringLiteral("2 processes here: 1.6 times as fast as one")));
    }

    void axes_data()
    {
        QTest::addColumn<bool>("isLog");
        QTest::addColumn<double>("highest");
        QTest::addColumn<QString>("title");
        QTest::addColumn<double>("y");
        QTest::newRow("bytes") << false << 900.0 << "Memory (B)" << 900.0;
        QTest::newRow("gigabytes") << false << 4e9 << "Memory (GB)" << 4.0;
        QTest::newRow("middle of decades") << true << 1e9 << "Memory (MB)" << 1000.0;
    }
    void axes()
    {
        QFETCH(bool, isLog);
        QFETCH(double, highest);
        QFETCH(QString, title);
        QFETCH(double, y);
        const auto bytes = [](double value) { return Quantity::exact(value, Unit::Bytes, {}); };
        const GrowthLine line{QStringLiteral("a"),
                              0,
                              {{1, bytes(0)}, {2, bytes(highest / 1e3)}, {3, bytes(highest)}}};
        const ChartModel chart = makeGrowthChart(
            {.title = QStringLiteral("t"),
             .over = QStringLiteral("x"),
             .what = QStringLiteral("Memory"),
             .unit = QStringLiteral("B")},
            isLog ? GrowthScale::Logarithmic : GrowthScale::Linear, {line}, English);
        QCOMPARE(chart.y.title, title);
        QCOMPARE(chart.series[0].points.back().y, y);
        QCOMPARE(chart.series[0].points.size(), std::size_t{2}); // a logarithm has no zero
        QVERIFY(isDrawable(chart));
    }
};

OUTLAY_TEST(TestGrowthView)
#include "tst_growth_view.moc"
