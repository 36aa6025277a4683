// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a measurement says of machines elsewhere: of the design as measured, and of those it is changed into.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "core/hardware/answer_times.h"
#include "core/hardware/hardware_catalog.h"
#include "pricing/report/correction.h"
#include "pricing/report/make_report.h"
#include "tests/support/measured.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using outlay::tests::figuresToday;
using pricing::Report;

namespace {

constexpr double Tolerance = 1e-9;

core::Experiment generator()
{
    return core::preset("text-generator")->experiment;
}

core::Experiment with(const core::Experiment& e, const char* pointer, std::int64_t value)
{
    return *core::withValue(e, pointer, core::Json(value));
}

core::Measurement slowBy(const core::Experiment& e, double stepS)
{
    core::Measurement m = tests::measurementOf(e, stepS);
    m.machine.matrixFlopsPerSecond = 1e11;
    m.machine.memoryBytesPerSecond = 1e10;
    m.inference = {.p50Ms = 50, .p95Ms = 70, .count = 100, .firstTokenMs = 50, .tokenMs = 20};
    return m;
}

bool isAlmost(double a, double b)
{
    return std::abs(a - b) <= Tolerance * std::max(std::abs(a), std::abs(b));
}

/// One of the processors of the price book.
std::size_t processor()
{
    const auto& kinds = tests::catalogs().devices().kinds();
    const Report report = figuresToday(generator());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].device.kind == core::DeviceKind::Cpu &&
            report.training.forecasts[i].runSeconds.isAvailable() &&
            report.serving.forecasts[i].latencyMs.isAvailable())
            return i;
    }
    return kinds.size();
}

/// Corrected over plain, and how much wider than the plain interval.
struct Step {
    double ratio = 0;
    double width = 0;
};

Step stepOf(const core::Quantity& corrected, const core::Quantity& plain)
{
    return {corrected.value() / plain.value(),
            corrected.high() / corrected.low() / (plain.high() / plain.low())};
}

} // namespace

