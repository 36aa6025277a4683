// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What programs that answer add to kernels, and how sure that is where they were measured and where not.
#include "core/experiment/presets.h"
#include "core/hardware/flight.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/serving_forecast.h"
#include "core/workload/weight_file.h"
#include "tests/support/known_models.h"
#include "tests/support/near.h"
#include "tests/support/table.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay::core;
using outlay::tests::isNear;

namespace {

ServingForecast servedOn(const Serving& serving, const char* device, std::int64_t count,
                         const char* id = "llama-7b")
{
    const Model model = preset(id)->experiment.model;
    const ServingDemand demand = servingDemand(model, expand(model), serving);
    Devices on{*hardwareCatalog()->find(device), count, *calibration()};
    if (worksInTurn(demand.engine))
        on.count = copySizes(demand, on).front();
    return beside(servingForecast(demand, on), count / on.count);
}

/// A processor that nothing else is known of.
ServingForecast servedByProcessor(const Serving& serving, const char* id)
{
    const Model model = preset(id)->experiment.model;
    const Device processor{.name = "processor",
                           .kind = DeviceKind::Cpu,
                           .generation = "cpu",
                           .fp32Tflops = 2,
                           .memoryGbPerS = 100};
    return servingForecast(servingDemand(model, expand(model), serving),
                           {processor, 1, *calibration()});
}

Quantity tokenOf(const Serving& serving, const char* device)
{
    return servedOn(serving, device, 1).tokenMs;
}

} // namespace

