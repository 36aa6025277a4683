// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/experiment/sweep_plan.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <numeric>
#include <set>

using namespace outlay::core;

namespace {

Sweep sweepOf(std::vector<std::string> axes)
{
    std::vector<SweepAxis> read;
    for (const std::string& axis : axes)
        read.push_back(*readAxis(axis));
    return *Sweep::create(preset("text-generator")->experiment, std::move(read));
}

std::vector<std::size_t> allOf(const Sweep& sweep)
{
    std::vector<std::size_t> all(sweep.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

} // namespace

class TestSweepPlan final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void budgetsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("hours");
        QTest::addColumn<double>("usd");
        QTest::newRow("hours") << QByteArray("2h") << 2.0 << 0.0;
        QTest::newRow("minutes") << QByteArray("90min") << 1.5 << 0.0;
        QTest::newRow("money") << QByteArray("5.5usd") << 0.0 << 5.5;
        for (const char* bad : {"", "5", "h", "-1h", "0usd", "2 h", "1e999h", "nanh", "5eur"})
            QTest::newRow(bad) << QByteArray(bad) << 0.0 << 0.0;
    }
    void budgetsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, hours);
        QFETCH(double, usd);
        const auto budget = readBudget(text.toStdString());
        QCOMPARE(budget.has_value(), hours > 0 || usd > 0);
        if (budget) {
            QCOMPARE(budget->hours.value_or(0), hours);
            QCOMPARE(budget->usd.value_or(0), usd);
        }
    }

    // The corners, then the middle, then what lies between.
    void spreadTakesTheEndsFirst()
    {
        const Sweep line = sweepOf({"/training/batch=8,16,32,64,128"});
        QCOMPARE(spreadFirst(line, allOf(line)), (std::vector<std::size_t>{0, 4, 2, 1, 3}));
        const Sweep field = sweepOf({"/training/batch=8,16,32", "/model/hidden=64,128,192"});
        const auto order = spreadFirst(field, allOf(field));
        QCOMPARE(order[0], std::size_t{0});
        QCOMPARE(order[1], std::size_t{8});
        QCOMPARE((std::set<std::size_t>{order[2], order[3]}), (std::set<std::size_t>{2, 6}));
        QCOMPARE(order[4], std::size_t{4});
        QCOMPARE(std::set<std::size_t>(order.begin(), order.end()).size(), std::size_t{9});
    }

    // What was measured already isn't asked for again.
    void spreadKeepsToItsPoints()
    {
        const Sweep line = sweepOf({"/training/batch=8,16,32,64,128"});
        const auto order = spreadFirst(line, {1, 3});
        QCOMPARE((std::set<std::size_t>(order.begin(), order.end())),
                 (std::set<std::size_t>{1, 3}));
        QVERIFY(spreadFirst(line, {}).empty());
    }

    void budgetBoundsThePoints()
    {
        const Sweep line = sweepOf({"/training/batch=8,16,32,64,128"});
        const SweepMachines two{.secondsOfPoint = 36, .atOnce = 2, .usdPerHour = 3};
        const auto all = planWithin(line, allOf(line), {.hours = 1}, two);
        QCOMPARE(all->points.size(), std::size_t{5});
        QCOMPARE(all->hours, 3 * 0.01); // three rounds
        QCOMPARE(*all->usd, 0.09);
        const auto some = planWithin(line, allOf(line), {.usd = 0.06}, two);
        QCOMPARE(some->points, (std::vector<std::size_t>{0, 4, 2, 1}));
        QCOMPARE(some->leftOut, std::size_t{1});
        QVERIFY(*some->usd <= 0.06 + 1e-12);
        QVERIFY(!planWithin(line, allOf(line), {.hours = 0.009}, two));
        const SweepMachines unpriced{.secondsOfPoint = 36};
        QVERIFY(!planWithin(line, allOf(line), {.usd = 1}, unpriced));
        QVERIFY(planWithin(line, {}, {.hours = 0.001}, unpriced)->points.empty());
    }
};

OUTLAY_TEST(TestSweepPlan)
#include "tst_sweep_plan.moc"
