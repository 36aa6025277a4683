// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch takes for vision transformers, as others measured it: by version, compiled or not, on accelerators and on
// a processor.
#include "core/experiment/presets.h"
#include "core/hardware/serving_forecast.h"
#include "core/probe/statistics.h"
#include "tests/support/table.h"
#include "tests/support/test_class.h"
#include "tests/support/truth_cases.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace outlay;
using namespace outlay::core;
using tests::TruthCase;

class TestPublishedPasses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        auto cases = tests::visionCasesIn(OUTLAY_TEST_DATA "/published_passes.csv");
        QVERIFY(cases);
        m_cases = std::move(*cases);
        QCOMPARE(m_cases.size(), std::size_t{58});
    }

    void errorsAreBounded()
    {
        constexpr double OnAccelerators = 0.15;
        constexpr double OnProcessors = 0.25;
        std::map<std::string, std::vector<double>> misses;
        for (const TruthCase& truth : m_cases)
            misses[truth.device + ", " + truth.group].push_back(
                std::abs(forecast(truth).value() / truth.seconds - 1));
        QCOMPARE(misses.size(), std::size_t{10});
        for (const auto& [table, errors] : misses) {
            const double most = table.starts_with("Core") ? OnProcessors : OnAccelerators;
            const double middle = median(errors);
            QVERIFY2(middle < most, (table + " " + std::to_string(middle)).c_str());
        }
    }

    void intervalsHold()
    {
        int held = 0;
        for (const TruthCase& truth : m_cases) {
            const Quantity q = forecast(truth);
            held += q.low() <= truth.seconds && truth.seconds <= q.high() ? 1 : 0;
        }
        QVERIFY2(held >= 46, std::to_string(held).c_str()); // four of five
    }

    // Of Intel's three kinds were measured. Another maker's may be twice as far from its data sheet, and so may an engine's
    // that nobody timed on one.
    void otherProcessorsStayUncertain()
    {
        const auto widthOf = [](const TruthCase& truth, const Device& device) {
            const Quantity q = tests::forecastOf(truth, device, *calibration());
            return q.high() / q.value();
        };
        for (TruthCase truth : m_cases) {
            Device device = *tests::deviceOf(truth, *hardwareCatalog());
            QVERIFY2(widthOf(truth, device) < 1.8, truth.id.c_str());
            if (device.kind != DeviceKind::Cpu)
                continue;
            QVERIFY(widthOf(truth, device) < 1.5);
            truth.serving.engine = Engine::TensorFlow;
            QVERIFY(widthOf(truth, device) > 2);
            truth.serving.engine = Engine::LibTorch;
            device.vendor = "AMD";
            QVERIFY(widthOf(truth, device) > 2);
        }
        // Nor were perceptrons.
        const Experiment mlp = preset("mlp")->experiment;
        const Device intel = hardwareCatalog()->processorsOf("c6i.xlarge", 4, 8);
        const Quantity pass =
            servingForecast(servingDemand(mlp.model, expand(mlp.model), mlp.serving),
                            {intel, 1, *calibration()})
                .firstTokenMs;
        QVERIFY(pass.high() > 2 * pass.value());
    }

    void attentionIsAsAskedFor()
    {
        for (TruthCase truth : m_cases) {
            if (truth.kind != tests::TruthKind::Latency || truth.device.starts_with("Core"))
                continue;
            const auto seconds = [&](std::optional<AttentionKernel> kernel) {
                truth.serving.attention = kernel;
                return forecast(truth).value();
            };
            for (const Engine engine : {Engine::LibTorch, Engine::TorchCompile}) {
                truth.serving.engine = engine;
                QVERIFY2(seconds(AttentionKernel::Plain) > seconds(AttentionKernel::Fused),
                         truth.id.c_str());
                QCOMPARE(seconds({}), seconds(AttentionKernel::Fused)); // both devices have it
            }
            truth.serving.precision = ServingPrecision::Fp32; // for which there is none
            QCOMPARE(seconds({}), seconds(AttentionKernel::Plain));
            truth.serving.precision = ServingPrecision::Fp16;
            truth.serving.engine = Engine::TensorRtLlm; // has its own
            QCOMPARE(seconds(AttentionKernel::Plain), seconds(AttentionKernel::Fused));
        }
    }

    // BERT on a V100, some with 8 positions and some with 2,048; all were looked at by the fit.
    void onnxRuntimeIsBounded()
    {
        const auto cases = tests::passCasesIn(OUTLAY_TEST_DATA "/onnx_runtime.csv");
        QVERIFY(cases);
        QCOMPARE(cases->size(), std::size_t{71});
        std::map<std::string, std::vector<double>> errors;
        int held = 0;
        for (const TruthCase& truth : *cases) {
            if (!truth.doubt.empty())
                continue;
            const Quantity q = forecast(truth);
            const bool isHalf = truth.serving.precision == ServingPrecision::Fp16;
            errors[isHalf ? "fp16" : "fp32"].push_back(std::abs(q.value() / truth.seconds - 1));
            held += q.low() <= truth.seconds && truth.seconds <= q.high() ? 1 : 0;
        }
        QCOMPARE(errors["fp16"].size(), std::size_t{14});
        QCOMPARE(errors["fp32"].size(), std::size_t{14});
        QVERIFY(median(errors["fp16"]) < 0.1);
        QVERIFY(median(errors["fp32"]) <
                0.3); // the generation is slower in 32 bits than this device
        QVERIFY2(held >= 21, std::to_string(held).c_str());
    }

    // Where requests are short and alone, PyTorch's processor is what they wait for.
    void onnxRuntimeHasLittleHostTime()
    {
        TruthCase truth = tests::passCasesIn(OUTLAY_TEST_DATA "/onnx_runtime.csv")->front();
        const auto gain = [&](std::int64_t batch) {
            truth.serving.batch = batch;
            truth.serving.engine = Engine::LibTorch;
            const double plain = forecast(truth).value();
            truth.serving.engine = Engine::OnnxRuntime;
            return plain / forecast(truth).value();
        };
        QVERIFY2(gain(1) > 2, std::to_string(gain(1)).c_str());
        QVERIFY2(gain(512) < 1.5, std::to_string(gain(512)).c_str());
        QVERIFY(gain(512) > 0.9);
        truth.device = "L4"; // nobody measured it there
        const Quantity elsewhere = forecast(truth);
        QVERIFY(elsewhere.how().sentence().find("no run on this device was seen") !=
                std::string::npos);
    }

    // Measured, compiled ones are 1.07 to 1.37 times as fast.
    void compiledPassesAreFaster()
    {
        std::map<std::string, std::vector<double>> gains;
        for (TruthCase truth : m_cases) {
            if (truth.kind != tests::TruthKind::Latency || truth.device != "RTX 4090")
                continue;
            truth.serving.engine = Engine::LibTorch;
            const double plain = forecast(truth).value();
            truth.serving.engine = Engine::TorchCompile;
            gains[truth.group].push_back(plain / forecast(truth).value());
        }
        QCOMPARE(gains.size(), std::size_t{4});
        for (const auto& [group, gain] : gains) {
            const double middle = median(gain);
            QVERIFY2(middle > 1.1 && middle < 1.45, std::to_string(middle).c_str());
        }
    }

    // Rented ones have a part of a socket each. Until 2026-11-29 they were taken to read their even share of its memory
    // alone, and missed by 48 % at the median.
    void partsOfProcessorsAreNear()
    {
        const auto table =
            tests::Table::read(OUTLAY_TEST_DATA "/published_processor_passes.csv").value();
        QCOMPARE(table.size(), std::size_t{13});
        std::vector<double> misses;
        for (std::size_t row = 0; row < table.size(); ++row) {
            const Quantity q = passOf(table, row);
            const double published = table.number(row, "ms");
            QVERIFY(q.low() < published && published < q.high());
            misses.push_back(std::abs(q.value() / published - 1));
        }
        QVERIFY2(median(misses) < 0.2, std::to_string(median(misses)).c_str());
        QVERIFY(*std::max_element(misses.begin(), misses.end()) < 0.4);
    }

