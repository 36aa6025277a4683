// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that a draft guesses and the model checks.
#include "core/base/crossing.h"
#include "core/base/units.h"
#include "core/experiment/field_meaning.h"
#include "core/experiment/presets.h"
#include "core/hardware/flight.h"
#include "core/hardware/hardware_catalog.h"
#include "core/probe/statistics.h"
#include "core/workload/parameters.h"
#include "core/workload/serving_work.h"
#include "tests/support/rates.h"
#include "tests/support/table.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;
using outlay::tests::rates;
using outlay::tests::Table;

namespace {

Experiment served(std::int64_t batch = 1)
{
    Experiment e = preset("llama-3.1-8b")->experiment;
    e.serving.engine = Engine::Vllm;
    e.serving.precision = ServingPrecision::Bf16;
    e.serving.batch = batch;
    return e;
}

Experiment guessing(std::int64_t guesses, double acceptance, std::int64_t batch = 1)
{
    Experiment e = served(batch);
    e.serving.speculatedTokens = guesses;
    e.serving.acceptance = acceptance;
    return e;
}

ServingForecast forecastOf(const Experiment& e, const char* device = "H100-80GB-SXM5",
                           std::int64_t count = 1, const Calibration& calibration = rates())
{
    const Device& found = *hardwareCatalog()->find(device);
    return servingForecast(servingDemand(e.model, expand(e.model), e.serving),
                           {found, count, calibration});
}

bool isWithin(double value, double expected, double part)
{
    return std::abs(value - expected) <= part * std::abs(expected);
}

double tokenMs(const Experiment& e)
{
    return forecastOf(e).tokenMs.value();
}

/// With which so many guesses make so many tokens.
double acceptanceFor(std::int64_t guesses, double made)
{
    if (made >= real(guesses + 1))
        return 1;
    constexpr double Precision = 1e-6;
    return crossingOf([&](double share) { return madeByPass(guesses, share) - made; }, {0, 1},
                      Precision)
        .high;
}

} // namespace

