// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The views without a window: what each panel says of a Report, also of an empty and a broken one.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "core/probe/measurement.h"
#include "gui/view/assumptions_view.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"
#include "gui/view/layers_view.h"
#include "gui/view/memory_view.h"
#include "gui/view/picture_view.h"
#include "gui/view/probe_view.h"
#include "gui/view/status_view.h"
#include "gui/view/tiles_view.h"
#include "gui/view/weights_view.h"
#include "gui/view/work_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/english.h"
#include "tests/support/measured.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::gui;
using core::Basis;
using core::Quantity;
using core::Unit;
using outlay::tests::English;
using outlay::tests::experimentOf;
using outlay::tests::reportToday;

namespace {

const QLocale German(QLocale::German, QLocale::Germany);

core::Measurement measurementOf(const core::Experiment& experiment)
{
    core::Measurement m = tests::measurementOf(experiment, 0.25);
    m.threads = 2;
    m.variants.push_back({.variant = "batch",
                          .name = "batch 256",
                          .ratio = 0.5,
                          .lowRatio = 0.4,
                          .highRatio = 0.8,
                          .rounds = 5,
                          .plainPeakBytes = 8e6,
                          .peakBytes = 2e6,
                          .difference = 4.321e-7,
                          .proof = "against fp64"});
    m.variants.push_back({.name = "int8", .unavailable = "needs another machine"});
    m.inference.throughput = {{1, 10, {}}, {8, 60, core::TimedRange{55, 66, 30}}, {16, 40, {}}};
    m.inference.p95Ms = 12.5;
    m.findings = {"Close the browser."};
    return m;
}

core::Experiment with(core::Experiment experiment, const core::Measurement& m)
{
    tests::addTo(experiment, m);
    return experiment;
}

ProbeView probeOf(const core::Experiment& experiment)
{
    return makeProbeView(reportToday(experiment).probe, English);
}

bool isSound(const ChartModel& chart)
{
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            if (!std::isfinite(point.y) || point.y > chart.y.high || point.y < chart.y.low)
                return false;
            if (point.high && *point.high > chart.y.high)
                return false;
        }
    }
    return !chart.title.isEmpty() && !chart.empty.isEmpty();
}

} // namespace

class TestViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Time, cost and carbon are of one place; what was measured here stands beside.
    void tilesAreOfOnePlace()
    {
        core::Experiment experiment = experimentOf("text-generator");
        experiment = with(experiment, measurementOf(experiment));
        const pricing::Report report = reportToday(experiment);
        QVERIFY(report.training.here.isAvailable());
        const auto tiles = makeTilesView(report, nullptr, English);
        const auto& option = report.training.recommended.option;
        QCOMPARE(tiles[1].label, QStringLiteral("Training time"));
        QCOMPARE(tiles[1].value, headlineText(option->hours.value(), Unit::Hours, English));
        QVERIFY2(tiles[1].place.contains(QStringLiteral("here ")), qPrintable(tiles[1].place));
    }

    void rangesSayACommonUnitOnce_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<Unit>("unit");
        QTest::addColumn<QString>("range");
        const auto row = [](double low, double high, Unit unit, const char16_t* range) {
            QTest::addRow("%g to %g", low, high)
                << low << high << unit << QString::fromUtf16(range);
        };
        row(1.03e-3, 12.4e-3, Unit::KilogramsCo2e, u"1.03 to 12.4 g");
        row(0.104, 1.222, Unit::KilogramsCo2e, u"104 g to 1.22 kg");
        row(134e6, 2.13e9, Unit::Bytes, u"134 MB to 2.13 GB");
        row(2, 9, Unit::Usd, u"$2.00 to $9.00");
        row(1.6, 2.6, Unit::Hours, u"1.6 to 2.6 h");
        row(13.4, 52.8, Unit::Hours, u"13 to 53 h");
        row(0.31, 4, Unit::Hours, u"19 to 240 min");
        row(16 * 24, 107 * 24, Unit::Hours, u"16 to 107 days");
        row(643, 3344, Unit::Seconds, u"11 to 56 min");
        row(3.21, 9.5, Unit::Seconds, u"3.2 to 9.5 s");
        row(12, 340, Unit::Milliseconds, u"12 to 340 ms");
    }
    void rangesSayACommonUnitOnce()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(Unit, unit);
        QFETCH(QString, range);
        const double value = low + (high - low) / 4;
        const Quantity figure = Quantity::within(value, low, high, unit, Basis::Forecast, {});
        QCOMPARE(makeFigureView({}, figure, nullptr, English).detail, range);
    }

    void unavailableFiguresSayWhy()
    {
        const Quantity none = Quantity::unavailable(Unit::Usd, "no price");
        const Quantity some = Quantity::exact(1, Unit::Usd, {});
        const FigureView view = makeFigureView(QStringLiteral("Cost"), none, &some, English);
        QCOMPARE(view.value, QStringLiteral("–"));
        QCOMPARE(view.detail, QStringLiteral("no price"));
        QVERIFY(view.difference.isEmpty());
        QCOMPARE(makeFigureView({}, some, &none, English).difference,
                 QStringLiteral("new to baseline"));
        QVERIFY(!view.value.contains(QLatin1Char('0')));
        QCOMPARE(view.explanation.back().text, QStringLiteral("no price"));
    }

    void differences_data()
    {
        QTest::addColumn<double>("now");
        QTest::addColumn<double>("before");
        QTest::addColumn<QString>("expected");
        QTest::newRow("up") << 120.0 << 100.0 << QStringLiteral("▲ 20 % vs base");
        QTest::newRow("twice") << 368.0 << 100.0 << QStringLiteral("▲ 268 % vs base");
        QTest::newRow("little") << 101.25 << 100.0 << QStringLiteral("▲ 1.2 % vs base");
        QTest::newRow("same") << 100.0 << 100.0 << QStringLiteral("as the baseline");
        QTest::newRow("many") << 5000.0 << 100.0 << QStringLiteral("▲ 50 x baseline");
        QTest::newRow("from zero") << 5.0 << 0.0 << QStringLiteral("▲ baseline 0");
    }
    void differences()
    {
        QFETCH(double, now);
        QFETCH(double, before);
        QFETCH(QString, expected);
        const Quantity a = Quantity::exact(now, Unit::Bytes, {});
        const Quantity b = Quantity::exact(before, Unit::Bytes, {});
        QCOMPARE(makeFigureView({}, a, &b, English).difference, expected);
    }

    // Each preset, through each view: finite numbers inside of their axes, and nothing invented.
    void everyPresetHasSoundViews_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const core::Preset& preset : outlay::tests::presetsToTry())
            QTest::newRow(preset.id.c_str()) << QByteArray::fromStdString(preset.id);
    }
    void everyPresetHasSoundViews()
    {
        QFETCH(QByteArray, id);
        const pricing::Report report = reportToday(experimentOf(id.constData()));
        const auto tiles = makeTilesView(report, nullptr, English);
        QCOMPARE(tiles.size(), std::size_t{5});
        QCOMPARE(tiles[0].value, English.toString(qlonglong{report.model.parameters}));
        const auto& there = report.training.recommended.option;
        const bool isHere = report.training.here.isAvailable() || !there;
        QCOMPARE(tiles[1].basis, isHere ? report.training.here.basis() : there->hours.basis());
        QCOMPARE(tiles[2].basis, there ? there->usd.basis() : Basis::Unavailable);
        QCOMPARE(tiles[3].basis, report.month.total.basis());
        QCOMPARE(tiles[4].basis, report.carbon.kgCo2e.basis());
        for (const FigureView& tile : tiles)
            QVERIFY(tile.basis == Basis::Unavailable ||
                    tile.detail != QStringLiteral("not known for this design"));
        const MemoryView memory = makeMemoryView(report, &report, English);
        QVERIFY(isSound(memory.chart));
        QCOMPARE(memory.chart.categories.size(), std::size_t{4});
        QCOMPARE(memory.training.difference, QStringLiteral("as the baseline"));
        QVERIFY(isSound(makeWorkView(report, English).chart));
        QVERIFY(makeWorkView(report, English).chart.categories.size() <= 6);
        QVERIFY(isSound(makeWeightsView(report, English).chart));
        const LayersView layers = makeLayersView(report, English);
        QCOMPARE(layers.table.rows.size(), report.model.layers.size());
        for (const auto& row : layers.table.rows)
            QCOMPARE(row.size(), layers.table.columns.size());
    }

    void anEmptyReportHasViews()
    {
        const pricing::Report nothing;
        for (const FigureView& tile : makeTilesView(nothing, nullptr, English))
            QVERIFY2(tile.basis != Basis::Unavailable || !tile.detail.isEmpty(),
                     qPrintable(tile.label));
        QVERIFY(makeMemoryView(nothing, nullptr, English).chart.isEmpty());
        QVERIFY(makeWorkView(nothing, English).chart.isEmpty());
        QVERIFY(makeLayersView(nothing, English).table.rows.empty());
        QCOMPARE(makePictureView({}, nothing, PictureSubject::Dashboard, English).title,
                 QStringLiteral("Experiment"));
    }

    void theLocaleIsFollowed()
    {
        const pricing::Report report = reportToday(experimentOf("text-generator"));
        QCOMPARE(makeTilesView(report, nullptr, German)[0].value, QStringLiteral("2.842.400"));
        QCOMPARE(makeTilesView(report, nullptr, English)[0].value, QStringLiteral("2,842,400"));
    }

    void assumptionsCanBeChanged()
    {
        const core::Experiment experiment = experimentOf("text-generator");
        const AssumptionsView view = makeAssumptionsView(reportToday(experiment), English);
        QVERIFY(!view.pointers.empty());
        QCOMPARE(view.pointers.size(), view.table.rows.size());
        QCOMPARE(view.table.editable, std::optional<std::size_t>(1));
        for (std::size_t i = 0; i < view.pointers.size(); ++i) {
            const auto changed =
                core::withValue(experiment, view.pointers[i], valueOf(view.table.rows[i][1].typed));
            QVERIFY2(changed.has_value(), view.pointers[i].c_str());
            const QString shown = view.table.rows[i][0].text + view.table.rows[i][1].text;
            QVERIFY2(!shown.contains(u'_') && shown != view.table.rows[i][1].typed,
                     qPrintable(shown));
            // Named now, so no longer assumed.
            const AssumptionsView next = makeAssumptionsView(reportToday(*changed), English);
            const bool isSetting = !view.pointers[i].starts_with("/assumptions/");
            QCOMPARE(next.pointers.size() + std::size_t{isSetting}, view.pointers.size());
        }
        QCOMPARE(valueOf(QStringLiteral(" 2.5 ")), core::Json(2.5));
        QCOMPARE(valueOf(QStringLiteral("fp16")), core::Json("fp16"));
    }

    // A plain probe doesn't take away what an earlier one found out about the variants.
    void variantsOfAnEarlierMeasurementStay()
    {
        core::Experiment experiment = experimentOf("text-generator");
        auto plain = measurementOf(experiment);
        plain.variants.clear();
        plain.created = "2026-11-21T08:00:00Z";
        const core::Experiment never = with(experiment, plain);
        QVERIFY(probeOf(never).variants.rows.empty());
        QVERIFY(probeOf(never).variantsNote.contains(QStringLiteral("aren't measured yet")));
        experiment = with(experiment, measurementOf(experiment));
        experiment = with(experiment, plain);
        const ProbeView view = probeOf(experiment);
        QVERIFY(view.verdict.contains(QStringLiteral("2026-11-21")));
        QCOMPARE(view.variants.rows.size(), std::size_t{2});
        QVERIFY2(view.variantsNote.contains(QStringLiteral("measured 2026-11-20")),
                 qPrintable(view.variantsNote));
        QCOMPARE(reportToday(experiment).variants.size(), std::size_t{2});
        // But not those of another design.
        experiment.training.batch *= 2;
        plain.askedTraining = plain.trainingSettings = experiment.training;
        experiment = with(experiment, plain);
        QVERIFY(probeOf(experiment).variants.rows.empty());
        QVERIFY(reportToday(experiment).variants.empty());
    }

    // A step that outlasted the whole measurement.
    void oneStepIsCalledOne()
    {
        core::Experiment experiment = experimentOf("text-generator");
        core::Measurement one = measurementOf(experiment);
        one.training.step = core::timingOf({12.5}, {});
        const ProbeView view = probeOf(with(experiment, one));
        QVERIFY(view.steps.series.front().points.empty());
        QVERIFY(view.steps.empty.startsWith(QStringLiteral("One step ")));
        QVERIFY2(view.figures.rows.front()[2].text.startsWith(
                     QStringLiteral("one was timed (10.6 s to 14.4 s")),
                 qPrintable(view.figures.rows.front()[2].text));
    }

    void aMeasurementIsShownWhileItHolds()
    {
        core::Experiment experiment = experimentOf("text-generator");
        QVERIFY(probeOf(experiment).figures.rows.empty());
        experiment = with(experiment, measurementOf(experiment));
        const ProbeView view = probeOf(experiment);
        QVERIFY(view.isCurrent);
        QCOMPARE(view.figures.rows.front()[1].text, QStringLiteral("250 ms"));
        QCOMPARE(view.throughput.categories.size(), std::size_t{3});
        QVERIFY(view.throughput.description.startsWith(QStringLiteral("Batch 8 ")));
        QCOMPARE(view.steps.series.front().points.size(), std::size_t{20}); // each of so few
        QCOMPARE(view.steps.description,
                 QStringLiteral("Half of 20 steps took up to 250 ms, the slowest 250 ms"));
        QCOMPARE(view.variants.rows.size(), std::size_t{2});
        QCOMPARE(view.variants.rows[0][2].text, QStringLiteral("2 x"));
        QCOMPARE(view.variants.rows[0][3].text, QStringLiteral("1.25 to 2.5 x"));
        QCOMPARE(view.variants.rows[0][0].hint, toQString(core::whatIs("batch")));
        QCOMPARE(view.variants.rows[0][4].text, QStringLiteral("0.25 x"));
        QCOMPARE(view.variants.rows[0][5].text, QStringLiteral("4.3E-07"));
        QCOMPARE(view.variants.rows[0][5].hint, QStringLiteral("against fp64"));
        QCOMPARE(view.variants.rows[1].size(), view.variants.columns.size());
        QCOMPARE(view.variants.rows[1][2].text, QStringLiteral("–"));
        QCOMPARE(view.variants.rows[1][2].hint, QStringLiteral("needs another machine"));
        QVERIFY(!view.variantsNote.contains(QStringLiteral("measured")));
        QCOMPARE(view.findings.front(), QStringLiteral("Close the browser."));
        QVERIFY(makeStatusText(reportToday(experiment), English)
                    .contains(QStringLiteral("2026-11-20, 2 threads")));
        pricing::Report report = reportToday(experiment);
        const QString offers =
            English.toString(qlonglong(report.training.options.size())) + QStringLiteral(" offers");
        report.provenance.data = {{"grid", "2024", {}}, {"prices", "2026-07-20", {}}};
        const QString status = makeStatusText(report, English);
        QVERIFY2(status.contains(QStringLiteral("Prices up to 2026-07-20, ") + offers),
                 qPrintable(status));
        QVERIFY2(status.contains(QStringLiteral("Grid of 2024")), qPrintable(status));
        report.provenance.data = {};
        QVERIFY(makeStatusText(report, English).contains(QStringLiteral("Prices, ") + offers));
        const auto changed = core::withValue(experiment, "/training/batch", core::Json(64));
        QVERIFY(changed.has_value());
        QVERIFY(!probeOf(*changed).isCurrent);
        QVERIFY(probeOf(*changed).verdict.contains(QStringLiteral("measure again")));
    }

    void aBrokenMeasurementIsPassedOver()
    {
        core::Experiment experiment = experimentOf("text-generator");
        experiment.measurements = experiment.measurements.with(core::Json("nonsense"));
        QVERIFY(probeOf(experiment).figures.rows.empty());
        QVERIFY(makeStatusText(reportToday(experiment), English)
                    .contains(QStringLiteral("can't be read")));
    }

    void liveThroughputIsThinned_data()
    {
        QTest::addColumn<int>("steps");
        for (const int steps : {0, 1, 30, 2000, 200'000})
            QTest::addRow("%d", steps) << steps;
    }
    void liveThroughputIsThinned()
    {
        QFETCH(int, steps);
        LiveProbe live{.run = core::RunForecast(1000), .samplesPerStep = 128};
        live.progress = {.done = 5, .total = 10, .phase = "training", .steps = steps};
        std::vector<double> seconds(static_cast<std::size_t>(steps), 0.5);
        if (steps > 100)
            seconds[77] = 5; // the slow step must not be lost
        live.run.add(seconds);
        const LiveProbeView view = makeLiveProbeView(live, English);
        QCOMPARE(view.donePermille, 500);
        const auto& points = view.throughput.series.front().points;
        QVERIFY(points.size() <= 2002);
        QCOMPARE(points.empty(), steps == 0);
        QVERIFY(isSound(view.throughput));
        const auto lowest = std::min_element(
            points.begin(), points.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
        if (steps > 0)
            QCOMPARE(lowest->y, 128 / (steps > 100 ? 5 : 0.5));
    }

    void aRunningProbeSaysHowLong_data()
    {
        QTest::addColumn<double>("done");
        QTest::addColumn<int>("steps");
        QTest::addColumn<QString>("text");
        QTest::newRow("left") << 3.2 << 42 << "Training, 42 steps, about 7 s left";
        QTest::newRow("minutes") << -200.0 << 42 << "Training, 42 steps, about 4 min left";
        QTest::newRow("no steps") << 3.2 << 0 << "Training, about 7 s left";
        QTest::newRow("overdue") << 12.5 << 42 << "Training, 42 steps, 3 s longer than planned";
    }
    void aRunningProbeSaysHowLong()
    {
        QFETCH(double, done);
        QFETCH(int, steps);
        QFETCH(QString, text);
        QCOMPARE(
            phaseText({.done = done, .total = 10, .phase = "training", .steps = steps}, English),
            text);
    }

    void theRunningProbeForecastsTheRun()
    {
        LiveProbe live{.run = core::RunForecast(7200)};
        live.progress = {.done = 5, .total = 10, .phase = "training", .steps = 3};
        live.run.add({0.5, 0.5, 0.5});
        QVERIFY(!makeLiveProbeView(live, English).phase.contains(QStringLiteral("whole")));
        live.run.add({0.5});
        QVERIFY2(makeLiveProbeView(live, English)
                     .phase.endsWith(QStringLiteral(
                         "the whole training takes about 1 h 00 min here (forecast)")),
                 qPrintable(makeLiveProbeView(live, English).phase));
        // It follows what comes.
        live.run.add(std::vector<double>(1000, 1.0));
        QVERIFY(*live.run.seconds() > 1.9 * 3600);
        live.isStopping = true;
        QCOMPARE(makeLiveProbeView(live, English).phase, QStringLiteral("Stopping…"));
    }

    // What the worker can't run was measured otherwise, and measuring again changes nothing.
    void whatWasAskedForIsCurrent()
    {
        core::Experiment experiment = experimentOf("text-generator");
        experiment.training.precision = core::Precision::Fp16;
        auto m = measurementOf(experiment);
        m.trainingSettings.precision = core::Precision::Fp32;
        const auto measured = [&] { return with(experiment, m); };
        QVERIFY(probeOf(measured()).isCurrent);
        experiment.training.epochs += 1; // no part of a step
        QVERIFY(probeOf(measured()).isCurrent);
        experiment.training.precision = core::Precision::Bf16;
        QVERIFY(!probeOf(measured()).isCurrent);
        // Of several the one that is current is shown, not the newest.
        experiment.training.precision = core::Precision::Fp16;
        auto other = m;
        other.created = "2026-11-21T10:00:00Z";
        other.askedTraining.batch = 7;
        const ProbeView view = probeOf(with(measured(), other));
        QVERIFY(view.isCurrent);
        QVERIFY(view.verdict.contains(QStringLiteral("2026-11-20")));
    }

    void fewPassesSayNothingOfOneInAHundred_data()
    {
        QTest::addColumn<int>("passes");
        QTest::addColumn<bool>("hasP95");
        QTest::addColumn<bool>("hasP99");
        QTest::newRow("5") << 5 << false << false;
        QTest::newRow("20") << 20 << true << false;
        QTest::newRow("100") << 100 << true << true;
    }
    void fewPassesSayNothingOfOneInAHundred()
    {
        QFETCH(int, passes);
        core::Experiment experiment = experimentOf("text-generator");
        auto m = measurementOf(experiment);
        m.inference.count = passes;
        experiment = with(experiment, m);
        const ProbeView view = probeOf(experiment);
        const auto isKnown = [&](const QString& name) {
            for (const auto& row : view.figures.rows) {
                if (row[0].text == name)
                    return row[1].text != QStringLiteral("–");
            }
            return false;
        };
        QVERIFY(isKnown(QStringLiteral("Latency p50")));
        QTEST(isKnown(QStringLiteral("Latency p95")), "hasP95");
        QTEST(isKnown(QStringLiteral("Latency p99")), "hasP99");
    }

    // Whoever opens the page reads first what was found.
    void theBestVariantIsToldFirst()
    {
        core::Experiment experiment = experimentOf("text-generator");
        core::Measurement m = measurementOf(experiment);
        const ProbeView view = probeOf(with(experiment, m));
        QVERIFY2(view.verdict.startsWith(QStringLiteral(
                     "Batch 256 is 2 times as fast, at 25 % of the memory, measured. Measured ")),
                 qPrintable(view.verdict));
        m.variants.front().highRatio = 1.1; // perhaps it isn't
        QVERIFY(probeOf(with(experiment, m)).verdict.startsWith(QStringLiteral("Measured ")));
    }

    // What is measured says of how many it is, and where it lies; an older measurement can't.
    void measuredTokensSayWhereTheyLie()
    {
        core::Experiment experiment = experimentOf("text-generator");
        auto m = measurementOf(experiment);
        m.inference.count = 100;
        m.inference.p50Ms = 5;
        m.inference.firstTokenMs = 9;
        m.inference.tokenMs = 0.5;
        m.inference.tokenRange = core::TimedRange{0.4, 0.75, 20};
        const ProbeView view = probeOf(with(experiment, m));
        QHash<QString, QString> notes;
        for (const auto& row : view.figures.rows)
            notes[row[0].text] = row[2].text;
        QCOMPARE(notes[QStringLiteral("Each further token")],
                 QStringLiteral("with state or cache; 20 times, 0.40 ms to 0.75 ms in 80 of 100 "
                                "cases"));
        QCOMPARE(notes[QStringLiteral("First token")], QStringLiteral("the prompt and one token"));
        const auto& bars = view.throughput.series.front().points;
        QVERIFY(!bars[0].low && bars[1].low == 55.0 && bars[1].high == 66.0);
        QVERIFY(view.throughput.y.high >= 66);
    }
};

OUTLAY_TEST(TestViews)
#include "tst_views.moc"
