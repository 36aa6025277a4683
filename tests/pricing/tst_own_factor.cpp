// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's own factor multiplies the forecasts that it is for, is shown as an assumption, and leaves no trace when it is
// taken back.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "pricing/actual/spent.h"
#include "pricing/actual/track.h"
#include "tests/support/catalogs.h"
#include "tests/support/near.h"
#include "tests/support/test_class.h"

#include "pricing/report/make_report.h"

#include <QTest>

using namespace outlay;
using namespace outlay::pricing;

namespace {

constexpr OwnFactor Factor{.value = 1.5, .low = 1.25, .high = 2, .runs = 7};

core::Experiment plain()
{
    return core::preset("text-generator")->experiment;
}

/// Of the same offer, whichever is recommended.
const core::TrainingForecast& firstForecast(const Report& report)
{
    return report.training.forecasts.front();
}

bool isTimes(const core::Quantity& after, const core::Quantity& before)
{
    return tests::isNear(after.value(), 1.5 * before.value()) &&
           tests::isNear(after.low(), 1.25 * before.low()) &&
           tests::isNear(after.high(), 2 * before.high());
}

} // namespace

class TestOwnFactor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plannedRunsAreMultiplied()
    {
        const auto with = core::edited(plain(), patchWith(Factor, RunPlace::Planned));
        QVERIFY(with.has_value());
        QVERIFY(ownFactorOf(*with, RunPlace::Planned) == std::optional(Factor));
        const Report before = makeReport(plain(), tests::catalogs());
        const Report after = makeReport(*with, tests::catalogs());
        const auto& first = firstForecast(before);
        QVERIFY(first.runSeconds.isAvailable());
        QVERIFY(isTimes(firstForecast(after).runSeconds, first.runSeconds));
        QVERIFY(isTimes(firstForecast(after).kwh, first.kwh));
        QCOMPARE(firstForecast(after).stepSeconds.value(), first.stepSeconds.value());
        QVERIFY(firstForecast(after).runSeconds.how().sentence().find("7 of your own runs") !=
                std::string::npos);
        // What a run costs follows.
        QVERIFY(after.training.recommended.option->usd.value() >
                before.training.recommended.option->usd.value());
        const auto row = std::find_if(
            after.assumptions.begin(), after.assumptions.end(),
            [](const AssumptionRow& r) { return r.pointer == "/assumptions/own_factor"; });
        QVERIFY(row != after.assumptions.end());
        QVERIFY(row->source.starts_with("your own runs (7 on planned machines"));
        QCOMPARE(after.assumptions.size(), before.assumptions.size() + 1);
    }

    void runsHereAreAnotherKind()
    {
        core::Experiment given = plain();
        given.assumptions.set("training_seconds", core::Json(1000));
        const auto with = core::edited(given, patchWith(Factor, RunPlace::Here));
        QVERIFY(with.has_value());
        const Report before = makeReport(given, tests::catalogs());
        const Report after = makeReport(*with, tests::catalogs());
        QVERIFY(isTimes(after.training.here, before.training.here));
        QCOMPARE(firstForecast(after).runSeconds.value(), firstForecast(before).runSeconds.value());
    }

    void itLeavesNoTrace()
    {
        const auto with = core::edited(plain(), patchWith(Factor, RunPlace::Planned));
        const auto without = core::edited(*with, patchWith(std::nullopt, RunPlace::Planned));
        QVERIFY(without.has_value());
        QVERIFY(core::toJson(*without) == core::toJson(plain()));
    }

    // A number is one without an interval; what makes no sense is none.
    void onlySoundOnesCount_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<double>("value"); // 0: none
        QTest::newRow("a number") << QStringLiteral("1.2") << 1.2;
        QTest::newRow("nothing") << QStringLiteral("null") << 0.0;
        QTest::newRow("negative") << QStringLiteral("-1") << 0.0;
        QTest::newRow("a word") << QStringLiteral("\"much\"") << 0.0;
        QTest::newRow("turned round") << QStringLiteral(R"({"value":1.2,"low":2,"high":1})") << 0.0;
        QTest::newRow("whole") << QStringLiteral(R"({"value":1.2,"low":1.1,"high":1.4,"runs":5})")
                               << 1.2;
    }
    void onlySoundOnesCount()
    {
        QFETCH(QString, json);
        QFETCH(double, value);
        core::Experiment e = plain();
        e.assumptions.set("own_factor", *core::readJson(json.toStdString()));
        const auto factor = ownFactorOf(e, RunPlace::Planned);
        QCOMPARE(factor ? factor->value : 0.0, value);
    }

    // Runs whose forecasts had it in them don't undo it: the factor is of forecasts without.
    void itIsNotLearntTwice()
    {
        std::vector<Actual> plainRuns;
        std::vector<Actual> withIt;
        for (const double took : {1.4, 1.5, 1.6, 1.5, 1.45}) {
            plainRuns.push_back({.seconds = 100 * took, .seconds80 = Foretold{100, 80, 120}});
            withIt.push_back(
                {.ownFactor = 1.5, .seconds = 100 * took, .seconds80 = Foretold{150, 120, 180}});
        }
        const auto first = ownFactorFrom(plainRuns, RunPlace::Planned);
        const auto again = ownFactorFrom(withIt, RunPlace::Planned);
        QVERIFY(first && again && first->value > 1.4);
        QVERIFY(tests::isNear(first->value, again->value));
        // But their intervals are those that were shown.
        QCOMPARE(trackOf(plainRuns, TrackedThing::Time, RunPlace::Planned).inside, std::size_t{0});
        QCOMPARE(trackOf(withIt, TrackedThing::Time, RunPlace::Planned).inside, std::size_t{5});
    }

    void whatIsSpentIsSummed()
    {
        const std::vector<Actual> runs{
            {.began = "2026-11-02", .seconds = 100, .usd = 2.0},
            {.began = "2026-11-03", .seconds = 50, .usd = 3.0, .kwh = 1.0}};
        const core::Json spent = spentOf(runs);
        const auto value = [&](const char* pointer) {
            const core::Json* found = core::valueAt(spent, pointer);
            return found != nullptr && found->isNumber() ? found->number() : -1;
        };
        QCOMPARE(value("/total/usd/value"), 5.0);
        QCOMPARE(value("/last/usd/value"), 3.0);
        QCOMPARE(value("/last/kwh/value"), 1.0);
        QCOMPARE(value("/total/kwh/value"), -1.0); // one of them doesn't say it
        QVERIFY(core::valueAt(spent, "/total/kwh/how")->asString()->find("1 of 2 runs") !=
                std::string::npos);
        QCOMPARE(value("/runs"), 2.0);
        QVERIFY(core::valueAt(spentOf({}), "/last/usd/value")->isNull());
    }
};

OUTLAY_TEST(TestOwnFactor)
#include "tst_own_factor.moc"
