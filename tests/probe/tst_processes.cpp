// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/measurement.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;

namespace {

std::vector<ExchangeTiming> timings(double latencyS, double secondsPerByte, double noise,
                                    std::mt19937_64& random)
{
    std::uniform_real_distribution<double> factor(1 - noise, 1 + noise);
    std::vector<ExchangeTiming> all;
    for (const double bytes : {4.0, 65'536.0, 1e6, 4e6, 16e6})
        all.push_back({bytes, (latencyS + bytes * secondsPerByte) * factor(random)});
    return all;
}

bool isNear(double a, double b, double share)
{
    return std::abs(a - b) <= share * std::abs(b);
}

} // namespace

class TestProcesses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLineIsFound_data()
    {
        QTest::addColumn<qint64>("processes");
        QTest::addColumn<double>("latency"); // of a doubling
        QTest::addColumn<double>("perSecond");
        // 100 us and 1 ns a byte, on the line.
        QTest::newRow("two") << qint64{2} << 100e-6 << 1e9;
        QTest::newRow("four") << qint64{4} << 50e-6 << 1.5e9;
        QTest::newRow("eight") << qint64{8} << 100e-6 / 3 << 1.75e9;
    }
    void aLineIsFound()
    {
        QFETCH(qint64, processes);
        QFETCH(double, latency);
        QFETCH(double, perSecond);
        std::mt19937_64 random(1);
        const auto fit = fitExchange(timings(100e-6, 1e-9, 0, random), processes);
        QVERIFY(fit.has_value());
        QVERIFY(isNear(fit->latencyS, latency, 1e-6));
        QVERIFY(isNear(fit->bytesPerS, perSecond, 1e-6));
        QVERIFY(fit->miss < 1 + 1e-6);
    }

    void noiseIsWithinTheMiss()
    {
        std::mt19937_64 random(2);
        for (int i = 0; i < 200; ++i) {
            const double latency = std::pow(10.0, -3 - static_cast<double>(random() % 3));
            const double perByte = std::pow(10.0, -8 - static_cast<double>(random() % 3));
            const auto noisy = timings(latency, perByte, 0.2, random);
            const auto fit = fitExchange(noisy, 2);
            QVERIFY(fit.has_value());
            QVERIFY(isNear(fit->latencyS, latency, 0.5));
            QVERIFY(isNear(fit->bytesPerS, 1 / perByte, 0.7));
            QVERIFY(fit->miss >= 1 && fit->miss < 1.6);
            for (const ExchangeTiming& t : noisy) {
                const double line = fit->latencyS + t.bytes / fit->bytesPerS;
                QVERIFY(line <= t.seconds * fit->miss * (1 + 1e-9));
                QVERIFY(line >= t.seconds / fit->miss * (1 - 1e-9));
            }
        }
    }

    // Small ones that are too fast: the line would start below zero.
    void aStartIsNeverNegative()
    {
        const auto fit = fitExchange({{1e6, 1e-4}, {2e6, 1e-3}, {4e6, 3e-3}}, 2);
        QVERIFY(fit.has_value());
        QCOMPARE(fit->latencyS, 0.0);
        QVERIFY(fit->bytesPerS > 0 && std::isfinite(fit->bytesPerS) && std::isfinite(fit->miss));
    }

    void whatMakesNoSenseHasNoFit_data()
    {
        QTest::addColumn<QList<double>>("pairs");
        QTest::addColumn<qint64>("processes");
        QTest::newRow("nothing") << QList<double>{} << qint64{2};
        QTest::newRow("one size") << QList<double>{1e6, 1e-3} << qint64{2};
        QTest::newRow("the same size twice") << QList<double>{1e6, 1e-3, 1e6, 1e-3} << qint64{2};
        QTest::newRow("no time") << QList<double>{4, 0, 1e6, 1e-3} << qint64{2};
        QTest::newRow("not a number") << QList<double>{4, std::nan(""), 1e6, 1e-3} << qint64{2};
        QTest::newRow("larger is faster") << QList<double>{4, 1e-3, 1e6, 1e-5} << qint64{2};
        QTest::newRow("one process") << QList<double>{4, 1e-5, 1e6, 1e-3} << qint64{1};
    }
    void whatMakesNoSenseHasNoFit()
    {
        QFETCH(QList<double>, pairs);
        QFETCH(qint64, processes);
        std::vector<ExchangeTiming> list;
        for (qsizetype i = 0; i + 1 < pairs.size(); i += 2)
            list.push_back({pairs[i], pairs[i + 1]});
        QVERIFY(!fitExchange(list, processes));
    }

    void isStoredWithTheMeasurement()
    {
        Measurement m;
        m.model.design = GatedRnnDesign{9, 8, 7, 6, 5, 4};
        QVERIFY(toJson(m).find("processes") == nullptr || toJson(m).find("processes")->isNull());
        const auto none = readMeasurement(toJson(m));
        QVERIFY(none && !none->processes);
        m.processes = ProcessesMeasurement{.processes = 2,
                                           .aloneStepS = 0.3,
                                           .stepS = 0.35,
                                           .exchangeS = 0.02,
                                           .steps = 12,
                                           .latencyS = 1e-5,
                                           .bytesPerS = 2e9,
                                           .miss = 1.4,
                                           .exchange = {{4, 1e-5}, {1e6, 6e-4}}};
        const auto read = readMeasurement(toJson(m));
        QVERIFY(read.has_value());
        QCOMPARE(read->processes, m.processes);
    }
};

OUTLAY_TEST(TestProcesses)
#include "tst_processes.moc"
