// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Why a bill moved: the steps add up, and each is of what was changed.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "pricing/report/compare/change.h"
#include "pricing/report/make_report.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::Today;

namespace {

Compared of(const Experiment& experiment)
{
    return {{}, experiment, figuresOf(experiment, Today)};
}

Experiment with(const Experiment& experiment, const std::string& pointer, const Json& value)
{
    const auto result = edited(experiment, Json::Array{setting(pointer, value)});
    if (!result)
        qFatal("%s", result.error().sentence().c_str());
    return *result;
}

std::set<std::string> namesOf(const BillChange& bill)
{
    std::set<std::string> names;
    for (const ChangeStep& step : bill.steps)
        names.insert(step.what);
    return names;
}

/// From `before` to `after`, in the run and in the month.
std::vector<BillChange> changes(const Experiment& before, const Experiment& after)
{
    return changesOf(of(before), of(after), Today);
}

const ChangeStep* stepNamed(const BillChange& bill, std::string_view what)
{
    const auto found = std::find_if(bill.steps.begin(), bill.steps.end(),
                                    [&](const ChangeStep& step) { return step.what == what; });
    return found == bill.steps.end() ? nullptr : &*found;
}

OfferChoice choiceOf(const Compared& one)
{
    const Offer& offer = one.report.training.recommended.option->offer;
    return {offer.machine.provider, offer.machine.instance, offer.region, offer.purchase};
}

} // namespace

class TestChange : public QObject {
    Q_OBJECT
private slots:
    // Whatever is changed, the steps lead from the one bill to the other.
    void stepsAddUp()
    {
        std::mt19937 random(7);
        const std::vector<std::pair<std::string, std::vector<Json>>> edits{
            {"/training/batch", {Json(8), Json(64), Json(512)}},
            {"/training/epochs", {Json(1), Json(30)}},
            {"/training/precision", {Json("bf16"), Json("fp32")}},
            {"/training/runs_per_month", {Json(1), Json(20)}},
            {"/serving/requests_per_day", {Json(10), Json(1'000'000)}},
            {"/serving/peak_factor", {Json(1.5), Json(9)}},
            {"/serving/latency_p95_ms", {Json(20), Json(5000)}},
            {"/plan/purchase", {Json("spot"), Json("on_demand"), Json("reserved_1y")}},
            {"/plan/regions",
             {Json(Json::Array{"aws/us-east-1"}), Json(Json::Array{"gcp/us-central1"})}},
            {"/plan/deadline_hours", {Json(0.05), Json(100)}}};
        const std::vector<std::string> presets{"text-generator", "mlp", "gpt2", "bert-base"};
        int moved = 0;
        for (int i = 0; i < 40; ++i) {
            const Experiment before = preset(presets[random() % presets.size()])->experiment;
            Experiment after = before;
            for (int n = 0; n < 3; ++n) {
                const auto& [pointer, values] = edits[random() % edits.size()];
                after = with(after, pointer, values[random() % values.size()]);
            }
            for (const BillChange& bill : changes(before, after)) {
                if (!bill.before.isAvailable() || !bill.after.isAvailable()) {
                    QVERIFY(bill.steps.empty());
                    continue;
                }
                double at = bill.before.value();
                const double largest = std::max(bill.before.value(), bill.after.value());
                for (const ChangeStep& step : bill.steps) {
                    at += step.usd;
                    // What has no name is nothing to speak of, and each step says what is behind it.
                    QVERIFY2(step.what.find("other") == std::string::npos ||
                                 std::abs(step.usd) < 0.001 * largest,
                             step.what.c_str());
                    QVERIFY2(step.what.find("other") != std::string::npos || !step.from.empty() ||
                                 step.fromFigure.isAvailable(),
                             step.what.c_str());
                }
                QVERIFY2(std::abs(at - bill.after.value()) <= 1e-5 * largest,
                         qPrintable(QStringLiteral("%1 of %2: %3 instead of %4")
                                        .arg(i)
                                        .arg(QString::fromStdString(bill.of))
                                        .arg(at)
                                        .arg(bill.after.value())));
                moved += bill.steps.empty() ? 0 : 1;
            }
        }
        QVERIFY(moved > 40);
    }

