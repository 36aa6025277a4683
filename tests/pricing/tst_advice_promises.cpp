// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is advised where a plan's promises aren't kept, and that no advice breaks one.
#include "core/experiment/patch.h"
#include "pricing/report/advice/saving.h"
#include "pricing/report/make_report.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::adviceIn;
using outlay::tests::experimentOf;
using outlay::tests::Today;

namespace {

bool isInTime(const Recommendation& r)
{
    return r.chosen && r.chosen->hasUsd && r.chosen->fits == Fits::Yes && r.chosen->meetsDeadline;
}

/// What was in time, or had a price, still is and has.
void check(const Report& before, const Report& after, const std::string& what)
{
    if (isInTime(before.training.recommended))
        QVERIFY2(isInTime(after.training.recommended), what.c_str());
    if (isInTime(before.serving.recommended) && after.serving.by == ServedBy::Machines)
        QVERIFY2(isInTime(after.serving.recommended), what.c_str());
    if (after.serving.by == ServedBy::Function && isInTime(before.serving.recommended))
        QVERIFY2(after.serving.way("serverless")->holdsLatency, what.c_str());
    if (before.month.total.isAvailable())
        QVERIFY2(after.month.total.isAvailable(), what.c_str());
}

/// Something is in time, within the budget or priced that wasn't.
bool holdsMore(const Report& before, const Report& after)
{
    const auto isBought = [](const Report& report) {
        const auto& chosen = report.serving.recommended.chosen;
        return report.serving.by == ServedBy::Machines
                   ? chosen && chosen->isWithinBudget
                   : report.serving.wayTaken()->usdPerMonth.value() <=
                         report.plan.budgetUsd.value_or(HUGE_VAL);
    };
    return (isInTime(after.training.recommended) && !isInTime(before.training.recommended)) ||
           (isInTime(after.serving.recommended) && !isInTime(before.serving.recommended)) ||
           (isBought(after) && !isBought(before)) ||
           (after.training.recommended.chosen && before.training.recommended.chosen &&
            after.training.recommended.chosen->isWithinBudget &&
            !before.training.recommended.chosen->isWithinBudget) ||
           (after.month.total.isAvailable() && !before.month.total.isAvailable());
}

} // namespace

