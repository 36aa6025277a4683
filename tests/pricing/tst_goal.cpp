// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is proposed for a goal: never worse than what was asked, and only what may be changed.
#include "core/experiment/presets.h"
#include "pricing/report/goal.h"
#include "pricing/report/make_report.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::Today;

namespace {

GoalProposal proposed(const char* name, const Goal& goal)
{
    auto proposal = proposalFor(preset(name)->experiment, goal, Today);
    if (!proposal)
        qFatal("%s", proposal.error().sentence().c_str());
    return std::move(*proposal);
}

bool names(const GoalProposal& proposal, std::string_view pointer)
{
    return std::any_of(proposal.changes.begin(), proposal.changes.end(),
                       [&](const ProposedChange& change) {
                           return std::find(change.pointers.begin(), change.pointers.end(),
                                            pointer) != change.pointers.end();
                       });
}

} // namespace

class TestGoal : public QObject {
    Q_OBJECT
private slots:
    void proposalsAreNoWorseAndStayInBounds_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("purpose");
        QTest::addColumn<int>("tolerance");
        const auto add = [](const char* name, int purpose, int tolerance) {
            QTest::addRow("%s, %d, %d", name, purpose, tolerance)
                << QByteArray(name) << purpose << tolerance;
        };
        for (int purpose = 0; purpose < 4; ++purpose) {
            for (int tolerance = 0; tolerance<3; tolerance += outlay::tests::Slower> 1 ? 2 : 1)
                add("text-generator", purpose, tolerance);
            if (outlay::tests::Slower > 1)
                continue;
            add("gpt2", purpose, 2);
            add("bert-base", purpose, 1);
        }
    }
    void proposalsAreNoWorseAndStayInBounds()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, purpose);
        QFETCH(int, tolerance);
        const Goal goal{.purpose = static_cast<Purpose>(purpose),
                        .tolerance = static_cast<Tolerance>(tolerance)};
        const GoalProposal p = proposed(name.constData(), goal);
        const Report asked = costsOf(p.asked, Today);
        const Report with = costsOf(p.experiment, Today);
        const int brokenAsked = brokenPromises(asked, goal.purpose);
        const int brokenWith = brokenPromises(with, goal.purpose);
        QVERIFY(brokenWith <= brokenAsked);
        if (brokenWith == brokenAsked)
            QVERIFY(with.month.total.value() <= asked.month.total.value());
        // What isn't asked for costs nothing.
        QCOMPARE(p.asked.training.runsPerMonth > 0, goal.purpose != Purpose::Serve);
        QCOMPARE(p.asked.serving.requestsPerDay > 0,
                 goal.purpose == Purpose::Serve || goal.purpose == Purpose::TrainAndServe);
        const Training& before = p.asked.training;
        const Training& after = p.experiment.training;
        const std::int64_t inAStep = before.batch * before.accumulation;
        const std::int64_t samples = after.batch * after.accumulation;
        if (goal.tolerance == Tolerance::Learning) {
            QVERIFY2(2 * samples >= inAStep && samples <= 8 * inAStep,
                     qPrintable(QString::number(samples)));
        } else {
            QCOMPARE(samples, inAStep);
            QVERIFY(after.optimizer == before.optimizer);
        }
        // Each thing is filled in once.
        std::vector<std::string> pointers;
        for (const ProposedChange& change : p.changes)
            pointers.insert(pointers.end(), change.pointers.begin(), change.pointers.end());
        std::sort(pointers.begin(), pointers.end());
        QVERIFY(std::adjacent_find(pointers.begin(), pointers.end()) == pointers.end());
        if (goal.tolerance == Tolerance::None) {
            QVERIFY(after.precision == before.precision);
            QVERIFY(p.experiment.serving.precision == p.asked.serving.precision);
        }
        QVERIFY(after.samples == before.samples && after.epochs == before.epochs);
        QVERIFY(p.experiment.model == p.asked.model);
    }

    // Each earns its place: without it the plan is dearer by a hundredth at least, or breaks something.
    void everyChangeIsWorthIt()
    {
        const GoalProposal p =
            proposed("gpt2", {.purpose = Purpose::Train, .tolerance = Tolerance::Learning});
        QVERIFY(p.changes.size() >= 2);
        const double whole = costsOf(p.experiment, Today).month.total.value();
        int told = 0;
        for (std::size_t i = 0; i < p.changes.size(); ++i) {
            std::vector<bool> wanted(p.changes.size(), true);
            wanted[i] = false;
            const Report without = costsOf(with(p, wanted), Today);
            const bool breaks = brokenPromises(without, Purpose::Train) > 0;
            QVERIFY2(breaks || without.month.total.value() >= whole / 0.99,
                     p.changes[i].why.c_str());
            QVERIFY(!p.changes[i].why.empty());
            const std::size_t end = p.changes[i].why.find(" % cheaper than without");
            if (end == std::string::npos)
                continue;
            ++told;
            const double saved = 100 * (1 - whole / without.month.total.value());
            QVERIFY2(std::abs(std::stod(p.changes[i].why) - saved) <= 1, p.changes[i].why.c_str());
        }
        QVERIFY(told > 0);
        QVERIFY(with(p, {}) == p.asked);
    }

    void aServiceIsNotPutOnMachinesThatMayBeTakenAway()
    {
        QVERIFY(names(proposed("gpt2", {.purpose = Purpose::Train}), "/plan/purchase"));
        QVERIFY(!names(proposed("gpt2", {.purpose = Purpose::TrainAndServe}), "/plan/purchase"));
    }

    // A function that is slower than the promise isn't taken for being cheap, nor advised.
    void aFunctionKeepsThePromise()
    {
        Experiment e = preset("gpt2")->experiment;
        const auto functionOf = [](const Report& report) {
            const auto& ways = report.serving.ways;
            return *std::find_if(ways.begin(), ways.end(),
                                 [](const ServingWay& way) { return way.name == "serverless"; });
        };
        const Report loose = makeReport(e, Today);
        const ServingWay function = functionOf(loose);
        QVERIFY(function.latencyMs.isAvailable());
        e.serving.latencyP95Ms = 0.9 * function.latencyMs.value();
        const Report tight = makeReport(e, Today);
        QVERIFY(!functionOf(tight).holdsLatency);
        QVERIFY(tight.serving.recommended.chosen->meetsDeadline);
        QVERIFY(std::none_of(tight.advice.begin(), tight.advice.end(),
                             [](const AdviceRow& row) { return row.id == "serverless"; }));
        const auto plan = proposalFor(e, {.purpose = Purpose::Serve}, Today);
        QVERIFY(plan.has_value());
        QVERIFY(figuresOf(plan->experiment, Today).serving.by != ServedBy::Function);
        e.serving.latencyP95Ms = 100 * function.latencyMs.value();
        QVERIFY(functionOf(makeReport(e, Today)).holdsLatency);
    }

    // What an earlier goal left in the plan binds nothing.
    void anEarlierGoalIsForgotten()
    {
        Experiment e = proposed("gpt2", {.purpose = Purpose::Train}).experiment;
        QVERIFY(e.plan.purchase == Purchase::Spot);
        e.plan.servingOffer = OfferChoice{"aws", "no.such", "us-east-1", Purchase::OnDemand};
        QVERIFY(!proposalFor(e, {.purpose = Purpose::Serve}, Today).has_value());
        const auto served =
            proposalFor(e, {.purpose = Purpose::Serve, .requestsPerDay = 1000}, Today);
        QVERIFY(served.has_value());
        QVERIFY(served->experiment.plan.purchase == Purchase::OnDemand);
        QVERIFY(!served->experiment.plan.servingOffer);
        QCOMPARE(brokenPromises(figuresOf(served->experiment, Today), Purpose::Serve), 0);
    }

    void theGoalsFiguresAreTaken()
    {
        const GoalProposal p = proposed(
            "bert-base",
            {.purpose = Purpose::FineTune, .samples = 5000, .deadlineHours = 2, .budgetUsd = 40});
        QCOMPARE(p.asked.training.samples.value(), 5000.0);
        QCOMPARE(p.asked.training.epochs, 3.0);
        QCOMPARE(p.asked.plan.deadlineHours.value(), 2.0);
        QCOMPARE(p.asked.plan.budgetUsd.value(), 40.0);
        const GoalProposal free = proposed("bert-base", {.purpose = Purpose::Train});
        QVERIFY(!free.asked.plan.deadlineHours && !free.asked.plan.budgetUsd);
    }

    // A deadline that the design misses as it is asked for, and keeps with what may be changed.
    void aDeadlineComesBeforeTheMoney()
    {
        const Experiment e = preset("gpt2")->experiment;
        const Goal loose{.purpose = Purpose::Train, .tolerance = Tolerance::Rounding};
        const GoalProposal cheap = proposed("gpt2", loose);
        const double hours =
            figuresOf(cheap.experiment, Today).training.recommended.option->hours.value();
        Goal tight = loose;
        tight.deadlineHours = 0.5 * hours;
        const GoalProposal quick = proposed("gpt2", tight);
        const Report report = costsOf(quick.experiment, Today);
        QVERIFY(report.training.recommended.chosen->meetsDeadline);
        QVERIFY(report.training.recommended.option->hours.value() <= *tight.deadlineHours);
    }
};

OUTLAY_TEST(TestGoal)
#include "tst_goal.moc"