    void nothingChangedIsNoStep()
    {
        const Experiment e = preset("text-generator")->experiment;
        for (const BillChange& bill : changes(e, e)) {
            QVERIFY(bill.before.isAvailable());
            QVERIFY(bill.steps.empty());
        }
    }

    // On a machine that the plan names, twice the epochs are work and nothing else.
    void moreWorkIsWork()
    {
        Experiment e = preset("gpt2")->experiment;
        e.plan.trainingOffer = choiceOf(of(e));
        const Experiment twice = with(e, "/training/epochs", Json(2 * e.training.epochs));
        const BillChange run = changes(e, twice).front();
        QCOMPARE(namesOf(run), std::set<std::string>{"work"});
        QVERIFY(run.steps.front().toFigure.value() > 1.5 * run.steps.front().fromFigure.value());
        QVERIFY(run.steps.front().usd > 0);
    }

    void moreTrafficIsTraffic()
    {
        Experiment e = preset("gpt2")->experiment;
        const Compared before = of(e);
        const Offer& offer = before.report.serving.recommended.option->offer;
        e.plan.servingOffer = OfferChoice{offer.machine.provider, offer.machine.instance,
                                          offer.region, offer.purchase};
        const Experiment busier =
            with(e, "/serving/requests_per_day", Json(1000 * e.serving.requestsPerDay));
        const BillChange month = changes(e, busier).back();
        QVERIFY(namesOf(month).count("serving: traffic") == 1);
        QVERIFY(namesOf(month).count("serving: work") == 0);
        QVERIFY(namesOf(month).count("serving: machine") == 0);
        const ChangeStep* traffic = stepNamed(month, "serving: traffic");
        QVERIFY(traffic->toFigure.value() > traffic->fromFigure.value());
    }

    void moreRunsAreRuns()
    {
        const Experiment e = with(preset("gpt2")->experiment, "/training/runs_per_month", Json(2));
        const auto both = changes(e, with(e, "/training/runs_per_month", Json(6)));
        QVERIFY(both.front().steps.empty());
        const ChangeStep* runs = stepNamed(both.back(), "training: runs a month");
        QVERIFY(runs != nullptr);
        QVERIFY(std::abs(runs->usd - 4 * both.front().after.value()) <
                1e-6 * both.back().after.value());
        QCOMPARE(runs->from, "2");
        QCOMPARE(runs->to, "6");
    }

    void theSameMachineElsewhereIsAPlace()
    {
        Experiment e = preset("gpt2")->experiment;
        const PriceBook& book = Today.book();
        const auto rowsOf = book.ofInstance("aws", "g5.xlarge");
        const OfferRow* first = nullptr;
        const OfferRow* second = nullptr;
        for (const OfferRow& row : rowsOf) {
            if (row.purchase != Purchase::OnDemand || !row.usdPerHour)
                continue;
            if (first == nullptr)
                first = &row;
            else if (*row.usdPerHour != *first->usdPerHour)
                second = &row;
        }
        QVERIFY(first != nullptr && second != nullptr);
        const auto choice = [&](const OfferRow& row) {
            return OfferChoice{"aws", "g5.xlarge", book.region(row), row.purchase};
        };
        e.plan.trainingOffer = choice(*first);
        Experiment there = e;
        there.plan.trainingOffer = choice(*second);
        const BillChange run = changes(e, there).front();
        QCOMPARE(namesOf(run), std::set<std::string>{"place"});
        QCOMPARE(run.steps.front().from, book.region(*first));
        QCOMPARE(run.steps.front().to, book.region(*second));
    }

