// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule of the advice speaks on a design that asks for it, is silent on one that doesn't, and its patch
// saves what it promises, by two Reports with the whole price book.
#include "core/experiment/patch.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/advice/saving.h"
#include "pricing/report/make_report.h"
#include "tests/support/measured.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::adviceIn;
using outlay::tests::experimentOf;
using outlay::tests::Today;

namespace {

/// A month of nothing but training.
Experiment training(const char* name)
{
    Experiment e = experimentOf(name);
    e.training.runsPerMonth = 100;
    e.serving.requestsPerDay = 0;
    return e;
}

/// The text generator, measured here, with one variant beside the plain way.
Experiment measured(VariantMeasurement variant, double ratio)
{
    variant.ratio = ratio;
    variant.lowRatio = 0.9 * ratio;
    variant.highRatio = 1.1 * ratio;
    Experiment e = experimentOf("text-generator");
    e.site.powerWatts = 100;
    Measurement m = outlay::tests::measurementOf(e);
    m.training.step.verdict = Verdict::Steady;
    m.variants = {std::move(variant)};
    outlay::tests::addTo(e, m);
    return e;
}

Experiment batched(const char* name, std::int64_t batch, const char* provider)
{
    Experiment e = training(name);
    e.training.batch = batch;
    e.training.samples = 1e6;
    e.plan.providers = {provider};
    return e;
}

/// Whose logits are most of what a device holds.
Experiment manyTokens(bool chunkedLoss)
{
    Experiment e = training("gpt2");
    e.training.batch = 128;
    e.training.precision = Precision::Bf16;
    e.training.chunkedLoss = chunkedLoss;
    return e;
}

/// A recurrence whose matrices are larger than what its batch reads, on processors alone.
Experiment wideAndFew(bool keepsMemory)
{
    Experiment e = training("char-rnn");
    std::get<RecurrentDesign>(e.model.design).hidden = {1024};
    e.training.batch = 8;
    e.training.keepMemory = keepsMemory;
    e.plan.stacks = {"cpu"};
    return e;
}

/// Of samples of 256 tokens.
Experiment uneven(bool packed)
{
    Experiment e = training("llama-7b");
    e.training.sequence = 256;
    e.training.packed = packed;
    return e;
}

/// Eight experts, trained whole: no machine there has so much on its devices.
Experiment onOneMachine()
{
    Experiment e = training("mixtral-8x7b");
    e.training = outlay::tests::wholeTuning();
    e.training.runsPerMonth = 100;
    e.plan.providers = {"gcp"};
    e.plan.maxMachines = 1;
    return e;
}

const OfferChoice Large{"aws", "p3.16xlarge", "us-east-1", Purchase::OnDemand};

Experiment onOffers(const std::optional<OfferChoice>& trainingOffer,
                    const std::optional<OfferChoice>& servingOffer)
{
    Experiment e = experimentOf("text-generator");
    e.training.runsPerMonth = 100;
    e.plan.trainingOffer = trainingOffer;
    e.plan.servingOffer = servingOffer;
    return e;
}

Experiment withEnvironment(const char* offer, std::int64_t count)
{
    Experiment e = experimentOf("text-generator");
    e.plan.environments = {{.name = "production", .offer = offer, .count = count}};
    return e;
}

Experiment with(Experiment e, const std::function<void(Experiment&)>& change)
{
    change(e);
    return e;
}

/// Pretraining where there are units for 8 bits.
Experiment compiled8b(Precision precision, std::optional<AttentionKernel> attention = {})
{
    Experiment e = training("llama-7b-pretraining");
    e.training.compiled = true;
    e.training.precision = precision;
    e.training.attention = attention;
    return e;
}

struct Case {
    const char* rule;
    Experiment fires;
    Experiment silent;
};

std::vector<Case> trainingCases()
{
    const Json curve = *readJson(R"({"curve": [{"epoch": 1, "loss": 5}, {"epoch": 10, "loss": 2},
        {"epoch": 20, "loss": 1.001}, {"epoch": 50, "loss": 1}]})");
    return {
        {"larger-batch", training("text-generator"),
         with(training("text-generator"), [](auto& e) { e.training.batch = 65'536; })},
        {"mixed-precision", training("bert-base"),
         with(training("bert-base"), [](auto& e) { e.training.precision = Precision::Bf16; })},
        {"fp8", compiled8b(Precision::Bf16), compiled8b(Precision::Fp8)},
        {"compiled", training("gpt2"),
         with(training("gpt2"), [](auto& e) { e.training.compiled = true; })},
        {"native-attention", compiled8b(Precision::Bf16, AttentionKernel::Fused),
         compiled8b(Precision::Bf16)},
        {"chunked-loss", manyTokens(false), manyTokens(true)},
        {"checkpointing", batched("bert-base", 512, "aws"),
         with(batched("bert-base", 512, "aws"), [](auto& e) { e.training.checkpointing = true; })},
        {"no-checkpointing", training("llama-7b"), training("gpt2")},
        {"packed", uneven(false), uneven(true)},
        {"kept-memory", wideAndFew(false), wideAndFew(true)},
        {"earlier-stop", with(training("llama-7b"), [](auto& e) { e.training.reentrant = true; }),
         training("llama-7b")},
        {"accumulation", batched("bert-base", 512, "aws"), batched("bert-base", 2, "aws")},
        {"8-bit-optimizer", training("bert-large"),
         with(training("bert-large"), [](auto& e) { e.training.optimizer = Optimizer::Sgd; })},
        {"adapters", training("llama-65b"), training("llama-3.1-8b-lora")},
        {"offload", onOneMachine(), training("llama-3.1-8b-lora")},
        {"no-offload",
         with(training("llama-3.1-8b-lora"),
              [](auto& e) { e.training.offload = Offload::Weights; }),
         training("llama-3.1-8b-lora")},
        {"early-stopping", with(training("text-generator"), [&](auto& e) { e.quality = curve; }),
         training("text-generator")},
        {"smaller-model", training("bert-base"),
         with(training("bert-base"),
              [](auto& e) { std::get<TransformerDesign>(e.model.design).layers = 3; })},
    };
}

std::vector<Case> measuredCases()
{
    const auto variant = [](const char* name) {
        return VariantMeasurement{.variant = name, .name = "a variant"};
    };
    const auto both = [&](const char* rule, const VariantMeasurement& v) {
        return Case{rule, measured(v, 0.5), measured(v, 0.95)};
    };
    VariantMeasurement batch = variant("batch");
    batch.pointer = "/training/batch";
    batch.value = "256";
    VariantMeasurement int8 = variant("int8");
    int8.subject = VariantSubject::Request;
    VariantMeasurement generation = variant("stepwise-fused");
    generation.subject = VariantSubject::Generation;
    VariantMeasurement prefix = variant("full-prefix");
    prefix.subject = VariantSubject::Generation;
    return {
        both("measured-batch", batch),
        both("threads", variant("threads")),
        both("measured-memory", variant("kept-memory")),
        both("measured-accumulation", variant("accumulation")),
        both("measured-bf16", variant("bf16")),
        both("quantised-serving", int8),
        both("measured-other", variant("fused")),
        both("measured-serving", generation),
        {"stepwise-generation", measured(prefix, 20), measured(prefix, 1.05)},
    };
}

std::vector<Case> offerCases()
{
    return {
        {"cheaper-training-offer", onOffers(Large, {}), onOffers({}, {})},
        {"cpu-or-gpu", onOffers(Large, {}), onOffers({}, {})},
        {"spot", training("text-generator"),
         with(training("text-generator"), [](auto& e) { e.plan.purchase = Purchase::Spot; })},
        {"cheaper-serving-offer", onOffers({}, Large), onOffers({}, {})},
        {"reserved", experimentOf("text-generator"),
         with(experimentOf("text-generator"),
              [](auto& e) { e.plan.purchase = Purchase::Reserved3y; })},
    };
}

/// Where so many guesses hold.
Experiment guessing(double acceptance)
{
    return with(experimentOf("llama-3.1-8b"), [&](auto& e) {
        e.serving.requestsPerDay = 1e6;
        e.serving.speculatedTokens = 4;
        e.serving.acceptance = acceptance;
    });
}

Experiment byLlamaCpp(std::int64_t slotCount)
{
    return with(guessing(0.7), [&](auto& e) {
        e.serving.speculatedTokens.reset();
        e.serving.engine = Engine::LlamaCpp;
        e.serving.slotCount = slotCount;
    });
}

std::vector<Case> servingCases()
{
    return {
        {"larger-serving-batch", experimentOf("text-generator"), training("text-generator")},
        {"requests-as-they-come", with(guessing(0.7), [](auto& e) { e.serving.batch = 4; }),
         guessing(0.7)},
        {"more-slots", byLlamaCpp(4), byLlamaCpp(256)},
        {"copies-beside",
         with(experimentOf("llama-3.1-8b"),
              [](auto& e) {
                  e.serving.tensorParallel = 4;
                  e.serving.latencyP95Ms = 60000;
                  e.serving.requestsPerDay = 2e6;
              }),
         with(experimentOf("llama-3.1-8b"), [](auto& e) { e.serving.requestsPerDay = 2e6; })},
        {"fp8-serving", experimentOf("llama-3.1-8b"),
         with(experimentOf("llama-3.1-8b"),
              [](auto& e) { e.serving.precision = ServingPrecision::Fp8; })},
        {"faster-engine",
         with(experimentOf("bert-base"), [](auto& e) { e.serving.requestsPerDay = 1e7; }),
         with(experimentOf("bert-base"),
              [](auto& e) {
                  e.serving.requestsPerDay = 1e7;
                  e.serving.engine = Engine::OnnxRuntime;
              })},
        {"speculation", experimentOf("llama-3.1-8b"), guessing(0.7)},
        {"no-speculation", guessing(0.1), guessing(0.7)},
        {"half-precision-serving",
         with(experimentOf("bert-base"),
              [](auto& e) {
                  e.serving.requestsPerDay = 1e6;
                  e.serving.latencyP95Ms = 5; // which 32 bits don't keep
              }),
         // Processors gain nothing by it.
         with(experimentOf("text-generator"), [](auto& e) { e.serving.requestsPerDay = 1e6; })},
        {"looser-promise", experimentOf("gpt2-large"),
         with(experimentOf("gpt2-large"), [](auto& e) { e.serving.latencyP95Ms = 5000; })},
        {"serverless", experimentOf("text-generator"), experimentOf("llama-7b")},
        {"bought-tokens",
         with(experimentOf("llama-3.1-8b"), [](auto& e) { e.training.runsPerMonth = 0; }),
         experimentOf("llama-3.1-8b")},
        {"smaller-instance", withEnvironment("p3.16xlarge", 1), withEnvironment("t3.micro", 1)},
        {"fewer-instances", withEnvironment("t3.micro", 5), withEnvironment("t3.micro", 1)},
        // So few requests that each would wait for a start; somebody who is promised first tokens.
        {"with-traffic", with(outlay::tests::chat(), [](auto& e) { e.serving.peakFactor = 6; }),
         with(outlay::tests::chat(), [](auto& e) { e.serving.requestsPerDay = 50; })},
        {"at-once", with(outlay::tests::chat(), [](auto& e) { e.serving.requestsPerDay = 50; }),
         with(outlay::tests::chat(),
              [](auto& e) {
                  e.serving.requestsPerDay = 50;
                  e.serving.firstTokenP95Ms = 5000;
              })},
    };
}

std::vector<Case> placeCases()
{
    const auto stored = [](double runs) {
        return with(experimentOf("text-generator"), [&](auto& e) {
            e.training.datasetGb = 1000;
            e.training.runsPerMonth = runs;
            e.plan.providers = {"aws"};
        });
    };
    const auto in = [](const char* region) {
        return with(training("text-generator"), [&](auto& e) { e.plan.regions = {region}; });
    };
    const Experiment onAzure =
        with(experimentOf("text-generator"), [](auto& e) { e.plan.providers = {"azure"}; });
    const auto kept = [](std::int64_t checkpoints) {
        return with(training("bert-base"),
                    [&](auto& e) { e.training.checkpointsKept = checkpoints; });
    };
    return {
        {"cleaner-region",
         with(experimentOf("bert-base"), [](auto& e) { e.plan.providers = {"azure"}; }),
         in("us-east-1")},
        {"cleaner-serving-region", onAzure, in("us-east-1")},
        {"better-hour", in("us-west-1"), training("llama-7b")}, // takes more than a day
        {"storage-class", stored(1), stored(100)},              // each run reads all of it
        {"same-region-transfer", experimentOf("text-generator"),
         with(experimentOf("text-generator"), [](auto& e) { e.plan.providers = {"gcp"}; })},
        {"fewer-checkpoints", kept(1000), kept(2)},
    };
}

std::vector<Case> allCases()
{
    std::vector<Case> all;
    for (auto cases :
         {trainingCases(), measuredCases(), offerCases(), servingCases(), placeCases()})
        std::move(cases.begin(), cases.end(), std::back_inserter(all));
    return all;
}

bool isNear(double a, double b, double scale)
{
    return std::abs(a - b) <= 1e-9 * std::abs(scale);
}

/// The months of two Reports against what was promised.
void checkPromise(const Experiment& e, const Report& report, const AdviceRow& row)
{
    const auto changed = patched(e, row.patch);
    QVERIFY(changed.has_value());
    const Bill before = billOf(report, e.training.runsPerMonth);
    const Bill after = billOf(figuresOf(*changed, Today), changed->training.runsPerMonth);
    const double usd = before.usd.value() - after.usd.value();
    QVERIFY(row.savingUsd.isAvailable());
    QVERIFY2(isNear(usd, row.savingUsd.value(), before.usd.value()),
             qPrintable(
                 QStringLiteral("%1 USD saved, %2 promised").arg(usd).arg(row.savingUsd.value())));
    // Months of other items aren't compared.
    QCOMPARE(row.savingKgCo2e.isAvailable(), before.kgCo2e.isAvailable() &&
                                                 after.kgCo2e.isAvailable() &&
                                                 before.carbonLacking == after.carbonLacking);
    const double kg = before.kgCo2e.value() - after.kgCo2e.value();
    if (row.savingKgCo2e.isAvailable())
        QVERIFY2(
            isNear(kg, row.savingKgCo2e.value(), before.kgCo2e.value()),
            qPrintable(
                QStringLiteral("%1 kg saved, %2 promised").arg(kg).arg(row.savingKgCo2e.value())));
    QVERIFY(row.savingUsd.value() > 0 ||
            (row.savingKgCo2e.isAvailable() && row.savingKgCo2e.value() > 0));
}

} // namespace

class TestAdviceRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A provider without a class for what is rarely read isn't told to use one.
    void noClassOfStorageIsMadeUp()
    {
        const Experiment e = with(experimentOf("text-generator"), [](auto& changed) {
            changed.training.datasetGb = 1000;
            changed.plan.providers = {"gcp"};
        });
        const Report report = makeReport(e, Today);
        QVERIFY(report.training.recommended.chosen.has_value());
        QVERIFY(adviceIn(report, "storage-class") == nullptr);
    }

    // On one machine: the largest batch that fits is never advised to grow.
    void noBatchIsAdvisedThatDoesNotFit()
    {
        Experiment e = batched("text-generator", 32, "aws");
        e.plan.trainingOffer = OfferChoice{"aws", "g4dn.xlarge", "us-east-1", Purchase::OnDemand};
        int advised = 0;
        for (int doubled = 0; doubled < 12; ++doubled, e.training.batch *= 2) {
            const Report report = makeReport(e, Today);
            if (report.training.recommended.chosen->fits != Fits::Yes)
                break;
            const AdviceRow* row = adviceIn(report, "larger-batch");
            if (row == nullptr)
                continue;
            ++advised;
            const auto larger = patched(e, row->patch);
            QVERIFY(larger.has_value());
            const Report after = figuresOf(*larger, Today);
            QVERIFY2(after.training.recommended.chosen->fits == Fits::Yes, row->title.c_str());
        }
        QVERIFY(advised > 0);
    }

    // From a processor, which is cheaper than a GPU that waits for launches, to a GPU that does not; said once.
    void gatedRecurrencesRunInChunks()
    {
        for (const double samples : {2e6, 5e6, 2e7}) {
            Experiment e = experimentOf("gated-rnn");
            e.training.samples = samples;
            const Report report = makeReport(e, Today);
            const AdviceRow* row = adviceIn(report, "compiled");
            QVERIFY(row != nullptr);
            checkPromise(e, report, *row);
            QVERIFY(row->savingUsd.value() > 0.8 * report.training.recommended.option->usd.value());
            e.training.compiled = true;
            const Report after = makeReport(e, Today);
            QVERIFY(!after.training.recommended.option->offer.machine.accelerator.empty());
            QVERIFY(adviceIn(after, "compiled") == nullptr);
        }
    }

    void everyRuleHasACase()
    {
        std::multiset<std::string_view> rules;
        for (const auto& list : {trainingRules(), memoryRules(), modelRules(), measuredRules(),
                                 offerRules(), servingRules(), placeRules()}) {
            for (const Rule& rule : list)
                rules.insert(rule.id);
        }
        std::multiset<std::string_view> tested;
        for (const Case& one : allCases())
            tested.insert(one.rule);
        QCOMPARE(tested, rules);
    }

    // Where nothing runs again if all fits, else as little as fits on the same devices.
    void asLittleRunsAgainAsFits()
    {
        Experiment small = training("llama-3.1-8b-lora");
        small.plan.trainingOffer = {"aws", "p5.48xlarge", "us-east-1", Purchase::OnDemand};
        const Report roomy = makeReport(small, Today);
        const AdviceRow* all = adviceIn(roomy, "no-checkpointing");
        QVERIFY(all != nullptr && !patched(small, all->patch)->training.checkpointing);
        Experiment large = training("llama-3.1-70b-qlora");
        large.plan.trainingOffer = {"aws", "p5.4xlarge", "us-east-1", Purchase::OnDemand};
        const Report report = makeReport(large, Today);
        const AdviceRow* less = adviceIn(report, "no-checkpointing");
        QVERIFY(less != nullptr && less->enables == Enables::Nothing);
        checkPromise(large, report, *less);
        const auto changed = patched(large, less->patch);
        QVERIFY(changed->training.checkpointing);
        QVERIFY(!recomputeAlike(changed->training, large.training));
        // The machine that the plan names has no room for all of it.
        const auto fits = [](const Experiment& e) {
            return figuresOf(e, Today).training.recommended.chosen->fits;
        };
        QCOMPARE(fits(*changed), Fits::Yes);
        Experiment without = large;
        without.training.checkpointing = false;
        QCOMPARE(fits(without), Fits::No);
    }

    void speaksAndKeepsItsPromise_data()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const Case& one : allCases())
            QTest::newRow(one.rule) << index++;
    }
    void speaksAndKeepsItsPromise()
    {
        QFETCH(int, index);
        const Case one = allCases().at(static_cast<std::size_t>(index));
        const Report report = makeReport(one.fires, Today);
        const AdviceRow* row = adviceIn(report, one.rule);
        QVERIFY(row != nullptr);
        QVERIFY(!row->title.empty() && !row->why.empty());
        const bool isByReports =
            !row->patch.asArray()->empty() && row->savingUsd.basis() != Basis::Measured;
        if (row->enables == Enables::Fit)
            QVERIFY(makeReport(*patched(one.fires, row->patch), Today)
                        .training.recommended.chosen.has_value());
        else if (isByReports)
            checkPromise(one.fires, report, *row);
        else
            QVERIFY(row->savingTimePercent.isAvailable() && row->savingTimePercent.value() > 0);
        QVERIFY2(adviceIn(makeReport(one.silent, Today), one.rule) == nullptr,
                 "it should be silent");
    }
};

OUTLAY_TEST(TestAdviceRules)
#include "tst_advice_rules.moc"