class TestEngines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // As published: a plain loop takes far longer for a token than an engine made for it.
    void theEngineDecides()
    {
        Serving s = preset("llama-7b")->experiment.serving;
        s.precision = ServingPrecision::Fp16;
        // Of H100 both were measured; of A100 TensorRT-LLM is in no fit.
        const auto served = [&](std::optional<Engine> engine, const char* device = "H100") {
            s.engine = engine;
            return tokenOf(s, device);
        };
        const Quantity vllm = served(Engine::Vllm);
        const Quantity unnamed = served({});
        QVERIFY(served(Engine::Transformers).value() > 1.5 * vllm.value());
        QVERIFY(served(Engine::TensorRtLlm).value() < vllm.value());
        QCOMPARE(unnamed.value(), vllm.value());
        QVERIFY(unnamed.how().sentence().find("as vLLM serves, which is assumed") !=
                std::string::npos);
        QVERIFY(vllm.how().sentence().find("assumed") == std::string::npos);
        QVERIFY(unnamed.high() > 1.2 * vllm.high() && unnamed.low() < vllm.low() / 1.2);
        // Weights of 16 bits can't be read faster than the memory allows.
        for (std::size_t i = 0; i < EngineNames.size(); ++i) {
            const auto engine = static_cast<Engine>(i);
            const double leastMs = 1000 * 2 * 6.7e9;
            QVERIFY2(served(engine, "A100").value() > leastMs / 1.555e12 &&
                         served(engine, "H100").value() > leastMs / 3.35e12,
                     std::string(EngineNames.at(i)).c_str());
        }
    }

    // As published of one, two and four devices: where they take the layers in turn each adds memory and a hand-over, one
    // works at a time, and what is left of them are copies; where they share each layer a token comes sooner.
    void devicesWorkInTurnOrShare()
    {
        Serving s = preset("llama-65b")->experiment.serving;
        s.precision = ServingPrecision::Fp16; // so that it takes two of them
        const auto on = [&](std::int64_t count) {
            return servedOn(s, "A100-80GB-SXM4", count, "llama-65b");
        };
        for (std::size_t i = 0; i < EngineNames.size(); ++i) {
            s.engine = static_cast<Engine>(i);
            const ServingForecast one = on(1);
            const ServingForecast two = on(2);
            const ServingForecast four = on(4);
            const double times = two.tokenMs.value() / one.tokenMs.value();
            const char* name = EngineNames.at(i).data();
            const bool inTurn = worksInTurn(*s.engine);
            const Model model = preset("llama-65b")->experiment.model;
            const ServingDemand demand = servingDemand(model, expand(model), s);
            const Device& device = *hardwareCatalog()->find("A100-80GB-SXM4");
            const auto sizes = copySizes(demand, {device, 8, *calibration()});
            QVERIFY2(sizes == (inTurn ? std::vector<std::int64_t>{2}
                                      : std::vector<std::int64_t>{2, 4, 8}),
                     name);
            QVERIFY2(inTurn ? times > 1 && times < 1.2 : times < 0.8, name);
            QVERIFY2(isNear(2 * two.memory.value(), one.memory.value()), name);
            const bool isTold =
                two.tokenMs.how().sentence().find("after the other") != std::string::npos;
            QVERIFY2(isTold == inTurn, name);
            QVERIFY2(four.copies == (inTurn ? 2 : 1), name);
            QVERIFY2(inTurn == isNear(four.tokenMs.value(), two.tokenMs.value()), name);
            QVERIFY2(inTurn == isNear(four.requestsPerS.value(), 2 * two.requestsPerS.value()),
                     name);
            QVERIFY2(inTurn == isNear(four.watts.value(), 2 * two.watts.value()), name);
            QVERIFY2(inTurn == isNear(four.kwhPerRequest.value(), two.kwhPerRequest.value()), name);
            QVERIFY2(inTurn == isNear(four.memory.value(), two.memory.value()), name);
            const double idle = powerRange(*hardwareCatalog()->find("A100-80GB-SXM4"),
                                           calibration()->idleShareOfTdp)
                                    .idleWatts;
            QVERIFY2(inTurn == (two.watts.value() < one.watts.value() + 1.01 * idle), name);
        }
    }

    // An engine is known on the devices on which it was measured; elsewhere it is as on most, less sure, and says so.
    void enginesAreKnownWhereTheyWereMeasured()
    {
        Serving s = preset("llama-7b")->experiment.serving;
        s.precision = ServingPrecision::Fp16;
        const auto token = [&](Engine engine, const char* device) {
            s.engine = engine;
            return tokenOf(s, device);
        };
        const auto spreadOf = [](const Quantity& q) { return q.high() / q.value(); };
        const auto isDoubted = [](const Quantity& q) {
            return q.how().sentence().find("no run on this device was seen") != std::string::npos;
        };
        const Quantity measured = token(Engine::Vllm, "H100-80GB-SXM5");
        const Quantity carried = token(Engine::DeepSpeed, "H100-80GB-SXM5");
        QVERIFY(spreadOf(measured) < 1.3 && spreadOf(carried) > 1.1 * spreadOf(measured));
        QVERIFY(!isDoubted(measured) && isDoubted(carried));
        int own = 0;
        for (const EngineRates& one : calibration()->engines) {
            if (one.device.empty())
                continue;
            ++own;
            const auto at = std::find(EngineNames.begin(), EngineNames.end(), one.engine);
            QVERIFY(at != EngineNames.end());
            const auto engine = static_cast<Engine>(at - EngineNames.begin());
            const Device* device = hardwareCatalog()->find(one.device);
            QVERIFY(device != nullptr && device->name == one.device);
            QCOMPARE(&calibration()->ratesOf(engine, one.device), &one);
            QVERIFY(calibration()->ratesOf(engine).device.empty());
            const auto& seen = calibration()->spreads.token.devices;
            QVERIFY(std::find(seen.begin(), seen.end(), seenAs(engine, one.device)) != seen.end());
        }
        QVERIFY(own >= 5);
    }

    // A loop in Python takes its time on a processor, too, where nothing runs beside it.
    void anEngineTakesItsTimeOnProcessors()
    {
        const auto token = [](Engine engine) {
            Serving s = preset("t5-small")->experiment.serving;
            s.engine = engine;
            return servedByProcessor(s, "t5-small").tokenMs.value();
        };
        const double more = calibration()->ratesOf(Engine::Transformers).overheadMs -
                            calibration()->ratesOf(Engine::LibTorch).overheadMs;
        QVERIFY(token(Engine::Transformers) > token(Engine::LibTorch) + more);
        QVERIFY(token(Engine::OnnxRuntime) < token(Engine::LibTorch) + 0.1);
    }

    // PyTorch makes 32 bits of 16 there; llama.cpp reads them as they are.
    void halvesGainLittleOnProcessors()
    {
        const auto token = [](Engine engine, ServingPrecision precision) {
            Serving s = preset("llama-7b")->experiment.serving;
            s.engine = engine;
            s.precision = precision;
            return servedByProcessor(s, "llama-7b").tokenMs.value();
        };
        for (const Engine plain : {Engine::LibTorch, Engine::Transformers, Engine::OnnxRuntime})
            QVERIFY(token(plain, ServingPrecision::Bf16) >
                    0.9 * token(plain, ServingPrecision::Fp32));
        QVERIFY(token(Engine::LlamaCpp, ServingPrecision::Fp16) <
                0.6 * token(Engine::LlamaCpp, ServingPrecision::Fp32));
    }

    // What is made of one maker's kernels answers nowhere else, some of what takes requests in as they come on accelerators
    // alone, and each says so.
    void someRunOnSomeDevicesAlone()
    {
        Serving s = preset("llama-7b")->experiment.serving;
        s.precision = ServingPrecision::Fp16;
        const auto says = [](const ServingForecast& f, const char* words) {
            return !f.latencyMs.isAvailable() &&
                   f.latencyMs.how().sentence().find(words) != std::string::npos;
        };
        for (std::size_t i = 0; i < EngineNames.size(); ++i) {
            s.engine = static_cast<Engine>(i);
            QVERIFY(servedOn(s, "A100", 1).latencyMs.isAvailable());
            const bool isBound =
                s.engine == Engine::TensorRtLlm || s.engine == Engine::FasterTransformer;
            const ServingForecast elsewhere = servedOn(s, "MI300X", 1);
            QVERIFY(isBound ? says(elsewhere, "doesn't run on")
                            : elsewhere.latencyMs.isAvailable());
            const ServingForecast processor = servedByProcessor(s, "llama-7b");
            QVERIFY(worksInTurn(*s.engine) ? processor.latencyMs.isAvailable()
                                           : says(processor, "on accelerators alone"));
        }
    }

    // In fp8 and 4 bits processors serve by llama.cpp's files alone, which have no fp8.
    void processorsHaveFewNarrowWeights()
    {
        Serving s = preset("llama-7b")->experiment.serving;
        for (const Engine engine : {Engine::LibTorch, Engine::Transformers, Engine::OnnxRuntime,
                                    Engine::TensorFlow, Engine::LlamaCpp}) {
            s.engine = engine;
            for (const ServingPrecision precision :
                 {ServingPrecision::Fp32, ServingPrecision::Bf16, ServingPrecision::Int8,
                  ServingPrecision::Int4, ServingPrecision::Fp8}) {
                s.precision = precision;
                const bool isNarrow =
                    precision == ServingPrecision::Int4 && engine != Engine::LlamaCpp;
                const bool isServed = precision != ServingPrecision::Fp8 && !isNarrow;
                QCOMPARE(servedByProcessor(s, "llama-7b").latencyMs.isAvailable(), isServed);
            }
        }
    }

    // As the engines' makers list them.
    void oldDevicesLackSome_data()
    {
        QTest::addColumn<int>("engine");
        QTest::addColumn<int>("precision");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("serves"); // the oldest of these that does; empty: none
        const auto row = [](Engine engine, ServingPrecision precision, const char* format,
                            const char* serves) {
            const std::string name =
                std::string(EngineNames.at(static_cast<std::size_t>(engine))) + " " +
                std::string(ServingPrecisionNames.at(static_cast<std::size_t>(precision))) + " " +
                format;
            QTest::newRow(name.c_str())
                << static_cast<int>(engine) << static_cast<int>(precision) << format << serves;
        };
        row(Engine::Vllm, ServingPrecision::Fp16, "", "V100-SXM2-16GB");
        row(Engine::Vllm, ServingPrecision::Fp8, "", "T4");
        row(Engine::Vllm, ServingPrecision::Int4, "awq", "T4");
        row(Engine::Vllm, ServingPrecision::Int4, "gptq", "V100-SXM2-16GB");
        row(Engine::Vllm, ServingPrecision::Int4, "mxfp4", "A100-40GB-SXM4");
        row(Engine::SgLang, ServingPrecision::Fp16, "", "T4");
        row(Engine::SgLang, ServingPrecision::Fp8, "", "A100-40GB-SXM4");
        row(Engine::TensorRtLlm, ServingPrecision::Fp16, "", "A100-40GB-SXM4");
        row(Engine::TensorRtLlm, ServingPrecision::Fp8, "", "L4");
        row(Engine::DeepSpeed, ServingPrecision::Fp16, "", "A100-40GB-SXM4");
        row(Engine::LlamaCpp, ServingPrecision::Fp16, "", "P100-PCIe-16GB");
        row(Engine::LlamaCpp, ServingPrecision::Int4, "mxfp4", "P100-PCIe-16GB");
        row(Engine::LlamaCpp, ServingPrecision::Fp8, "", "");
        row(Engine::LlamaCpp, ServingPrecision::Int4, "awq", "");
        row(Engine::Transformers, ServingPrecision::Fp16, "", "P100-PCIe-16GB");
    }

    void oldDevicesLackSome()
    {
        QFETCH(int, engine);
        QFETCH(int, precision);
        QFETCH(QString, format);
        QFETCH(QString, serves);
        Serving s = preset("gpt2")->experiment.serving;
        s.engine = static_cast<Engine>(engine);
        s.precision = static_cast<ServingPrecision>(precision);
        for (std::size_t i = 0; i < WeightFormatNames.size(); ++i) {
            if (format.toStdString() == WeightFormatNames.at(i))
                s.weightFormat = static_cast<WeightFormat>(i);
        }
        QCOMPARE(s.weightFormat.has_value(), !format.isEmpty());
        bool isServed = false;
        for (const char* device : {"P100-PCIe-16GB", "V100-SXM2-16GB", "T4", "A100-40GB-SXM4", "L4",
                                   "H100-80GB-SXM5", "B200"}) {
            isServed = isServed || serves == QString::fromLatin1(device);
            const ServingForecast f = servedOn(s, device, 1, "gpt2");
            QVERIFY2(f.latencyMs.isAvailable() == isServed, device);
        }
        // What nobody says anything of isn't refused.
        const ServingForecast other = servedOn(s, "MI300X", 1, "gpt2");
        QCOMPARE(other.latencyMs.isAvailable(),
                 s.engine != Engine::TensorRtLlm && !serves.isEmpty());
    }

    // Where nobody names an engine, processors have one of their own.
    void processorsHaveTheirOwn()
    {
        const auto onProcessors = [](const char* id, auto change) {
            Experiment e = preset(id)->experiment;
            change(e.serving);
            const auto demand = processorDemand(e.model, LayerKinds(expand(e.model)), e.serving);
            return demand ? std::optional(demand->engine) : std::nullopt;
        };
        const auto nothing = [](Serving&) {};
        QCOMPARE(onProcessors("llama-3.1-8b", nothing), Engine::LlamaCpp);
        QCOMPARE(onProcessors("gpt2", nothing), Engine::LibTorch);
        QCOMPARE(onProcessors("gpt2", [](Serving& s) { s.precision = ServingPrecision::Int4; }),
                 Engine::LlamaCpp);
        QCOMPARE(onProcessors("gpt2",
                              [](Serving& s) {
                                  s.precision = ServingPrecision::Int8;
                                  s.weightFormat = WeightFormat::Q80;
                              }),
                 Engine::LlamaCpp);
        QVERIFY(!onProcessors("text-generator", nothing)); // the same as elsewhere
        QVERIFY(!onProcessors("t5-small", nothing));
        QVERIFY(!onProcessors("gpt2", [](Serving& s) { s.engine = Engine::Vllm; }));
        QVERIFY(!onProcessors("gpt2", [](Serving& s) { s.tensorParallel = 2; }));
        // Its files of 4 bits are those that it reads.
        Experiment e = preset("llama-3.1-8b")->experiment;
        e.serving.precision = ServingPrecision::Int4;
        const LayerKinds kinds(expand(e.model));
        const auto demand = processorDemand(e.model, kinds, e.serving);
        QVERIFY(demand && !demand->isEngineKnown);
        QCOMPARE(demand->format, WeightFormat::Q4KM);
        QCOMPARE(servingDemand(e.model, kinds, e.serving).format, WeightFormat::Awq);
    }

    // Engines read long prompts in parts, keep no scores, and make logits of the last position: beside weights and caches
    // there is little. What runs a model as it is written holds more, all scores where attention is plain.
    void longPromptsAreReadInParts()
    {
        const Model model = preset("llama-3.1-8b")->experiment.model;
        const LayerKinds kinds(expand(model));
        constexpr double Weights = 8'030'261'248.0 * 2;
        constexpr double CacheOfToken = 32.0 * 8 * 128 * 2 * 2; // layers, heads, sizes, both, bytes
        constexpr double Words = 128'256;
        const auto beside = [&](Engine engine, std::int64_t tokens,
                                std::optional<AttentionKernel> attention = {}) {
            const Serving s{.inputTokens = tokens,
                            .outputTokens = 100,
                            .precision = ServingPrecision::Bf16,
                            .engine = engine,
                            .attention = attention};
            return servingDemand(model, kinds, s).memory.value() - Weights -
                   CacheOfToken * static_cast<double>(tokens + 100);
        };
        for (const Engine engine :
             {Engine::Vllm, Engine::TensorRtLlm, Engine::SgLang, Engine::DeepSpeed}) {
            QVERIFY(beside(engine, 131'072) > 0 && beside(engine, 131'072) < 1.2e9);
            QVERIFY(isNear(beside(engine, 131'072), beside(engine, 8192)));
            QVERIFY(beside(engine, 1024) < 0.2 * beside(engine, 8192));
        }
        QVERIFY(beside(Engine::LlamaCpp, 131'072) < 1e8);
        // Two matrices' results of 14,336 numbers, gate and product.
        QVERIFY(isNear(beside(Engine::Transformers, 16'384), 16'384.0 * 4 * 14'336 * 2));
        // Logits and what is made of them, then scores of 32 heads.
        QVERIFY(isNear(beside(Engine::LibTorch, 8192), 8192 * Words * 2 * 2));
        const double scores = beside(Engine::LibTorch, 32'768, AttentionKernel::Plain);
        QVERIFY(scores > 32.0 * 32'768 * 32'768 * 2 && scores < 36.0 * 32'768 * 32'768 * 2);
    }

    // A token reads what files of its format have, of experts in 4 bits the rest in 16, too.
    void formatsAreReadAsTheyAre()
    {
        const auto token = [](WeightFormat format) {
            Serving s = preset("llama-65b")->experiment.serving;
            s.engine = Engine::LlamaCpp;
            const bool isEight = format == WeightFormat::Q6K || format == WeightFormat::Q80;
            s.precision = isEight ? ServingPrecision::Int8 : ServingPrecision::Int4;
            s.weightFormat = format;
            return servedOn(s, "A100-80GB-SXM4", 1, "llama-65b").tokenMs.value();
        };
        const double q4 = token(WeightFormat::Q40);
        for (const auto& [format, bits] :
             {std::pair{WeightFormat::Q4KM, 4.85}, std::pair{WeightFormat::Q5KM, 5.68},
              std::pair{WeightFormat::Q6K, 6.56}, std::pair{WeightFormat::Q80, 8.5}}) {
            const double ratio = token(format) / q4 / (bits / 4.5);
            QVERIFY2(ratio > 0.88 && ratio < 1.04, std::to_string(ratio).c_str());
        }
        Serving s = preset("mixtral-8x7b")->experiment.serving;
        s.precision = ServingPrecision::Int4;
        s.weightFormat = WeightFormat::Mxfp4;
        const Model model = preset("mixtral-8x7b")->experiment.model;
        const LayerKinds kinds(expand(model));
        const ReadBytes read = readBytes(model, kinds, s);
        QVERIFY(isNear(read.matrices, 2.0) && isNear(read.output, 2.0));
        QVERIFY2(read.experts > 4.25 / 8 && read.experts < 4.3 / 8,
                 std::to_string(read.experts).c_str());
    }

    // Another device of a generation serves as the one that was measured, with the interval of what wasn't.
    void likeOthersOfItsGeneration()
    {
        const Device& sibling = *hardwareCatalog()->find("A100-80GB-PCIe");
        const EngineRates& near = calibration()->ratesNear(Engine::LlamaCpp, sibling);
        QCOMPARE(near.device, std::string("A100-40GB-SXM4"));
        // And one of a generation that nobody measured as that with such memory which is next to it in age; L4 has another.
        const auto nearTo = [](const char* device) {
            return calibration()
                ->ratesNear(Engine::LlamaCpp, *hardwareCatalog()->find(device))
                .device;
        };
        QCOMPARE(nearTo("V100-SXM2-16GB"), std::string("A100-40GB-SXM4"));
        QCOMPARE(nearTo("B200"), std::string("H100-80GB-SXM5"));
        QCOMPARE(nearTo("L4"), std::string());
        Serving s = preset("llama-7b")->experiment.serving;
        s.engine = Engine::LlamaCpp;
        const auto width = [&](const char* device) {
            const Quantity token = tokenOf(s, device);
            return token.high() / token.value();
        };
        QVERIFY(width("A100-80GB-PCIe") > width("A100-40GB-SXM4") + 0.05);
    }

    // Published of one processor: how it multiplies few rows was set on them, what it reads by itself.
    void publishedTokensOfProcessorsAreNear()
    {
        const auto table =
            outlay::tests::Table::read(OUTLAY_TEST_DATA "/published_processor_tokens.csv").value();
        QCOMPARE(table.size(), std::size_t{3});
        for (std::size_t row = 0; row < table.size(); ++row) {
            const Model model = *outlay::tests::knownModel(table.text(row, "model"));
            Serving s{.inputTokens = 16, .outputTokens = 128, .engine = Engine::LlamaCpp};
            const std::string format(table.text(row, "format"));
            s.weightFormat = format == "q4_k_m" ? WeightFormat::Q4KM
                             : format == "q6_k" ? WeightFormat::Q6K
                                                : WeightFormat::Q80;
            s.precision = format == "q4_k_m" ? ServingPrecision::Int4 : ServingPrecision::Int8;
            const Device processor{.name = std::string(table.text(row, "processor")),
                                   .kind = DeviceKind::Cpu,
                                   .generation = "cpu",
                                   .fp32Tflops = table.number(row, "fp32_tflops"),
                                   .memoryGbPerS = table.number(row, "gb_per_s")};
            const Quantity token = servingForecast(servingDemand(model, expand(model), s),
                                                   {processor, 1, *calibration()})
                                       .tokenMs;
            const double published = 1000 / table.number(row, "tokens_per_s");
            const double ratio = token.value() / published;
            QVERIFY2(ratio > 0.8 && ratio < 1.25, (format + " " + std::to_string(ratio)).c_str());
            QVERIFY(token.low() < published && published < token.high());
        }
    }

    // What a pass takes that makes a token of each of several requests, as its slots have it.
    void publishedRowsOfLlamaCppAreNear()
    {
        const auto table =
            outlay::tests::Table::read(OUTLAY_TEST_DATA "/published_slots.csv").value();
        QCOMPARE(table.size(), std::size_t{8});
        int held = 0;
        for (std::size_t row = 0; row < table.size(); ++row) {
            Model model = *outlay::tests::knownModel(table.text(row, "model"));
            std::get<TransformerDesign>(model.design).vocabulary = 1; // no logits but the last
            Serving s{.inputTokens = 256, .outputTokens = 2, .engine = Engine::LlamaCpp};
            s.batch = static_cast<std::int64_t>(table.number(row, "rows"));
            const bool isHalf = table.text(row, "format") == "f16";
            s.precision = isHalf ? ServingPrecision::Fp16 : ServingPrecision::Int4;
            if (!isHalf)
                s.weightFormat = WeightFormat::Q40;
            const Device& device = *hardwareCatalog()->find(table.text(row, "device"));
            const Quantity token =
                servingForecast(servingDemand(model, expand(model), s), {device, 1, *calibration()})
                    .tokenMs;
            const double published =
                1000 * table.number(row, "rows") / table.number(row, "tokens_per_s");
            const double ratio = token.value() / published;
            QVERIFY2(ratio > 0.85 && ratio < 1.25, std::to_string(ratio).c_str());
            held += token.low() < published && published < token.high() ? 1 : 0;
        }
        QVERIFY2(held >= 7, std::to_string(held).c_str()); // an interval of 80 %
    }
};

OUTLAY_TEST(TestEngines)
#include "tst_engines.moc"