    // A design that doesn't fit any more: the machine changes, and says that memory is why.
    void aMachineThatIsTooSmallIsLeftBecauseOfMemory()
    {
        const Experiment e = preset("gpt2")->experiment;
        const Compared before = of(e);
        for (int batch = 2 * static_cast<int>(e.training.batch); batch <= 1 << 14; batch *= 2) {
            const Compared after = of(with(e, "/training/batch", Json(batch)));
            const auto& options = after.report.training.options;
            const auto old = std::find_if(options.begin(), options.end(), [&](const Option& o) {
                return o.row == before.report.training.recommended.chosen->row;
            });
            if (old->fits != Fits::No || !after.report.training.recommended.chosen)
                continue;
            const BillChange run = changesOf(before, after, Today).front();
            const ChangeStep* step = stepNamed(run, "work and machine");
            QVERIFY(step != nullptr);
            QVERIFY2(step->because.starts_with("it needs "), step->because.c_str());
            QVERIFY(step->from != step->to);
            return;
        }
        QFAIL("no batch is too large for the first machine");
    }

    // A commitment is paid whether one run uses it or two: nobody worked more or less.
    void aCommitmentIsShared()
    {
        Experiment e = preset("text-generator")->experiment;
        e.plan.trainingOffer = OfferChoice{"aws", "g4dn.xlarge", "us-east-1", Purchase::Reserved1y};
        const auto both = changes(with(e, "/training/runs_per_month", Json(1)),
                                  with(e, "/training/runs_per_month", Json(2)));
        QCOMPARE(namesOf(both.front()), std::set<std::string>{"share of the commitment"});
    }

    // From no requests to some: there was no machine before.
    void aServiceThatBeginsIsTraffic()
    {
        const Experiment e = preset("gpt2")->experiment;
        const Experiment none = with(e, "/serving/requests_per_day", Json(0));
        for (const BillChange& month : {changes(none, e).back(), changes(e, none).back()}) {
            const auto names = namesOf(month);
            QVERIFY(names.count("serving: traffic") == 1);
            for (const std::string& name : names)
                QVERIFY2(!name.starts_with("serving: ") || name == "serving: traffic",
                         name.c_str());
        }
    }

    // An offer that the plan names though it is too small has its price, and its steps.
    void aMachineThatIsNamedIsWalkedTo()
    {
        Experiment e = preset("gpt2")->experiment;
        const Compared before = of(e);
        const PriceBook& book = Today.book();
        for (const Option& option : before.report.training.options) {
            if (option.fits != Fits::No || !option.hasUsd)
                continue;
            const Offer offer = offerOf(book.table(), book.rows()[option.row]);
            e.plan.trainingOffer = OfferChoice{offer.machine.provider, offer.machine.instance,
                                               offer.region, offer.purchase};
            const Compared after = of(e);
            const BillChange run = changesOf(before, after, Today).front();
            QVERIFY(namesOf(run).count("machine") == 1);
            QVERIFY(namesOf(run).count("other") == 0);
            // And twice the work there is work.
            const BillChange twice =
                changesOf(after, of(with(e, "/training/epochs", Json(2 * e.training.epochs))),
                          Today)
                    .front();
            QCOMPARE(namesOf(twice), std::set<std::string>{"work"});
            return;
        }
        QFAIL("gpt2 fits everywhere");
    }

    void aBillThatIsUnavailableHasNoSteps()
    {
        const Experiment e = preset("gpt2")->experiment;
        Experiment nowhere = e;
        nowhere.plan.trainingOffer = OfferChoice{"aws", "no.such", "us-east-1", Purchase::OnDemand};
        const auto both = changes(e, nowhere);
        QVERIFY(both.front().before.isAvailable());
        QVERIFY(!both.front().after.isAvailable());
        QVERIFY(both.front().steps.empty());
        QVERIFY(both.back().steps.empty());
    }
};

OUTLAY_TEST(TestChange)
#include "tst_change.moc"
