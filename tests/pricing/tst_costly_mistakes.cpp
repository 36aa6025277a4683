// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes that have cost people money elsewhere, each as what a Report would show of it.
#include "core/experiment/presets.h"
#include "core/workload/training_work.h"
#include "pricing/export/export.h"
#include "pricing/offer_table.h"
#include "pricing/report/make_report.h"
#include "pricing/report/sections.h"
#include "tests/support/known_models.h"
#include "tests/support/measured.h"
#include "tests/support/near.h"
#include "tests/support/random_designs.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace outlay;
using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::experimentOf;
using outlay::tests::isNear;
using outlay::tests::Today;

namespace {

/// Measured here: every step took so many seconds.
Experiment timed(double stepS, const std::optional<EnergyMeasurement>& energy = {})
{
    Experiment e = experimentOf("text-generator");
    Measurement m = outlay::tests::measurementOf(e, stepS);
    m.energy = energy;
    outlay::tests::addTo(e, m);
    return e;
}

Offer offer(const char* region, const char* asOf, double usd)
{
    return {.machine = {.provider = "aws",
                        .instance = "g4dn.xlarge",
                        .family = "accelerated",
                        .accelerator = "T4",
                        .accelerators = 1,
                        .acceleratorMemoryGb = 16,
                        .vcpus = 4,
                        .memoryGb = 16},
            .region = region,
            .purchase = Purchase::OnDemand,
            .usdPerHour = usd,
            .source = {"own", asOf, {}}};
}

OfferTable tableOf(const std::vector<Offer>& offers)
{
    OfferTableBuilder builder;
    for (const Offer& one : offers)
        builder.add(one);
    return builder.take();
}

} // namespace

