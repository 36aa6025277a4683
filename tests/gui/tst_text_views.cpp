// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and sentences, character by character: what a person reads on the command line and in small views.
#include "core/experiment/presets.h"
#include "gui/view/assumptions_view.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"
#include "gui/view/measurement_text.h"
#include "gui/view/memory_view.h"
#include "gui/view/money_summary.h"
#include "gui/view/probe_view.h"
#include "gui/view/text_table.h"
#include "gui/view/vary_view.h"
#include "pricing/report/compare/sweep_table.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/english.h"
#include "tests/support/measured.h"
#include "tests/support/test_class.h"
#include "tests/support/view_figures.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using core::Basis;
using core::Quantity;
using core::Unit;
using outlay::tests::Display;
using pricing::Report;
using tests::figure;

namespace {

VaryPoint point(double at, double usd)
{
    return {.at = at,
            .usd = usd > 0 ? figure(usd, Unit::Usd)
                           : Quantity::unavailable(Unit::Usd, "no offer is known"),
            .seconds = figure(3600, Unit::Seconds),
            .memory = figure(2e9, Unit::Bytes),
            .kgCo2e = figure(1, Unit::KilogramsCo2e)};
}

} // namespace

class TestTextViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void columnsAreAlignedAsTheySay()
    {
        TextTable table({Align::Left, Align::Right, Align::Left});
        QVERIFY(table.isEmpty());
        table.add({QStringLiteral("a"), QStringLiteral("1"), QStringLiteral("x")});
        table.add({QStringLiteral("long"), QStringLiteral("1,000"), QString()});
        QVERIFY(!table.isEmpty());
        QCOMPARE(table.text(), QStringLiteral("  a         1  x\n"
                                              "  long  1,000\n"));
    }

    // The usual place is for who names none.
    void aGivenPlaceStays()
    {
        core::Experiment e;
        QCOMPARE(withPlace(e, "aws/us-east-1").site.region.value_or(""),
                 std::string("aws/us-east-1"));
        QVERIFY(!withPlace(e, "").site.region);
        e.site.country = "DE";
        QVERIFY(!withPlace(e, "aws/us-east-1").site.region);
        e.site = {.region = "gcp/us-central1"};
        QCOMPARE(*withPlace(e, "aws/us-east-1").site.region, std::string("gcp/us-central1"));
    }

    void assumptionsNameTheirPart()
    {
        Report report;
        report.assumptions = {{"/training/epochs", core::Json(3), "default of Outlay"},
                              {"/assumptions/network_gb_per_s", core::Json(12.5), "a source"}};
        const AssumptionsView view = makeAssumptionsView(report, Display);
        QCOMPARE(view.table.rows.size(), std::size_t{2});
        const auto& epochs = view.table.rows[0];
        QCOMPARE(epochs.size(), view.table.columns.size());
        QVERIFY2(epochs[0].text.startsWith(QStringLiteral("Training: ")),
                 qPrintable(epochs[0].text));
        QCOMPARE(epochs[1].text, QStringLiteral("3"));
        QCOMPARE(epochs[3].text, QStringLiteral("default of Outlay"));
        QCOMPARE(epochs[0].hint, QStringLiteral("In the file: /training/epochs"));
        QCOMPARE(view.table.rows[1][0].text, QStringLiteral("Network between machines"));
        QCOMPARE(view.table.rows[1][2].text, QStringLiteral("GB/s"));
        QVERIFY(view.summary.startsWith(QStringLiteral("2 defaults")));
    }

    void onlyWhatIsAmissIsAnAlert_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("ok") << QByteArray("ok") << false;
        QTest::newRow("unknown") << QByteArray("unknown") << false;
        QTest::newRow("near") << QByteArray("near") << true;
        QTest::newRow("exceeded") << QByteArray("exceeded") << true;
        QTest::newRow("below") << QByteArray("below") << true;
    }
    void onlyWhatIsAmissIsAnAlert()
    {
        QFETCH(QByteArray, state);
        QFETCH(bool, isTold);
        Report report;
        report.alerts.push_back({"cost of a month", figure(1, Unit::Usd), figure(2, Unit::Usd),
                                 state.toStdString(), "spend less"});
        const QString text = makeMoneySummary(report, tests::catalogs(), Display);
        QCOMPARE(text.contains(QStringLiteral("Alert, cost of a month %1: spend less\n")
                                   .arg(QString::fromLatin1(state))),
                 isTold);
        QCOMPARE(text.contains(QStringLiteral("Alert")), isTold);
    }

    void memoryThatIsUnknownSaysWhy()
    {
        Report report;
        report.training.memory = Quantity::unavailable(Unit::Bytes, "nobody counted it");
        const MemoryView view = makeMemoryView(report, nullptr, Display);
        QCOMPARE(view.verdict, QStringLiteral("Unavailable: nobody counted it"));
        QVERIFY(view.chart.isEmpty());
    }

    // Of what was measured and what was counted, the panel shows the first; its bars are of the second.
    void measuredMemoryIsShown()
    {
        Report report;
        report.training.memory = figure(100e6, Unit::Bytes);
        report.training.parameters = figure(100e6, Unit::Bytes);
        QCOMPARE(makeMemoryView(report, nullptr, Display).training.value, QStringLiteral("100 MB"));
        report.training.memoryHere =
            Quantity::within(150e6, 150e6, 150e6, Unit::Bytes, Basis::Measured, {});
        const MemoryView view = makeMemoryView(report, nullptr, Display);
        QCOMPARE(view.training.value, QStringLiteral("150 MB"));
        QCOMPARE(view.training.basis, Basis::Measured);
        QVERIFY(view.verdict.startsWith(QStringLiteral("Parameters take 100 %")));
    }

    void curvesHoldTheirIntervals()
    {
        const FormField field{.pointer = "/training/batch"};
        const auto charts = makeVaryView(field, {point(1, 10), point(2, 40)}, Display);
        QCOMPARE(charts.size(), std::size_t{4});
        for (const ChartModel& chart : charts) {
            QCOMPARE(chart.series.front().points.size(), std::size_t{2});
            for (const ChartPoint& p : chart.series.front().points) {
                QVERIFY(p.low.value() < p.y && p.y < p.high.value());
                QVERIFY(p.high.value() <= chart.y.high * (1 + 1e-9));
            }
        }
        QCOMPARE(charts.front().series.front().points.back().y, 40.0);
        QVERIFY(charts.front().y.high >= 48);
    }

    // As its slider is: in equal steps, or each twice the one before.
    void aCurveIsOnTheScaleOfItsField()
    {
        const auto axisOf = [](const FormField& field, double first) {
            return makeVaryView(field, {point(first, 10), point(64, 40)}, Display).front().x;
        };
        FormField field{.pointer = "/training/batch"};
        QVERIFY(!axisOf(field, 1).isLog);
        field.slider = SliderRange{.low = 1, .high = 100};
        QVERIFY(!axisOf(field, 1).isLog);
        field.slider->isLog = true;
        QVERIFY(axisOf(field, 1).isLog);
        QVERIFY(!axisOf(field, 0).isLog); // zero has no place there
    }

    void aCurveWithoutFiguresSaysWhy()
    {
        const FormField field{.pointer = "/training/batch"};
        const auto charts = makeVaryView(field, {point(1, 0), point(2, 0)}, Display);
        QVERIFY(charts.front().isEmpty());
        QVERIFY2(charts.front().empty.contains(QStringLiteral("no offer is known")),
                 qPrintable(charts.front().empty));
        QVERIFY(!charts[1].isEmpty());
    }

    void sweepsHaveAColumnForEachSetting()
    {
        pricing::SweepTable table;
        table.axes = {{"/training/precision", {core::Json("bf16")}},
                      {"/model/hidden", {core::Json(core::Json::Array{8, 9})}}};
        table.rows.push_back(
            {{core::Json("bf16"), core::Json(core::Json::Array{8, 9})},
             {{"usd", "cost", Quantity::exact(2.5, Unit::Usd, {})},
              {"kg", "carbon", Quantity::unavailable(Unit::KilogramsCo2e, "no")}}});
        QCOMPARE(QByteArray::fromStdString(pricing::csvOf(table)),
                 QByteArray("/training/precision,/model/hidden,usd,kg\nbf16,\"[8,9]\",2.5,\n"));
        QCOMPARE(*core::valueAt(pricing::toJson(table), "/points/0/set/~1training~1precision"),
                 core::Json("bf16"));
        QCOMPARE(pricing::settingText(core::Json(3)), std::string("3"));
    }

    void aRateIsToldAsItIs()
    {
        DisplayLocale locale = Display;
        QVERIFY(locale.rateText().isEmpty());
        locale.currency = DisplayCurrency{.code = QStringLiteral("EUR"),
                                          .perDollar = 0.912345678,
                                          .asOf = QStringLiteral("2026-11-01")};
        QCOMPARE(locale.rateText(),
                 QStringLiteral("1 USD = 0.912346 EUR, your own rate of 2026-11-01"));
    }

    void tokensMadeTogetherAreBars()
    {
        core::Experiment e = core::preset("text-generator")->experiment;
        core::Measurement m = tests::measurementOf(e);
        tests::addTo(e, m);
        const auto viewOf = [](const core::Experiment& experiment) {
            return makeProbeView(pricing::makeReport(experiment, tests::catalogs()).probe, Display);
        };
        QVERIFY(!viewOf(e).together);
        m.inference.count = 10;
        m.inference.together = {
            {1, 500, {}}, {2, 900, core::TimedRange{850, 950, 9}}, {4, 880, {}}};
        core::Experiment timed = core::preset("text-generator")->experiment;
        tests::addTo(timed, m);
        const auto chart = viewOf(timed).together;
        QVERIFY(chart.has_value());
        QCOMPARE(chart->categories.size(), std::size_t{3});
        QCOMPARE(chart->series.front().points[1].low, std::optional<double>(850));
        QCOMPARE(chart->description, QStringLiteral("2 at once make the most, 900 tokens/s"));
        QVERIFY(
            makeMeasurementText(m, Display).contains(QStringLiteral("2 at once: 900 tokens/s")));
    }
};

OUTLAY_TEST(TestTextViews)
#include "tst_text_views.moc"
