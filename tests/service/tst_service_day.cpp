// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated day: its shape, queues with known laws, and what must hold of any service.
#include "core/service/simulation.h"
#include "tests/support/near.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace outlay::core;
using outlay::tests::Slower;

namespace {

double meanOf(const ServiceDay& day, double ServiceSlice::*what)
{
    return std::accumulate(
               day.slices.begin(), day.slices.end(), 0.0,
               [&](double sum, const ServiceSlice& slice) { return sum + slice.*what; }) /
           static_cast<double>(day.slices.size());
}

bool isWithin(double value, double expected, double share)
{
    return std::abs(value / expected - 1) <= share;
}

/// 20 ms a step with one in flight, more with others.
EnginePace engine(std::int64_t most = 32)
{
    EnginePace pace{.prompt = PromptTime(1, 0.05, 0.1), .lengths = {.later = 100}};
    for (std::int64_t count = 1; count <= most; ++count)
        pace.tokenS.push_back(0.02 + 0.0005 * static_cast<double>(count - 1));
    return pace;
}

constexpr double DayS = 86400;

} // namespace

class TestServiceDay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theShapeHasItsPeak_data()
    {
        QTest::addColumn<double>("factor");
        for (const double factor : {1.0, 1.2, 2.0, 3.0, 10.0, 100.0, 1000.0})
            QTest::addRow("%g", factor) << factor;
    }
    void theShapeHasItsPeak()
    {
        QFETCH(double, factor);
        const Day day(24, factor);
        QVERIFY(isWithin(day.rateAt(0.5), factor, 1e-9));
        double mean = 0;
        double nearPeak = 0;
        constexpr int Parts = 200'000;
        for (int i = 0; i < Parts; ++i) {
            const double place = (i + 0.5) / Parts;
            QVERIFY(day.rateAt(place) <= factor * (1 + 1e-9));
            mean += day.rateAt(place) / Parts;
            nearPeak += day.rateAt(place) >= 0.9 * factor ? day.rateAt(place) / Parts : 0;
        }
        QVERIFY2(isWithin(mean, 1, 1e-6), qPrintable(QString::number(mean, 'g', 10)));
        QVERIFY2(isWithin(day.shareInPeak(), nearPeak, 0.03),
                 qPrintable(QStringLiteral("%1 for %2").arg(day.shareInPeak()).arg(nearPeak)));
        double come = 0;
        for (int i = 0; i < Parts; ++i) {
            if (i % 5000 == 0 && come > 1e-6 && come < 1 - 1e-6)
                QVERIFY(std::abs(day.placeOf(come) - double(i) / Parts) < 1e-3);
            come += day.rateAt((i + 0.5) / Parts) / Parts;
        }
    }

    // One place, each takes as long: load^2 / (2 (1 - load)) wait on average (Pollaczek and Khinchine).
    void aQueueOfEqualAnswers_data()
    {
        QTest::addColumn<double>("load");
        for (const double load : {0.1, 0.5, 0.8, 0.9})
            QTest::addRow("%g", load) << load;
    }
    void aQueueOfEqualAnswers()
    {
        QFETCH(double, load);
        const auto day =
            simulateDay(PlainPace{.answerS = 0.1}, {.requestsPerDay = load / 0.1 * DayS});
        QVERIFY(day);
        QVERIFY2(
            isWithin(meanOf(*day, &ServiceSlice::waiting), load * load / (2 * (1 - load)), 0.05),
            qPrintable(QString::number(meanOf(*day, &ServiceSlice::waiting))));
        QVERIFY(isWithin(meanOf(*day, &ServiceSlice::inFlight), load, 0.02));
        QVERIFY(isWithin(day->busyShare, load, 0.02));
        QVERIFY(isWithin(meanOf(*day, &ServiceSlice::perS), load / 0.1, 0.02));
    }

    // An engine whose answers take one step of one place is such a queue, too: no step begins before the last has ended.
    void anEngineOfOneStepIsAQueue()
    {
        constexpr double Load = 0.8;
        const EnginePace pace{.tokenS = {0.1}, .lengths = {.later = 0}};
        const auto day = simulateDay(pace, {.requestsPerDay = Load / 0.1 * DayS});
        QVERIFY(day);
        const double waiting = meanOf(*day, &ServiceSlice::waiting);
        QVERIFY2(isWithin(waiting, Load * Load / (2 * (1 - Load)), 0.05),
                 qPrintable(QString::number(waiting)));
        QVERIFY(!day->tokenP95S);
    }

    // Where nobody waits 95 of 100 take what was measured of one alone.
    void aloneItScattersAsMeasured()
    {
        const PlainPace pace{
            .places = 100, .answerS = 0.2, .firstTokenS = 0.05, .tails = {.pass = 1.5}};
        const auto day = simulateDay(pace, {.requestsPerDay = 20000, .peakFactor = 3});
        QVERIFY(day);
        QVERIFY2(isWithin(*day->answerP95S, 0.3, 0.02),
                 qPrintable(QString::number(*day->answerP95S)));
        QVERIFY(isWithin(*day->firstTokenP95S, 0.075, 0.02));
        QCOMPARE(day->mostWaiting, std::size_t{0});
    }

    // Alone, lengths scatter by their law, on top of what was measured: the product of both.
    void aloneItScattersAsItsLengths()
    {
        PlainPace pace{.places = 1000, .answerS = 0.2, .firstTokenS = 0.05};
        pace.outputSpread = 1;
        const double at95 = 1.645 * std::sqrt(std::log(2.0)) - std::log(2.0) / 2;
        const auto day = simulateDay(pace, {.requestsPerDay = 20000});
        QVERIFY(day);
        QVERIFY2(isWithin(*day->answerP95S, 0.05 + 0.15 * std::exp(at95), 0.02),
                 qPrintable(QString::number(*day->answerP95S)));
        QVERIFY(isWithin(*day->firstTokenP95S, 0.05, 0.001));
        QVERIFY(isWithin(meanOf(*day, &ServiceSlice::inFlight), 0.2 * 20000 / DayS, 0.03));
        pace.inputSpread = 1;
        const auto both = simulateDay(pace, {.requestsPerDay = 20000});
        QVERIFY(isWithin(*both->firstTokenP95S, 0.05 * std::exp(at95), 0.02));
    }

    // Room for 2,000 tokens: a request of 100 that becomes 200 leaves it to thirteen or so, and one that is put back is
    // read again.
    void cachesHoldAsManyAsFit()
    {
        EnginePace pace = engine(256);
        pace.lengths.input = 100;
        pace.prompt = PromptTime(100, 0.05, 0.1);
        pace.cacheTokens = 2000;
        const double full = 13 / (100 * (0.02 + 0.0005 * 12)); // requests a second
        const auto kept = simulateDay(pace, {.requestsPerDay = 0.5 * full * DayS});
        const auto late = simulateDay(pace, {.requestsPerDay = 1.3 * full * DayS});
        QVERIFY(kept && late);
        QVERIFY(*kept->answerP95S < 5);
        QVERIFY(*late->answerP95S > 600);
        double most = 0;
        for (const ServiceSlice& slice : late->slices)
            most = std::max(most, slice.inFlight);
        QVERIFY2(most > 11 && most < 15, qPrintable(QString::number(most)));
        // What each keeps beside its own tokens is room that others don't have.
        pace.keptTokens = 350;
        const auto fewer = simulateDay(pace, {.requestsPerDay = 1.3 * full * DayS});
        QVERIFY(fewer && fewer->slices[48].inFlight < 5);
        // One that never fits is answered alone.
        pace.cacheTokens = 50;
        const auto alone = simulateDay(pace, {.requestsPerDay = 1000});
        QVERIFY(alone && *alone->answerP95S < 10);
    }

    // As many are there as come while one is answered (Little), at each time of the day.
    void asManyAsComeAreThere()
    {
        const auto day = simulateDay(engine(), {.requestsPerDay = 100'000, .peakFactor = 2});
        QVERIFY(day);
        QVERIFY(day->slices.size() == 96);
        double before = 0;
        for (std::size_t i = 8; i < 48; i += 8) { // up to the peak
            const ServiceSlice& slice = day->slices[i];
            QVERIFY(slice.perS > before && slice.inFlight > 0);
            QVERIFY(*slice.answerP95S >= 100 * 0.02 + 0.05);
            before = slice.perS;
        }
        const double came = meanOf(*day, &ServiceSlice::perS);
        QVERIFY(isWithin(came, 100'000 / DayS, 0.02));
        QVERIFY(day->busyShare > 0.5 && day->busyShare <= 1);
    }

    void moreMachinesAreNeverMuchSlower()
    {
        double before = HUGE_VAL;
        for (const std::int64_t machines : {1, 2, 3, 4, 8, 64}) {
            const auto day = simulateDay(
                engine(), {.requestsPerDay = 2e6, .peakFactor = 2, .machines = machines});
            QVERIFY(day);
            QVERIFY2(*day->answerP95S <= before * 1.02,
                     qPrintable(QString::number(*day->answerP95S)));
            before = *day->answerP95S;
        }
        QVERIFY(before < 3);
    }

    // Those who find all places taken wait until one is free, and longer than the answer itself takes.
    void whatIsTooMuchWaits()
    {
        const auto kept = simulateDay(engine(8), {.requestsPerDay = 80'000, .peakFactor = 2});
        const auto late = simulateDay(engine(8), {.requestsPerDay = 200'000, .peakFactor = 2});
        QVERIFY(kept && late);
        QVERIFY(*kept->answerP95S < 10);
        QVERIFY(*late->answerP95S > 600 && late->mostWaiting > 1000);
        QVERIFY(*late->firstTokenP95S > 600);
        for (const ServiceSlice& slice : late->slices)
            QVERIFY(slice.inFlight <= 8.001);
    }

    // More requests than are simulated: the same rates through a shorter day.
    void aLargeDayIsAsItsRates()
    {
        EnginePace pace{.prompt = PromptTime(1, 0.001, 0.002), .lengths = {.later = 4}};
        for (int count = 1; count <= 64; ++count)
            pace.tokenS.push_back(0.001 + 0.00002 * count);
        const auto whole = simulateDay(pace, {.requestsPerDay = 0.9e6, .peakFactor = 2});
        const auto large =
            simulateDay(pace, {.requestsPerDay = 9e6, .peakFactor = 2, .machines = 10});
        const auto lapsed = simulateDay(pace, {.requestsPerDay = 9e6, .peakFactor = 2});
        QVERIFY(whole && large && lapsed);
        QVERIFY(lapsed->requests < 1'100'000 && lapsed->days < 0.2);
        QVERIFY(isWithin(meanOf(*lapsed, &ServiceSlice::perS), 9e6 / DayS, 0.02));
        QVERIFY(isWithin(meanOf(*large, &ServiceSlice::perS), 9e6 / DayS, 0.02));
        QVERIFY(*large->answerP95S <=
                *whole->answerP95S * 1.02); // turns come more evenly than chance
        QVERIFY(*lapsed->answerP95S > *whole->answerP95S);
    }

    void theSameIsFoundAgain()
    {
        const ServiceTraffic traffic{.requestsPerDay = 5000, .peakFactor = 3};
        const auto one = simulateDay(engine(), traffic);
        const auto two = simulateDay(engine(), traffic);
        QVERIFY(one && two);
        QCOMPARE(*one->answerP95S, *two->answerP95S);
        QCOMPARE(one->requests, two->requests);
        QVERIFY(one->days > 1); // a day has too few near its peak
    }

    void nothingIsMadeOfNothing()
    {
        QVERIFY(!simulateDay(engine(), {.requestsPerDay = 0}));
        QVERIFY(!simulateDay(engine(), {.requestsPerDay = 100, .hours = 0}));
        QVERIFY(!simulateDay(engine(), {.requestsPerDay = 100, .machines = 0}));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!simulateDay(engine(), {.requestsPerDay = 1e6}, stop.get_token()));
    }
};

OUTLAY_TEST(TestServiceDay)
#include "tst_service_day.moc"
