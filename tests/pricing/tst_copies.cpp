// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Several copies of a model in one machine, which answer beside each other.
#include "core/base/units.h"
#include "core/experiment/field_meaning.h"
#include "core/experiment/presets.h"
#include "core/hardware/hardware_catalog.h"
#include "core/hardware/serving_forecast.h"
#include "pricing/report/machine_devices.h"
#include "pricing/report/offers/capacity.h"
#include "pricing/report/offers/service.h"
#include "pricing/report/offers/simulated_service.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::core;
using outlay::tests::figuresToday;
using outlay::tests::isNear;
using outlay::tests::Today;
using pricing::Capacity;
using pricing::Traffic;

namespace {

ServingForecast encoderOn(std::int64_t count)
{
    const Experiment e = preset("bert-base")->experiment;
    const ServingDemand demand = servingDemand(e.model, expand(e.model), e.serving);
    Devices on{*hardwareCatalog()->find("T4"), count, *calibration()};
    on.count = copySizes(demand, on).front();
    return beside(servingForecast(demand, on), count / on.count);
}

Traffic traffic(double peakPerS, double batch)
{
    return {.peakPerS = peakPerS,
            .meanPerS = peakPerS / 2,
            .promises = {.answerS = 1},
            .batch = batch,
            .tails = {.pass = 1.2}};
}

/// Requests a second that a machine answers as promised with copies of such a size, and whether one alone is.
struct Divided {
    double mostPerS = 0;
    double aloneS = 0; // a request
    bool isInTime = false;
};

Divided divided(const pricing::Subject& subject, const pricing::ServingHere& here,
                const pricing::MachineKind& kind, std::int64_t size)
{
    const Experiment& e = subject.experiment;
    Devices each = pricing::Service::devicesOf(subject, kind);
    each.count = size;
    const ServingForecast one = servingForecast(subject.serving, each);
    FlightDemand demand = flightDemand(e.model, subject.kinds, e.serving, here.tails);
    const pricing::BusyCopy busy(Flight(demand, each), one);
    const bool isCautious = e.plan.risk == Risk::Cautious;
    return {real(kind.count / size) * (isCautious ? busy.slow() : busy.own()).capacityPerS,
            one.latencyMs.value(),
            areKeptAlone(demand.promises, isCautious ? busy.surelyAlone() : busy.alone())};
}

Experiment chat(std::string_view id, std::optional<double> tokenMs)
{
    Experiment e = preset(id)->experiment;
    e.serving.latencyP95Ms = 60'000;
    e.serving.tokenP95Ms = tokenMs;
    return e;
}

} // namespace

