// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay;
using core::Fits;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using outlay::tests::isNear;
using pricing::LayoutPart;
using pricing::LayoutReport;
using pricing::LayoutRow;
using pricing::Report;

namespace {

constexpr std::array Joined{"llama-3.1-8b", "llama-7b-pretraining", "llama-65b-pretraining"};

double sumOf(const std::vector<LayoutPart>& parts)
{
    double sum = 0;
    for (const LayoutPart& part : parts)
        sum += part.amount.value();
    return sum;
}

core::Experiment pinnedTo(core::Experiment e, const core::Layout& layout)
{
    e.training.tensorParallel = layout.tensor;
    e.training.pipelineStages = layout.stages;
    e.training.pipelineChunks = layout.chunks;
    e.training.sharding = layout.sharding;
    return e;
}

} // namespace

class TestLayouts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // One figure, wherever it is told.
    void thePlanIsTheRecommendedOne()
    {
        for (const char* name : Joined) {
            const Report report = figuresToday(experimentOf(name));
            const LayoutReport& layouts = report.scaling.layouts;
            const auto& option = report.training.recommended.option;
            QVERIFY(option && !layouts.rows.empty() && layouts.why.empty() && !layouts.isAsked);
            const LayoutRow& plan = layouts.rows.front();
            QVERIFY(plan.layout == option->layout);
            QVERIFY(isNear(plan.usd.value(), option->usd.value()));
            QVERIFY(isNear(plan.hours.value(), option->hours.value()));
            QVERIFY(isNear(plan.memory.value(), option->memory.value()));
        }
    }

    void partsAddUp()
    {
        for (const char* name : Joined) {
            const LayoutReport layouts = figuresToday(experimentOf(name)).scaling.layouts;
            QVERIFY(layouts.holds.size() >= 3 && layouts.does.size() >= 3);
            QVERIFY(isNear(sumOf(layouts.holds), layouts.rows.front().memory.value()));
            QVERIFY(isNear(sumOf(layouts.does), layouts.rows.front().stepSeconds.value()));
        }
    }

    // Without copies in 32 bits gradients and activations aren't there at once.
    void partsAddUpWhereTheUpdateIsApart()
    {
        core::Experiment e = experimentOf("llama-3.1-8b");
        e.training.masterWeights = false;
        const LayoutReport layouts = figuresToday(e).scaling.layouts;
        QVERIFY(layouts.holds.size() >= 3);
        QVERIFY(isNear(sumOf(layouts.holds), layouts.rows.front().memory.value()));
        const auto has = [&](const char* name) {
            return std::any_of(layouts.holds.begin(), layouts.holds.end(),
                               [&](const LayoutPart& part) { return part.name == name; });
        };
        QCOMPARE(has("gradients"), has("update_copy"));
    }

    // By hand: weights and gradients of 16 bits, moments and a copy of 32, all of it divided by all devices.
    void statesAreCounted()
    {
        const LayoutReport layouts =
            figuresToday(experimentOf("llama-65b-pretraining")).scaling.layouts;
        QVERIFY(layouts.rows.front().layout == core::Layout{.sharding = core::Sharding::Full});
        const double each = 65285660672.0 / static_cast<double>(layouts.devices);
        QCOMPARE(layouts.holds[0].name, "weights");
        QVERIFY(isNear(layouts.holds[0].amount.value(), 2 * each));
        QCOMPARE(layouts.holds[1].name, "gradients");
        QVERIFY(isNear(layouts.holds[1].amount.value(), 2 * each));
        QCOMPARE(layouts.holds[2].name, "optimizer");
        QVERIFY(isNear(layouts.holds[2].amount.value(), 12 * each));
    }

    // Nothing is impossible without a way out.
    void whatCantBeIsToldAndLetGo()
    {
        core::Experiment e = experimentOf("llama-65b-pretraining");
        e.training.tensorParallel = 7;
        const LayoutReport layouts = figuresToday(e).scaling.layouts;
        QVERIFY(layouts.isAsked && layouts.rows.empty() && !layouts.why.empty());
        QVERIFY(figuresToday(experimentOf("llama-3.1-8b"))
                    .scaling.layouts.untried.find("global batch") != std::string::npos);
    }

    // What fits comes first, the fastest of it in front, and none is faster than the plan by more than what another kind
    // of parallelism has to bring.
    void othersAreInOrder()
    {
        for (const char* name : Joined) {
            const LayoutReport layouts = figuresToday(experimentOf(name)).scaling.layouts;
            const auto& rows = layouts.rows;
            QVERIFY(rows.size() >= 4);
            double before = rows.front().hours.value() / (1.03 * 1.03 * 1.03);
            bool isFitting = true;
            for (std::size_t i = 1; i < rows.size(); ++i) {
                QVERIFY(!(rows[i].layout == rows.front().layout));
                QVERIFY(isFitting || rows[i].fits != Fits::Yes);
                isFitting = rows[i].fits == Fits::Yes;
                if (!isFitting)
                    continue;
                QVERIFY(rows[i].hours.value() >= before);
                before = rows[i].hours.value();
                QVERIFY(rows[i].memory.value() < layouts.memoryGb * core::Giga);
            }
        }
    }

    // Whoever keeps the layout keeps its figures, and still sees the others.
    void aKeptLayoutIsTheSame()
    {
        for (const char* name : Joined) {
            const core::Experiment e = experimentOf(name);
            const LayoutReport open = figuresToday(e).scaling.layouts;
            const LayoutReport kept =
                figuresToday(pinnedTo(e, open.rows.front().layout)).scaling.layouts;
            QVERIFY(kept.isAsked);
            QCOMPARE(kept.machine, open.machine);
            QCOMPARE(kept.rows.size(), open.rows.size());
            for (std::size_t i = 0; i < kept.rows.size(); ++i) {
                QVERIFY(kept.rows[i].layout == open.rows[i].layout);
                QVERIFY(isNear(kept.rows[i].usd.value(), open.rows[i].usd.value()));
            }
        }
    }

    // Another one has what its row said, on the same machines.
    void anotherHasWhatItsRowSays()
    {
        core::Experiment e = experimentOf("llama-65b-pretraining");
        const Report report = figuresToday(e);
        const LayoutReport& open = report.scaling.layouts;
        const pricing::Offer& offer = report.training.recommended.option->offer;
        e.plan.trainingOffer = core::OfferChoice{offer.machine.provider, offer.machine.instance,
                                                 offer.region, offer.purchase};
        int compared = 0;
        for (std::size_t i = 1; i < open.rows.size(); ++i) {
            if (open.rows[i].fits != Fits::Yes)
                continue;
            const LayoutReport other =
                figuresToday(pinnedTo(e, open.rows[i].layout)).scaling.layouts;
            // Fewer machines may be enough, or more wanted, for another one.
            if (other.devices != open.devices)
                continue;
            ++compared;
            QVERIFY(
                isNear(other.rows.front().stepSeconds.value(), open.rows[i].stepSeconds.value()));
            QVERIFY(isNear(other.rows.front().memory.value(), open.rows[i].memory.value()));
        }
        QVERIFY(compared >= 3);
    }

    void oneDeviceHasNothingToLayOut()
    {
        const LayoutReport layouts =
            figuresToday(experimentOf("llama-3.1-8b-lora")).scaling.layouts;
        QVERIFY(layouts.rows.empty());
        QCOMPARE(layouts.why, "the plan trains on one device, which holds all of it");
    }
};

OUTLAY_TEST(TestLayouts)
#include "tst_layouts.moc"
