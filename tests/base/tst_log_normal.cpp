// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Log-normal quantities against their own samples and sums.
#include "core/base/log_normal.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace outlay::core;

class TestLogNormal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isAsItsSamples_data()
    {
        QTest::addColumn<double>("spread");
        for (const double spread : {0.1, 0.5, 1.0, 2.0})
            QTest::addRow("%g", spread) << spread;
    }
    void isAsItsSamples()
    {
        QFETCH(double, spread);
        const LogNormal law(3, spread);
        std::mt19937_64 random(5);
        std::normal_distribution<double> deviations;
        std::vector<double> samples(400'000);
        double sum = 0;
        double squares = 0;
        for (double& sample : samples) {
            sample = law.at(deviations(random));
            sum += sample;
            squares += sample * sample;
        }
        const double count = static_cast<double>(samples.size());
        const double mean = sum / count;
        QVERIFY2(std::abs(mean / 3 - 1) < 0.02, qPrintable(QString::number(mean)));
        const double found = std::sqrt(squares / count - mean * mean) / mean;
        QVERIFY2(std::abs(found / spread - 1) < 0.1, qPrintable(QString::number(found)));
        std::sort(samples.begin(), samples.end());
        QVERIFY(std::abs(law.at(At95) / samples[samples.size() * 95 / 100] - 1) < 0.02);
        for (const double value : {0.5, 1.0, 3.0, 9.0}) {
            const auto below = std::lower_bound(samples.begin(), samples.end(), value);
            const double share = static_cast<double>(below - samples.begin()) / count;
            QVERIFY(std::abs(law.shareBelow(value) - share) < 0.004);
        }
    }

    // The sum of shares is what it says, step by step.
    void sumsItsShares()
    {
        for (const double spread : {0.2, 1.0}) {
            const LogNormal law(2, spread);
            constexpr double Step = 1e-3;
            double sum = 0;
            for (double value = 0; value < 12; value += Step)
                sum += Step * law.shareBelow(value + Step / 2);
            QVERIFY2(std::abs(law.sumBelow(12) - sum) < 1e-3,
                     qPrintable(QString::number(law.sumBelow(12) - sum)));
        }
        QCOMPARE(LogNormal(2, 1).sumBelow(-1), 0.0);
    }

    void withoutSpreadItIsOneValue()
    {
        const LogNormal law(2, 0);
        QCOMPARE(law.at(-3), 2.0);
        QCOMPARE(law.at(3), 2.0);
        QCOMPARE(law.shareBelow(1.99), 0.0);
        QCOMPARE(law.shareBelow(2.01), 1.0);
        QCOMPARE(law.sumBelow(5), 3.0);
        QCOMPARE(LogNormal(0, 1).at(2), 0.0); // nothing doesn't scatter
    }

    // The table is read as the law is computed, whatever the mean, within it, beyond it and where nothing scatters.
    void sumsAreThoseOfTheLaw()
    {
        for (const double spread : {0.0, 0.1, 0.7, 2.5}) {
            const SumsBelow sums(spread);
            for (const double mean : {0.003, 1.0, 40.0}) {
                const LogNormal law(mean, spread);
                for (const double share : {-1.0, 0.0, 0.2, 0.9, 1.0, 1.7, 4.0, 1e3, 1e6}) {
                    const double value = share * mean;
                    const double off = std::abs(sums.at(value, mean) - law.sumBelow(value));
                    QVERIFY2(off <= 0.004 * std::max(mean, value),
                             qPrintable(QString::number(off)));
                }
            }
        }
        QCOMPARE(SumsBelow(0.7).at(3, 0), 3.0);
    }
};

OUTLAY_TEST(TestLogNormal)
#include "tst_log_normal.moc"
