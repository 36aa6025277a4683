// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The sentence that stands for a whole Report, and the words around a picture of it.
#include "core/experiment/presets.h"
#include "gui/view/cost_view.h"
#include "gui/view/figure_view.h"
#include "gui/view/offer_name.h"
#include "gui/view/picture_view.h"
#include "gui/view/verdict_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/english.h"
#include "tests/support/huggingface_text.h"
#include "tests/support/measured.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using core::Unit;
using outlay::tests::English;
using outlay::tests::experimentOf;
using outlay::tests::reportToday;

namespace {

/// How the sentence begins.
const char* trainsOf(const core::Training& training)
{
    const bool isQuantised = training.frozenWeights != core::FrozenWeights::Same;
    switch (training.method) {
    case core::Method::Full: return "Train";
    case core::Method::Lora:
        return isQuantised ? "Train adapters (QLoRA)" : "Train adapters (LoRA)";
    case core::Method::Head: return "Train the last layer";
    }
    return "";
}

} // namespace

class TestVerdict : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Of every preset: where, for how much, and who has most of the month, without a key of the file.
    void theVerdictNamesWhatMatters()
    {
        int plans = 0;
        int others = 0;
        std::vector<core::Experiment> experiments;
        for (const core::Preset& preset : *core::presets())
            experiments.push_back(preset.experiment);
        experiments.push_back(core::preset("llama-65b")->experiment);
        experiments.back().training.tokens = 1.4e12; // as it was trained, on 2,048 devices
        for (const core::Experiment& experiment : experiments) {
            const pricing::Report report = reportToday(experiment);
            const QString verdict = makeVerdictView(report, English).sentence;
            const auto& trains = report.training.recommended.option;
            // Months on eight machines are no plan, nor are days without accelerators.
            (trains ? plans : others) += 1;
            if (!trains) {
                QVERIFY2(verdict.startsWith(QStringLiteral("Nothing ends in time: 8 x ")),
                         qPrintable(verdict));
                QVERIFY(!verdict.contains(QStringLiteral("First: ")));
                continue;
            }
            QVERIFY(trains->hours.value() <=
                    (trains->offer.machine.accelerator.empty() ? 24 : 60 * 24));
            const QString start =
                QString::fromLatin1(trainsOf(experiment.training)) + QStringLiteral(" on ");
            QVERIFY2(verdict.startsWith(start + machinesTitle(*trains)), qPrintable(verdict));
            QVERIFY2(verdict.contains(headlineText(trains->usd.value(), Unit::Usd, English)),
                     qPrintable(verdict));
            const bool isWide = trains->usd.high() > 2 * trains->usd.low();
            QCOMPARE(verdict.contains(headlineText(trains->usd.high(), Unit::Usd, English) +
                                      QLatin1Char(')')),
                     isWide);
            const auto& items = report.month.items;
            double serving = 0;
            for (const pricing::MonthItem& item : items) {
                if (item.item == "inference" || item.item == "idle" || item.item == "load balancer")
                    serving += item.usd.value();
            }
            if (serving > 0.6 * report.month.total.value())
                QVERIFY2(verdict.contains(QStringLiteral("serving on ") +
                                          machinesTitle(*report.serving.recommended.option)),
                         qPrintable(verdict));
            QVERIFY2(!verdict.contains(QStringLiteral("on_demand")) &&
                         !verdict.contains(QStringLiteral("reserved_")) &&
                         !verdict.contains(QStringLiteral("nan")),
                     qPrintable(verdict));
        }
        // Each of the presets can be trained on what is for rent.
        QCOMPARE(plans, static_cast<int>(core::presets()->size()));
        QCOMPARE(others, 1);
    }

    // What may cost quality, binds, or may not be had isn't the first thing to do.
    void theFirstThingIsSafe()
    {
        int told = 0;
        for (const core::Preset& one : *core::presets()) {
            const QString sentence = makeVerdictView(reportToday(one.experiment), English).sentence;
            QVERIFY2(!sentence.contains(QStringLiteral("First: Try a smaller model")) &&
                         !sentence.contains(QStringLiteral("First: Reserve")),
                     qPrintable(sentence));
            told += sentence.contains(QStringLiteral(" First: ")) ? 1 : 0;
        }
        QVERIFY(told > 12);
    }

    // A way of buying is told where it isn't the usual one; and who only serves isn't told where to train.
    void theVerdictFollowsThePlan()
    {
        core::Experiment e = core::preset("gpt2")->experiment;
        e.plan.purchase = core::Purchase::Spot;
        const pricing::Report spot = reportToday(e);
        QCOMPARE(spot.training.recommended.option->offer.purchase, core::Purchase::Spot);
        QVERIFY2(makeVerdictView(spot, English).sentence.contains(QStringLiteral(", spot for ")),
                 qPrintable(makeVerdictView(spot, English).sentence));
        e.plan.purchase = core::Purchase::OnDemand;
        QVERIFY(!makeVerdictView(reportToday(e), English)
                     .sentence.contains(QStringLiteral(", spot for ")));
        e.training.runsPerMonth = 0;
        const QString served = makeVerdictView(reportToday(e), English).sentence;
        QVERIFY2(served.startsWith(QStringLiteral("Serving on ")), qPrintable(served));
        QVERIFY2(!served.contains(QStringLiteral("Train on ")), qPrintable(served));
    }

    // What is too large for accelerators isn't told to train on processors for a week, unless somebody chose it.
    void processorsAreNoPlanForLargeModels()
    {
        core::Experiment e = experimentOf("llama-3.1-8b");
        e.training = {.sequence = 1024}; // as an imported config is trained: 464 GB on one device
        pricing::Report report = reportToday(e);
        const auto& trains = report.training.recommended.option;
        QVERIFY(trains && trains->offer.machine.accelerator.empty());
        QVERIFY(trains->hours.value() > 24);
        QVERIFY(
            makeVerdictView(report, English).sentence.startsWith(QStringLiteral("No practical")));
        const pricing::Offer offer = trains->offer;
        e.plan.trainingOffer = core::OfferChoice{offer.machine.provider, offer.machine.instance,
                                                 offer.region, offer.purchase};
        report = reportToday(e);
        QVERIFY(
            makeVerdictView(report, English).sentence.startsWith(QStringLiteral("Train on AWS")));
    }

    // Nor is a service that only the memory of processors holds: fewer bits make it one.
    void whatOnlyProcessorsHoldIsNoService()
    {
        core::Experiment e = experimentOf("llama-3.1-70b-qlora");
        e.training.runsPerMonth = 0;
        e.model = outlay::tests::import(R"({"model_type": "deepseek_v3"})")->model;
        e.serving.precision = core::ServingPrecision::Bf16;
        e.serving.requestsPerDay = 1000;
        e.serving.latencyP95Ms = 20'000;
        const pricing::Report report = reportToday(e);
        QVERIFY(!report.serving.recommended.option);
        const std::string& why = report.serving.recommended.reasons.front();
        QVERIFY2(why.find("No machine with accelerators holds the 1342 GB") != std::string::npos,
                 why.c_str());
        const QString before = makeVerdictView(report, English).sentence;
        QVERIFY2(before.contains(QStringLiteral("o machine is found that serves it as planned")) &&
                     before.contains(QStringLiteral(
                         "First: Serve the weights in fp8 (makes it possible at all)")),
                 qPrintable(before));
        // A part isn't said to be of the month where nobody knows what that is.
        const QString cost = makeCostView(report, nullptr, English).verdict;
        QVERIFY2(cost.endsWith(QStringLiteral("what is known of the month")), qPrintable(cost));
        e.serving.precision = core::ServingPrecision::Fp8;
        const auto after = reportToday(e).serving.recommended;
        QVERIFY(after.option && !after.option->offer.machine.accelerator.empty());
    }

    // Weeks on a processor are no plan, but what would make it one is said at once.
    void whatMakesItPracticalIsSaid()
    {
        core::Experiment e = experimentOf("gated-rnn");
        e.training.samples = 2e7;
        const QString before = makeVerdictView(reportToday(e), English).sentence;
        QVERIFY2(before.startsWith(QStringLiteral("No practical")) &&
                     before.contains(QStringLiteral(" First: Run the recurrence in chunks (")),
                 qPrintable(before));
        e.training.compiled = true;
        const QString after = makeVerdictView(reportToday(e), English).sentence;
        QVERIFY2(after.startsWith(QStringLiteral("Train on ")), qPrintable(after));
    }

    // A machine isn't rented for what is as quick on one's own.
    void theOwnMachineIsNamedWhereItIsQuick()
    {
        for (const double stepS : {0.001, 10.0}) {
            core::Experiment e = experimentOf("text-generator");
            tests::addTo(e, tests::measurementOf(e, stepS));
            const pricing::Report report = reportToday(e);
            const double thereS = 3600 * report.training.recommended.option->hours.value();
            const bool isQuick = report.training.here.value() <= thereS;
            QCOMPARE(isQuick, stepS < 1);
            const QString verdict = makeVerdictView(report, English).sentence;
            QVERIFY2(verdict.startsWith(isQuick ? QStringLiteral("Train here in ")
                                                : QStringLiteral("Train on ")),
                     qPrintable(verdict));
            QVERIFY2(verdict.contains(isQuick ? QStringLiteral(", or on ")
                                              : QStringLiteral("; here it takes ")),
                     qPrintable(verdict));
        }
    }

    void theVerdictSaysWhatLacks()
    {
        const pricing::Report nothing;
        QCOMPARE(makeVerdictView(nothing, English).sentence,
                 QStringLiteral("Nowhere to train is known; what a month costs isn't known."));
        core::Experiment e = experimentOf("text-generator");
        e.plan.providers = {"nobody"};
        const pricing::Report report = reportToday(e);
        const QString verdict = makeVerdictView(report, English).sentence;
        QVERIFY2(verdict.startsWith(QStringLiteral("No offer is of the plan's providers")),
                 qPrintable(verdict));
        e = experimentOf("text-generator");
        e.plan.deadlineHours = 0.01;
        QVERIFY(makeVerdictView(reportToday(e), English)
                    .sentence.contains(QStringLiteral(", later than planned")));
        e.plan.budgetUsd = 1e-6;
        QVERIFY(makeVerdictView(reportToday(e), English)
                    .sentence.contains(QStringLiteral(", over the budget")));
    }

    void picturesStandForThemselves()
    {
        const core::Experiment e = experimentOf("text-generator");
        const pricing::Report report = reportToday(e);
        const PictureView view = makePictureView(e, report, PictureSubject::Dashboard, English);
        QCOMPARE(view.title, QStringLiteral("Text generator"));
        QVERIFY(view.subtitle.contains(QStringLiteral("2026-11-20")));
        QCOMPARE(view.work,
                 QStringLiteral("Trained on 100,000 samples of 50 tokens, 50 epochs · batch 128, "
                                "fp32, adam · one run a month · 10,000 requests a day, "
                                "answered within 200 ms (p95)"));
        const pricing::Offer& trains = report.training.recommended.option->offer;
        const pricing::Offer& serves = report.serving.recommended.option->offer;
        QVERIFY(view.places.startsWith(QStringLiteral("Trains on ") + machineTitle(trains.machine) +
                                       QStringLiteral(" in ")));
        QVERIFY(view.places.contains(QStringLiteral("serves on ") + machineTitle(serves.machine)));
        QVERIFY(
            view.assumptions.endsWith(QStringLiteral("further settings are Outlay's defaults")));
        QVERIFY(view.provenance.contains(QString::fromStdString(report.provenance.method)));
        // The prices' date, and each other file's.
        for (const pricing::DataRow& row : report.provenance.data)
            QVERIFY2(view.dates.contains(QString::fromStdString(row.asOf)), row.name.c_str());
        QVERIFY(view.dates.startsWith(QStringLiteral("Data: prices up to 20")));
        QVERIFY(view.dates.endsWith(QStringLiteral("not measured")));
        const PictureView other = makePictureView(e, report, PictureSubject::Comparison, English);
        QCOMPARE(other.title, QStringLiteral("Text generator: comparison"));
        QCOMPARE(other.dates, view.dates);
    }
};

OUTLAY_TEST(TestVerdict)
#include "tst_verdict.moc"
