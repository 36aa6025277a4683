// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/hardware/forecast.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/step_kernels.h"
#include "core/probe/statistics.h"
#include "tests/support/recurrent_rows.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::core;
using namespace outlay::tests;

namespace {

struct ChoiceCase {
    Cell cell;
    double hidden;
    double batch;
    StepNumbers numbers;
    bool isBackward;
    StepKernel kernel;
};

const std::vector<RecurrentRow>& rows()
{
    static const auto All = recurrentRowsIn(OUTLAY_TEST_DATA "/recurrent_layers.csv");
    if (!All)
        qFatal("%s", All.error().sentence().c_str());
    return *All;
}

/// Logarithms of forecast over measured, forward and back.
std::vector<double> missesOf(const std::function<bool(const RecurrentRow&)>& isWanted)
{
    const Device* device = hardwareCatalog()->find(TimedDevice);
    std::vector<double> misses;
    for (const RecurrentRow& row : rows()) {
        if (isWanted(row))
            misses.push_back(
                std::log(forecastOf(row, *device, *calibration()).both() / row.seconds.both()));
    }
    return misses;
}

double medianMiss(std::vector<double> misses)
{
    for (double& miss : misses)
        miss = std::abs(std::exp(miss) - 1);
    return core::median(misses);
}

} // namespace

Q_DECLARE_METATYPE(ChoiceCase)

class TestStepKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // What LibTorch's own rule says, at its edges.
    void theChoiceIsLibTorchs_data()
    {
        using enum StepNumbers;
        using enum StepKernel;
        QTest::addColumn<ChoiceCase>("c");
        const auto add = [](const char* name, ChoiceCase c) { QTest::newRow(name) << c; };
        add("lstm of 192", {Cell::Lstm, 192, 32, Fp32, false, Small});
        add("lstm of 193", {Cell::Lstm, 193, 32, Fp32, false, Plain});
        add("back, lstm of 128", {Cell::Lstm, 128, 32, Fp32, true, Small});
        add("back, lstm of 192", {Cell::Lstm, 192, 32, Fp32, true, Plain});
        add("rnn of 384", {Cell::Rnn, 384, 32, Fp32, false, Small});
        add("back, rnn of 257", {Cell::Rnn, 257, 32, Fp32, true, Plain});
        add("gru of 192", {Cell::Gru, 192, 32, Fp16, false, Small});
        add("bf16 of 64", {Cell::Lstm, 64, 32, Bf16, false, Plain});
        add("fp16 of 512", {Cell::Lstm, 512, 32, Fp16, false, Wide});
        add("fp16, batch of 12", {Cell::Lstm, 512, 12, Fp16, false, Plain});
        add("fp16, batch of 136", {Cell::Lstm, 512, 136, Fp16, false, Plain});
        add("fp16 of 1,000", {Cell::Lstm, 1000, 32, Fp16, false, Plain});
        add("fp16 of 1,152", {Cell::Lstm, 1152, 32, Fp16, false, Plain});
        add("fp16, gru", {Cell::Gru, 512, 32, Fp16, false, Plain});
        add("fp16, rnn", {Cell::Rnn, 896, 88, Fp16, false, Wide});
        add("fp16, rnn of 96 samples", {Cell::Rnn, 896, 96, Fp16, false, Plain});
        add("fp32 of 512", {Cell::Lstm, 512, 32, Fp32, false, Plain});
    }
    void theChoiceIsLibTorchs()
    {
        QFETCH(const ChoiceCase, c);
        const StepShape shape{.cell = c.cell, .hidden = c.hidden};
        QCOMPARE(stepKernel(shape, c.batch, c.numbers, c.isBackward, true), c.kernel);
        const StepShape projected{.cell = c.cell, .hidden = c.hidden, .isProjected = true};
        QCOMPARE(stepKernel(projected, c.batch, c.numbers, c.isBackward, true), StepKernel::Plain);
        if (c.kernel == StepKernel::Wide) {
            QCOMPARE(stepKernel(shape, c.batch, c.numbers, c.isBackward, false), StepKernel::Plain);
            const StepShape both{.cell = c.cell, .hidden = c.hidden, .directions = 2};
            QCOMPARE(stepKernel(both, c.batch, c.numbers, c.isBackward, true), StepKernel::Plain);
        }
    }

    // A third of the timings took no part in the fit; the constants before it missed them by 66 %.
    void timingsAsideAreHit_data()
    {
        QTest::addColumn<int>("precision");
        QTest::addColumn<double>("most");
        QTest::newRow("fp32") << static_cast<int>(Precision::Fp32) << 0.18;
        QTest::newRow("tf32") << static_cast<int>(Precision::Tf32) << 0.18;
        QTest::newRow("bf16") << static_cast<int>(Precision::Bf16) << 0.18;
        QTest::newRow("fp16") << static_cast<int>(Precision::Fp16) << 0.25;
    }
    void timingsAsideAreHit()
    {
        QFETCH(const int, precision);
        QFETCH(const double, most);
        const std::vector<double> misses = missesOf([&](const RecurrentRow& row) {
            return row.isSetAside() && static_cast<int>(row.precision) == precision;
        });
        QVERIFY(misses.size() > 60);
        QVERIFY2(medianMiss(misses) < most, qPrintable(QString::number(medianMiss(misses))));
    }

    // Whole steps of designs, as the worker measured them on the same device, 2026-11-26: plain LibTorch 2.11.
    void designsAreHit_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<Precision>("precision");
        QTest::addColumn<double>("seconds");
        const auto add = [](const char* name, Precision precision, double seconds) {
            QTest::addRow("%s, %s", name,
                          PrecisionNames.at(static_cast<std::size_t>(precision)).data())
                << QString::fromLatin1(name) << precision << seconds;
        };
        add("text-generator", Precision::Fp32, 5.95e-3);
        add("text-generator", Precision::Bf16, 5.90e-3);
        add("char-rnn", Precision::Fp32, 1.92e-3);
        add("gru", Precision::Fp32, 5.72e-3);
        add("gru", Precision::Bf16, 5.30e-3);
        add("frequency-lstm", Precision::Fp32, 2.57e-3);
        add("gated-rnn", Precision::Fp32, 0.373);
    }
    void designsAreHit()
    {
        QFETCH(const QString, name);
        QFETCH(const Precision, precision);
        QFETCH(const double, seconds);
        Experiment e = preset(name.toStdString())->experiment;
        e.training.precision = precision;
        Calibration worker = *calibration();
        worker.training.hostUs = 7; // it has no Python
        const TrainingForecast is = trainingForecast(
            trainingDemand(expand(e.model), e.training),
            {.device = *hardwareCatalog()->find(TimedDevice), .calibration = worker});
        const double most = std::log(1.35);
        QVERIFY2(std::abs(std::log(is.stepSeconds.value() / seconds)) < most,
                 qPrintable(QString::number(is.stepSeconds.value())));
    }

    void theIntervalHolds()
    {
        const double factor = std::log(calibration()->spreads.recurrent.seen);
        const auto held = [&](const std::vector<double>& misses) {
            const auto inside = std::count_if(misses.begin(), misses.end(), [&](double miss) {
                return std::abs(miss) <= factor;
            });
            return static_cast<double>(inside) / static_cast<double>(misses.size());
        };
        const double aside =
            held(missesOf([](const RecurrentRow& row) { return row.isSetAside(); }));
        QVERIFY2(aside >= 0.72 && aside <= 0.96, qPrintable(QString::number(aside)));
    }
};

OUTLAY_TEST(TestStepKernels)
#include "tst_step_kernels.moc"