class TestCopies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Four copies are four times as many at once: as many machines, and as long a wait, as with four times the batch.
    void aMachineAnswersOnEach()
    {
        const ServingForecast one = encoderOn(1);
        const ServingForecast four = encoderOn(4);
        QCOMPARE(four.copies, std::int64_t{4});
        QVERIFY(isNear(four.latencyMs.value(), one.latencyMs.value()));
        for (const double loadOfOne : {0.5, 3.0, 40.0}) {
            const double perS = loadOfOne * one.requestsPerS.value();
            const Capacity onFour = capacityOf(traffic(perS, 1), four);
            const Capacity atOnce = capacityOf(traffic(perS, 4), one);
            const Capacity onOne = capacityOf(traffic(perS, 1), one);
            QCOMPARE(onFour.instances.value(), atOnce.instances.value());
            QVERIFY(isNear(onFour.p95Ms.value(), atOnce.p95Ms.value()));
            QVERIFY(isNear(4 * onFour.busySeconds.value(), onOne.busySeconds.value()));
            QVERIFY(onFour.instances.value() <= std::ceil(onOne.instances.value() / 4));
        }
    }

    // Accelerators that differ in memory alone hold other numbers of copies.
    void memoryMakesAnotherKind()
    {
        const Device t4 = *hardwareCatalog()->find("T4");
        Device small = t4;
        small.memoryGb = 8;
        std::vector<pricing::MachineKind> kinds{
            {.device = t4, .count = 4}, {.device = small, .count = 4}, {.device = t4, .count = 4}};
        QVERIFY(!isTwin(kinds, 0) && !isTwin(kinds, 1) && isTwin(kinds, 2));
        for (pricing::MachineKind& kind : kinds) {
            kind.device.kind = DeviceKind::Cpu; // which only have to hold it
            kind.count = 1;
        }
        QVERIFY(isTwin(kinds, 1));
    }

    // Devices that share each layer are as many as answer most of those that keep the promises, by all that are possible.
    void asManyShareALayerAsAnswerMost_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("tokenMs");
        QTest::addColumn<Risk>("risk");
        const auto add = [](const char* name, const char* id, double tokenMs, Risk risk) {
            QTest::newRow(name) << QString::fromLatin1(id) << tokenMs << risk;
        };
        add("8 B", "llama-3.1-8b", 0, Risk::Expected);
        add("8 B, soon", "llama-3.1-8b", 9, Risk::Expected);
        add("8 B, soon, surely", "llama-3.1-8b", 9, Risk::Cautious);
        add("8 B, sooner than any", "llama-3.1-8b", 0.5, Risk::Expected);
        add("65 B", "llama-65b", 0, Risk::Expected);
        add("65 B, soon", "llama-65b", 22, Risk::Expected);
    }
    void asManyShareALayerAsAnswerMost()
    {
        QFETCH(QString, id);
        QFETCH(double, tokenMs);
        QFETCH(Risk, risk);
        Experiment e = chat(id.toStdString(), tokenMs > 0 ? std::optional(tokenMs) : std::nullopt);
        e.plan.risk = risk;
        const pricing::Subject subject = subjectOf(e, Today);
        const pricing::ServingHere here = servingHere(subject);
        pricing::Service service(subject, here);
        const Experiment patient = chat(id.toStdString(), {});
        const pricing::Subject whenever = subjectOf(patient, Today);
        pricing::Service slowly(whenever, here);
        int more = 0;
        for (const pricing::MachineKind& kind : Today.devices().kinds()) {
            if (!kind.unknown.empty() || kind.device.kind == DeviceKind::Cpu)
                continue;
            const ServingForecast f = service.forecastOn(kind);
            if (!f.latencyMs.isAvailable() || f.fits != Fits::Yes)
                continue;
            QCOMPARE(f.copies * f.ofCopy, kind.count);
            const Divided best = divided(subject, here, kind, f.ofCopy);
            for (std::int64_t size = 1; size <= kind.count; ++size) {
                Devices each = pricing::Service::devicesOf(subject, kind);
                each.count = size;
                if (kind.count % size != 0 || subject.serving.heads % size != 0 ||
                    servingForecast(subject.serving, each).fits != Fits::Yes)
                    continue;
                const Divided other = divided(subject, here, kind, size);
                QVERIFY2(best.isInTime || !other.isInTime, kind.device.name.c_str());
                const bool isMore = best.isInTime ? best.mostPerS >= other.mostPerS * (1 - 1e-9)
                                                  : best.aloneS <= other.aloneS * (1 + 1e-9);
                QVERIFY2(best.isInTime > other.isInTime || isMore, kind.device.name.c_str());
            }
            more += f.ofCopy > slowly.forecastOn(kind).ofCopy;
        }
        // Where answers have to come sooner, more devices share a layer.
        QCOMPARE(more > 0, tokenMs > 0);
    }

    // Twice the copies answer twice as many, each as late.
    void copiesShareTraffic()
    {
        const Experiment e = chat("llama-3.1-8b", {});
        const pricing::Subject subject = subjectOf(e, Today);
        const pricing::ServingHere here = servingHere(subject);
        pricing::Service service(subject, here);
        const Device device = *hardwareCatalog()->find("A100-80GB-SXM4");
        const pricing::MachineKind one{.device = device, .count = 1};
        const pricing::MachineKind eight{.device = device, .count = 8};
        ServingForecast onOne = service.forecastOn(one);
        ServingForecast onEight = service.forecastOn(eight);
        QCOMPARE(onEight.copies, std::int64_t{8});
        QVERIFY(isNear(onEight.latencyMs.value(), onOne.latencyMs.value()));
        QVERIFY(isNear(onEight.watts.value(), 8 * onOne.watts.value()));
        const auto busyOne = service.busy(one, onOne);
        const auto busyEight = service.busy(eight, onEight);
        busyOne->setRates(onOne, e.serving);
        busyEight->setRates(onEight, e.serving);
        QVERIFY(isNear(onEight.requestsPerS.value(), 8 * onOne.requestsPerS.value()));
        QVERIFY(isNear(onEight.kwhPerRequest.value(), onOne.kwhPerRequest.value()));
        const double perS = 0.5 * onOne.requestsPerS.value();
        const Capacity few = busyOne->under(traffic(perS, 1));
        const Capacity many = busyEight->under(traffic(8 * perS, 1));
        QCOMPARE(few.instances.value(), 1.0);
        QCOMPARE(many.instances.value(), 1.0);
        QVERIFY(isNear(many.p95Ms.value(), few.p95Ms.value()));
        QVERIFY(isNear(many.inFlight.value(), 8 * few.inFlight.value()));
        QVERIFY(isNear(8 * many.busySeconds.value(), few.busySeconds.value()));
    }

    // As the settings say, or not at all.
    void theSettingsMayDivideThem()
    {
        Experiment e = chat("llama-3.1-8b", {});
        e.serving.tensorParallel = 4;
        const pricing::Subject subject = subjectOf(e, Today);
        const pricing::ServingHere here = servingHere(subject);
        pricing::Service service(subject, here);
        const Device device = *hardwareCatalog()->find("A100-80GB-SXM4");
        const ServingForecast eight = service.forecastOn({.device = device, .count = 8});
        QCOMPARE(eight.ofCopy, std::int64_t{4});
        QCOMPARE(eight.copies, std::int64_t{2});
        const ServingForecast two = service.forecastOn({.device = device, .count = 2});
        QVERIFY(two.fits == Fits::No && !two.latencyMs.isAvailable());
        QVERIFY(two.latencyMs.how().note.text().find("4 devices to a layer") != std::string::npos);
        // Nor where heads can't be shared by so many; equal machines say the same.
        Experiment odd = chat("gpt2", {});
        odd.serving.tensorParallel = 8; // of 12 heads
        const pricing::Report report = figuresToday(odd);
        for (const pricing::Option& option : report.serving.options) {
            const ServingForecast& f = report.serving.forecasts[option.forecast];
            const pricing::MachineKind& kind = Today.devices().kinds()[option.forecast];
            if (kind.unknown.empty())
                QVERIFY2(f.fits == Fits::No && !f.latencyMs.isAvailable(),
                         kind.device.name.c_str());
        }
        // No processor is recommended in the place of what was asked for; the advice says what to change.
        QVERIFY(!report.serving.recommended.chosen);
        const pricing::Report advised = makeReport(odd, Today);
        QVERIFY(std::any_of(advised.advice.begin(), advised.advice.end(),
                            [](const auto& row) { return row.id == "copies-beside"; }));
        for (const Engine engine : {Engine::LlamaCpp, Engine::Vllm}) {
            e.serving.engine = engine;
            QCOMPARE(hasMeaning("/serving/tensor_parallel", e), engine == Engine::Vllm);
        }
    }

    // A day of requests, one by one, on eight copies in a machine is that on eight machines of one.
    void aSimulatedDayIsThatOfAsManyMachines()
    {
        Experiment e = chat("llama-3.1-8b", {});
        e.serving.requestsPerDay = 2e6;
        const auto simulated = [&](const char* instance, std::int64_t machines) {
            const auto& all = Today.book().table().machines;
            const auto at = std::find_if(all.begin(), all.end(),
                                         [&](const auto& one) { return one.instance == instance; });
            const auto machine = static_cast<std::uint32_t>(at - all.begin());
            const pricing::OfferRow& row = Today.book().ofMachine(machine).front();
            e.plan.servingOffer = OfferChoice{at->provider, at->instance,
                                              std::string(Today.book().region(row)), row.purchase};
            return *simulateService(e, Today, figuresToday(e), machines, {});
        };
        const auto eight = simulated("Standard_ND96amsr_A100_v4", 1);
        const auto single = simulated("Standard_NC24ads_A100_v4", 8);
        QVERIFY2(eight.why.empty() && single.why.empty(), eight.why.c_str());
        const auto& of = eight.plan();
        const auto& as = single.plan();
        QVERIFY(isNear(of.answerP95Ms.value(), as.answerP95Ms.value()));
        QVERIFY(isNear(of.firstTokenP95Ms.value(), as.firstTokenP95Ms.value()));
        QVERIFY(isNear(of.inFlight.value(), 8 * as.inFlight.value()));
        QVERIFY(as.inFlight.value() > 1);
        QVERIFY(isNear(of.busyPercent.value(), as.busyPercent.value()));
        QVERIFY(isNear(eight.day.front().inFlight, 8 * single.day.front().inFlight));
        QVERIFY(isNear(eight.requests, 8 * single.requests));
    }
};

OUTLAY_TEST(TestCopies)
#include "tst_copies.moc"
