// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that run only while requests ask for them, or until those of a day are answered: what is paid, who waits.
#include "core/service/day.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::adviceIn;
using outlay::tests::chat;
using outlay::tests::figuresToday;
using outlay::tests::isNear;
using outlay::tests::reportToday;

namespace {

/// That so many requests a day are answered by one machine of always the same kind.
Experiment few(double requestsPerDay, Running running)
{
    Experiment e = chat();
    e.serving.requestsPerDay = requestsPerDay;
    e.serving.peakFactor = 2;
    const Report always = figuresToday(e);
    const Offer& offer = always.serving.recommended.option->offer;
    e.plan.servingOffer = OfferChoice{.provider = offer.machine.provider,
                                      .instance = offer.machine.instance,
                                      .region = offer.region,
                                      .purchase = offer.purchase};
    e.plan.running = running;
    return e;
}

const Capacity& capacityOf(const Report& report)
{
    return report.serving.capacities[report.serving.recommended.chosen->forecast];
}

/// Hours of many days that one machine runs: from the start for a request that finds none, until none has come for so long.
struct Watched {
    double hoursPerDay = 0;
    double cold = 0; // of the requests, how many wait for a start
};
Watched watch(double requestsPerDay, double peakFactor, double waitS, double startS)
{
    constexpr double Requests = 2e6; // so many days, whose figures lie within a few per cent
    const double days = std::min(3000.0, std::ceil(Requests / requestsPerDay));
    constexpr double DayS = 86400;
    const outlay::core::Day day(24, peakFactor);
    std::mt19937_64 random(9);
    std::exponential_distribution<double> gap(requestsPerDay);
    double onS = 0;
    double until = -1;
    double ready = -1;
    double count = 0;
    double cold = 0;
    for (double come = gap(random); come < days; come += gap(random)) {
        const double whole = std::floor(come);
        const double now = (whole + day.placeOf(come - whole)) * DayS;
        ++count;
        cold += now > until || now < ready;
        if (now > until) {
            ready = now + startS;
            onS += startS + waitS;
            until = now + startS + waitS;
        } else if (now + waitS > until) {
            onS += now + waitS - until;
            until = now + waitS;
        }
    }
    return {onS / days / 3600, cold / count};
}

} // namespace

