// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the efficiency, the carbon section and the alerts, on figures that are known.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "pricing/report/assumption.h"
#include "pricing/report/make_report.h"
#include "pricing/report/sections.h"
#include "tests/support/measured.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::isNear;
using outlay::tests::Today;

namespace {

/// The text generator on a machine with known rates, where a step takes `stepS`.
Experiment stepping(double stepS, std::int64_t threads = 1, std::optional<double> whole = {})
{
    Experiment e = preset("text-generator")->experiment;
    e.site.powerWatts = 500;
    Measurement m = outlay::tests::measurementOf(e, stepS);
    m.machine.memoryBytes = 16e9;
    m.threads = threads;
    m.machine.matrixFlopsPerSecond = 100e9;
    m.machine.wholeFlopsPerSecond = whole;
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

/// "a batch of 1,024" -> 1024.
std::int64_t batchIn(const std::string& remedy)
{
    std::string digits;
    std::copy_if(remedy.begin(), remedy.end(), std::back_inserter(digits),
                 [](char c) { return c >= '0' && c <= '9'; });
    return std::stoll(digits);
}

/// A plan for the same work, and how it is judged.
struct Scored {
    double usd = 0;
    double carbon = 0;
    double batching = 0;
    double score = 0;
};

void take(Experiment& e, const Option& option)
{
    const PriceBook& book = Today.book();
    const Offer offer = offerOf(book.table(), book.rows()[option.row]);
    e.plan.trainingOffer =
        OfferChoice{offer.machine.provider, offer.machine.instance, offer.region, offer.purchase};
}

std::optional<Scored> scoredOn(Experiment e, const Option& option)
{
    if (!isUsable(option) || option.trust != Trust::Fresh || option.usd.value <= 0)
        return std::nullopt;
    take(e, option);
    const Report report = figuresOf(e, Today);
    return Scored{option.usd.value, part(report, "carbon").value(),
                  part(report, "batching").value(), report.efficiency.score.value()};
}

/// The cheapest of all with a price of today, or the same machine where a kWh emits least.
bool takeBest(Experiment& e, const Report& report, std::string_view part)
{
    const PriceBook& book = Today.book();
    const OfferRow& chosen = book.rows()[report.training.recommended.chosen->row];
    const Option* best = nullptr;
    double least = 0;
    for (const Option& option : report.training.options) {
        const OfferRow& row = book.rows()[option.row];
        const bool isSame = row.machine == chosen.machine && row.purchase == chosen.purchase;
        const bool isSingle =
            row.purchase != Purchase::Reserved1y && row.purchase != Purchase::Reserved3y;
        if (!isUsable(option) || !option.meetsDeadline || (part == "carbon" ? !isSame : !isSingle))
            continue;
        if (part == "money" && option.trust != Trust::Fresh)
            continue;
        const auto place = placeOf(offerOf(book.table(), row));
        const Quantity grid = gridIntensity(Today.carbon(), place, report.gridBasis);
        const double cost = part == "money" ? option.usd.value : grid.value();
        if (part == "carbon" && grid.basis() != Basis::Listed)
            continue;
        if (best == nullptr || cost < least) {
            best = &option;
            least = cost;
        }
    }
    if (best != nullptr)
        take(e, *best);
    return best != nullptr;
}

} // namespace

class TestEfficiency : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void computeIsAgainstTheRoofline()
    {
        const Quantity slow = part(figuresOf(stepping(4), Today), "compute");
        const Quantity fast = part(figuresOf(stepping(2), Today), "compute");
        QVERIFY(slow.isAvailable() && slow.value() > 0 && fast.value() < 100);
        QVERIFY(std::abs(fast.value() - 2 * slow.value()) < 1e-9 * fast.value());
        QCOMPARE(part(figuresOf(stepping(1e-6), Today), "compute").value(), 100.0);
        // Threads count once: as the rate of all of them, or else as many times one's.
        const auto byThreads = [](std::optional<double> whole) {
            return part(figuresOf(stepping(4, 2, whole), Today), "compute").value();
        };
        QVERIFY(std::abs(byThreads(200e9) - byThreads({})) < 1e-9);
        QVERIFY(byThreads(120e9) > byThreads(200e9));
    }