class TestCostlyMistakes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Kilograms for grams, dollars for cents: each table lies where such a figure can lie.
    void tablesAreInTheirUnits()
    {
        const CarbonCatalog& c = Today.carbon();
        const auto isGrid = [](const std::optional<double>& grams) {
            return !grams || (*grams >= 0 && *grams < 1500);
        };
        for (const GridRegion& r : c.regions())
            QVERIFY2(isGrid(r.lifecycleGrams) && isGrid(r.directGrams) && isGrid(r.marketGrams),
                     r.id.c_str());
        for (const GridCountry& r : c.countries())
            QVERIFY2(isGrid(r.lifecycleGrams) && isGrid(r.directGrams), r.name.c_str());
        for (const ElectricityPrice& p : c.prices()) {
            for (const auto& usd : {p.residentialUsd, p.commercialUsd})
                QVERIFY2(!usd || (*usd > 0.001 && *usd < 1), p.place.c_str());
        }
        const Quantity kg = Quantity::exact(1, Unit::KilogramsCo2e, {});
        for (const Equivalent& e : equivalentsOf(c, kg)) {
            if (e.id == "car_mile") // a car emits 0.1 to 0.6 kg
                QVERIFY(e.amount.value() > 1 / 0.6 && e.amount.value() < 1 / 0.1);
        }
    }

    // What is shown and what is exported are of one set of equivalents.
    void oneSetOfEquivalents()
    {
        const Experiment e = experimentOf("text-generator");
        const Report report = figuresOf(e, Today);
        std::set<std::string> ids;
        for (const Equivalent& one : report.carbon.equivalents)
            QVERIFY2(ids.insert(one.id).second, one.id.c_str());
        const Json exported = costAnalysis({e, report, Today, "2026-11-20T13:00:00Z"});
        const auto amountOf = [&](const char* id) {
            const auto& all = report.carbon.equivalents;
            return std::find_if(all.begin(), all.end(),
                                [&](const auto& one) { return one.id == id; })
                ->amount.value();
        };
        const Json& shown = *valueAt(exported, "/cost_breakdown/environmental");
        QVERIFY(isNear(shown.find("miles_driven")->number(), amountOf("car_mile")));
        QVERIFY(isNear(shown.find("smartphone_charges")->number(), amountOf("smartphone_charge")));
    }

    // A meter that can't be read measures nothing; 0 W would make a run free and clean.
    void unknownPowerIsNotZero()
    {
        Experiment e = experimentOf("text-generator");
        Measurement m = outlay::tests::measurementOf(e);
        m.machine.cores = 0;
        outlay::tests::addTo(e, m);
        const TrainingReport t = figuresOf(e, *loadCatalogs(Today.today(), m.machine)).training;
        QVERIFY(t.here.isAvailable());
        for (const Quantity* figure : {&t.hereKwh, &t.hereUsd, &t.hereKgCo2e}) {
            QVERIFY(!figure->isAvailable());
            QVERIFY(toJson(*figure).find("value")->isNull());
            QVERIFY(!figure->how().sentence().empty());
        }
    }

    // Energy is what the counter went up by, not the power that happened to be read last.
    void energyIsCountedNotSampled()
    {
        const EnergyMeasurement energy{.source = "RAPL",
                                       .seconds = 10,
                                       .idleWatts = 20,
                                       .trainingWatts = 99'999,
                                       .joulesPerStep = 50};
        const TrainingReport t = figuresOf(timed(0.5, energy), Today).training;
        QVERIFY(isNear(t.hereKwh.value(), t.steps * 50 / 3.6e6));
        QVERIFY(t.hereKwh.basis() == Basis::Measured);
    }

    // Watts for so many seconds are kilowatt-hours, over twelve orders of magnitude.
    void wattsAreNotKilowatts()
    {
        std::mt19937_64 random(9);
        for (int i = 0; i < 50; ++i) {
            const double watts = std::pow(10, static_cast<double>(random() % 6) - 1);
            Experiment e = timed(std::pow(10, static_cast<double>(random() % 6) - 4));
            e.site.powerWatts = watts;
            e.site.pue = 1;
            e.site.electricityUsdPerKwh = 0.25;
            e.site.gridGramsPerKwh = 400;
            const TrainingReport t = figuresOf(e, Today).training;
            const double kwh = watts * t.here.value() / 3600 / 1000;
            QVERIFY(isNear(t.hereKwh.value(), kwh));
            QVERIFY(isNear(t.hereUsd.value(), 0.25 * kwh));
            QVERIFY(isNear(t.hereKgCo2e.value(), 0.4 * kwh));
        }
    }

    // A machine for nothing and one for a cent are typing errors: shown, and never advised.
    void tooCheapIsNeverFirst()
    {
        const auto catalogs = loadCatalogs(
            Today.today(), {},
            {tableOf({offer("nowhere-1", "2026-11-01", 0), offer("nowhere-2", "2026-11-01", 0.01)}),
             {}});
        QVERIFY(catalogs.has_value());
        const Report report = makeReport(experimentOf("text-generator"), *catalogs);
        const auto isTooCheap = [&](const Option& option) {
            return catalogs->book()
                .region(catalogs->book().rows()[option.row])
                .starts_with("nowhere");
        };
        for (const auto* options : {&report.training.options, &report.serving.options}) {
            QCOMPARE(std::count_if(options->begin(), options->end(), isTooCheap), 2);
            const auto first = std::find_if(options->begin(), options->end(), isTooCheap);
            QVERIFY(first != options->end() && first - options->begin() > 1000);
            QVERIFY(first->trust == Trust::Doubtful);
            QVERIFY(!trainingOptionText(report, *catalogs, *first).why.empty());
        }
        for (const auto* now : {&report.training.recommended, &report.serving.recommended}) {
            QVERIFY(now->chosen && !isTooCheap(*now->chosen));
            QVERIFY(!now->alternative || !now->alternative->offer.region.starts_with("nowhere"));
        }
        for (const AdviceRow& row : report.advice)
            QVERIFY2(writeJson(row.patch).find("nowhere") == std::string::npos, row.id.c_str());
    }

    // Old prices stay old, whenever their file was written.
    void aFreshFileDoesntFreshenPrices()
    {
        const std::string text = writePriceFile(tableOf({offer("us-east-1", "2024-06-01", 0.5)}),
                                                "a test", "2026-11-20T00:00:00Z");
        ByteWindow window(text);
        const auto file = readPriceFile(window);
        QVERIFY(file.has_value());
        const PriceBook book(*file, {});
        const PricesOn prices(book, Today.today());
        QVERIFY(prices.trust(0) == Trust::Stale);
        QVERIFY(prices.caution(0).find("2024-06-01") != std::string::npos);
    }

    // No hour is made up: what isn't measured and what isn't known has no cost, and twice the work costs
    // twice what is beyond the start.
    void costsFollowFromTheJob()
    {
        Experiment e = experimentOf("text-generator");
        const Report report = figuresOf(e, Today);
        QVERIFY(!report.training.here.isAvailable() && !report.training.hereUsd.isAvailable());
        int unknown = 0;
        for (const Option& option : report.training.options) {
            const bool isKnown =
                report.training.forecasts[option.forecast].runSeconds.isAvailable();
            if (isKnown)
                continue;
            ++unknown;
            QVERIFY(!option.hasUsd);
            if (unknown % 100 == 1)
                QVERIFY(!trainingOptionText(report, Today, option).usd.isAvailable());
        }
        QVERIFY(unknown > 0);
        QVERIFY(report.training.recommended.chosen.has_value());
        const Option first = *report.training.recommended.chosen;
        e.training.epochs *= 2;
        const Report longer = figuresOf(e, Today);
        const auto same =
            std::find_if(longer.training.options.begin(), longer.training.options.end(),
                         [&](const Option& o) { return o.row == first.row; });
        QVERIFY(same != longer.training.options.end());
        const double start = 5.0 / 60; // hours, the assumption startup_minutes
        const double usdPerHour = *Today.book().rows()[first.row].usdPerHour;
        QVERIFY(isNear(same->usd.value - start * usdPerHour,
                       2 * (first.usd.value - start * usdPerHour)));
    }

    // Mixed precision keeps weights in fp32 beside those in 16 bits: the state hardly shrinks.
    void mixedPrecisionDoesntHalveTheState()
    {
        std::mt19937_64 random(10);
        for (int i = 0; i < 100; ++i) {
            const std::vector<Layer> layers = expand(tests::randomModel(random));
            const auto stateOf = [&](Precision precision) {
                const TrainingMemory m = trainingMemory(layers, Training{.precision = precision});
                return m.parameters.value() + m.gradients.value() + m.optimizer.value();
            };
            QVERIFY(stateOf(Precision::Bf16) >= 0.9 * stateOf(Precision::Fp32));
        }
    }

    // A layer that an estimate forgets costs nothing there: every matrix works.
    void everyLayerWithAMatrixWorks()
    {
        for (const Preset& row : outlay::tests::presetsToTry()) {
            for (const LayerRow& layer : figuresOf(row.experiment, Today).model.layers) {
                const bool isNoMatrix = layer.kind == "embedding" || layer.kind == "norm" ||
                                        layer.kind == "relative-bias";
                if (layer.parameters > 0 && !isNoMatrix)
                    QVERIFY2(layer.flops > 0, (row.id + ": " + layer.name).c_str());
            }
        }
    }

    // No accelerator is without a figure and without a reason.
    void everyAcceleratorHasEnergyOrSaysWhyNot()
    {
        for (const char* name : {"text-generator", "bert-base"}) {
            const Report report = figuresOf(experimentOf(name), Today);
            for (const TrainingForecast& f : report.training.forecasts) {
                QVERIFY(std::isfinite(f.kwh.value()));
                QVERIFY(f.kwh.isAvailable() ? f.kwh.value() > 0 : !f.kwh.how().sentence().empty());
            }
            for (const Option& option : report.training.options) {
                if (option.row % 50 != 0)
                    continue;
                const Quantity kg = trainingOptionText(report, Today, option).kgCo2e;
                QVERIFY(kg.isAvailable() ? kg.value() > 0 : !kg.how().sentence().empty());
            }
        }
    }

    // One line between two bands, and every score in one of them.
    void bandsMeet()
    {
        const auto expected = [](double score) {
            return score >= 80 ? "excellent" : score >= 60 ? "good" : "needs-improvement";
        };
        std::set<std::string> seen;
        std::mt19937_64 random(11);
        for (int i = 0; i < 100; ++i) {
            const auto& all = *presets();
            Experiment e = all[random() % all.size()].experiment;
            for (const char* part : {"compute", "batching", "money", "carbon"})
                e.assumptions.set("efficiency_weight_" + std::string(part),
                                  static_cast<double>(random() % 3));
            const EfficiencyReport efficiency = figuresOf(e, Today).efficiency;
            if (!efficiency.score.isAvailable()) {
                QVERIFY(efficiency.band.empty());
                continue;
            }
            QCOMPARE(efficiency.band, std::string(expected(efficiency.score.value())));
            seen.insert(efficiency.band);
        }
        QCOMPARE(seen.size(), std::size_t{3});
    }

    // An engine answers dozens at once: one small GPU serves what few people ask, not a rack of large ones.
    void anEightBillionModelIsServedByOneSmallGpu()
    {
        Experiment e = experimentOf("llama-3.1-8b");
        e.serving.requestsPerDay = 1000;
        const Report report = figuresOf(e, Today);
        const auto& option = report.serving.recommended.option;
        QVERIFY(option && report.serving.recommended.chosen);
        const std::size_t kind = report.serving.recommended.chosen->forecast;
        const Device& device = Today.devices().kinds()[kind].device;
        QCOMPARE(option->instances.value(), 1.0);
        QCOMPARE(Today.devices().kinds()[kind].count, std::int64_t{1});
        QVERIFY2(device.kind == DeviceKind::Gpu && device.memoryGb <= 24.0, device.name.c_str());
        QVERIFY2(option->usd.value() < 750, std::to_string(option->usd.value()).c_str());
        const Quantity& inFlight = report.serving.capacities[kind].inFlight;
        QVERIFY(inFlight.isAvailable() && inFlight.value() < 2);
        // A hundred times as many take more machines, and far fewer than one for each request at a time.
        e.serving.requestsPerDay = 100'000;
        const Report more = figuresOf(e, Today);
        QVERIFY(more.serving.recommended.option->usd.value() < 8 * option->usd.value());
    }

    // A little too slow is said; what takes several times as long as promised isn't recommended at all.
    void whatIsMuchTooLateIsNoPlan()
    {
        Experiment e = experimentOf("text-generator");
        e.serving.latencyP95Ms = 0.001;
        const Report late = figuresOf(e, Today);
        QVERIFY(!late.serving.recommended.option);
        QCOMPARE(late.serving.recommended.reasons.size(), std::size_t{1});
        const std::string& why = late.serving.recommended.reasons.front();
        QVERIFY2(why.starts_with("Nothing answers within twice what is promised"), why.c_str());
        float soonest = HUGE_VALF;
        for (const Option& option : late.serving.options) {
            if (option.hasUsd && option.isAllowed && option.fits == Fits::Yes)
                soonest = std::min(soonest, option.lateness);
        }
        e.serving.latencyP95Ms = 0.001 * static_cast<double>(soonest) / 1.5;
        const Report nearly = figuresOf(e, Today);
        QVERIFY(nearly.serving.recommended.option);
        QVERIFY(!nearly.serving.recommended.option->meetsDeadline);
    }

    // Of llama.cpp on processors three published rows are known: an accelerator that costs little more is taken instead.
    void processorsGiveWayToWhatIsKnown()
    {
        constexpr double LittleMore = 1.25;
        int byProcessors = 0;
        int gaveWay = 0;
        for (const char* name : {"granite-3b-a800m", "Qwen3-4B", "gpt-oss-20b"}) {
            for (const double requests : {30.0, 300.0, 1000.0}) {
                Experiment e = experimentOf("llama-3.1-8b");
                e.model = *outlay::tests::knownModel(name);
                e.serving.requestsPerDay = requests;
                e.serving.inputTokens = e.serving.outputTokens = 128;
                const Report report = figuresOf(e, Today);
                const auto& chosen = report.serving.recommended.chosen;
                QVERIFY(chosen);
                const auto kindOf = [&](const Option& option) {
                    return Today.devices().kinds()[option.forecast].device.kind;
                };
                if (kindOf(*chosen) != DeviceKind::Cpu) {
                    const auto& reasons = report.serving.recommended.reasons;
                    gaveWay += std::any_of(reasons.begin(), reasons.end(), [](const auto& reason) {
                        return reason.ends_with("few published runs on processors support that.");
                    });
                    continue;
                }
                ++byProcessors;
                const auto& how = report.serving.forecasts[chosen->forecast].tokenMs.how();
                QVERIFY2(how.sentence().find("llama.cpp") != std::string::npos,
                         how.sentence().c_str());
                for (const Option& option : report.serving.options)
                    QVERIFY2(kindOf(option) == DeviceKind::Cpu ||
                                 !outlay::tests::isBoughtOnDemand(option) ||
                                 option.trust > chosen->trust ||
                                 option.usd.value >
                                     std::max(LittleMore * chosen->usd.value, chosen->usd.high),
                             name);
            }
        }
        QVERIFY2(byProcessors > 0 && gaveWay > 0,
                 (std::to_string(byProcessors) + " " + std::to_string(gaveWay)).c_str());
    }

    // llama.cpp's slots count on processors, too: one request at a time takes several machines where few are enough.
    void slotsCountOnProcessors()
    {
        Experiment e = experimentOf("llama-3.1-8b");
        e.model = *outlay::tests::knownModel("granite-3b-a800m");
        e.serving.requestsPerDay = 20000;
        e.serving.engine = Engine::LlamaCpp;
        const auto machinesWith = [&](std::int64_t slotCount) {
            e.serving.slotCount = slotCount;
            return figuresOf(e, Today).serving.capacities;
        };
        const auto one = machinesWith(1);
        const auto four = machinesWith(4);
        int fewer = 0;
        int more = 0; // what alone takes nearly as long as promised
        for (std::size_t i = 0; i < one.size(); ++i) {
            const MachineKind& kind = Today.devices().kinds()[i];
            if (kind.device.kind != DeviceKind::Cpu || !one[i].instances.isAvailable() ||
                !one[i].holdsLatency)
                continue;
            QVERIFY(four[i].holdsLatency);
            if (kind.sustained < 1)
                QCOMPARE(four[i].instances.value(), one[i].instances.value());
            fewer += four[i].instances.value() < one[i].instances.value() ? 1 : 0;
            more += four[i].instances.value() > one[i].instances.value() ? 1 : 0;
        }
        // What is kept of so many requests takes memory, of which one processor has more than its twin.
        e.serving.inputTokens = 8000;
        e.serving.latencyP95Ms = 1e7;
        const auto many = machinesWith(64);
        int larger = 0;
        for (std::size_t i = 0; i < many.size(); ++i) {
            const MachineKind& kind = Today.devices().kinds()[i];
            const Device& twin = Today.devices().kinds()[kind.twin].device;
            if (kind.device.kind != DeviceKind::Cpu || !many[i].instances.isAvailable() ||
                twin.memoryGb.value_or(0) >= kind.device.memoryGb.value_or(0))
                continue;
            larger += many[i].instances.value() < many[kind.twin].instances.value() ? 1 : 0;
        }
        QVERIFY2(larger > 0, std::to_string(larger).c_str());
        QVERIFY2(fewer > 20 && fewer > 1.5 * more,
                 (std::to_string(fewer) + " " + std::to_string(more)).c_str());
    }

    // A roofline is an ideal: no forecast comes without a band on both sides.
    void noForecastIsAPoint()
    {
        const Report report = figuresOf(experimentOf("gpt2"), Today);
        int count = 0;
        for (const TrainingForecast& f : report.training.forecasts) {
            if (!f.runSeconds.isAvailable())
                continue;
            ++count;
            QVERIFY(f.runSeconds.low() < 0.9 * f.runSeconds.value());
            QVERIFY(f.runSeconds.high() > 1.1 * f.runSeconds.value());
        }
        QVERIFY(count > 50);
    }
};

OUTLAY_TEST(TestCostlyMistakes)
#include "tst_costly_mistakes.moc"
