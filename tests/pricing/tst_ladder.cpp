// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using core::Fits;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using pricing::LadderReport;
using pricing::LadderRow;
using pricing::Rung;

namespace {

LadderReport ladderOf(const core::Experiment& e)
{
    return figuresToday(e).scaling.ladder;
}

std::optional<std::int64_t> least(const LadderReport& ladder, const char* accelerator, Rung rung)
{
    for (const LadderRow& row : ladder.rows) {
        if (row.accelerator == accelerator)
            return row.devices.at(static_cast<std::size_t>(rung));
    }
    return std::nullopt;
}

/// As a setting, each rung by hand.
core::Experiment on(core::Experiment e, Rung rung)
{
    core::Training& t = e.training;
    if (rung == Rung::Plan)
        return e;
    t.tensorParallel = t.pipelineStages = t.expertParallel = 1;
    t.method = rung >= Rung::Adapters ? core::Method::Lora : core::Method::Full;
    t.checkpointing = rung != Rung::Everything;
    t.frozenWeights =
        rung == Rung::Quantised ? core::FrozenWeights::Nf4 : core::FrozenWeights::Same;
    return e;
}

} // namespace

class TestLadder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // With that many it fits, with half as many it doesn't; where none are named, with none of a thousand.
    void theFewestAreTheFewest_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"llama-3.1-8b", "llama-65b", "llama-3.1-70b-qlora", "gpt2-large", "mixtral-8x7b"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void theFewestAreTheFewest()
    {
        QFETCH(QString, name);
        const core::Experiment e = experimentOf(qPrintable(name));
        const LadderReport ladder = ladderOf(e);
        QVERIFY(ladder.why.empty() && ladder.rows.size() > 15);
        for (std::size_t i = 0; i < pricing::RungNames.size(); ++i) {
            const core::Experiment changed = on(e, static_cast<Rung>(i));
            const core::TrainingDemand demand =
                core::trainingDemand(core::expand(changed.model), changed.training);
            const auto fits = [&](const LadderRow& row, std::int64_t count) {
                core::Device device = *core::hardwareCatalog()->device(row.accelerator);
                device.memoryGb = row.memoryGb;
                return core::trainingForecast(
                           demand, core::inUsualMachines(device, count,
                                                         outlay::tests::catalogs().calibration()))
                    .fits;
            };
            for (const LadderRow& row : ladder.rows) {
                const auto count = row.devices.at(i);
                QCOMPARE(fits(row, count.value_or(1024)), count ? Fits::Yes : Fits::No);
                QVERIFY(!count || *count == 1 || fits(row, *count / 2) == Fits::No);
            }
        }
    }

    // Less to hold never needs more devices, nor does a larger one.
    void eachRungIsLower()
    {
        for (const char* name : {"llama-3.1-8b", "llama-65b", "llama-7b", "mixtral-8x7b"}) {
            const LadderReport ladder = ladderOf(experimentOf(name));
            const auto most = [](const std::optional<std::int64_t>& count) {
                return count.value_or(4096);
            };
            std::int64_t before = 4096;
            for (const LadderRow& row : ladder.rows) {
                for (std::size_t i = 2; i < row.devices.size(); ++i)
                    QVERIFY(most(row.devices.at(i)) <= most(row.devices.at(i - 1)));
                // The presets checkpoint, so that is their rung; what divides experts, too, holds more.
                if (std::string_view(name) == "mixtral-8x7b")
                    QVERIFY(most(row.devices.at(0)) <= most(row.devices.at(2)));
                else
                    QCOMPARE(row.devices.at(0), row.devices.at(2));
                QVERIFY(most(row.devices.at(2)) <= before);
                before = most(row.devices.at(2));
            }
        }
    }

    // What is told of these everywhere: LoRA of 8 B on 24 GB, QLoRA on 16; QLoRA of 65 B on one of 48 GB (Dettmers et
    // al. 2023, arXiv 2305.14314), all of 8 B on a machine of eight of 40 GB, of 65 B on 16 of 80.
    void asOthersTrainThem()
    {
        const LadderReport small = ladderOf(experimentOf("llama-3.1-8b"));
        QCOMPARE(least(small, "L4", Rung::Adapters), std::int64_t{1});
        QCOMPARE(least(small, "T4", Rung::Quantised), std::int64_t{1});
        QCOMPARE(least(small, "A100-40GB-SXM4", Rung::Checkpointed), std::int64_t{8});
        QVERIFY(!least(small, "T4", Rung::Everything));
        const LadderReport large = ladderOf(experimentOf("llama-65b"));
        QCOMPARE(least(large, "A40", Rung::Quantised), std::int64_t{1});
        QVERIFY(least(large, "A100-40GB-SXM4", Rung::Quantised) > std::int64_t{1});
        QCOMPARE(least(large, "A100-80GB-SXM4", Rung::Checkpointed), std::int64_t{16});
    }

    void whatFitsEverywhereHasNone()
    {
        const LadderReport ladder = ladderOf(experimentOf("text-generator"));
        QVERIFY(ladder.rows.empty());
        QVERIFY(ladder.why.find("fits on one") != std::string::npos);
        core::Experiment e = experimentOf("llama-3.1-8b");
        e.plan.providers = {"nobody"};
        QCOMPARE(ladderOf(e).why, std::string("no accelerator is for rent under the plan"));
    }

    void onlyWhatThePlanAllows()
    {
        core::Experiment e = experimentOf("llama-65b");
        const std::size_t all = ladderOf(e).rows.size();
        e.plan.stacks = {"rocm"};
        const LadderReport ladder = ladderOf(e);
        QVERIFY(!ladder.rows.empty() && ladder.rows.size() < all);
        for (const LadderRow& row : ladder.rows)
            QVERIFY2(row.accelerator.find("MI300") != std::string::npos ||
                         row.accelerator.find("V520") != std::string::npos,
                     row.accelerator.c_str());
    }
};

OUTLAY_TEST(TestLadder)
#include "tst_ladder.moc"