class TestRunning : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void alwaysIsEveryHour()
    {
        for (const Purchase purchase : {Purchase::OnDemand, Purchase::Reserved1y}) {
            Experiment e = chat();
            e.plan.purchase = purchase;
            e.plan.hoursPerDay = 10;
            const Report report = figuresToday(e);
            const double count = capacityOf(report).instances.value();
            const double on = 10 * 730.0 / 24;
            QVERIFY(isNear(capacityOf(report).hours.value(), count * on));
            QVERIFY(
                isNear(paidHours(report.serving, capacityOf(report), Purchase::OnDemand).value(),
                       count * on));
            // A commitment is paid for all hours, whatever runs.
            QVERIFY(
                isNear(paidHours(report.serving, capacityOf(report), Purchase::Reserved3y).value(),
                       count * 730));
        }
    }

    void oneMachineStopsWhereNobodyAsks_data()
    {
        QTest::addColumn<double>("requests");
        for (const double requests : {5.0, 50.0, 200.0, 460.0, 700.0, 1000.0, 20000.0})
            QTest::addRow("%g", requests) << requests;
    }
    void oneMachineStopsWhereNobodyAsks()
    {
        QFETCH(double, requests);
        const Report report = figuresToday(few(requests, Running::WithTraffic));
        const Capacity& capacity = capacityOf(report);
        QCOMPARE(capacity.instances.value(), 1.0);
        const Watched watched = watch(requests, 2, 600, 300);
        const double hours = capacity.hours.value() * 24 / 730;
        QVERIFY2(std::abs(hours / watched.hoursPerDay - 1) < 0.06,
                 qPrintable(
                     QStringLiteral("%1 h a day against %2").arg(hours).arg(watched.hoursPerDay)));
        // Whoever finds none waits for its start.
        const Report always = figuresToday(few(requests, Running::Always));
        const double late = capacity.p95Ms.value() - capacityOf(always).p95Ms.value();
        QVERIFY2(watched.cold > 0.05 ? late > 299'000 : late < 1000,
                 qPrintable(QStringLiteral("%1 ms, %2 cold").arg(late).arg(watched.cold)));
        QCOMPARE(capacity.holdsLatency, late < 1000);
        const double usd = report.serving.recommended.option->usd.value();
        const double price =
            outlay::tests::Today.prices().price(report.serving.recommended.chosen->row).value();
        QVERIFY(isNear(usd, capacity.hours.value() * price));
        QVERIFY(usd < always.serving.recommended.option->usd.value() * (1 + 1e-9));
    }

    // Many machines: each hour has as many as its traffic needs.
    void manyFollowTheDay()
    {
        Experiment e = few(100'000'000, Running::WithTraffic);
        e.serving.peakFactor = 3;
        const Report report = figuresToday(e);
        const double count = capacityOf(report).instances.value();
        QVERIFY(count > 20);
        const outlay::core::Day day(24, 3);
        double machines = 0;
        constexpr int Parts = 2400;
        for (int i = 0; i < Parts; ++i)
            machines += std::max(1.0, std::ceil(count * day.rateAt((i + 0.5) / Parts) / 3)) / Parts;
        const double hours = capacityOf(report).hours.value();
        const double starts = (count - 1) * (730.0 / 24) * (300 + 600) / 3600;
        QVERIFY2(std::abs(hours / (machines * 730 + starts) - 1) < 0.02,
                 qPrintable(QString::number(hours / (machines * 730))));
        QVERIFY(hours < 0.45 * count * 730);
        QVERIFY(capacityOf(report).holdsLatency);
        // They are no longer at work than they run.
        const std::size_t kind = report.serving.recommended.chosen->forecast;
        QVERIFY(busyHours(report.serving, kind).value() <= hours * (1 + 1e-9));
        // More traffic pays for more of the same.
        for (std::size_t i = 1; i < report.serving.scaling.size(); ++i)
            QVERIFY(report.serving.scaling[i].usdPerMonth.value() >=
                    report.serving.scaling[i - 1].usdPerMonth.value());
    }

    // Nothing is promised, no peak is kept ready, and a day's requests still are answered in the day.
    void atOnceIsWorkAlone_data()
    {
        QTest::addColumn<double>("requests");
        for (const double requests : {1000.0, 200'000.0, 50'000'000.0})
            QTest::addRow("%g", requests) << requests;
    }
    void atOnceIsWorkAlone()
    {
        QFETCH(double, requests);
        Experiment e = few(requests, Running::AtOnce);
        const Report report = figuresToday(e);
        const Capacity& capacity = capacityOf(report);
        const double perMonth = requests * 730.0 / 24;
        const double starts = capacity.instances.value() * 730.0 / 24;
        const double work = perMonth * capacity.busySeconds.value() / 3600;
        QVERIFY(isNear(capacity.hours.value(), work + starts * 300 / 3600));
        const double most = capacity.instances.value() * 24 * 3600 / capacity.busySeconds.value();
        QVERIFY2(most >= requests && (capacity.instances.value() <= 1 ||
                                      most * (1 - 1 / capacity.instances.value()) < requests),
                 qPrintable(QString::number(most)));
        QVERIFY(!capacity.p95Ms.isAvailable() && capacity.holdsLatency);
        QVERIFY(!report.serving.plannedP95Ms().isAvailable());
        for (const AlertRow& alert : report.alerts)
            QVERIFY2(alert.name.find("requests keep") == std::string::npos, alert.name.c_str());
        const Report always = figuresToday(few(requests, Running::Always));
        QVERIFY(report.serving.recommended.option->usd.value() <=
                always.serving.recommended.option->usd.value());
        // A promise that no longer counts moves nothing.
        e.serving.latencyP95Ms /= 100;
        e.serving.firstTokenP95Ms = 1;
        e.serving.peakFactor = 50;
        QVERIFY(isNear(capacityOf(figuresToday(e)).hours.value(), capacity.hours.value()));
    }

    // Only where a start keeps the promise; what nobody may wait for is never more than a low one.
    void isAdvisedWhereItKeepsItsPromise()
    {
        Experiment busy = chat();
        busy.serving.requestsPerDay = 1'000'000;
        busy.serving.peakFactor = 6;
        const Report many = reportToday(busy);
        const AdviceRow* traffic = adviceIn(many, "with-traffic");
        QVERIFY(traffic != nullptr);
        QVERIFY(traffic->savingUsd.value() > 0);
        Experiment rare = chat();
        rare.serving.requestsPerDay = 50;
        const Report few = reportToday(rare);
        QVERIFY(adviceIn(few, "with-traffic") == nullptr);
        const AdviceRow* once = adviceIn(few, "at-once");
        QVERIFY(once != nullptr);
        QCOMPARE(once->priority, Level::Low);
        rare.plan.running = Running::AtOnce;
        QVERIFY(adviceIn(reportToday(rare), "at-once") == nullptr);
    }
};

OUTLAY_TEST(TestRunning)
#include "tst_running.moc"