    // By the measured batches, and a recommended one never lowers the part.
    void batchingIsMeasured()
    {
        Experiment e = stepping(1);
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
        for (const Preset& preset : outlay::tests::presetsToTry()) {
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
        QVERIFY(seen >=
                (outlay::tests::Slower > 1 ? 3 : 5)); // fewer presets are tried where it is slow
    }

    void scoreIsTheMeanOfItsParts()
    {
        Experiment e = stepping(2);
        const Report report = figuresOf(e, Today);
        double sum = 0;
        double weights = 0;
        for (const EfficiencyPart& p : report.efficiency.parts) {
            sum += p.score.isAvailable() ? p.weight * p.score.value() : 0;
            weights += p.weight;
        }
        QVERIFY(weights > 0);
        QVERIFY(std::abs(report.efficiency.score.value() - sum / weights) < 1e-9);
        for (const char* name : {"compute", "money", "carbon"})
            e.assumptions.set("efficiency_weight_" + std::string(name), 0);
        QCOMPARE(figuresOf(e, Today).efficiency.score.value(), 80.0);
        QCOMPARE(figuresOf(e, Today).efficiency.band, std::string("excellent"));
    }

    // To forget what was measured never scores more, and the interval holds what would be known.
    void notKnowingEarnsNothing()
    {
        Experiment e = stepping(0.5);
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

    // The same work for more money, and not cleaner: of 1,000 random plans none that is dearer scores as much.
    void aDearerPlanScoresLess()
    {
        constexpr int Plans = 500 / outlay::tests::Slower;
        constexpr std::size_t OfOneDesign = 10;
        std::mt19937_64 random(5);
        int plans = 0;
        int pairs = 0;
        while (plans < Plans) {
            const auto& all = *presets();
            Experiment e = all[random() % all.size()].experiment;
            e.training.batch <<= random() % 4;
            const std::vector<Option> options = figuresOf(e, Today).training.options;
            std::vector<Scored> scored;
            for (int tries = 0; scored.size() < OfOneDesign && tries < 100; ++tries) {
                if (const auto plan = scoredOn(e, options[random() % options.size()]))
                    scored.push_back(*plan);
            }
            plans += std::max<int>(1, static_cast<int>(scored.size()));
            for (const Scored& cheap : scored) {
                for (const Scored& dear : scored) {
                    if (dear.usd < 1.001 * cheap.usd || dear.carbon > cheap.carbon ||
                        dear.batching > cheap.batching)
                        continue;
                    ++pairs;
                    QVERIFY2(dear.score < cheap.score, e.name.c_str());
                }
            }
        }
        QVERIFY2(pairs > Plans / 2, std::to_string(pairs).c_str());
    }

    // What stands beside a part is what it has once that is done.
    void remediesDeliver()
    {
        std::map<std::string, int> seen;
        for (const Preset& preset : outlay::tests::presetsToTry()) {
            const Experiment& e = preset.experiment;
            const Report report = makeReport(e, Today);
            for (const EfficiencyPart& p : report.efficiency.parts) {
                QVERIFY(!p.with.isAvailable() || (p.with.value() >= p.score.value() + 2));
                QVERIFY(p.score.isAvailable() || p.remedy.empty());
                if (p.remedy.empty() || !p.with.isAvailable())
                    continue;
                Experiment done = e;
                const Offer& offer = report.training.recommended.option->offer;
                done.plan.trainingOffer = OfferChoice{
                    offer.machine.provider, offer.machine.instance, offer.region, offer.purchase};
                if (p.name == "batching")
                    done.training.batch = batchIn(p.remedy);
                else if (!takeBest(done, report, p.name))
                    continue;
                ++seen[p.name];
                const Quantity after = part(figuresOf(done, Today), p.name);
                QVERIFY2(std::abs(after.value() - p.with.value()) < 0.5,
                         (preset.id + ": " + p.name + " " + std::to_string(after.value())).c_str());
            }
        }
        constexpr int Few = 5 / outlay::tests::Slower;
        QVERIFY(seen["batching"] > Few && seen["money"] > Few && seen["carbon"] > Few);
    }

    // A batch that was measured is judged by that, and nothing else is said of it.
    void measuredRemedies()
    {
        const Report report = figuresOf(stepping(2), Today);
        const auto find = [](const Report& r, std::string_view name) {
            return *std::find_if(r.efficiency.parts.begin(), r.efficiency.parts.end(),
                                 [&](const EfficiencyPart& p) { return p.name == name; });
        };
        QCOMPARE(find(report, "batching").remedy, std::string("a batch of 256"));
        QCOMPARE(find(report, "compute").remedy, std::string("256"));
        QVERIFY(isNear(find(report, "compute").with.value(),
                       std::min(100.0, find(report, "compute").score.value() / 0.8)));
        Experiment best = stepping(2);
        best.training.batch = 256;
        QVERIFY(find(figuresOf(best, Today), "batching").remedy.empty());
    }

    // What is used is held against what there is: nothing against itself, and no size that is no limit.
    void resourcesHaveLimits()
    {
        for (const Preset& preset : outlay::tests::presetsToTry()) {
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
        Experiment e = stepping(0.5);
        e.site.gridGramsPerKwh = 420;
        e.plan.providers = {"nobody"}; // so that it is trained here
        const Report report = figuresOf(e, Today);
        const double kwh = report.training.here.value() / 3600 * 0.5;
        QVERIFY(std::abs(report.carbon.kwh.value() - kwh) < 1e-9 * kwh);
        QVERIFY(std::abs(report.carbon.kgCo2e.value() - 0.42 * kwh) < 1e-9 * kwh);
        QVERIFY(report.carbon.monthKgCo2e.value() >= report.carbon.kgCo2e.value());
        QCOMPARE(report.carbon.monthLacks, std::vector<std::string>{"serving"});
        QVERIFY(!report.carbon.elsewhere.empty());
        e.assumptions.set("offset_usd_per_tonne", 0.5);
        QVERIFY(figuresOf(e, Today).carbon.offsetUsd.value() > 0); // however cheap
        e.assumptions.set("offset_usd_per_tonne", 100);
        const Report offset = figuresOf(e, Today);
        QVERIFY(std::abs(offset.carbon.offsetUsd.value() - 0.1 * 0.42 * kwh) < 1e-9);
    }

    // What is planned on a machine elsewhere emits there, wherever the experiment's own site is.
    void theGridFollowsTheOffer()
    {
        Experiment e = stepping(0.5);
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
        Experiment e = stepping(0.01); // some minutes
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
        Experiment e = stepping(0.5);
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

    // What is recommended is what a plan may use: no alert says that it is too full.
    void plansKeepTheirMemoryAlert()
    {
        QCOMPARE(AlertMemoryPercent.byDefault, 100 * Today.calibration().usableMemory);
        int full = 0;
        for (const Preset& preset : outlay::tests::presetsToTry()) {
            const Report report = figuresOf(preset.experiment, Today);
            for (const AlertRow& row : report.alerts) {
                if (!row.name.starts_with("memory of") || !row.projected.isAvailable())
                    continue;
                QVERIFY2(row.state != "exceeded", (preset.id + ", " + row.name).c_str());
                full += row.projected.value() > 70 ? 1 : 0;
            }
        }
        QVERIFY(full > 0 || outlay::tests::Slower > 1);
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
        Experiment e = stepping(0.5);
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
