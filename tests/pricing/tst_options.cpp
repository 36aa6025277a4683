// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "core/hardware/answer_times.h"
#include "pricing/report/make_report.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"
#include "tests/support/measured.h"
#include "tests/support/random_designs.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <functional>

#include <cmath>
#include <set>

using namespace outlay;
using core::Basis;
using core::Fits;
using core::Purchase;
using outlay::tests::figuresToday;
using outlay::tests::Today;
using pricing::Option;
using pricing::Report;

namespace {

core::Experiment rentedExperiment()
{
    return core::preset("text-generator")->experiment;
}

const pricing::OfferRow& rowOf(const Option& option)
{
    return Today.book().rows()[option.row];
}

/// Designs and settings at random, some absurd.
std::vector<core::Experiment> randomExperiments(int count)
{
    std::mt19937_64 random(7);
    std::vector<core::Experiment> all;
    for (int i = 0; i < count; ++i) {
        core::Experiment e;
        e.model = outlay::tests::randomModel(random);
        e.training.epochs = std::pow(10, static_cast<double>(random() % 5));
        e.training.samples = std::pow(10, static_cast<double>(random() % 10));
        e.training.batch = std::int64_t{1} << (random() % 10);
        e.serving.requestsPerDay = std::pow(10, static_cast<double>(random() % 12)) - 1;
        e.serving.batch = std::int64_t{1} << (random() % 6);
        e.serving.latencyP95Ms = std::pow(10, static_cast<double>(random() % 6));
        e.plan.purchase = static_cast<Purchase>(random() % 4);
        if (random() % 3 == 0)
            e.plan.budgetUsd = 10;
        if (random() % 3 == 0)
            e.plan.deadlineHours = 1;
        all.push_back(e);
    }
    return all;
}

/// A measurement of half a second a step, and of 5 ms a request.
core::Measurement measuredWith(const core::Experiment& e, double stepS)
{
    core::Measurement m = tests::measurementOf(e, stepS);
    m.machine.matrixFlopsPerSecond = 1e11;
    m.machine.memoryBytesPerSecond = 1e10;
    m.inference.count = 100;
    m.inference.p50Ms = 5;
    m.inference.p95Ms = 7;
    m.inference.firstTokenMs = 5;
    m.inference.tokenMs = 2;
    return m;
}

std::size_t groupOf(const Option& o)
{
    return !o.hasUsd                         ? 5
           : o.fits == Fits::No              ? 4
           : !o.isAllowed || !o.isWorthIt    ? 3
           : o.fits != Fits::Yes             ? 2
           : !o.meetsDeadline || o.isTooLong ? 1
                                             : 0;
}

/// Each offer once; groups one after the other; in a group nothing doubtful before what isn't, and of one way
/// of buying nothing stale before what is fresh, nor dearer before cheaper.
void checkOrder(const std::vector<Option>& options,
                const std::function<double(const Option&)>& besides)
{
    QCOMPARE(options.size(), Today.book().rows().size());
    std::set<std::uint32_t> rows;
    std::size_t group = 0;
    bool isDoubtful = false;
    std::array<std::pair<pricing::Trust, double>, 4> last{};
    for (const Option& o : options) {
        rows.insert(o.row);
        if (groupOf(o) != group) {
            QVERIFY(groupOf(o) > group);
            group = groupOf(o);
            isDoubtful = false;
            last = {};
        }
        if (o.trust == pricing::Trust::Doubtful) {
            isDoubtful = true;
            continue;
        }
        QVERIFY(!isDoubtful);
        auto& before = last.at(static_cast<std::size_t>(rowOf(o).purchase));
        const std::pair now(o.trust, o.usd.value + besides(o));
        QVERIFY(before <= now);
        before = now;
    }
    QCOMPARE(rows.size(), options.size());
}

void checkRange(const Option& o)
{
    if (!o.hasUsd)
        return;
    QVERIFY(std::isfinite(o.usd.low) && std::isfinite(o.usd.high));
    QVERIFY(o.usd.low <= o.usd.value && o.usd.value <= o.usd.high && o.usd.low >= 0);
}

/// Every object with a basis, however deep, is a whole figure.
void checkFigures(const core::Json& json, int& count)
{
    if (const core::Json::Array* list = json.asArray()) {
        for (const core::Json& item : *list)
            checkFigures(item, count);
    }
    const core::Json::Object* object = json.asObject();
    if (object == nullptr)
        return;
    for (const core::JsonMember& member : *object)
        checkFigures(member.value, count);
    if (json.find("basis") == nullptr || json.find("value") == nullptr)
        return;
    ++count;
    const bool isThere = *json.find("basis") != core::Json("unavailable");
    QVERIFY2(!json.find("how")->asString()->empty(), core::writeJson(json).c_str());
    QCOMPARE(json.find("value")->isNumber(), isThere);
    if (isThere)
        QVERIFY(json.find("low")->number() <= json.find("value")->number() &&
                json.find("value")->number() <= json.find("high")->number());
}

double usdOf(const std::vector<Option>& options, std::uint32_t row)
{
    for (const Option& o : options) {
        if (o.row == row)
            return o.hasUsd ? o.usd.value : -1;
    }
    return -1;
}

} // namespace

class TestOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyAcceleratorOfTheBookFindsItsDevice()
    {
        for (const pricing::Machine& machine : Today.book().table().machines)
            QVERIFY2(machine.accelerator.empty() ||
                         pricing::deviceNamed(Today.hardware(), machine.accelerator) != nullptr,
                     machine.accelerator.c_str());
    }

    void devices_data()
    {
        QTest::addColumn<QByteArray>("accelerator");
        QTest::addColumn<QByteArray>("device");
        QTest::newRow("a100") << QByteArray("A100-40GB") << QByteArray("A100-40GB-SXM4");
        QTest::newRow("a100 80") << QByteArray("A100-80GB") << QByteArray("A100-80GB-SXM4");
        QTest::newRow("v100") << QByteArray("V100-16GB") << QByteArray("V100-SXM2-16GB");
        QTest::newRow("v100 32") << QByteArray("V100-32GB") << QByteArray("V100-SXM2-32GB");
        QTest::newRow("h100") << QByteArray("H100-80GB") << QByteArray("H100-80GB-SXM5");
        QTest::newRow("h200") << QByteArray("H200") << QByteArray("H200-SXM");
        QTest::newRow("no namesake") << QByteArray("RTX PRO 5000") << QByteArray();
    }
    void devices()
    {
        QFETCH(QByteArray, accelerator);
        QFETCH(QByteArray, device);
        const core::Device* found =
            pricing::deviceNamed(Today.hardware(), accelerator.toStdString());
        QCOMPARE(found == nullptr ? QByteArray() : QByteArray::fromStdString(found->name), device);
    }

    void holdsForRandomExperiments()
    {
        for (const core::Experiment& e : randomExperiments(60)) {
            const Report report = figuresToday(e);
            checkOrder(report.training.options, [](const Option&) { return 0.0; });
            // Several instances need a load balancer, which costs the same for all.
            const double balancerUsd = 0.0305 * pricing::hoursPerMonth(e.plan);
            checkOrder(report.serving.options, [&](const Option& o) {
                const core::Quantity& instances = report.serving.capacities[o.forecast].instances;
                return instances.isAvailable() && instances.value() > 1 ? balancerUsd : 0.0;
            });
            for (const auto* options : {&report.training.options, &report.serving.options}) {
                for (const Option& o : *options)
                    checkRange(o);
            }
            for (const auto* r : {&report.training.recommended, &report.serving.recommended}) {
                QVERIFY(!r->reasons.empty());
                QCOMPARE(r->option.has_value(), r->chosen.has_value());
                if (r->chosen) {
                    QVERIFY(r->chosen->trust != pricing::Trust::Doubtful);
                    QVERIFY(r->chosen->fits == Fits::Yes);
                    QVERIFY(!r->risk.empty());
                }
            }
        }
    }

    // The row of the list and its words say the same.
    void textAndRowAgree()
    {
        core::Experiment e = rentedExperiment();
        const Report report = figuresToday(e);
        for (std::size_t i = 0; i < report.training.options.size(); i += 97) {
            const Option& o = report.training.options[i];
            const auto text = pricing::trainingOptionText(report, Today, o);
            QCOMPARE(text.usd.isAvailable(), o.hasUsd);
            if (o.hasUsd) {
                QVERIFY(std::abs(text.usd.value() - o.usd.value) <= 1e-9 * o.usd.value);
                QVERIFY(std::abs(text.usd.high() - o.usd.high) <= 1e-9 * o.usd.high);
            } else {
                QVERIFY(!text.usd.how().note.empty());
            }
            const Option& s = report.serving.options[i];
            const auto served = pricing::servingOptionText(report, Today, s);
            QCOMPARE(served.usd.isAvailable(), s.hasUsd);
            if (s.hasUsd)
                QVERIFY(std::abs(served.usd.low() - s.usd.low) <= 1e-9 * s.usd.low);
        }
    }

    void twiceThePriceCostsTwice()
    {
        pricing::PriceFile file;
        file.offers = Today.book().table();
        for (pricing::OfferRow& row : file.offers.rows) {
            if (row.usdPerHour)
                row.usdPerHour = *row.usdPerHour * 2;
        }
        const pricing::Catalogs dear = Today.with(pricing::PriceBook(file, pricing::OfferTable{}));
        const Report plain = figuresToday(rentedExperiment());
        const Report doubled = pricing::figuresOf(rentedExperiment(), dear);
        for (std::size_t i = 0; i < 2000; i += 37) {
            const Option& o = plain.training.options[i];
            QCOMPARE(usdOf(doubled.training.options, o.row), 2 * o.usd.value);
        }
    }

    void moreEpochsNeverCostLess()
    {
        core::Experiment e = rentedExperiment();
        double before = 0;
        for (const double epochs : {0.5, 1.0, 7.0, 50.0, 1000.0}) {
            e.training.epochs = epochs;
            const Report report = figuresToday(e);
            const double now = report.training.recommended.option->usd.value();
            QVERIFY(now >= before);
            before = now;
        }
    }

    void interruptionsCostOnSpotAlone()
    {
        core::Experiment e = rentedExperiment();
        e.training.epochs = 500;
        const Report few = figuresToday(e);
        e.assumptions.set("spot_interruptions_per_hour", core::Json(1.0));
        const Report many = figuresToday(e);
        for (std::size_t i = 0; i < 300; ++i) {
            const Option& o = few.training.options[i];
            const double now = usdOf(many.training.options, o.row);
            if (rowOf(o).purchase == Purchase::Spot)
                QVERIFY(now > o.usd.value);
            else
                QCOMPARE(now, o.usd.value);
        }
    }

    void thePlanDecides()
    {
        core::Experiment e = rentedExperiment();
        e.plan.providers = {"gcp"};
        e.plan.purchase = Purchase::Spot;
        const auto gcp = figuresToday(e).training.recommended.option->offer;
        QCOMPARE(gcp.machine.provider, std::string("gcp"));
        QCOMPARE(gcp.purchase, Purchase::Spot);
        e.plan.providers = {};
        e.plan.regions = {"aws/us-east-1"};
        const Report report = figuresToday(e);
        const auto aws = report.training.recommended.option->offer;
        QCOMPARE(aws.machine.provider + "/" + aws.region, std::string("aws/us-east-1"));
        QVERIFY(report.training.recommended.risk.find("spot") != std::string::npos);
        QVERIFY(report.training.recommended.alternative->offer.purchase != Purchase::Spot);
    }

    void deadlinesAreHeldByFasterMachines()
    {
        core::Experiment e = rentedExperiment();
        const double hours = figuresToday(e).training.recommended.option->hours.value();
        e.plan.deadlineHours = hours / 1.5;
        const auto option = figuresToday(e).training.recommended.option;
        QVERIFY2(option->meetsDeadline && option->hours.value() <= hours / 1.5,
                 qPrintable(QStringLiteral("%1 h for a deadline of %2 h")
                                .arg(option->hours.value())
                                .arg(hours / 1.5)));
        e.plan.deadlineHours = 1e-6;
        const auto late = figuresToday(e).training.recommended;
        QVERIFY(!late.option->meetsDeadline);
        QVERIFY(late.reasons.back().find("fast enough") != std::string::npos);
        // Of those that are about as soon as can be, not the cheapest of all.
        QVERIFY(late.option->hours.value() < hours / 2);
    }

    // A promise that nothing keeps isn't answered with what is a hundred times too slow.
    void whatIsTooSlowIsAsSoonAsCanBe()
    {
        core::Experiment e = outlay::tests::experimentOf("bert-base");
        e.serving.requestsPerDay = 1e6;
        e.serving.latencyP95Ms = 5;
        const Report report = outlay::tests::reportToday(e);
        const auto& serving = report.serving;
        // What changes the training alone saves nothing of the service, which stays where it is.
        for (const auto& row : report.advice)
            QVERIFY2(row.category != pricing::AdviceCategory::Training || row.savingUsd.value() < 1,
                     row.title.c_str());
        QVERIFY(!serving.recommended.option->meetsDeadline);
        QVERIFY(serving.recommended.reasons.back().find("of the fastest") != std::string::npos);
        double soonest = 1e9;
        for (const Option& option : serving.options) {
            const core::Quantity& p95 = serving.capacities[option.forecast].p95Ms;
            if (pricing::isUsable(option) && rowOf(option).purchase == Purchase::OnDemand &&
                p95.isAvailable())
                soonest = std::min(soonest, p95.value());
        }
        const double p95 = serving.capacities[serving.recommended.chosen->forecast].p95Ms.value();
        QVERIFY2(p95 < 1.3 * soonest && p95 > 5, qPrintable(QString::number(p95)));
    }

    void aStalePriceIsTheCheapestKnown()
    {
        core::Experiment e = rentedExperiment();
        const Report plain = figuresToday(e);
        const auto stale = std::find_if(
            plain.training.options.begin(), plain.training.options.end(), [](const Option& o) {
                return pricing::isUsable(o) && o.trust == pricing::Trust::Stale;
            });
        QVERIFY(stale != plain.training.options.end());
        const pricing::Offer offer = pricing::offerOf(Today.book().table(), rowOf(*stale));
        e.plan.trainingOffer = core::OfferChoice{offer.machine.provider, offer.machine.instance,
                                                 offer.region, offer.purchase};
        const auto r = figuresToday(e).training.recommended;
        QVERIFY(r.option.has_value());
        QCOMPARE(r.chosen->trust, pricing::Trust::Stale);
        QVERIFY2(r.risk.find("cheapest known, as of 20") != std::string::npos, r.risk.c_str());
        QVERIFY(r.option->usd.high() > r.option->usd.value());
    }

    // Inferentia runs models and doesn't train them, however cheap it looks.
    void whatOnlyServesDoesntTrain()
    {
        const Report report = figuresToday(rentedExperiment());
        int seen = 0;
        for (const Option& option : report.training.options) {
            const std::string& name = Today.book().machine(rowOf(option)).accelerator;
            if (name.find("Inferentia") == std::string::npos)
                continue;
            ++seen;
            QVERIFY(option.fits == Fits::No);
            const auto text = pricing::trainingOptionText(report, Today, option);
            QVERIFY(!text.hours.isAvailable());
            QVERIFY(std::any_of(text.why.begin(), text.why.end(), [](const std::string& why) {
                return why.find("made for serving") != std::string::npos;
            }));
        }
        QVERIFY(seen > 10);
        QVERIFY(report.training.recommended.option->offer.machine.accelerator.find("Inferentia") ==
                std::string::npos);
    }

    void anOfferThatIsntThereIsSaid()
    {
        core::Experiment e = rentedExperiment();
        e.plan.servingOffer = core::OfferChoice{"aws", "q9.nosuch", "", Purchase::OnDemand};
        const Report report = figuresToday(e);
        const auto& r = report.serving.recommended;
        QVERIFY(!r.option && r.alternative);
        QCOMPARE(r.reasons.size(), std::size_t{1});
        QVERIFY(r.reasons.front().find("q9.nosuch") != std::string::npos);
        QVERIFY(r.reasons.front().find("/plan/serving_offer") != std::string::npos);
        QVERIFY(!report.month.total.isAvailable());
    }

    void latencyHere()
    {
        core::Experiment e = rentedExperiment();
        QVERIFY(!figuresToday(e).serving.latencyMs.isAvailable());
        tests::addTo(e, measuredWith(e, 0.5));
        const pricing::ServingReport same = figuresToday(e).serving;
        const double tokens = static_cast<double>(e.serving.outputTokens - 1);
        QCOMPARE(same.latencyMs.basis(), Basis::Measured);
        QCOMPARE(same.latencyMs.value(), 5 + 2 * tokens);
        const core::Tails tails{.pass = 1.4, .passes = tokens};
        QCOMPARE(same.p95Ms.value(), same.latencyMs.value() * tails.ofAnswer(1, tokens));
        QCOMPARE(same.throughputPerS.value(), 1000 / same.latencyMs.value());
        e.serving.inputTokens *= 4;
        const pricing::ServingReport other = figuresToday(e).serving;
        QCOMPARE(other.latencyMs.basis(), Basis::Forecast);
        QVERIFY(other.latencyMs.value() > same.latencyMs.value());
    }

    void serving()
    {
        core::Experiment e = rentedExperiment();
        const Report report = figuresToday(e);
        QCOMPARE(report.serving.ways.size(), std::size_t{4});
        const auto& million = report.serving.usdPerMillion;
        QVERIFY(std::abs(million.value() - report.serving.recommended.option->usd.value() * 1e6 /
                                               report.serving.requestsPerMonth) <
                1e-9 * million.value());
        double before = 0;
        for (const pricing::ScalingRow& row : report.serving.scaling) {
            QVERIFY(row.instances.value() >= before);
            before = row.instances.value();
        }
    }

    void forecastOn()
    {
        core::Experiment e = rentedExperiment();
        e.plan.forecastOn = {{"H100", 8}, {"no such thing", 1}};
        const Report report = figuresToday(e);
        QCOMPARE(report.training.on.size(), std::size_t{2});
        QVERIFY(report.training.on[0].forecast.deviceHours.isAvailable());
        QVERIFY(report.training.on[0].kgCo2e.isAvailable());
        QVERIFY(!report.training.on[1].forecast.runSeconds.isAvailable());
        QVERIFY(report.training.on[1].forecast.note.text().find("no such thing") !=
                std::string::npos);
        QVERIFY(!report.serving.on[1].forecast.latencyMs.isAvailable());
    }

    void managedCostsMore()
    {
        const Report report = figuresToday(rentedExperiment());
        QVERIFY(!report.training.managed.empty());
        for (const pricing::ManagedRow& row : report.training.managed) {
            QVERIFY(row.managedUsd.value() > row.plainUsd.value());
            QVERIFY(row.service.starts_with("ml."));
        }
    }

    void everyFigureOfTheJsonIsWhole()
    {
        core::Experiment busy = rentedExperiment();
        busy.serving.requestsPerDay = 1e9;
        busy.plan.forecastOn = {{"H100", 8}, {"no such thing", 1}};
        busy.plan.environments = {{"dev", "nothing", 1, 24, 30}};
        busy.plan.split = core::ProviderSplit{50, 50, 0};
        core::Experiment measured = core::preset("bert-base")->experiment;
        tests::addTo(measured, measuredWith(measured, 0.5));
        core::Experiment nowhere = rentedExperiment();
        nowhere.plan.providers = {"nobody"};
        nowhere.serving.requestsPerDay = 0;
        for (const core::Experiment& e : {busy, measured, nowhere}) {
            int count = 0;
            checkFigures(pricing::toJson(figuresToday(e), Today, pricing::Listed::All), count);
            QVERIFY(count > 5000);
        }
    }

    void theSameInputGivesTheSameBytes()
    {
        const auto written = [] {
            return core::writeJson(pricing::toJson(figuresToday(rentedExperiment()), Today));
        };
        QVERIFY(written() == written());
    }
};

OUTLAY_TEST(TestOptions)
#include "tst_options.moc"
