// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the efficiency, the carbon section and the alerts, on figures that are known.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "tests/support/measured.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace outlay::core;
using namespace outlay::pricing;

namespace {

const Catalogs& Today = outlay::tests::catalogs();

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// The text generator on a machine with known rates, where a step takes `stepS`.
Experiment measured(double stepS)
{
    Experiment e = preset("text-generator")->experiment;
    e.site.powerWatts = 500;
    Measurement m = outlay::tests::measurementOf(e, stepS);
    m.machine.memoryBytes = 16e9;
    m.machine.matrixFlopsPerSecond = 100e9;
    m.machine.memoryBytesPerSecond = 20e9;
    m.training.step.verdict = Verdict::Steady;
    const auto batch = [](const char* value, double ratio) {
        return VariantMeasurement{.variant = "batch",
                                  .name = value,
                                  .ratio = ratio,
                                  .lowRatio = ratio,
                                  .highRatio = ratio,
                                  .pointer = "/training/batch",
                                  .value = value};
    };
    m.variants = {batch("64", 1.25), batch("256", 0.8)};
    outlay::tests::addTo(e, m);
    return e;
}

Quantity part(const Report& report, std::string_view name)
{
    for (const EfficiencyPart& p : report.efficiency.parts) {
        if (p.name == name)
            return p.score;
    }
    return {};
}

} // namespace

