// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Our own timings of training steps on a processor, against what is forecast there.
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/scaled_from.h"
#include "core/hardware/step.h"
#include "core/probe/statistics.h"
#include "core/workload/returned_memory.h"
#include "tests/support/processor_rows.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <map>

using namespace outlay;
using namespace outlay::core;
using outlay::tests::ProcessorRow;

namespace {

const std::vector<ProcessorRow>& allRows()
{
    static const auto All = outlay::tests::processorRowsIn(OUTLAY_TEST_DATA "/processor_steps.csv");
    return *All;
}

double missOf(const ProcessorRow& row)
{
    return std::log(outlay::tests::secondsOf(row, *calibration()) / row.stepS);
}

Measurement measurementOf(const ProcessorRow& row)
{
    Measurement m;
    m.machine.device = "cpu";
    m.machine.matrixFlopsPerSecond = row.flopsPerS / 2;
    m.machine.wholeFlopsPerSecond = row.flopsPerS;
    m.machine.memoryBytesPerSecond = row.bytesPerS;
    m.training.step = timingOf(std::vector<double>(20, row.stepS), {});
    m.training.step.verdict = Verdict::Steady;
    m.training.forwardShare = row.forwardShare;
    m.model = row.model;
    m.trainingSettings = row.training;
    return m;
}

double totalOf(const ReturnedBytes& bytes)
{
    return bytes.ofPass + bytes.ofStep;
}

ReturnedBytes returnedBy(const Design& design, const Training& t)
{
    const LayerKinds layers = expand(Model{Convention::PyTorch, design});
    return returnedBytes(layers, t, trainingMemory(layers, t));
}

double returned(const RecurrentDesign& design, std::int64_t batch, bool keepsMemory = false)
{
    Training t{.sequence = 50, .batch = batch};
    t.keepMemory = keepsMemory;
    return returnedBy(design, t).ofPass;
}

} // namespace

class TestProcessorSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void stepsAreForecast_data()
    {
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("nine");
        const auto row = [](const char* family, double median, double nine) {
            QTest::newRow(family) << median << nine;
        };
        row("lstm", 1.15, 1.35);
        row("gru", 1.15, 1.35);
        row("rnn", 1.15, 1.25);
        row("mlp", 1.25, 1.75);
        row("transformer", 1.15, 1.3);
        row("gated-rnn", 1.25, 1.35);
    }
    void stepsAreForecast()
    {
        QFETCH(double, median);
        QFETCH(double, nine);
        std::vector<double> misses;
        for (const ProcessorRow& row : allRows()) {
            if (row.family() == QTest::currentDataTag())
                misses.push_back(std::exp(std::abs(missOf(row))));
        }
        QVERIFY(misses.size() >= 12);
        QVERIFY2(core::median(misses) < median, std::to_string(core::median(misses)).c_str());
        QVERIFY2(percentile(misses, 0.9) < nine, std::to_string(percentile(misses, 0.9)).c_str());
    }

    // From one measurement to every other design of its family: what the window shows behind a slider.
    void oneIsScaledFromAnother()
    {
        std::vector<double> misses;
        int held = 0;
        for (const ProcessorRow& from : allRows()) {
            const Measurement m = measurementOf(from);
            for (const ProcessorRow& to : allRows()) {
                const bool isPair = &from != &to && from.family() == to.family() &&
                                    from.training.keepMemory == to.training.keepMemory;
                if (!isPair)
                    continue;
                const Quantity q = scaledTraining(m, expand(to.model), to.training, *calibration());
                QVERIFY(q.isAvailable());
                const double took = to.demand.run.steps * to.stepS;
                misses.push_back(std::exp(std::abs(std::log(q.value() / took))));
                held += q.low() <= took && took <= q.high() ? 1 : 0;
            }
        }
        const double share = 100.0 * held / static_cast<double>(misses.size());
        QVERIFY2(core::median(misses) < 1.2, std::to_string(core::median(misses)).c_str());
        QVERIFY2(percentile(misses, 0.9) < 1.6, std::to_string(percentile(misses, 0.9)).c_str());
        QVERIFY2(share >= 72 && share <= 92, std::to_string(share).c_str());
    }

    // What comes anew from the system makes a step up to four times as long.
    void whatIsKeptIsFaster()
    {
        std::map<std::string, const ProcessorRow*> kept;
        const auto nameOf = [](const ProcessorRow& row) {
            return std::string(row.family()) + std::to_string(row.demand.parameters) + "/" +
                   std::to_string(row.training.batch);
        };
        for (const ProcessorRow& row : allRows()) {
            if (row.training.keepMemory)
                kept[nameOf(row)] = &row;
        }
        int slow = 0;
        int told = 0;
        for (const ProcessorRow& row : allRows()) {
            if (row.training.keepMemory)
                continue;
            const ProcessorRow& other = *kept.at(nameOf(row));
            QVERIFY(totalOf(other.demand.returned) <= totalOf(row.demand.returned));
            const double is = outlay::tests::secondsOf(row, *calibration()) /
                              outlay::tests::secondsOf(other, *calibration());
            constexpr double Much = 1.7;
            if (row.stepS / other.stepS < Much)
                continue;
            ++slow;
            told += is > 1.4 ? 1 : 0;
        }
        QVERIFY(slow >= 12);
        QVERIFY2(told >= slow - 1, std::to_string(told).c_str());
    }

    void memoryIsInside()
    {
        int held = 0;
        std::vector<double> misses;
        for (const ProcessorRow& row : allRows()) {
            const Quantity& total = row.demand.memory.total;
            held += total.low() <= row.peakBytes && row.peakBytes <= total.high() ? 1 : 0;
            misses.push_back(std::exp(std::abs(std::log(total.value() / row.peakBytes))));
        }
        QVERIFY2(held >= 140, std::to_string(held).c_str());
        QVERIFY2(core::median(misses) < 1.15, std::to_string(core::median(misses)).c_str());
        QVERIFY2(percentile(misses, 0.9) < 1.35, std::to_string(percentile(misses, 0.9)).c_str());
    }

    // A gradient of the matrix in each step, 4 x 512 x 512 numbers, unless something larger comes and goes.
    void stepsGiveBackTheirGradients()
    {
        RecurrentDesign d{.inputs = 5, .hidden = {512}, .layers = 2};
        const double matrix = 4.0 * 4 * 512 * 512;
        QCOMPARE(returned(d, 8), 2 * 50 * 1.3 * matrix);
        QCOMPARE(returned(d, 8, true), 0.0);
        QCOMPARE(returned(d, 16), 0.0); // 50 x 16 rows are more than the 512 of the matrix
        d.hidden = {128};
        QCOMPARE(returned(d, 1), 0.0); // 256 KiB aren't worth giving back
        d.hidden = {1600};             // 41 MB, which no heap holds
        const double large = 4.0 * 4 * 1600 * 1600;
        QCOMPARE(returned(d, 64, true), 2 * 50 * 1.3 * large);
    }

    // Of others what a pass holds, and once a step gradients and what Adam makes of them.
    void othersGiveBackWhatTheyHold()
    {
        const MlpDesign mlp{.inputs = 100, .hidden = {1024, 1024}, .outputs = 10};
        const double weights = 4.0 * (101 * 1024 + 1025 * 1024 + 1025 * 10);
        Training t{.batch = 32};
        QCOMPARE(returnedBy(mlp, t).ofStep, 2 * weights);
        QVERIFY(returnedBy(mlp, t).ofPass > 0);
        t.optimizer = Optimizer::Sgd;
        QCOMPARE(returnedBy(mlp, t).ofStep, weights);
        t.keepMemory = true;
        QCOMPARE(totalOf(returnedBy(mlp, t)), 0.0);
        // Logits of 41 MB come and go by themselves.
        const TransformerDesign gpt{.vocabulary = 10'000, .hidden = 64, .layers = 1, .heads = 2};
        t.sequence = 64;
        t.batch = 16;
        QCOMPARE(returnedBy(gpt, t).ofPass, 2 * 4.0 * 10'000 * 64 * 16);
        t.keepMemory = false;
        QVERIFY(totalOf(returnedBy(gpt, t)) > 0);
        // A head alone needs little.
        Training head = t;
        head.method = Method::Head;
        QVERIFY(totalOf(returnedBy(gpt, head)) < totalOf(returnedBy(gpt, t)));
        // A list of gated recurrences was timed: next to nothing.
        QCOMPARE(totalOf(returnedBy(
                     GatedRnnDesign{
                         .vocabulary = 100, .hidden = 512, .key = 512, .value = 512, .output = 512},
                     t)),
                 0.0);
    }

    void passesComeOnceMoreWithAccumulation()
    {
        const MlpDesign mlp{.inputs = 100, .hidden = {1024, 1024}, .outputs = 10};
        const LayerKinds layers = expand(Model{Convention::PyTorch, mlp});
        const Attainable on = outlay::tests::ratesOf(allRows().front(), *calibration());
        const auto overhead = [&](std::int64_t accumulation) {
            Training t{.batch = 32, .accumulation = accumulation};
            return stepTime(trainingDemand(layers, t), on).overheadS - on.overheadS;
        };
        const ReturnedBytes bytes = returnedBy(mlp, {.batch = 32});
        QVERIFY(std::abs(overhead(1) - totalOf(bytes) * on.returnedS) < 1e-12);
        QVERIFY(std::abs(overhead(3) - (3 * bytes.ofPass + bytes.ofStep) * on.returnedS) < 1e-12);
    }

    void acceleratorsDontCare()
    {
        const Device& device = *hardwareCatalog()->find("T4");
        for (const ProcessorRow& row : allRows()) {
            Training other = row.training;
            other.keepMemory = !other.keepMemory;
            const Attainable on = attainableOf(device, row.training, *calibration());
            QCOMPARE(stepSecondsOn(trainingDemand(expand(row.model), other), on),
                     stepSecondsOn(row.demand, on));
        }
    }

    // The rate of all threads counts where it was measured, and the interval is that of what was timed so.
    void oldMeasurementsAreWider()
    {
        const ProcessorRow& row = allRows().front();
        Measurement m = measurementOf(row);
        m.threads = 2;
        QCOMPARE(attainableHere(m.machine, *calibration()).flopsPerS, row.flopsPerS);
        const Spreads& spreads = calibration()->spreads;
        QCOMPARE(&trainingSpread(m, spreads), &spreads.scaledOnProcessors);
        m.machine.wholeFlopsPerSecond.reset();
        QCOMPARE(attainableHere(m.machine, *calibration()).flopsPerS, row.flopsPerS / 2);
        QCOMPARE(&trainingSpread(m, spreads), &spreads.scaled);
        m.threads = 1;
        QCOMPARE(&trainingSpread(m, spreads), &spreads.scaledOnProcessors);
        m.machine.device = "NVIDIA A100-SXM4-80GB";
        QCOMPARE(&trainingSpread(m, spreads), &spreads.scaled);
    }
};

OUTLAY_TEST(TestProcessorSteps)
#include "tst_processor_steps.moc"
