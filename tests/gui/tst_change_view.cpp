// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Why a bill moved, as it is drawn; and the league of the other ways to run a design.
#include "core/experiment/presets.h"
#include "gui/view/change_view.h"
#include "gui/view/setting_text.h"
#include "gui/view/variants_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/english.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::English;
using outlay::tests::Today;

namespace {

pricing::Compared of(const core::Experiment& experiment)
{
    return {{}, experiment, pricing::figuresOf(experiment, Today)};
}

core::VariantMeasurement variant(const char* name, double ratio,
                                 core::VariantSubject subject = core::VariantSubject::Training)
{
    return {.variant = "batch",
            .name = name,
            .subject = subject,
            .ratio = ratio,
            .lowRatio = 0.9 * ratio,
            .highRatio = 1.1 * ratio};
}

} // namespace

class TestChangeView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWaterfallLeadsFromOneBillToTheOther()
    {
        const core::Experiment before = core::preset("gpt2")->experiment;
        core::Experiment after = before;
        after.training.epochs *= 3;
        after.training.runsPerMonth = 5;
        after.serving.requestsPerDay *= 50;
        const ChangeView view = makeChangeView(of(before), of(after), Today, English);
        QVERIFY2(view.settings.contains(QStringLiteral("Training: Epochs ")),
                 qPrintable(view.settings));
        QCOMPARE(view.bills.size(), std::size_t{2});
        for (const BillView& bill : view.bills) {
            const ChartModel& chart = bill.waterfall;
            const auto& points = chart.series.front().points;
            QCOMPARE(points.size(), chart.categories.size());
            QCOMPARE(points.size(), bill.steps.rows.size() + 2);
            QVERIFY(!points.front().base && !points.back().base);
            for (std::size_t i = 1; i + 1 < points.size(); ++i) {
                QVERIFY(std::abs(*points[i].base - points[i - 1].y) <= 1e-9 * points[i].y);
                const bool isDearer = points[i].y > *points[i].base;
                QVERIFY(points[i].label.startsWith(isDearer ? u'+' : u'−'));
                QCOMPARE(points[i].colour == points[1].colour,
                         isDearer == (points[1].y > *points[1].base));
                QVERIFY(points[i].y <= chart.y.high);
            }
            // In the twin a step is what it moves, not where it ends.
            const TableData twin = tableOf(chart, English);
            QCOMPARE(*twin.rows[1][1].order, points[1].y - *points[1].base);
            QVERIFY2(bill.sentence.contains(QStringLiteral(" instead of $")),
                     qPrintable(bill.sentence));
            QVERIFY(chart.description.contains(QStringLiteral("most of it by ")));
        }
    }

    void whatDidNotMoveIsSaid()
    {
        const core::Experiment e = core::preset("gpt2")->experiment;
        const ChangeView view = makeChangeView(of(e), of(e), Today, English);
        QCOMPARE(view.settings, QStringLiteral("No setting differs; what was measured may."));
        for (const BillView& bill : view.bills) {
            QVERIFY(bill.waterfall.isEmpty());
            QVERIFY2(bill.sentence.endsWith(QStringLiteral(", as before")),
                     qPrintable(bill.sentence));
        }
    }

    void manySettingsAreCounted()
    {
        const core::Experiment before = core::preset("gpt2")->experiment;
        core::Experiment after = before;
        after.training.epochs *= 3;
        after.training.batch *= 2;
        after.plan.purchase = core::Purchase::Spot;
        const QString all = differenceText(before, after, 3, English);
        QCOMPARE(all.count(QStringLiteral(" → ")), 3);
        QVERIFY2(all.contains(QStringLiteral("Purchase on demand → spot")), qPrintable(all));
        QVERIFY(!all.contains(QStringLiteral("more")));
        const QString few = differenceText(before, after, 1, English);
        QCOMPARE(few.count(QStringLiteral(" → ")), 1);
        QVERIFY2(few.endsWith(QStringLiteral("; and 2 more")), qPrintable(few));
    }

    void theFastestIsOnTop()
    {
        core::VariantMeasurement refused = variant("bf16", 0);
        refused.unavailable = "LibTorch can't";
        const ChartModel league =
            leagueChart({variant("batch 64", 1.25), refused, variant("fused", 0.02),
                         variant("int8", 0.5, core::VariantSubject::Request)},
                        English);
        QCOMPARE(league.categories,
                 (std::vector<QString>{QStringLiteral("fused"), QStringLiteral("int8 (request)"),
                                       QStringLiteral("batch 64")}));
        const auto& points = league.series.front().points;
        QCOMPARE(points.front().y, 50.0);
        QCOMPARE(points.front().label, QStringLiteral("50 x"));
        QVERIFY(*points.front().low < 50 && *points.front().high > 50);
        QCOMPARE(*points.back().reference, 1.0);
        QVERIFY2(league.description.startsWith(
                     QStringLiteral("fused is the fastest of 3 other ways: 50 x")),
                 qPrintable(league.description));
        QVERIFY(leagueChart({refused}, English).isEmpty());
    }

    void aLongLeagueIsCounted()
    {
        std::vector<core::VariantMeasurement> many;
        for (int i = 1; i <= 15; ++i)
            many.push_back(variant("batch", i));
        const ChartModel league = leagueChart(many, English);
        QCOMPARE(league.categories.size(), std::size_t{12});
        QVERIFY(league.subtitle.endsWith(QStringLiteral("the first 12 of 15")));
    }
};

OUTLAY_TEST(TestChangeView)
#include "tst_change_view.moc"
