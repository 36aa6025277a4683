// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/statistics.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
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

    void winsorisedMeansMoveTheEnds()
    {
        QCOMPARE(winsorisedMean({1000, 2, 3, 4, -1000}, 0.2), 3.0);
        QCOMPARE(winsorisedMean({1, 1, 1, 5}, 0.2), 2.0); // too few to move one
        QCOMPARE(winsorisedMean({5}, 0.2), 5.0);
        QCOMPARE(winsorisedMean({}, 0.2), 0.0);
    }

    // Steps that are now and then twice as long cost what they cost: a forecast by the median or by a
    // trimmed mean would be 2 % too low.
    void slowStepsAreNotForgotten()
    {
        std::vector<double> samples(200, 1.0);
        for (std::size_t i = 0; i < samples.size(); i += 10)
            samples[i] = 1.2;
        QVERIFY(std::abs(winsorisedMean(samples, 0.05) - 1.02) < 1e-9);
        QCOMPARE(median(samples), 1.0);
    }

    void spreadIsOfTheMiddle()
    {
        QCOMPARE(relativeSpread({1, 2, 3}), 0.5);
        QCOMPARE(relativeSpread({2, 2, 2}), 0.0);
        QCOMPARE(relativeSpread({-1, 0, 1}), 0.0); // of nothing, no share
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
    void intervalsCover_data()
    {
        QTest::addColumn<std::size_t>("count");
        for (const std::size_t count : {1U, 2U, 3U, 4U, 6U, 12U, 40U})
            QTest::addRow("%zu samples", count) << count;
    }
    void intervalsCover()
    {
        QFETCH(std::size_t, count);
        std::mt19937 random(3);
        std::lognormal_distribution<double> time(0, 0.1);
        const auto draw = [&] {
            std::vector<double> samples(count);
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

    // Of exponential times 95 of 100 are below log(20): as many intervals hold that as they promise, hardly more.
    void ranksCover_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("share");
        QTest::newRow("p95 of 60") << 60 << 0.95;
        QTest::newRow("p95 of 400") << 400 << 0.95;
        QTest::newRow("p99 of 500") << 500 << 0.99;
        QTest::newRow("median of 30") << 30 << 0.5;
    }
    void ranksCover()
    {
        QFETCH(int, count);
        QFETCH(double, share);
        std::mt19937 random(4);
        std::exponential_distribution<double> time(1);
        const double truth = -std::log1p(-share);
        int below = 0;
        int above = 0;
        constexpr int Rounds = 2000;
        for (int i = 0; i < Rounds; ++i) {
            std::vector<double> samples(static_cast<std::size_t>(count));
            std::generate(samples.begin(), samples.end(), [&] { return time(random); });
            const auto interval = rankInterval(samples, share);
            QVERIFY(interval.has_value());
            below += truth < interval->low ? 1 : 0;
            above += truth > interval->high ? 1 : 0;
        }
        for (const int outside : {below, above})
            QVERIFY2(outside > 0.02 * Rounds && outside < 0.12 * Rounds,
                     qPrintable(QStringLiteral("%1 below, %2 above").arg(below).arg(above)));
    }

    // 0.95^n has to be below a tenth before the highest of n is likely to lie beyond.
    void tooFewSayNothingOfARank()
    {
        std::vector<double> samples(44, 1.0);
        QVERIFY(!rankInterval(samples, 0.95));
        QVERIFY(!rankInterval({}, 0.95));
        samples.push_back(2.0);
        const auto interval = rankInterval(samples, 0.95);
        QVERIFY(interval.has_value());
        QCOMPARE(interval->high, 2.0);
        QCOMPARE(interval->low, 1.0);
    }

    void aForecastIsRenewedWhileTheRunGoesOn()
    {
        std::vector<double> steps{3}; // warm-up, paid once
        for (int i = 0; i < 19; ++i)
            steps.push_back(1);
        QCOMPARE(renewedForecast(steps, 100), 22.0 + 80);
        steps.insert(steps.end(), 60, 2.0); // a neighbour came: known steps count as they were
        const double later = renewedForecast(steps, 100);
        QVERIFY(later > 22 + 120 + 20 * 1.5 && later < 22 + 120 + 20 * 2);
        QCOMPARE(renewedForecast(steps, 80), 142.0);
    }

    // Whatever the machine did meanwhile: neighbours that come and go, a drift, one sample that took long.
    void anIntervalHoldsItsOwnMedian()
    {
        std::mt19937 random(5);
        std::lognormal_distribution<double> time(0, 0.1);
        const auto holds = [](const std::vector<double>& samples) {
            const Interval interval = medianInterval(samples);
            return interval.low <= median(samples) && median(samples) <= interval.high;
        };
        for (std::size_t count = 1; count <= 60; ++count) {
            std::vector<double> alternating;
            std::vector<double> drifting;
            std::vector<double> waves;
            std::vector<double> alike(count, time(random));
            for (std::size_t i = 0; i < count; ++i) {
                const auto at = static_cast<double>(i);
                alternating.push_back((i % 2 == 0 ? 1.0 : 1.4) * time(random));
                drifting.push_back((1 + at / 10) * time(random));
                waves.push_back((i / 7 % 2 == 0 ? 1.0 : 3.0) * time(random));
            }
            for (const auto& samples : {alternating, drifting, waves, alike})
                QVERIFY2(holds(samples), qPrintable(QString::number(count)));
        }
    }

    void theSameSamplesGiveTheSameInterval()
    {
        const std::vector<double> samples{1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 4};
        QCOMPARE(medianInterval(samples), medianInterval(samples));
    }

    void verdicts()
    {
        const std::vector<double> steady(30, 1.0);
        QCOMPARE(verdictOf(steady, {}), Verdict::Steady);
        QCOMPARE(verdictOf(steady, {.waiting = 0.2}), Verdict::Unstable);
        QCOMPARE(verdictOf(steady, {.drift = 0.06}), Verdict::Unstable);
        const std::vector<double> few(11, 1.0);
        QCOMPARE(verdictOf(few, {}), Verdict::TooFew);
        std::vector<double> noisy;
        for (int i = 0; i < 30; ++i)
            noisy.push_back(i % 2 == 0 ? 1.0 : 1.3);
        QCOMPARE(verdictOf(noisy, {}), Verdict::Unstable);
        QVERIFY(!remedy(Verdict::Unstable).empty() && !remedy(Verdict::TooFew).empty());
        QVERIFY(remedy(Verdict::Steady).empty());
    }
};

OUTLAY_TEST(TestStatistics)
#include "tst_statistics.moc"