private:
    /// An encoder's, in milliseconds.
    static Quantity passOf(const tests::Table& table, std::size_t row)
    {
        const auto integer = [&](const char* column) {
            return static_cast<std::int64_t>(table.number(row, column));
        };
        TransformerDesign d;
        d.kind = TransformerKind::Encoder;
        d.vocabulary = 30522;
        d.hidden = integer("hidden");
        d.layers = integer("layers");
        d.heads = integer("heads");
        d.tokenTypes = 0;
        d.pooler = false;
        d.languageHead = false;
        Model model;
        model.design = std::move(d);
        const bool isOnnx = table.text(row, "engine") == "onnxruntime";
        Serving serving;
        serving.batch = integer("batch");
        serving.inputTokens = integer("tokens");
        serving.outputTokens = 0;
        serving.precision = ServingPrecision::Fp32;
        serving.engine = isOnnx ? Engine::OnnxRuntime : Engine::Transformers;
        const Device processors = hardwareCatalog()->processorsOf(
            table.text(row, "instance"), table.number(row, "vcpus"), std::nullopt);
        return servingForecast(servingDemand(model, expand(model), serving),
                               {processors, 1, *calibration()})
            .firstTokenMs;
    }

    static Quantity forecast(const TruthCase& truth)
    {
        return tests::forecastOf(truth, *tests::deviceOf(truth, *hardwareCatalog()),
                                 *calibration());
    }

    std::vector<TruthCase> m_cases;
};

OUTLAY_TEST(TestPublishedPasses)
#include "tst_published_passes.moc"
