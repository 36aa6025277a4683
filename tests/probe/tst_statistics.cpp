// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/statistics.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;

class TestStatistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void percentiles()
    {
        QCOMPARE(median({3, 1, 2}), 2.0);
        QCOMPARE(median({4, 1, 2, 3}), 2.5);
        QCOMPARE(percentile({10, 20, 30, 40, 50}, 0.95), 48.0);
        QCOMPARE(percentile({7}, 0.99), 7.0);
        QCOMPARE(percentile({}, 0.5), 0.0);
    }

    void trimmedMeansLeaveOutTheEnds()
    {
        QCOMPARE(trimmedMean({1000, 2, 3, 4, -1000}, 0.2), 3.0);
        QCOMPARE(trimmedMean({5}, 0.2), 5.0);
        QCOMPARE(trimmedMean({}, 0.2), 0.0);
    }

    void warmUp()
    {
        const std::vector<double> slowStart{3, 2, 1.2, 1, 1, 1.01, 1, 0.99, 1, 1};
        QCOMPARE(warmUpCount(slowStart), std::size_t{3});
        const std::vector<double> steady(20, 1.0);
        QCOMPARE(warmUpCount(steady), std::size_t{1});
        const std::vector<double> neverSteady{9, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        QCOMPARE(warmUpCount(neverSteady), std::size_t{5});
        const std::vector<double> one{1};
        QCOMPARE(warmUpCount(one), std::size_t{0});
    }

    // Of many lists drawn from one distribution, the interval of one holds the median of another about
    // as often as it says, with the spread of both in mind.
    void intervalsCover()
    {
        std::mt19937 random(3);
        std::lognormal_distribution<double> time(0, 0.1);
        const auto draw = [&] {
            std::vector<double> samples(40);
            for (double& sample : samples)
                sample = time(random);
            return samples;
        };
        int held = 0;
        constexpr int Rounds = 300;
        for (int i = 0; i < Rounds; ++i) {
            const Interval interval = medianInterval(draw());
            QVERIFY(interval.low <= interval.high);
            held += interval.low <= 1.0 && interval.high >= 1.0 ? 1 : 0; // the true median
        }
        QVERIFY2(held > 0.70 * Rounds && held < 0.92 * Rounds, qPrintable(QString::number(held)));
    }

    void theSameSamplesGiveTheSameInterval()
    {
        const std::vector<double> samples{1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 4};
        QCOMPARE(medianInterval(samples), medianInterval(samples));
    }

    void verdicts()
    {
        const std::vector<double> steady(30, 1.0);
        QCOMPARE(verdictOf(steady, 0), Verdict::Steady);
        QCOMPARE(verdictOf(steady, 0.2), Verdict::Unstable);
        const std::vector<double> few(11, 1.0);
        QCOMPARE(verdictOf(few, 0), Verdict::TooFew);
        std::vector<double> noisy;
        for (int i = 0; i < 30; ++i)
            noisy.push_back(i % 2 == 0 ? 1.0 : 1.3);
        QCOMPARE(verdictOf(noisy, 0), Verdict::Unstable);
        QVERIFY(!remedy(Verdict::Unstable).empty() && !remedy(Verdict::TooFew).empty());
        QVERIFY(remedy(Verdict::Steady).empty());
    }
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
