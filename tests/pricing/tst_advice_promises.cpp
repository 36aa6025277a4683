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
using outlay::tests::experimentOf;
using outlay::tests::Today;

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
        const std::array experiments{promised("bert-base", 1e4, 5),
                                     promised("bert-base", 1e6, 20),
                                     byLoop,
                                     promised("gpt2", 1e4, 300),
                                     promised("text-generator", 1e4, 20),
                                     promised("gru", 1e3, 5),
                                     late};
        int enabling = 0;
        for (const Experiment& e : experiments) {
            const Report report = makeReport(e, Today);
            const Bill before = billOf(report, e.training.runsPerMonth);
            bool isFirst = true;
            for (const AdviceRow& row : report.advice) {
                const std::string what = e.name + ": " + row.title;
                const auto changed = patched(e, row.patch);
                QVERIFY2(changed.has_value(), what.c_str());
                const Bill after =
                    billOf(figuresOf(*changed, Today), changed->training.runsPerMonth);
                QVERIFY2(!breaksMore(before.missed, after.missed), what.c_str());
                QVERIFY2(row.enables <= enabledBy(before, after), what.c_str());
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
        const Missed dear{.budget = true};
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
        QTest::newRow("too dear") << Missed() << dear << true << Enables::Nothing;
    }
    void whatIsBrokenIsTold()
    {
        QFETCH(Missed, before);
        QFETCH(Missed, after);
        QTEST(breaksMore(before, after), "breaks");
        const Quantity usd = Quantity::exact(1, Unit::Usd, {});
        const Bill now{.usd = usd, .missed = before, .isWholeMonth = true};
        const Bill then{.usd = usd, .missed = after, .isWholeMonth = true};
        QTEST(enabledBy(now, then), "enables");
    }
};

OUTLAY_TEST(TestAdvicePromises)
#include "tst_advice_promises.moc"
