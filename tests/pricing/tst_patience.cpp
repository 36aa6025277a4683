// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What ends much sooner for little more is recommended, where nobody says when a training has to end.
#include "core/base/units.h"
#include "pricing/report/make_report.h"
#include "pricing/report/offers/offer_rank.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using outlay::tests::reportToday;
using pricing::Option;
using pricing::Report;

namespace {

core::Experiment training(const char* preset, double samples)
{
    core::Experiment e = experimentOf(preset);
    e.training.tokens.reset();
    e.training.samples = samples;
    return e;
}

double hoursOf(const Report& report, const Option& option)
{
    return report.training.forecasts[option.forecast].runSeconds.value() / core::SecondsPerHour;
}

/// Half of the time for 7 % more.
double weightOf(const Report& report, const Option& option)
{
    const double workingDays = std::max(8.0, hoursOf(report, option)) / 8;
    return option.usd.value * std::pow(1.07, std::log2(workingDays));
}

/// Of what can be bought as the plan buys, the least by something.
template <typename Of>
double least(const Report& report, const Of& of)
{
    double found = HUGE_VAL;
    for (const Option& option : report.training.options) {
        if (outlay::tests::isBoughtOnDemand(option) && option.trust == pricing::Trust::Fresh)
            found = std::min(found, of(option));
    }
    return found;
}

} // namespace

class TestPatience : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timeIsWorthALittle_data()
    {
        QTest::addColumn<QByteArray>("preset");
        QTest::addColumn<double>("samples");
        QTest::addColumn<bool>("isDearer"); // than the cheapest
        QTest::newRow("GPT-2, two days against an evening") << QByteArray("gpt2") << 1e7 << true;
        QTest::newRow("GPT-2, within a day anyway") << QByteArray("gpt2") << 1e5 << false;
        QTest::newRow("BERT") << QByteArray("bert-base") << 1e7 << false;
        QTest::newRow("text generator") << QByteArray("text-generator") << 1e6 << false;
        QTest::newRow("8 B") << QByteArray("llama-3.1-8b") << 4.9e5 << true;
    }
    void timeIsWorthALittle()
    {
        QFETCH(QByteArray, preset);
        QFETCH(double, samples);
        QFETCH(bool, isDearer);
        const Report report = figuresToday(training(preset.constData(), samples));
        const auto& r = report.training.recommended;
        const double cheapest = least(report, [](const Option& o) { return o.usd.value; });
        const double weight = least(report, [&](const Option& o) { return weightOf(report, o); });
        QVERIFY(std::abs(weightOf(report, *r.chosen) / weight - 1) < 1e-6);
        QCOMPARE(r.chosen->usd.value > cheapest * (1 + 1e-9), isDearer);
        const auto saysWhy =
            std::any_of(r.reasons.begin(), r.reasons.end(), [](const auto& reason) {
                return reason.find("but it takes") != std::string::npos;
            });
        QCOMPARE(saysWhy, isDearer);
        if (!isDearer)
            return;
        QVERIFY(std::abs(r.alternative->usd.value() / cheapest - 1) < 1e-6);
        QVERIFY(r.alternative->hours.value() > 1.5 * r.option->hours.value());
    }

    // A deadline says what is soon enough, and so does who sets the worth to nothing.
    void whoCanWaitPaysTheLeast()
    {
        core::Experiment e = training("gpt2", 1e7);
        const double sooner = figuresToday(e).training.recommended.chosen->usd.value;
        core::Experiment patient = e;
        patient.assumptions.set("halved_time_worth_percent", core::Json(0.0));
        e.plan.deadlineHours = 1000;
        for (const core::Experiment& one : {patient, e}) {
            const Report report = figuresToday(one);
            const double cheapest = least(report, [](const Option& o) { return o.usd.value; });
            QCOMPARE(report.training.recommended.chosen->usd.value, cheapest);
            QVERIFY(cheapest < sooner);
        }
    }

    // What a file must not say is refused where it is opened; a Report of it doesn't say that it was given.
    void aNegativeWorthIsTheDefault()
    {
        core::Experiment e = training("gpt2", 1e5);
        for (const auto& [given, value, words] :
             {std::tuple(-5.0, 7.0, "gives no number from 0"), std::tuple(0.0, 0.0, "given in")}) {
            e.assumptions.set("halved_time_worth_percent", core::Json(given));
            const auto rows = figuresToday(e).assumptions;
            const auto row = std::find_if(rows.begin(), rows.end(), [](const auto& one) {
                return one.pointer == "/assumptions/halved_time_worth_percent";
            });
            QVERIFY(row != rows.end());
            QCOMPARE(row->value.number(), value);
            QVERIFY2(row->source.find(words) != std::string::npos, row->source.c_str());
        }
    }

    // A service is no matter of patience: what it costs in all decides, with a load balancer before several machines.
    void aServiceCostsTheLeast()
    {
        core::Experiment e = experimentOf("text-generator");
        e.serving.requestsPerDay = 2e5;
        e.plan.purchase = core::Purchase::Spot;
        const Report report = figuresToday(e);
        const auto& serving = report.serving.recommended;
        QVERIFY(serving.option);
        for (const std::string& reason : serving.reasons)
            QVERIFY2(reason.find("but it takes") == std::string::npos, reason.c_str());
        QCOMPARE(serving.option->instances.value(), 1.0);
    }

    // Each that gave way is named with its reason: the one that no run supports, and the one that is slow. Where no run
    // supports either, time alone decided.
    void allThatGaveWayIsNamed()
    {
        const auto told = [](const core::Experiment& e, const char* words) {
            const auto& reasons = figuresToday(e).training.recommended.reasons;
            return std::any_of(reasons.begin(), reasons.end(), [&](const std::string& reason) {
                return reason.find(words) != std::string::npos;
            });
        };
        core::Experiment gpt = training("small-gpt", 1e6);
        gpt.plan.providers = {"azure"};
        QVERIFY(told(gpt, "no published run of T4"));
        QVERIFY(told(gpt, "but it takes"));
        core::Experiment bert = training("bert-base", 1e7);
        bert.plan.stacks = {"neuron"};
        QVERIFY(told(bert, "trn1.2xlarge in us-east-1, on demand at "));
        QVERIFY(!told(bert, "no published run"));
    }

    // What gave way is no advice; what is far cheaper, but slower, is.
    void whatGaveWayIsNotAdvised()
    {
        const Report report = reportToday(training("gpt2", 1e7));
        for (const auto& row : report.advice)
            QVERIFY2(row.id != "cheaper-training-offer", row.title.c_str());
        QVERIFY(std::any_of(report.advice.begin(), report.advice.end(),
                            [](const auto& row) { return row.id == "spot"; }));
    }
};

OUTLAY_TEST(TestPatience)
#include "tst_patience.moc"