class TestCorrection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Forecast and correction go by one law: who measures just what is forecast of his machine corrects nothing.
    void whatIsForecastCorrectsNothing()
    {
        const core::Experiment plain = generator();
        const Report before = figuresToday(plain);
        const std::size_t kind = processor();
        const core::Device& device = tests::catalogs().devices().kinds()[kind].device;
        const core::ProcessorRates& rates = core::calibration()->processors;
        core::Measurement m = slowBy(plain, before.training.forecasts[kind].stepSeconds.value());
        m.machine.matrixFlopsPerSecond = *device.fp32Tflops * 1e12 * rates.products.share;
        m.machine.memoryBytesPerSecond = *device.memoryGbPerS * 1e9 * rates.products.memoryShare;
        m.inference.firstTokenMs = before.serving.forecasts[kind].firstTokenMs.value();
        m.inference.tokenMs = before.serving.forecasts[kind].tokenMs.value();
        core::Experiment e = plain;
        tests::addTo(e, m);
        const Report after = figuresToday(e);
        const auto isSame = [](const core::Quantity& a, const core::Quantity& b) {
            return std::abs(a.value() / b.value() - 1) < 1e-6;
        };
        QVERIFY(isSame(after.training.forecasts[kind].stepSeconds,
                       before.training.forecasts[kind].stepSeconds));
        QVERIFY(isSame(after.serving.forecasts[kind].latencyMs,
                       before.serving.forecasts[kind].latencyMs));
    }

    // Measured steps are already those of the user's own code: what it adds isn't counted twice.
    void measuredStepsAreNoLessThanTheRun()
    {
        const core::Experiment e = generator();
        const core::Device& device = *core::hardwareCatalog()->find("T4");
        const auto demand = core::trainingDemand(core::expand(e.model), e.training);
        const auto plain = core::trainingForecast(demand, {device, 4, *core::calibration()});
        QVERIFY(plain.runShare < 1);
        core::TrainingForecast corrected = plain;
        pricing::correct(corrected, {.ratio = 2, .spread = 1, .isKnown = true, .note = {}});
        QCOMPARE(corrected.runShare, 1.0);
        const double beforeS = plain.runSeconds.value() * plain.runShare;
        QVERIFY(isAlmost(corrected.runSeconds.value(), 2 * beforeS));
        QVERIFY(isAlmost(corrected.deviceHours.value(), 4 * 2 * beforeS / 3600));
        QVERIFY(plain.waitingSeconds.value() > 0);
        QVERIFY(isAlmost(corrected.waitingSeconds.value(), 2 * plain.waitingSeconds.value()));
        QVERIFY(isAlmost(corrected.kwh.value(), 2 * plain.kwh.value() * plain.runShare));
        QVERIFY(isAlmost(corrected.stepSeconds.value(), 2 * plain.stepSeconds.value()));
    }

    // A machine that is twice as slow as its roofline says so of processors elsewhere, not of accelerators.
    void aMeasurementCorrectsForecasts()
    {
        core::Experiment e = generator();
        const Report plain = figuresToday(e);
        tests::addTo(e, slowBy(e, 0.5));
        const Report once = figuresToday(e);
        e.measurements = {};
        tests::addTo(e, slowBy(e, 1));
        const Report twice = figuresToday(e);
        int processors = 0;
        for (std::size_t i = 0; i < plain.training.forecasts.size(); ++i) {
            const core::Quantity& a = once.training.forecasts[i].runSeconds;
            const core::Quantity& b = twice.training.forecasts[i].runSeconds;
            const bool isCpu =
                tests::catalogs().devices().kinds()[i].device.kind == core::DeviceKind::Cpu;
            if (!a.isAvailable())
                continue;
            if (!isCpu) {
                QCOMPARE(a, plain.training.forecasts[i].runSeconds);
                continue;
            }
            ++processors;
            QVERIFY(std::abs(b.value() - 2 * a.value()) <= 1e-9 * b.value());
            QVERIFY(a.how().sentence().find("as measured") != std::string::npos);
            QVERIFY(a.low() <= plain.training.forecasts[i].runSeconds.low());
            QVERIFY(a.high() >= plain.training.forecasts[i].runSeconds.high());
        }
        QVERIFY(processors > 10);
    }

    // LibTorch's requests, timed on an accelerator, say nothing of another engine there.
    void requestsCorrectTheirOwnEngine()
    {
        core::Experiment e = generator();
        core::Measurement m = slowBy(e, 0.5);
        m.machine.device = "cuda";
        for (const core::Engine engine :
             {core::Engine::LibTorch, core::Engine::Vllm, core::Engine::OnnxRuntime}) {
            e.serving.engine = engine;
            e.measurements = {};
            const Report plain = figuresToday(e);
            tests::addTo(e, m);
            const Report corrected = figuresToday(e);
            int accelerators = 0;
            for (std::size_t i = 0; i < plain.serving.forecasts.size(); ++i) {
                const core::Quantity& a = plain.serving.forecasts[i].latencyMs;
                if (!a.isAvailable() ||
                    tests::catalogs().devices().kinds()[i].device.kind == core::DeviceKind::Cpu)
                    continue;
                QCOMPARE(a == corrected.serving.forecasts[i].latencyMs, !core::isPyTorch(engine));
                ++accelerators;
            }
            QVERIFY(accelerators > 5);
        }
    }

    // What was seen on an accelerator is said of accelerators.
    void acceleratorsAreCorrectedByTheirOwn()
    {
        core::Experiment e = generator();
        const Report plain = figuresToday(e);
        core::Measurement m = slowBy(e, 0.5);
        m.machine.device = "cuda";
        tests::addTo(e, m);
        const Report corrected = figuresToday(e);
        int accelerators = 0;
        for (std::size_t i = 0; i < plain.training.forecasts.size(); ++i) {
            const core::Quantity& a = plain.training.forecasts[i].runSeconds;
            const core::Quantity& b = corrected.training.forecasts[i].runSeconds;
            const bool isCpu =
                tests::catalogs().devices().kinds()[i].device.kind == core::DeviceKind::Cpu;
            if (!a.isAvailable())
                continue;
            QCOMPARE(a == b, isCpu);
            accelerators += isCpu ? 0 : 1;
        }
        QVERIFY(accelerators > 10);
    }

    // What was seen of the code stays true of a design with one more unit, and of one with many more: less sure, never
    // at once forgotten.
    void changedDesignsKeepIt_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<int>("measured");
        QTest::newRow("hidden size") << QByteArray("/model/hidden") << 150;
        QTest::newRow("layers") << QByteArray("/model/layers") << 2;
        QTest::newRow("batch") << QByteArray("/training/batch") << 128;
        QTest::newRow("length") << QByteArray("/training/sequence") << 64;
    }
    void changedDesignsKeepIt()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(int, measured);
        const std::size_t kind = processor();
        const core::Experiment plain = with(generator(), pointer, measured);
        const core::Measurement m = slowBy(plain, 0.5);
        double ratio = 0;
        for (const int direction : {1, -1}) {
            double width = 0;
            for (int value = measured; value >= 1 && value <= 4096;
                 value += direction * std::max(1, value / (tests::Slower > 1 ? 1 : 3))) {
                core::Experiment e = with(plain, pointer, value);
                const core::Quantity before = figuresToday(e).training.forecasts[kind].runSeconds;
                tests::addTo(e, m);
                const core::Quantity now = figuresToday(e).training.forecasts[kind].runSeconds;
                const Step step = stepOf(now, before);
                ratio = value == measured ? step.ratio : ratio;
                QVERIFY2(isAlmost(step.ratio, ratio), std::to_string(value).c_str());
                QVERIFY2(step.width >= width, std::to_string(value).c_str());
                QVERIFY(now.low() <= before.low() && now.high() >= before.high());
                width = step.width;
            }
        }
        QVERIFY(!isAlmost(ratio, 1));
    }

    void changedRequestsKeepIt_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::newRow("hidden size") << QByteArray("/model/hidden");
        QTest::newRow("prompt") << QByteArray("/serving/input_tokens");
        QTest::newRow("answer") << QByteArray("/serving/output_tokens");
    }
    void changedRequestsKeepIt()
    {
        QFETCH(QByteArray, pointer);
        const std::size_t kind = processor();
        const core::Experiment plain = with(generator(), pointer, 150);
        const core::Measurement m = slowBy(plain, 0.5);
        double ratio = 0;
        double width = 0;
        for (int value = 150; value <= 4096; value += std::max(1, value / 3)) {
            core::Experiment e = with(plain, pointer, value);
            const core::Quantity before = figuresToday(e).serving.forecasts[kind].latencyMs;
            tests::addTo(e, m);
            const core::Quantity now = figuresToday(e).serving.forecasts[kind].latencyMs;
            const Step step = stepOf(now, before);
            ratio = value == 150 ? step.ratio : ratio;
            QVERIFY2(isAlmost(step.ratio, ratio), std::to_string(value).c_str());
            QVERIFY2(step.width >= width, std::to_string(value).c_str());
            width = step.width;
        }
        QVERIFY(!isAlmost(ratio, 1));
    }

    // The nearest of several speaks, and another precision says nothing.
    void theNearestSpeaks()
    {
        const std::size_t kind = processor();
        const auto runS = [&](const core::Experiment& e) {
            return figuresToday(e).training.forecasts[kind].runSeconds.value();
        };
        core::Experiment e = with(generator(), "/model/hidden", 200);
        const double plain = runS(e);
        core::Experiment other = e;
        other.training.precision = core::Precision::Bf16;
        tests::addTo(e, slowBy(other, 0.5));
        QCOMPARE(runS(e), plain);
        tests::addTo(e, slowBy(with(generator(), "/model/hidden", 190), 0.5));
        const double near = runS(e);
        QVERIFY(!isAlmost(near, plain));
        tests::addTo(e, slowBy(with(generator(), "/model/hidden", 1000), 0.5));
        QCOMPARE(runS(e), near);
    }

    // The slowest requests stay as much slower than the usual ones where the design is changed a little.
    void theTailIsCarried()
    {
        core::Experiment e = generator();
        core::Measurement m = slowBy(e, 0.1);
        const auto tailOf = [&](std::int64_t hidden, std::int64_t count) {
            core::Experiment measured = e;
            m.inference.count = count;
            tests::addTo(measured, m);
            const Report report = figuresToday(with(measured, "/model/hidden", hidden));
            return report.serving.p95Ms.value() / report.serving.latencyMs.value();
        };
        const auto tailWith = [&](double pass) {
            const auto later = static_cast<double>(e.serving.outputTokens - 1);
            return core::Tails{.pass = pass, .passes = later}.ofAnswer(1, later);
        };
        for (const std::int64_t hidden : {148, 150, 152, 200})
            QVERIFY(isAlmost(tailOf(hidden, 100), tailWith(1.4)));
        // Of five passes none is the slowest of twenty.
        QVERIFY(isAlmost(tailOf(150, 5), tailWith(1.3)));
    }

    // What is judged is the request where the plan has it served, measured here or not.
    void latencyIsJudgedWhereItIsServed()
    {
        const auto alertOf = [](const Report& report) {
            return *std::find_if(report.alerts.begin(), report.alerts.end(), [](const auto& a) {
                return a.name == "latency that 95 % of the requests keep";
            });
        };
        core::Experiment e = generator();
        for (const bool isMeasured : {false, true}) {
            if (isMeasured)
                tests::addTo(e, slowBy(e, 0.1));
            const Report report = figuresToday(e);
            const auto& serving = report.serving;
            QVERIFY(serving.recommended.chosen.has_value());
            QVERIFY(alertOf(report).projected ==
                    serving.capacities[serving.recommended.chosen->forecast].p95Ms);
            QVERIFY(alertOf(report).state != "unknown");
        }
        e.assumptions.set("serving_way", "serverless");
        const Report report = figuresToday(e);
        const auto way = std::find_if(report.serving.ways.begin(), report.serving.ways.end(),
                                      [](const auto& w) { return w.name == "serverless"; });
        QVERIFY(alertOf(report).projected == way->p95Ms);
        const double tail = way->p95Ms.value() / way->latencyMs.value();
        const core::Tails least{.pass = 1.4, .passes = 1000};
        QVERIFY(tail > least.ofTokens() && tail < 1.4);
    }
};

OUTLAY_TEST(TestCorrection)
#include "tst_correction.moc"
