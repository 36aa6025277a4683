// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel attention is while a model trains, and what that takes.
#include "core/experiment/presets.h"
#include "core/hardware/attainable.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/roofline.h"
#include "core/hardware/step.h"
#include "tests/support/known_models.h"
#include "tests/support/near.h"
#include "tests/support/rates.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;
using outlay::tests::rates;

namespace {

Training trainingOf(std::int64_t sequence, Precision precision = Precision::Bf16)
{
    Training t = preset("llama-7b-pretraining")->experiment.training;
    t.sequence = sequence;
    t.batch = 1;
    t.precision = precision;
    return t;
}

double stepOn(const char* device, Training t, std::optional<AttentionKernel> kernel)
{
    t.attention = kernel;
    const TrainingDemand demand =
        trainingDemand(expand(preset("llama-7b-pretraining")->experiment.model), t);
    return stepTime(demand, attainableOf(*hardwareCatalog()->find(device), t, rates())).total();
}

/// Of attention's scores alone, as fused kernels compute them.
KernelGroup scores()
{
    KernelGroup group;
    group.rows = 4096;
    group.scoreFlops = 1e12;
    group.fusedFlops = 5e11;
    group.scoreTiles = 1e9; // all units are filled
    group.again = {.products = 1, .scores = 1, .fused = 1, .others = 1};
    return group;
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A setting, where a source says so; else what the device and its precision have, by a framework of today.
    void itIsFusedWhereItCanBe()
    {
        const Training t = trainingOf(1024);
        for (const char* device : {"A100", "H100-80GB-SXM5"}) {
            const double native = stepOn(device, t, AttentionKernel::Native);
            QVERIFY(stepOn(device, t, AttentionKernel::Plain) > 1.05 * native);
            QCOMPARE(stepOn(device, t, {}), native);
        }
        for (const auto& [device, precision] :
             {std::pair("A100", Precision::Fp32), std::pair("V100", Precision::Fp16)}) {
            const Training without = trainingOf(1024, precision);
            QCOMPARE(stepOn(device, without, {}), stepOn(device, without, AttentionKernel::Plain));
        }
    }

    // A kernel for any GPU takes 1.7 to 2.3 times as long as one for Hopper; the longer samples are, the more of a step that
    // is. What came before computes as that kernel does, and so does whatever isn't in 16 bits.
    void aKernelForAnyGpuIsSlowerOnNewerOnes()
    {
        const auto gain = [](const char* device, std::int64_t sequence,
                             Precision precision = Precision::Bf16) {
            const Training t = trainingOf(sequence, precision);
            return stepOn(device, t, AttentionKernel::Fused) /
                   stepOn(device, t, AttentionKernel::Native);
        };
        double before = 1;
        for (const std::int64_t sequence : {512, 1024, 8192, 65'536, 524'288}) {
            const double now = gain("H100-80GB-SXM5", sequence);
            QVERIFY2(now > before, qPrintable(QString::number(now)));
            before = now;
        }
        QVERIFY2(before > 1.6 && before < 2.3, qPrintable(QString::number(before)));
        for (const char* device : {"A100", "L40S", "RTX 4090"})
            QCOMPARE(gain(device, 65'536), 1.0);
        QCOMPARE(gain("H100-80GB-SXM5", 8192, Precision::Tf32), 1.0);
    }

    // Torchtitan's Llama 3 8B on B200 was 1.12 times as fast by cuDNN's kernel (pytorch/torchtitan, pull request 1196,
    // 2025-05-14: 10,902 and 12,211 tokens a second).
    void aPublishedGainIsForecast()
    {
        Training t = trainingOf(8192);
        const auto secondsBy = [&](AttentionKernel kernel) {
            t.attention = kernel;
            const TrainingDemand demand =
                trainingDemand(expand(*outlay::tests::knownModel("Llama-3.1-8B")), t);
            return stepTime(demand, attainableOf(*hardwareCatalog()->find("B200"), t, rates()))
                .total();
        };
        const double gain = secondsBy(AttentionKernel::Fused) / secondsBy(AttentionKernel::Native);
        QVERIFY2(std::abs(gain * 10'902 / 12'211 - 1) < 0.04, qPrintable(QString::number(gain)));
    }

    // Scores are made once more on the way back: five products where two were, and such kernels are slower than those
    // forward (FlashAttention's authors: by a sixth).
    void theWayBackTakesMoreThanTwice()
    {
        const Training t = trainingOf(4096);
        const std::vector<KernelGroup> groups{scores()};
        QVERIFY(rates().training.fusedBackward > 2.5 && rates().training.fusedBackward < 3.75);
        for (const char* device : {"A100", "H100-80GB-SXM5"}) {
            const Attainable on = attainableOf(*hardwareCatalog()->find(device), t, rates());
            const double forward = forwardTime(groups, on, {}).productS;
            const double back = backwardTime(groups, on, Again::Nothing, {}).productS;
            QVERIFY(isNear(back, rates().training.fusedBackward * forward));
            // Again forward before, where blocks run again.
            QVERIFY(isNear(backwardTime(groups, on, Again::Blocks, {}).productS, back + forward));
        }
        Training plain = t;
        plain.attention = AttentionKernel::Plain;
        const Attainable on = attainableOf(*hardwareCatalog()->find("A100"), plain, rates());
        QVERIFY(isNear(backwardTime(groups, on, Again::Nothing, {}).productS,
                       2 * forwardTime(groups, on, {}).productS));
    }

    // Who serves has no such choice: each engine brings its kernels.
    void aServiceIsPlainOrFused()
    {
        const auto reading = [](const char* section, const char* kernel) {
            Json json = toJson(preset("gpt2")->experiment);
            json.find(section)->set("attention", Json(kernel));
            return readExperiment(json);
        };
        QVERIFY(reading("training", "native").has_value());
        QVERIFY(reading("serving", "fused").has_value());
        const auto refused = reading("serving", "native");
        QVERIFY(!refused);
        QVERIFY(refused.error().sentence().find("native") != std::string::npos);
    }
};

OUTLAY_TEST(TestAttention)
#include "tst_attention.moc"