class TestSpeculation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Against passes in which each guess holds by chance, where those before it do.
    void passesMakeWhatChanceSays()
    {
        std::mt19937 random(1);
        for (const double acceptance : {0.0, 0.3, 0.7, 0.95}) {
            std::bernoulli_distribution holds(acceptance);
            constexpr int Passes = 200000;
            constexpr std::int64_t Guesses = 5;
            double made = 0;
            for (int pass = 0; pass < Passes; ++pass) {
                int held = 0;
                while (held < Guesses && holds(random))
                    ++held;
                made += held + 1;
            }
            QVERIFY(isWithin(madeByPass(Guesses, acceptance), made / Passes, 0.01));
        }
        QCOMPARE(madeByPass(7, 1), 8.0);
        QCOMPARE(madeByPass(0, 0.7), 1.0);
    }

    void publishedGains()
    {
        const auto table = Table::read(OUTLAY_TEST_DATA "/published_speculation.csv");
        QVERIFY(table.has_value());
        std::vector<double> misses;
        for (std::size_t i = 0; i < table->size(); ++i) {
            const auto guesses = static_cast<std::int64_t>(table->number(i, "guesses"));
            Experiment e = guessing(guesses, acceptanceFor(guesses, table->number(i, "made")));
            if (table->text(i, "model") == "qwen3-8b") {
                auto& design = std::get<TransformerDesign>(e.model.design);
                design.layers = 36;
                design.feedForward = 12288;
                design.vocabulary = 151936;
            }
            e.serving.draftShare = table->number(i, "draft");
            Experiment plain = e;
            plain.serving.speculatedTokens.reset();
            const double gain = tokenMs(plain) / tokenMs(e);
            const double published = table->number(i, "plain_ms") / table->number(i, "token_ms");
            misses.push_back(std::abs(std::log(gain / published)));
            QVERIFY2(misses.back() < std::log(1.25),
                     qPrintable(QStringLiteral("%1 guesses: %2 times as fast, published %3")
                                    .arg(guesses)
                                    .arg(gain)
                                    .arg(published)));
        }
        QCOMPARE(misses.size(), std::size_t{13});
        const double median = outlay::core::median(misses);
        qInfo("median miss %.1f %%", 100 * std::expm1(median));
        QVERIFY(median < std::log(1.15));
    }

    // Weights are read once for all guesses while few requests are answered; later products count.
    void manyAtOnceGainLess()
    {
        double last = HUGE_VAL;
        for (const std::int64_t batch : {64, 256, 1024}) {
            const double gain = tokenMs(served(batch)) / tokenMs(guessing(4, 0.7, batch));
            QVERIFY(gain < last);
            last = gain;
        }
        const double alone = tokenMs(served()) / tokenMs(guessing(4, 0.7));
        QVERIFY(alone > 1.5 && last < alone);
        QVERIFY(tokenMs(guessing(4, 0)) > tokenMs(served()));
    }

    // The draft's weights and caches lie beside the model's, on each device.
    void aDraftTakesMemory()
    {
        const Experiment e = guessing(4, 0.7, 8);
        const LayerKinds layers = expand(e.model);
        const ServingWork with = servingWork(e.model, layers, e.serving);
        const ServingWork without = servingWork(e.model, layers, served(8).serving);
        const double weights = 2 * real(parametersOf(layers));
        QVERIFY(isWithin(with.memory.value() - without.memory.value(),
                         e.serving.draftShare * (weights + 8 * without.stateBytes), 1e-6));
        QVERIFY(isWithin(with.stateBytes, without.stateBytes * (1 + e.serving.draftShare), 1e-9));
        Experiment byText = e;
        byText.serving.draftShare = 0;
        QCOMPARE(servingWork(byText.model, layers, byText.serving).memory.value(),
                 without.memory.value());
    }

    // Whose share of guesses that hold is assumed is known less well.
    void theIntervalHoldsTextsOfWhichFewerGuessesHold()
    {
        const Quantity token = forecastOf(guessing(4, 0.7)).tokenMs;
        const double less = tokenMs(guessing(4, 0.6));
        QVERIFY(token.high() > less);
        const Quantity plain = forecastOf(served()).tokenMs;
        QVERIFY(token.high() / token.value() > plain.high() / plain.value());
    }

    // On several devices both the checked tokens and the draft's are exchanged, once for all that a pass makes.
    void devicesExchangeWhatIsChecked()
    {
        // Four times as slow an engine's exchange, and nothing else changed: what it adds is the exchange's.
        Calibration slower = rates();
        for (EngineRates& engine : slower.engines)
            engine.exchangeUs *= 4;
        const auto exchangeOf = [&](const Experiment& e) {
            return forecastOf(e, "A100-80GB-SXM4", 4, slower).tokenMs.value() -
                   forecastOf(e, "A100-80GB-SXM4", 4).tokenMs.value();
        };
        const double one = exchangeOf(served());
        QVERIFY(one > 0);
        Experiment byText = guessing(4, 0.7);
        byText.serving.draftShare = 0;
        QVERIFY(isWithin(exchangeOf(byText), one / madeByPass(4, 0.7), 1e-6));
        QVERIFY(isWithin(exchangeOf(guessing(4, 0.7)), one * (1 + 4 * 0.05) / madeByPass(4, 0.7),
                         1e-6));
    }

    // A draft has read the prompt, too, before it can guess.
    void aDraftReadsThePrompt()
    {
        Experiment e = guessing(4, 0.7);
        e.serving.inputTokens = 2000;
        const auto firstMs = [&](double draftShare) {
            e.serving.draftShare = draftShare;
            return forecastOf(e).firstTokenMs.value();
        };
        QVERIFY(isWithin(firstMs(0.5), 1.5 * firstMs(0), 1e-9));
    }

    // Nobody makes more tokens of a pass than an answer lacks.
    void shortAnswersTakeAWholePass()
    {
        Experiment e = guessing(8, 1);
        e.serving.draftShare = 0;
        e.serving.outputTokens = 2;
        const double one = tokenMs(e);
        Experiment plain = e;
        plain.serving.speculatedTokens.reset();
        QVERIFY(one > tokenMs(plain));
        e.serving.outputTokens = 4; // three later ones
        QVERIFY(isWithin(tokenMs(e), one / 3, 0.01));
    }

    // Longer guesses never take less by another kernel.
    void nothingJumps()
    {
        Experiment e = guessing(1, 0.9);
        e.serving.draftShare = 0;
        e.serving.inputTokens = 30000;
        e.serving.outputTokens = 1000;
        double last = 0;
        for (std::int64_t guesses = 1; guesses <= 32; ++guesses) {
            e.serving.speculatedTokens = guesses;
            const double pass = tokenMs(e) * madeByPass(guesses, 0.9);
            QVERIFY(pass >= last);
            last = pass;
        }
    }

    void onlyEnginesThatCanDoSo()
    {
        Experiment e = guessing(4, 0.7);
        QVERIFY(hasMeaning("/serving/acceptance", e));
        for (const Engine engine : {Engine::LibTorch, Engine::DeepSpeed, Engine::OnnxRuntime}) {
            e.serving.engine = engine;
            Experiment plain = e;
            plain.serving.speculatedTokens.reset();
            QCOMPARE(tokenMs(e), tokenMs(plain));
            QVERIFY(!hasMeaning("/serving/speculated_tokens", e));
        }
        e.serving.engine = Engine::Transformers; // assists one request at a time
        QVERIFY(maySpeculate(e.model, e.serving));
        e.serving.batch = 8;
        QVERIFY(!maySpeculate(e.model, e.serving));
        const Experiment encoder = preset("bert-base")->experiment;
        QVERIFY(!maySpeculate(encoder.model, encoder.serving));
        QVERIFY(!hasMeaning("/serving/acceptance", served()));
    }
};

OUTLAY_TEST(TestSpeculation)
#include "tst_speculation.moc"
