// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published runs, copied with their sources, hold the forecasts to what docs/forecast.md promises;
// bench_truth scores a whole folder of them.
#include "core/base/file.h"
#include "core/probe/statistics.h"
#include "tests/support/test_class.h"
#include "tests/support/truth_cases.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::core;
using tests::TruthCase;

class TestPublishedRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        const auto text = loadFile(OUTLAY_TEST_DATA "/published_runs.json");
        QVERIFY(text);
        const auto json = readJson(*text);
        QVERIFY(json && json->asArray() != nullptr);
        m_rows = json->asArray()->size();
        m_cases = tests::truthCases(*json);
        const auto requests = loadFile(OUTLAY_TEST_DATA "/published_requests.csv");
        QVERIFY(requests);
        for (TruthCase& truth : tests::requestCases(*requests)) {
            m_cases.push_back(std::move(truth));
            ++m_rows;
        }
    }

    void everyRowIsForecast()
    {
        QVERIFY(m_cases.size() >= 30);
        QCOMPARE(m_cases.size(), m_rows);
        for (const TruthCase& truth : m_cases) {
            QVERIFY2(hardwareCatalog()->find(truth.device) != nullptr, truth.id.c_str());
            QVERIFY2(forecast(truth).isAvailable(), truth.id.c_str());
        }
    }

    void intervalsHold()
    {
        int held = 0;
        for (const TruthCase& truth : m_cases) {
            const Quantity q = forecast(truth);
            held += q.low() <= truth.seconds && truth.seconds <= q.high() ? 1 : 0;
        }
        const double share = static_cast<double>(held) / static_cast<double>(m_cases.size());
        QVERIFY2(share >= 0.75, std::to_string(share).c_str());
    }

    void errorsAreBounded_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("most"); // at the median
        const auto row = [](tests::TruthKind kind, double most) {
            const auto i = static_cast<std::size_t>(kind);
            QTest::newRow(std::string(tests::TruthKindNames.at(i)).c_str())
                << static_cast<int>(kind) << most;
        };
        row(tests::TruthKind::Training, 0.14);
        row(tests::TruthKind::Recurrent, 0.22);
        row(tests::TruthKind::Latency, 0.2);
        row(tests::TruthKind::Decode, 0.2);
        row(tests::TruthKind::Run, 0.1);
        row(tests::TruthKind::Request, 0.12);
    }
    void errorsAreBounded()
    {
        QFETCH(int, kind);
        QFETCH(double, most);
        std::vector<double> errors;
        for (const TruthCase& truth : m_cases) {
            if (static_cast<int>(truth.kind) == kind)
                errors.push_back(std::abs(forecast(truth).value() / truth.seconds - 1));
        }
        QVERIFY2(median(errors) < most, std::to_string(median(errors)).c_str());
    }

    /// Layers shared by several devices, and stages of the depth, as they were laid out: with bounds that the rows of
    /// each source hold alone.
    void layoutsAreForecast_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("rows");
        QTest::newRow("BLOOM's trials on up to 384 devices") << "bloom" << 9;
        QTest::newRow("DLPerf's on up to 32") << "dlperf" << 3;
    }
    void layoutsAreForecast()
    {
        QFETCH(QString, source);
        QFETCH(int, rows);
        std::vector<double> logs;
        for (const TruthCase& truth : m_cases) {
            const Training& t = truth.training;
            const bool isSplit = truth.kind == tests::TruthKind::Training &&
                                 t.tensorParallel.value_or(1) * t.pipelineStages.value_or(1) > 1;
            if (isSplit && QString::fromStdString(truth.id).contains(source))
                logs.push_back(std::log(forecast(truth).value() / truth.seconds));
        }
        QCOMPARE(logs.size(), static_cast<std::size_t>(rows));
        QVERIFY2(std::abs(median(logs)) < 0.12, std::to_string(median(logs)).c_str());
        for (double& log : logs)
            log = std::abs(log);
        QVERIFY2(median(logs) < 0.15, std::to_string(median(logs)).c_str());
    }

    /// Where hours are the steps' alone they are held against those, and fused kernels against fused ones.
    void wholeRunsAreForecast()
    {
        int runs = 0;
        for (const TruthCase& truth : m_cases) {
            if (truth.kind != tests::TruthKind::Run)
                continue;
            ++runs;
            const double ratio = forecast(truth).value() / truth.seconds;
            QVERIFY2(std::abs(ratio - 1) < 0.2, (truth.id + " " + std::to_string(ratio)).c_str());
            TruthCase other = truth; // what a source tells of its kernels and hours is needed
            other.training.compiled = other.isOfSteps = false;
            const bool isSpecial = truth.training.compiled || truth.isOfSteps;
            const double off = forecast(other).value() / truth.seconds;
            QVERIFY2(!isSpecial || std::abs(off - 1) > std::abs(ratio - 1) + 0.1, truth.id.c_str());
        }
        QCOMPARE(runs, 5);
    }

    /// Where heads that share keys and values read them anew, long contexts of a model that has such take as long as if it
    /// hadn't: of the two that were measured the one with a quarter of the cache took longer.
    void sharedCachesAreReadAnew()
    {
        Calibration once = *calibration();
        for (EngineRates& rates : once.engines)
            rates.repeats = 0;
        int rows = 0;
        for (const TruthCase& truth : m_cases) {
            if (truth.serving.inputTokens != 2048)
                continue;
            ++rows;
            const Device& device = *hardwareCatalog()->find(truth.device);
            const double with = tests::forecastOf(truth, device, *calibration()).value();
            const double without = tests::forecastOf(truth, device, once).value();
            QVERIFY2(std::abs(std::log(with / truth.seconds)) < std::log(1.4), truth.id.c_str());
            const bool isShared = truth.id.find("Mistral") != std::string::npos;
            QVERIFY2(isShared ? without < 0.6 * truth.seconds : without == with, truth.id.c_str());
        }
        QCOMPARE(rows, 2);
    }

    /// Without a bias that all forecasts of a kind share.
    void noKindIsFarOff()
    {
        for (std::size_t kind = 0; kind < tests::TruthKindNames.size(); ++kind) {
            std::vector<double> logs;
            for (const TruthCase& truth : m_cases) {
                if (static_cast<std::size_t>(truth.kind) == kind)
                    logs.push_back(std::log(forecast(truth).value() / truth.seconds));
            }
            // Of prompts alone these tables have none: tst_predictors holds them.
            if (kind == static_cast<std::size_t>(tests::TruthKind::Prompt))
                continue;
            QVERIFY(!logs.empty());
            QVERIFY2(std::abs(median(logs)) < 0.4,
                     std::string(tests::TruthKindNames.at(kind)).c_str());
        }
    }

private:
    static Quantity forecast(const TruthCase& truth)
    {
        return tests::forecastOf(truth, *hardwareCatalog()->find(truth.device), *calibration());
    }

    std::vector<TruthCase> m_cases;
    std::size_t m_rows = 0;
};

OUTLAY_TEST(TestPublishedRuns)
#include "tst_published_runs.moc"