class TestEfficiency : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void computeIsAgainstTheRoofline()
    {
        const Quantity slow = part(figuresOf(measured(4), Today), "compute");
        const Quantity fast = part(figuresOf(measured(2), Today), "compute");
        QVERIFY(slow.isAvailable() && slow.value() > 0 && fast.value() < 100);
        QVERIFY(std::abs(fast.value() - 2 * slow.value()) < 1e-9 * fast.value());
        QCOMPARE(part(figuresOf(measured(1e-6), Today), "compute").value(), 100.0);
    }

    // By the measured batches, and a recommended one never lowers the part.
    void batchingIsMeasured()
    {
        Experiment e = measured(1);
        const Quantity now = part(figuresOf(e, Today), "batching");
        QCOMPARE(now.basis(), Basis::Measured);
        QCOMPARE(now.value(), 80.0);
        e.training.batch = 256;
        QCOMPARE(part(figuresOf(e, Today), "batching").value(), 100.0);
        e.training.batch = 64;
        QCOMPARE(part(figuresOf(e, Today), "batching").value(), 64.0);
    }

    void recommendationsNeverLowerTheirPart()
    {
        const std::vector<std::pair<std::string, std::string>> aims{
            {"cleaner-region", "carbon"}, {"cheaper-training-offer", "money"}, {"spot", "money"}};
        int seen = 0;
        for (const Preset& preset : *presets()) {
            const Experiment& e = preset.experiment;
            const Report report = makeReport(e, Today);
            for (const AdviceRow& row : report.advice) {
                for (const auto& [id, name] : aims) {
                    const Quantity before = part(report, name);
                    if (row.id != id || !before.isAvailable())
                        continue;
                    ++seen;
                    const Quantity after = part(figuresOf(*patched(e, row.patch), Today), name);
                    QVERIFY2(!after.isAvailable() || after.value() >= before.value() - 1e-9,
                             (preset.id + ": " + row.id).c_str());
                }
            }
        }
        QVERIFY(seen >= 5);
    }

    void scoreIsTheMeanOfItsParts()
    {
        Experiment e = measured(2);
        const Report report = figuresOf(e, Today);
        double sum = 0;
        double weights = 0;
        for (const EfficiencyPart& p : report.efficiency.parts) {
            sum += p.score.isAvailable() ? p.weight * p.score.value() : 0;
            weights += p.weight;
        }
        QVERIFY(weights > 0);
        QVERIFY(std::abs(report.efficiency.score.value() - sum / weights) < 1e-9);
        for (const char* name : {"compute", "memory", "money", "carbon"})
            e.assumptions.set("efficiency_weight_" + std::string(name), 0);
        QCOMPARE(figuresOf(e, Today).efficiency.score.value(), 80.0);
        QCOMPARE(figuresOf(e, Today).efficiency.band, std::string("excellent"));
    }

    // To forget what was measured never scores more, and the interval holds what would be known.
    void notKnowingEarnsNothing()
    {
        Experiment e = measured(0.5);
        const Quantity known = figuresOf(e, Today).efficiency.score;
        e.measurements = {};
        const Report report = figuresOf(e, Today);
        const Quantity& unknown = report.efficiency.score;
        QVERIFY(!part(report, "compute").isAvailable());
        QVERIFY(unknown.how().note.text().find("compute") != std::string::npos);
        QVERIFY(unknown.value() < known.value());
        QVERIFY(unknown.low() <= known.value() && unknown.high() >= known.value());
        QCOMPARE(unknown.basis(), Basis::Assumed);
    }

    // The same work for more money: of offers of every kind none that is dearer scores more for it.
    void dearerIsNeverBetter()
    {
        Experiment e = outlay::core::preset("text-generator")->experiment;
        const Report report = figuresOf(e, Today);
        const PriceBook& book = Today.book();
        std::map<double, double> scores; // by USD
        for (std::size_t i = 0; i < report.training.options.size() && scores.size() < 60; i += 97) {
            const Option& option = report.training.options[i];
            if (!isUsable(option) || option.usd.value <= 0)
                continue;
            const Offer offer = offerOf(book.table(), book.rows()[option.row]);
            e.plan.trainingOffer = OfferChoice{offer.machine.provider, offer.machine.instance,
                                               offer.region, offer.purchase};
            const Quantity money = part(figuresOf(e, Today), "money");
            if (money.isAvailable())
                scores[option.usd.value] = money.value();
        }
        QVERIFY(scores.size() > 20);
        double before = 100;
        for (const auto& [usd, score] : scores) {
            QVERIFY2(score <= before + 1e-9, std::to_string(usd).c_str());
            before = score;
        }
    }

    // What is used is held against what there is: nothing against itself, and no size that is no limit.
    void resourcesHaveLimits()
    {
        for (const Preset& preset : *presets()) {
            const Report report = figuresOf(preset.experiment, Today);
            for (const Benchmark& row : report.benchmarks) {
                if (row.value.isAvailable() && row.reference.isAvailable())
                    QVERIFY2(!isNear(row.value.value(), row.reference.value()),
                             (preset.id + ": " + row.metric).c_str());
                QVERIFY(row.reference.isAvailable() && !row.source.empty());
            }
        }
        const Report report = figuresOf(outlay::core::preset("text-generator")->experiment, Today);
        const auto find = [&](const char* metric) {
            const auto row = std::find_if(report.benchmarks.begin(), report.benchmarks.end(),
                                          [&](const Benchmark& b) { return b.metric == metric; });
            return row == report.benchmarks.end() ? Benchmark{} : *row;
        };
        const Benchmark work = find("paid hours with work");
        const auto& serving = report.serving;
        const double rate =
            serving.forecasts[serving.recommended.chosen->forecast].requestsPerS.value();
        QVERIFY(isNear(work.value.value(), serving.requestsPerMonth / rate / 3600));
        QCOMPARE(work.reference, serving.recommended.option->hours);
        const Benchmark memory = find("memory to train");
        QCOMPARE(memory.value, report.training.recommended.option->memory);
        QVERIFY(memory.value.value() < memory.reference.value());
    }

    // 7 minutes at 500 W are 0.0583 kWh; at 420 g/kWh and no overhead 0.0245 kg.
    void carbonOfARun()
    {
        Experiment e = measured(0.5);
        e.site.gridGramsPerKwh = 420;
        e.plan.providers = {"nobody"}; // so that it is trained here
        const Report report = figuresOf(e, Today);
        const double kwh = report.training.here.value() / 3600 * 0.5;
        QVERIFY(std::abs(report.carbon.kwh.value() - kwh) < 1e-9 * kwh);
        QVERIFY(std::abs(report.carbon.kgCo2e.value() - 0.42 * kwh) < 1e-9 * kwh);
        QVERIFY(report.carbon.monthKgCo2e.value() >= report.carbon.kgCo2e.value());
        QCOMPARE(report.carbon.monthLacks, std::vector<std::string>{"serving"});
        QVERIFY(!report.carbon.elsewhere.empty());
        e.assumptions.set("offset_usd_per_tonne", 100);
        const Report offset = figuresOf(e, Today);
        QVERIFY(std::abs(offset.carbon.offsetUsd.value() - 0.1 * 0.42 * kwh) < 1e-9);
    }

    // What is planned on a machine elsewhere emits there, wherever the experiment's own site is.
    void theGridFollowsTheOffer()
    {
        Experiment e = measured(0.5);
        e.site.country = "France";
        e.plan.providers = {"gcp"};
        e.plan.regions = {"us-east4"};
        const Report report = figuresOf(e, Today);
        QCOMPARE(report.carbon.kgCo2e, report.training.recommended.option->kgCo2e);
        QVERIFY(report.carbon.kgCo2e.how().sentence().find("gcp/us-east4") != std::string::npos);
        QVERIFY(report.carbon.monthKgCo2e.value() > report.carbon.kgCo2e.value());
        QVERIFY(report.carbon.monthLacks.empty());
        QVERIFY(report.training.hereKgCo2e.how().sentence().find("France") != std::string::npos);
    }

    // 730 hours are paid, and nearly all of them waited: at so many watts, whatever the traffic.
    void waitingDrawsPower()
    {
        Experiment e = outlay::core::preset("text-generator")->experiment;
        e.serving.requestsPerDay = 10;
        const auto few = figuresOf(e, Today).serving.recommended.option;
        const double hours = few->hours.value();
        QVERIFY(hours >= 729);
        QVERIFY(few->idleKwh.value() > 0.99 * few->kwh.value());
        e.serving.requestsPerDay = 100;
        const auto more = figuresOf(e, Today).serving.recommended.option;
        QCOMPARE(more->offer.machine.instance, few->offer.machine.instance);
        QVERIFY(std::abs(more->workKwh.value() - 10 * few->workKwh.value()) <=
                1e-9 * more->workKwh.value());
        QVERIFY(more->idleKwh.value() < few->idleKwh.value());
        // What is drawn at work and at rest lies around the watts of the machine.
        QVERIFY(few->idleKwh.value() / hours > 0.0005 && few->idleKwh.value() / hours < 0.1);
        // A function doesn't wait.
        const Report instance = figuresOf(e, Today);
        e.assumptions.set("serving_way", "serverless");
        QVERIFY(figuresOf(e, Today).carbon.monthKgCo2e.value() <
                0.5 * instance.carbon.monthKgCo2e.value());
    }

    void theStartHourMovesEmissions()
    {
        Experiment e = measured(0.01); // some minutes
        e.plan.providers = {"aws"};
        e.plan.regions = {"us-west-1"};
        const Report usual = figuresOf(e, Today);
        const auto least = std::min_element(
            usual.carbon.hours.begin(), usual.carbon.hours.end(),
            [](const auto& a, const auto& b) { return a.kg.value() < b.kg.value(); });
        QVERIFY(least != usual.carbon.hours.end() && least->kg.isAvailable());
        e.assumptions.set("training_start_hour", least->hour);
        const Report timed = figuresOf(e, Today);
        QVERIFY(timed.carbon.kgCo2e.value() < usual.carbon.kgCo2e.value());
        QCOMPARE(timed.carbon.kgCo2e.value(), least->kg.value());
    }

    void alertsTurn()
    {
        Experiment e = measured(0.5);
        const auto stateOf = [&](std::string_view name) {
            const Report report = figuresOf(e, Today);
            for (const AlertRow& row : report.alerts) {
                if (row.name == name)
                    return row.state;
            }
            return std::string("missing");
        };
        e.plan.budgetUsd = 1e9;
        QCOMPARE(stateOf("cost of a month"), std::string("ok"));
        e.plan.budgetUsd = 1e-6;
        QCOMPARE(stateOf("cost of a month"), std::string("exceeded"));
        e.assumptions.set("alert_memory_percent", 1e-3);
        QCOMPARE(stateOf("memory of the training"), std::string("exceeded"));
        e.assumptions.set("alert_idle_percent", 100);
        QCOMPARE(stateOf("utilisation of the training"), std::string("below")); // a floor
    }

    // Near: nine tenths of the way are gone, or the interval reaches over the limit; not before.
    void nearIsNear_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("ofHigh"); // the limit over the interval's upper end
        QTest::addColumn<bool>("isNear");
        for (const char* name : {"memory of the service", "memory of the training"}) {
            QTest::addRow("%s, beyond", name) << name << 1.4 << false;
            QTest::addRow("%s, inside", name) << name << 0.9999 << true;
        }
        QTest::newRow("at 0.92") << "memory of the service" << 1 / 0.92 << true;
        QTest::newRow("at 0.88") << "memory of the service" << 1 / 0.88 << false;
    }
    void nearIsNear()
    {
        QFETCH(QString, name);
        QFETCH(double, ofHigh);
        QFETCH(bool, isNear);
        Experiment e = measured(0.5);
        const auto row = [&] {
            const Report report = figuresOf(e, Today);
            return *std::find_if(
                report.alerts.begin(), report.alerts.end(),
                [&](const AlertRow& alert) { return alert.name == name.toStdString(); });
        };
        const Quantity share = row().projected;
        QVERIFY(share.isAvailable());
        const double limit = ofHigh * share.high();
        QVERIFY(ofHigh < 1 || share.value() > 0.5 * limit);
        e.assumptions.set("alert_memory_percent", limit);
        const std::string state = row().state;
        if (share.value() > limit)
            QCOMPARE(state, std::string("exceeded"));
        else
            QCOMPARE(state, std::string(isNear ? "near" : "ok"));
    }
};

OUTLAY_TEST(TestEfficiency)
#include "tst_efficiency.moc"
