// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/placement.h"
#include "tests/support/random_designs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::core;

namespace {

PlacementAdvice advice(const Model& model, const Training& training, const char* gpu = "A100")
{
    const Device cpu = hardwareCatalog()->processorsOf("c7i.2xlarge", 8, 16);
    const Device chosen = hardwareCatalog()->device(gpu).value_or(Device{});
    return placementAdvice(expand(model), training, {chosen, cpu, *calibration()});
}

const Factor& factor(const PlacementAdvice& a, const std::string& id)
{
    return *std::find_if(a.factors.begin(), a.factors.end(),
                         [&](const Factor& f) { return f.id == id; });
}

} // namespace

class TestPlacement : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLargeTransformerGoesToTheGpu()
    {
        Training t;
        t.precision = Precision::Bf16;
        t.sequence = 1024;
        t.batch = 8;
        const PlacementAdvice a = advice(preset("llama-7b")->experiment.model, t);
        QCOMPARE(a.recommended, Leaning::Gpu);
        QCOMPARE(a.workload, WorkloadClass::ComputeBound);
        QVERIFY(a.sentence.starts_with("Take the GPU"));
        QVERIFY(factor(a, "speed_up").value.value() > 50);
        QVERIFY(factor(a, "products").leaning == Leaning::Gpu);
    }

    void aTinyModelStaysOnTheCpu()
    {
        MlpDesign tiny;
        tiny.inputs = 8;
        tiny.hidden = {16, 16};
        tiny.outputs = 1;
        Model model;
        model.design = tiny;
        Training t;
        t.batch = 16;
        const PlacementAdvice a = advice(model, t);
        QCOMPARE(a.recommended, Leaning::Cpu);
        QCOMPARE(a.workload, WorkloadClass::LaunchBound);
        QVERIFY(factor(a, "batch").value.value() > 1.5);
    }

    void aRecurrenceIsSequential()
    {
        const auto e = preset("text-generator")->experiment;
        const PlacementAdvice a = advice(e.model, e.training);
        QCOMPARE(a.workload, WorkloadClass::Sequential);
        QCOMPARE(factor(a, "sequential").leaning, Leaning::Cpu);
        QVERIFY(asksOf(a.workload).find("CPU") != std::string_view::npos);
    }

    void sharesAreShares()
    {
        std::mt19937_64 random(7);
        Training t;
        t.sequence = 16;
        for (int i = 0; i < 100; ++i) {
            const PlacementAdvice a = advice(tests::randomModel(random), t);
            double sum = 0;
            for (const char* id : {"products", "sequential", "launches"}) {
                const double share = factor(a, id).value.value();
                QVERIFY(share >= 0 && share <= 100);
                sum += share;
            }
            QVERIFY(sum <= 100.0001);
            const double gain = factor(a, "batch").value.value();
            QVERIFY2(gain > 0.99 && gain <= 2.0001, std::to_string(gain).c_str());
            for (const Factor& f : a.factors) {
                QVERIFY(!f.value.isAvailable() || std::isfinite(f.value.value()));
                QVERIFY(!f.why.empty() && !f.name.empty());
            }
            QVERIFY(a.sentence.ends_with("."));
        }
    }

    void unknownRatesGiveNoAdvice()
    {
        const auto e = preset("gpt2")->experiment;
        const PlacementAdvice a = advice(e.model, e.training, "Radeon Pro V520");
        QVERIFY(a.sentence.starts_with("No advice"));
        QVERIFY(a.factors.empty());
        QCOMPARE(a.recommended, Leaning::Neither);
    }
};

OUTLAY_TEST(TestPlacement)
#include "tst_placement.moc"