class TestAdvicePromises : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Whatever is advised breaks no promise that is kept; what lets one be kept does so, and comes first.
    void promisesComeFirst()
    {
        const auto promised = [](const char* id, double perDay, double ms) {
            Experiment e = experimentOf(id);
            e.serving.requestsPerDay = perDay;
            e.serving.latencyP95Ms = ms;
            return e;
        };
        Experiment late = experimentOf("llama-3.1-8b-lora");
        late.plan.deadlineHours = 1;
        late.plan.maxMachines = 1;
        Experiment byLoop = promised("t5-small", 1e4, 200);
        byLoop.serving.engine = Engine::Transformers;
        Experiment noGpu = promised("t5-small", 1e4, 50);
        noGpu.plan.stacks = {"cpu"};
        Experiment planned = noGpu;
        planned.plan.stacks.clear();
        planned.plan.servingOffer = OfferChoice{"aws", "c6i.2xlarge", "us-east-1"};
        Experiment dear = promised("text-generator", 1e5, 1000);
        dear.plan.budgetUsd = 1;
        const std::array experiments{promised("bert-base", 1e4, 5),
                                     promised("bert-base", 1e6, 20),
                                     byLoop,
                                     promised("gpt2", 1e4, 300),
                                     promised("text-generator", 1e4, 20),
                                     promised("gru", 1e3, 5),
                                     late,
                                     noGpu,
                                     planned,
                                     dear};
        int enabling = 0;
        for (const Experiment& e : experiments) {
            const Report before = makeReport(e, Today);
            bool isFirst = true;
            for (const AdviceRow& row : before.advice) {
                const std::string what = e.name + ": " + row.title;
                const auto changed = patched(e, row.patch);
                QVERIFY2(changed.has_value(), what.c_str());
                const Report after = figuresOf(*changed, Today);
                check(before, after, what);
                if (row.enables != Enables::Nothing)
                    QVERIFY2(holdsMore(before, after), what.c_str());
                // But for what somebody else has to agree to.
                isFirst = isFirst && row.enables != Enables::Nothing;
                QVERIFY2(isFirst || row.enables == Enables::Nothing || row.isReluctant,
                         what.c_str());
                enabling += row.enables == Enables::Nothing ? 0 : 1;
            }
        }
        QVERIFY2(enabling >= 4, qPrintable(QString::number(enabling)));
    }

    void whatIsBrokenIsTold_data()
    {
        QTest::addColumn<Missed>("before");
        QTest::addColumn<Missed>("after");
        QTest::addColumn<bool>("breaks");
        QTest::addColumn<Enables>("enables");
        const Missed late{.deadline = 20};
        const Missed slow{.latency = 2};
        const Missed asked{.latency = std::nullopt};
        const Missed dear{.servingBudget = true};
        const Missed dearRun{.trainingBudget = true};
        QTest::newRow("kept") << Missed() << Missed() << false << Enables::Nothing;
        QTest::newRow("in time") << late << Missed() << false << Enables::Deadline;
        QTest::newRow("too late") << Missed() << late << true << Enables::Nothing;
        QTest::newRow("as late") << late << Missed{.deadline = 24} << false << Enables::Nothing;
        QTest::newRow("later still") << late << Missed{.deadline = 26} << true << Enables::Nothing;
        QTest::newRow("soon enough") << slow << Missed() << false << Enables::Latency;
        QTest::newRow("no longer soon") << Missed() << slow << true << Enables::Nothing;
        QTest::newRow("nobody knows") << slow << asked << false << Enables::Nothing;
        QTest::newRow("known now") << asked << slow << false << Enables::Nothing;
        QTest::newRow("affordable") << dear << Missed() << false << Enables::Budget;
        QTest::newRow("affordable run") << dearRun << Missed() << false << Enables::Budget;
        QTest::newRow("too dear") << Missed() << dear << true << Enables::Nothing;
        QTest::newRow("another is too dear") << dearRun << dear << true << Enables::Budget;
        const Missed cramped{.trainingRoom = true};
        const Missed crampedService{.servingRoom = true};
        QTest::newRow("has room") << cramped << Missed() << false << Enables::Fit;
        QTest::newRow("serves with room") << crampedService << dear << true << Enables::Fit;
        QTest::newRow("no room any more") << Missed() << cramped << true << Enables::Nothing;
        QTest::newRow("none to serve") << late << crampedService << true << Enables::Deadline;
        QTest::newRow("two at once")
            << Missed{.deadline = 20, .latency = 2} << Missed() << false << Enables::Deadline;
    }
    void whatIsBrokenIsTold()
    {
        QFETCH(Missed, before);
        QFETCH(Missed, after);
        const Quantity usd = Quantity::exact(1, Unit::Usd, {});
        const Bill now{.usd = usd, .missed = before, .isWholeMonth = true};
        const Bill then{.usd = usd, .missed = after, .isWholeMonth = true};
        QTEST(breaksMore(now, then), "breaks");
        QTEST(enabledBy(now, then), "enables");
        // What has no price any more keeps no promise; what gets one fits.
        const Bill unpriced{.usd = Quantity::unavailable(Unit::Usd, "it doesn't fit"),
                            .missed = after};
        QVERIFY(breaksMore(now, unpriced));
        QCOMPARE(enabledBy(now, unpriced), Enables::Nothing);
        QCOMPARE(enabledBy(unpriced, then), Enables::Fit);
    }

    // The machine that is named is the one that is taken once more time is promised.
    void aLooserPromiseNamesItsMachine_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<double>("ms");
        QTest::addColumn<bool>("isCautious");
        QTest::addColumn<bool>("isAdvised");
        const auto row = [](const char* name, const char* id, double ms, bool isCautious,
                            bool isAdvised) {
            QTest::newRow(name) << QByteArray(id) << ms << isCautious << isAdvised;
        };
        row("gpt2-large", "gpt2-large", 1000, false, true);
        row("bert-base", "bert-base", 10, false, true);
        row("text-generator", "text-generator", 25, false, true);
        row("gpt2", "gpt2", 400, false, true);
        row("gru", "gru", 15, false, true);
        row("none but at an old price", "llama-7b", 1600, false, false);
        row("text-generator, cautious", "text-generator", 35, true, true);
        row("text-generator, cautious and slow", "text-generator", 120, true, true);
        row("gpt2, cautious", "gpt2", 720, true, true);
        row("gpt2-large, cautious", "gpt2-large", 1500, true, true);
        row("too far at the slow end", "gpt2-large", 900, true, false);
        row("text-generator, cautious, 60 ms", "text-generator", 60, true, true);
    }
    void aLooserPromiseNamesItsMachine()
    {
        QFETCH(QByteArray, id);
        QFETCH(double, ms);
        QFETCH(bool, isCautious);
        QFETCH(bool, isAdvised);
        Experiment e = experimentOf(id.constData());
        e.serving.latencyP95Ms = ms;
        e.plan.risk = isCautious ? Risk::Cautious : Risk::Expected;
        const Report report = makeReport(e, Today);
        const AdviceRow* row = outlay::tests::adviceIn(report, "looser-promise");
        QCOMPARE(row != nullptr, isAdvised);
        if (!isAdvised)
            return;
        const auto changed = patched(e, row->patch);
        QVERIFY(changed.has_value());
        QVERIFY2(changed->serving.latencyP95Ms <= 1.4 * ms, row->title.c_str());
        const Report after = figuresOf(*changed, Today);
        const std::string& taken = after.serving.recommended.option->offer.machine.instance;
        QVERIFY2(row->why.find(" " + taken + " ") != std::string::npos,
                 (row->why + " / " + taken).c_str());
    }

    // From llama.cpp to vLLM, which doesn't read its files, but does those that Transformers reads, too.
    void vLlmReadsNoGguf()
    {
        Experiment e = experimentOf("llama-3.1-8b");
        e.serving.requestsPerDay = 1e5;
        e.serving.precision = ServingPrecision::Int4;
        const auto formatAfter = [&](Engine engine, WeightFormat format) {
            e.serving.engine = engine;
            e.serving.weightFormat = format;
            const Report report = makeReport(e, Today);
            const AdviceRow* row = adviceIn(report, "faster-engine");
            const auto changed = row != nullptr ? patched(e, row->patch) : patched(e, Json());
            return changed && changed->serving.engine == Engine::Vllm
                       ? changed->serving.weightFormat
                       : WeightFormat::Mxfp4; // no such advice
        };
        QVERIFY(!formatAfter(Engine::LlamaCpp, WeightFormat::Q4KM));
        QCOMPARE(formatAfter(Engine::Transformers, WeightFormat::Gptq),
                 std::optional(WeightFormat::Gptq));
    }

    // Where processors are recommended, slots are told of the engine that they are of, and accelerators keep theirs.
    void slotsAreOfTheirEngine()
    {
        Experiment e = experimentOf("llama-3.1-8b");
        std::get<TransformerDesign>(e.model.design).layers = 6;
        e.training.runsPerMonth = 0;
        e.serving.precision = ServingPrecision::Int4;
        e.serving.inputTokens = e.serving.outputTokens = 100;
        e.serving.latencyP95Ms = 60000;
        double before = 0;
        for (const double requests : {500.0, 1000.0, 2000.0, 3000.0, 6000.0, 12000.0}) {
            e.serving.requestsPerDay = requests;
            const Report report = makeReport(e, Today);
            // More requests cost no less, whatever gives way to what.
            const double usd = report.serving.recommended.option->usd.value();
            QVERIFY2(usd > 0.9 * before, std::to_string(requests).c_str());
            before = usd;
            const AdviceRow* row = adviceIn(report, "more-slots");
            if (row == nullptr)
                continue;
            QVERIFY2(row->title.find("llama.cpp") != std::string::npos, row->title.c_str());
            const auto changed = patched(e, row->patch);
            QVERIFY(changed);
            QCOMPARE(changed->serving.engine, std::optional(Engine::LlamaCpp));
        }
    }

    // An encoder that PyTorch serves, compiled or not, is cheapest with ONNX Runtime; what generates text has other
    // engines. Compiling saves less money and more emissions.
    void encodersAreServedByFusedKernels()
    {
        const auto isAdvised = [](const char* name, Engine engine) {
            Experiment e = experimentOf(name);
            e.serving.requestsPerDay = 3e8;
            e.serving.precision = ServingPrecision::Bf16; // in 32 bits products take most of it
            e.serving.engine = engine;
            const Report report = makeReport(e, Today);
            return std::any_of(report.advice.begin(), report.advice.end(),
                               [](const AdviceRow& row) {
                                   return row.title == "Serve with ONNX Runtime" &&
                                          row.savingUsd.isAvailable() && row.savingUsd.value() > 0;
                               });
        };
        QVERIFY(isAdvised("bert-base", Engine::LibTorch));
        QVERIFY(isAdvised("bert-base", Engine::TorchCompile));
        QVERIFY(!isAdvised("bert-base", Engine::OnnxRuntime));
        QVERIFY(!isAdvised("llama-3.1-8b", Engine::LibTorch));
    }

    // Of processors nobody knows before it is measured whether they gain anything.
    void sixteenBitsAreForAccelerators()
    {
        Experiment e = experimentOf("bert-base");
        QVERIFY(outlay::tests::adviceIn(makeReport(e, Today), "mixed-precision") != nullptr);
        e.plan.stacks = {"cpu"};
        QVERIFY(outlay::tests::adviceIn(makeReport(e, Today), "mixed-precision") == nullptr);
    }

    // Text isn't compiled but given to what was made for it, without the batch that it would wait for; two stacks and
    // recurrences are left alone.
    void enginesSuitWhatTheyServe()
    {
        static constexpr double ManyRequests = 1e6;
        const auto advised = [](const char* id, Engine engine,
                                std::optional<std::int64_t> batch = {}) -> std::string {
            Experiment e = experimentOf(id);
            e.serving.engine = engine;
            e.serving.batch = batch;
            e.serving.requestsPerDay = ManyRequests; // for several accelerators
            if (!batch)
                e.plan.servingOffer =
                    OfferChoice{"aws", "g6e.xlarge", "us-east-1", Purchase::OnDemand};
            const Report report = makeReport(e, Today);
            const auto& option = report.serving.recommended.option;
            if (!option || option->offer.machine.accelerator.empty())
                return "not on an accelerator";
            const AdviceRow* row = adviceIn(report, "faster-engine");
            return row == nullptr ? "" : writeJson(row->patch, JsonStyle::Compact);
        };
        for (const Engine plain : {Engine::Transformers, Engine::LibTorch}) {
            const std::string patch = advised("llama-3.1-8b", plain, 8);
            QVERIFY2(patch.find("\"vllm\"") != std::string::npos, patch.c_str());
            QVERIFY2(patch.find("/serving/batch") != std::string::npos, patch.c_str());
        }
        QCOMPARE(advised("llama-3.1-8b", Engine::Vllm), std::string());
        // vLLM answers with no encoder.
        const std::string beside = advised("t5-small", Engine::Transformers);
        QVERIFY2(beside.find("\"tensorrt_llm\"") != std::string::npos, beside.c_str());
        QCOMPARE(advised("text-generator", Engine::LibTorch), std::string());
    }

    // Of attention there is nothing to say where it is as fast already, where it isn't one kernel, and where samples of
    // several lengths ask for another.
    void attentionIsAdvisedWhereAnotherKernelIsFaster()
    {
        const auto isAdvised = [](const char* offer, const std::function<void(Training&)>& set) {
            Experiment e = experimentOf("llama-7b-pretraining");
            e.training.attention = AttentionKernel::Fused;
            e.plan.trainingOffer = OfferChoice{"aws", offer, "us-east-1", Purchase::OnDemand};
            set(e.training);
            return adviceIn(makeReport(e, Today), "native-attention") != nullptr;
        };
        QVERIFY(isAdvised("p5.48xlarge", [](Training&) {}));
        QVERIFY(!isAdvised("p4de.24xlarge", [](Training&) {}));
        QVERIFY(!isAdvised("p5.48xlarge", [](Training& t) { t.packed = false; }));
        QVERIFY(!isAdvised("p5.48xlarge", [](Training& t) { t.precision = Precision::Tf32; }));
        for (const auto kernel : {AttentionKernel::Plain, AttentionKernel::Native})
            QVERIFY(!isAdvised("p5.48xlarge", [&](Training& t) { t.attention = kernel; }));
        QVERIFY(!isAdvised("p5.48xlarge", [](Training& t) { t.attention.reset(); }));
    }
};

OUTLAY_TEST(TestAdvicePromises)
#include "tst_advice_promises.moc"
