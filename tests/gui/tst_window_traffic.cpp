// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A day of the service in the real window: simulated while its page is seen, again after a change, and not before.
#include "gui/panels/panel.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "tests/gui/window_test.h"
#include "tests/support/test_class.h"

using namespace outlay;
using namespace outlay::gui;

class TestWindowTraffic : public WindowTest {
    Q_OBJECT
private Q_SLOTS:
    void theDayIsSimulatedWhereItIsSeen()
    {
        m_window->document().replace(core::preset("llama-3.1-8b")->experiment, {});
        QVERIFY(!day().isRunning && !day().found); // nobody looks
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QVERIFY(day().isRunning);
        QTRY_VERIFY_WITH_TIMEOUT(day().found && !day().isRunning, 60'000);
        const pricing::SimulatedService first = *day().found;
        QVERIFY(first.why.empty());
        QVERIFY(find<Chart>(*m_window, "trafficChart1")->isVisibleTo(m_window.get()));
        const auto rows = [&] {
            return find<DataTable>(*m_window, "trafficTable")->model()->rowCount();
        };
        QCOMPARE(rows(), static_cast<int>(first.rows.size()));

        // A hundred times the traffic: what is shown belongs to it once that is simulated.
        QVERIFY(m_window->document().set("/serving/requests_per_day", core::Json(1e6), 0));
        QVERIFY(day().isRunning && day().found);
        QTRY_VERIFY_WITH_TIMEOUT(!day().isRunning, 60'000);
        QVERIFY(day().found->plan().usdPerMonth.value() > first.plan().usdPerMonth.value());
        QCOMPARE(rows(), static_cast<int>(day().found->rows.size()));
        m_window->document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(!day().isRunning, 60'000);
        QCOMPARE(day().found->plan().machines, first.plan().machines);
        QCOMPARE(day().found->plan().answerP95Ms.value(), first.plan().answerP95Ms.value());
    }

    void withoutRequestsThereIsNoDay()
    {
        QVERIFY(m_window->document().set("/serving/requests_per_day", core::Json(0.0), 0));
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(day().found && !day().isRunning, 60'000);
        QVERIFY(!day().found->why.empty());
        QVERIFY(!find<DataTable>(*m_window, "trafficTable")->isVisible());
    }

    // A change that nobody looks at is simulated when somebody does.
    void elsewhereNothingRuns()
    {
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(day().found && !day().isRunning, 60'000);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(m_window->document().set("/serving/requests_per_day", core::Json(2e4), 0));
        QTest::qWait(400);
        QVERIFY(!day().isRunning);
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QVERIFY(day().isRunning);
        QTRY_VERIFY_WITH_TIMEOUT(!day().isRunning && day().found->why.empty(), 60'000);
    }

private:
    [[nodiscard]] const TrafficDay& day() const { return *m_window->input().traffic; }
};

OUTLAY_TEST(TestWindowTraffic)
#include "tst_window_traffic.moc"
