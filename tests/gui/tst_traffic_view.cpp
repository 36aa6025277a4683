// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated day in words, charts and a table: what it says of one machine fewer, and of a plan that doesn't do.
#include "gui/view/traffic_view.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using core::Basis;
using core::Quantity;
using core::Unit;
using outlay::tests::English;
using pricing::SimulatedMachines;
using pricing::SimulatedService;

namespace {

Quantity around(double value, Unit unit)
{
    return Quantity::within(value, 0.8 * value, 1.3 * value, unit, Basis::Forecast, {});
}

/// The more machines, the sooner: 24 s for one.
SimulatedMachines row(std::int64_t machines, bool keeps)
{
    const double ms = 24'000 / static_cast<double>(machines);
    SimulatedMachines made{.machines = machines,
                           .answerP95Ms = around(ms, Unit::Milliseconds),
                           .firstTokenP95Ms = around(ms / 20, Unit::Milliseconds),
                           .tokenP95Ms = around(ms / 200, Unit::Milliseconds),
                           .inFlight = around(12, Unit::One),
                           .busyPercent = around(40, Unit::Percent),
                           .mostWaiting = around(3, Unit::One),
                           .usdPerMonth = around(500 * static_cast<double>(machines), Unit::Usd)};
    // Where it is kept, as forecast and at the slow end.
    made.held = {{"answer", made.answerP95Ms, 10'000, keeps ? 2 * ms : 0.5 * ms}};
    return made;
}

SimulatedService service(const std::vector<std::int64_t>& machines, std::size_t planned,
                         std::int64_t needed)
{
    SimulatedService s{.machine = "aws g6.xlarge in us-east-1",
                       .planned = planned,
                       .promises = {.answerS = 10, .firstTokenS = 2},
                       .requests = 60'000,
                       .days = 3};
    for (const std::int64_t count : machines)
        s.rows.push_back(row(count, count >= needed));
    for (int i = 0; i < 96; ++i)
        s.day.push_back({.hour = (i + 0.5) / 4,
                         .perS = 1,
                         .inFlight = 2,
                         .waiting = i == 48 ? 1.0 : 0.0,
                         .requests = i < 20 ? 5U : 500U});
    for (core::ServiceSlice& slice : s.day) {
        if (slice.requests < 40)
            continue;
        slice.answerP95S = 8;
        slice.firstTokenP95S = 0.5;
    }
    return s;
}

GrowthPart partOf(SimulatedService s, bool isRunning = false)
{
    const TrafficDay day{.isRunning = isRunning, .found = std::move(s)};
    return makeTrafficPart(&day, English);
}

} // namespace

class TestTrafficView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhetherFewerWouldDo_data()
    {
        QTest::addColumn<qint64>("needed");
        QTest::addColumn<QString>("text");
        const QString on = QStringLiteral("On aws g6.xlarge in us-east-1, ");
        QTest::newRow("as many") << qint64{3}
                                 << on +
                                        QStringLiteral("3 machines keep what is promised, near the "
                                                       "day's peak, too; 2 machines don't: an "
                                                       "answer takes up to 12 s for 95 of 100, "
                                                       "10 s is promised");
        QTest::newRow("fewer") << qint64{2}
                               << on + QStringLiteral("3 machines keep what is promised, near the "
                                                      "day's peak, too; 2 machines would do");
        QTest::newRow("more") << qint64{4}
                              << on + QStringLiteral("3 machines don't: an answer takes up to 8 s "
                                                     "for 95 of 100, 10 s is promised; 4 machines "
                                                     "would do");
        QTest::newRow("many more") << qint64{9}
                                   << on + QStringLiteral("3 machines don't: an answer takes up to "
                                                          "8 s for 95 of 100, 10 s is "
                                                          "promised; nor does one more");
    }
    void saysWhetherFewerWouldDo()
    {
        QFETCH(qint64, needed);
        QFETCH(QString, text);
        QCOMPARE(partOf(service({2, 3, 4}, 1, needed)).verdict, text);
    }

    // As forecast one fewer would do, but not at the slow end: nobody should take one away for that.
    void theSlowEndIsAsked()
    {
        SimulatedService s = service({2, 3, 4}, 1, 2);
        s.rows[0].held = {{"answer", s.rows[0].answerP95Ms, 13'000, 13'000}};
        QVERIFY2(partOf(s).verdict.endsWith(QStringLiteral(
                     "2 machines would do as forecast, but at the slow end of the forecast an "
                     "answer takes up to 15.6 s for 95 of 100, 13 s is promised")),
                 qPrintable(partOf(s).verdict));
        QCOMPARE(partOf(s).table.rows[0][1].text, QStringLiteral("as forecast"));
        s.rows[1].held = s.rows[0].held; // nor is the plan's own number without that reserve
        QVERIFY2(partOf(s).verdict.contains(QStringLiteral(
                     "too, as forecast; at the slow end of the forecast an answer takes up to")),
                 qPrintable(partOf(s).verdict));
        s.rows[1].held = row(3, true).held;
        s.isCautious = true;
        QVERIFY2(partOf(s).verdict.contains(
                     QStringLiteral("2 machines don't: at the slow end of the forecast")),
                 qPrintable(partOf(s).verdict));
    }

    void oneIsNotSeveral()
    {
        QCOMPARE(
            partOf(service({1, 2}, 0, 1)).verdict,
            QStringLiteral("On aws g6.xlarge in us-east-1, one machine keeps what is promised, "
                           "near the day's peak, too"));
        SimulatedService late = service({1, 2}, 0, 1);
        late.isKeptAlone = false;
        late.rows[0].held = {{"answer", late.rows[0].answerP95Ms, 10'000, 40'000}};
        QVERIFY(partOf(late).verdict.contains(
            QStringLiteral("one machine answers within twice what a request takes alone")));
        // That is no promise that is kept.
        QCOMPARE(partOf(late).table.rows[0][1].text, QStringLiteral("no, as one alone"));
        QCOMPARE(partOf(late).table.rows[1][1].text, QStringLiteral("no, as one alone"));
    }

    // Of several promises the one that is missed most.
    void theWorstMissIsNamed()
    {
        SimulatedService s = service({2, 3, 4}, 1, 4);
        s.rows[1].held.push_back({"first_token", s.rows[1].firstTokenP95Ms, 100, 100});
        // One that is missed by more, but which one alone misses, too, is held to what that takes.
        s.rows[1].held.push_back({"token", s.rows[1].tokenP95Ms, 1, 1000});
        QVERIFY2(partOf(s).verdict.contains(QStringLiteral("the first token takes up to 400 ms")),
                 qPrintable(partOf(s).verdict));
    }

    void theDayIsDrawn()
    {
        const GrowthPart part = partOf(service({2, 3, 4}, 1, 3));
        QCOMPARE(part.charts.size(), std::size_t{2});
        const ChartModel& load = part.charts.front();
        QCOMPARE(load.series.size(), std::size_t{2}); // some wait
        QCOMPARE(load.series.front().points.size(), std::size_t{96});
        QCOMPARE(load.x.high, 24.0);
        const ChartModel& times = part.charts.back();
        // Slices with a handful of requests tell nothing of 95 of 100.
        QCOMPARE(times.series.front().points.size(), std::size_t{76});
        QCOMPARE(times.limits.size(), std::size_t{2});
        QVERIFY(times.y.isLog && times.y.low <= 0.5 && times.y.high >= 10);
        QCOMPARE(part.table.rows.size(), std::size_t{3});
        QCOMPARE(part.table.rows[1].front().text, QStringLiteral("3, the plan"));
        QCOMPARE(part.table.rows[0][1].text, QStringLiteral("no"));
        QVERIFY(!part.table.rows[0][1].hint.isEmpty());
        for (const auto& cells : part.table.rows)
            QCOMPARE(cells.size(), part.table.columns.size());
    }

    // Of an encoder there is no first token, in the chart and in the table.
    void encodersHaveOneLine()
    {
        SimulatedService s = service({1, 2}, 0, 1);
        for (SimulatedMachines& one : s.rows) {
            one.firstTokenP95Ms = Quantity::unavailable(Unit::Milliseconds, "nothing is generated");
            one.tokenP95Ms = one.firstTokenP95Ms;
        }
        const GrowthPart part = partOf(s);
        QCOMPARE(part.charts.back().series.size(), std::size_t{1});
        QCOMPARE(part.charts.back().limits.size(), std::size_t{1});
        // Nor a column that has nothing in it.
        QCOMPARE(part.table.columns.size(), std::size_t{7});
        for (const TableCell& cell : part.table.rows.front())
            QVERIFY(cell.text != QStringLiteral("unavailable"));
    }

    void whatIsNotThereIsSaid()
    {
        const GrowthPart none = makeTrafficPart(nullptr, English);
        QVERIFY(none.verdict.contains(QStringLiteral("is being simulated")));
        QCOMPARE(none.charts.size(), std::size_t{2}); // always of the same shape
        SimulatedService s;
        s.why = "no requests are planned, so nothing has to serve";
        const GrowthPart part = partOf(s);
        QCOMPARE(part.verdict,
                 QStringLiteral("Unavailable: no requests are planned, so nothing has "
                                "to serve"));
        QVERIFY(part.table.rows.empty());
        QCOMPARE(trafficText(s, English), part.verdict + QStringLiteral(".\n"));
        QVERIFY(partOf(service({1, 2}, 0, 1), true)
                    .verdict.startsWith(QStringLiteral("Being simulated again")));
    }

    void theTerminalHasTheSame()
    {
        const QString text = trafficText(service({2, 3, 4}, 1, 3), English);
        QVERIFY(text.startsWith(partOf(service({2, 3, 4}, 1, 3)).verdict));
        for (const char* part : {"3, the plan", "$1,500", "12 s", "of 3 days alike"})
            QVERIFY2(text.contains(QLatin1String(part)), part);
    }
};

OUTLAY_TEST(TestTrafficView)
#include "tst_traffic_view.moc"
