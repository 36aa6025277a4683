// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/waiting.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;

class TestWaiting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textbookValues_data()
    {
        QTest::addColumn<double>("servers");
        QTest::addColumn<double>("load");
        QTest::addColumn<double>("probability");
        // M/M/1 waits with probability rho; M/M/2 with rho^2 x 2 / (1 + rho); the others by the sum.
        QTest::newRow("one") << 1.0 << 0.7 << 0.7;
        QTest::newRow("two") << 2.0 << 1.0 << 1.0 / 3;
        QTest::newRow("two, 0.9 busy") << 2.0 << 1.8 << 2 * 0.81 / 1.9;
        QTest::newRow("three") << 3.0 << 2.0 << 4.0 / 9;
        QTest::newRow("full") << 3.0 << 3.0 << 1.0;
        QTest::newRow("nothing to do") << 3.0 << 0.0 << 0.0;
    }
    void textbookValues()
    {
        QFETCH(double, servers);
        QFETCH(double, load);
        QFETCH(double, probability);
        QVERIFY(std::abs(waitProbability(servers, load) - probability) < 1e-12);
    }

    // Where the exact sum ends, the limit for many servers goes on.
    void theLimitContinuesTheSum()
    {
        for (const double share : {0.9, 0.95, 0.99}) {
            const double exact = waitProbability(300, share * 300);
            const double limit = waitProbability(301, share * 301);
            QVERIFY2(std::abs(exact - limit) < 0.03, qPrintable(QString::number(share)));
        }
    }

    // M/M/1: P(wait > t) = rho exp(-(mu - lambda) t).
    void oneServerWaits()
    {
        const Queue queue{.arrivalsPerS = 8, .serviceS = 0.1};
        const double wait = waitP95S(queue, 1);
        QVERIFY(std::abs(0.8 * std::exp(-(10 - 8) * wait) - 0.05) < 1e-12);
        QVERIFY(std::isinf(waitP95S({.arrivalsPerS = 10, .serviceS = 0.1}, 1)));
    }

    // 20 requests a second is what one server with 50 ms can do at most, and then nobody is served in time.
    void twentyRequestsASecond()
    {
        QVERIFY(instancesFor({.arrivalsPerS = 20, .serviceS = 0.05}, 1e6) == 2);
        QVERIFY(instancesFor({.arrivalsPerS = 19.9, .serviceS = 0.05}, 1e6) == 1);
    }

    void theFewestThatHold()
    {
        for (const double load : {0.01, 0.5, 1.0, 3.7, 25.0, 290.0, 299.5, 4000.0, 1e7}) {
            for (const double batch : {1.0, 4.0, 7.0, 400.0}) {
                const Queue queue{
                    .arrivalsPerS = load / 0.2, .serviceS = 0.2, .serversPerInstance = batch};
                const double n = instancesFor(queue, 0.1);
                QVERIFY(waitP95S(queue, n) <= 0.1);
                QVERIFY(n == 1 || waitP95S(queue, n - 1) > 0.1);
            }
        }
        QVERIFY(instancesFor({}, 0.1) == 0);
        QVERIFY(instancesFor({.arrivalsPerS = 1e300, .serviceS = 1e10}, 0.1) > 1e300);
    }

    void moreTrafficNeverTakesFewer()
    {
        double before = 0;
        for (double load = 0.1; load < 2000; load *= 1.05) {
            const double now = instancesFor({.arrivalsPerS = load, .serviceS = 1}, 0.5);
            QVERIFY(now >= before);
            before = now;
        }
    }
};

OUTLAY_TEST(TestWaiting)
#include "tst_waiting.moc"
