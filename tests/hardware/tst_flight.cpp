// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Requests in flight: what follows from the formulas, against an engine's every step.
#include "core/base/units.h"
#include "core/experiment/presets.h"
#include "core/hardware/flight.h"
#include "core/hardware/hardware_catalog.h"
#include "tests/support/every_step.h"
#include "tests/support/near.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using outlay::tests::isNear;

namespace {

Experiment service()
{
    Experiment e = preset("llama-3.1-8b")->experiment;
    e.serving.inputTokens = 200;
    e.serving.outputTokens = 200;
    e.serving.latencyP95Ms = 20000;
    return e;
}

Devices on(const char* name, std::int64_t count = 1)
{
    return {*hardwareCatalog()->find(name), count, *calibration()};
}

Flight flightOf(const Experiment& e, const Devices& devices)
{
    return {flightDemand(e.model, LayerKinds(expand(e.model)), e.serving, {}), devices};
}

} // namespace

class TestFlight : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // What was measured of whole requests is theirs; else each pass scatters on its own, and many even out.
    void passesEvenOut()
    {
        const Tails measured{.pass = 1.5};
        QCOMPARE(measured.ofTokens(), 1.5);
        QCOMPARE(measured.ofAnswer(0.3, 7), 1.5);
        const Tails assumed{.pass = 1.3, .passes = 256};
        QVERIFY(isNear(assumed.ofTokens(), std::pow(1.3, 1.0 / 16)));
        QCOMPARE(assumed.ofAnswer(1, 0), 1.3);
        QCOMPARE(assumed.ofAnswer(0, 1), assumed.ofTokens());
        QCOMPARE(assumed.ofAnswer(0, 0), 1.0);
        double before = 1.3;
        for (double passes = 2; passes < 1e4; passes *= 2) {
            const double now = Tails{.pass = 1.3, .passes = passes}.ofAnswer(1, 9);
            QVERIFY(now < before && now > 1 + 0.3 / 10); // the first token's share stays
            before = now;
        }
    }

    void agreesWithASimulation_data()
    {
        QTest::addColumn<QByteArray>("device");
        QTest::addColumn<double>("load");   // of the most that hold
        QTest::addColumn<int>("slotCount"); // 0: those of vLLM, else of llama.cpp
        for (const char* device : {"A10G", "L40S", "A100-80GB-SXM4"}) {
            for (const double load : {0.05, 0.3, 0.6, 0.8})
                QTest::addRow("%s %g", device, load) << QByteArray(device) << load << 0;
        }
        for (const int slotCount : {4, 16}) {
            for (const double load : {0.3, 0.8})
                QTest::addRow("%d slots %g", slotCount, load)
                    << QByteArray("L40S") << load << slotCount;
        }
    }
    void agreesWithASimulation()
    {
        QFETCH(QByteArray, device);
        QFETCH(double, load);
        QFETCH(int, slotCount);
        Experiment e = service();
        if (slotCount > 0) {
            e.serving.engine = Engine::LlamaCpp;
            e.serving.slotCount = slotCount;
        }
        const std::string missed =
            outlay::tests::missedInFlight(e, on(device.constData()), load, {});
        QVERIFY2(missed.empty(), missed.c_str());
    }

    void theCapacityIsTheMostThatHolds()
    {
        for (const char* device : {"A10G", "L4", "H100", "B200"}) {
            const Flight flight = flightOf(service(), on(device));
            const double most = flight.capacityPerS();
            QVERIFY2(flight.holds(flight.under(0.99 * most), 0.99 * most), device);
            QVERIFY2(!flight.holds(flight.under(1.01 * most), 1.01 * most), device);
            QVERIFY2(flight.capacityPerS(2) < most, device); // twice as slow
        }
    }

    void moreTrafficIsNeverFaster()
    {
        const Flight flight = flightOf(service(), on("A100"));
        FlightState before = flight.under(0);
        for (double perS = 0.1; perS < flight.capacityPerS(); perS *= 1.3) {
            const FlightState state = flight.under(perS);
            QVERIFY(state.inFlight >= before.inFlight && state.latencyS >= before.latencyS);
            QVERIFY(state.p95S >= state.latencyS);
            QVERIFY(std::abs(state.inFlight / (perS * state.latencyS) - 1) < 1e-6); // Little's law
            before = state;
        }
    }

    // The program's simulation skips steps until somebody comes, and none beyond.
    void longAnswersOfFewKeepNobodyWaiting()
    {
        Experiment e = service();
        e.serving.inputTokens = 50;
        e.serving.outputTokens = 1000;
        e.serving.latencyP95Ms = 1e9;
        e.serving.engine = Engine::LlamaCpp;
        for (const std::int64_t slotCount : {4, 16}) {
            e.serving.slotCount = slotCount;
            const std::string missed =
                outlay::tests::missedInFlight(e, on("H100-80GB-SXM5"), 0.4, {});
            QVERIFY2(missed.empty(), missed.c_str());
        }
    }

    // llama.cpp's server has four slots, unless it is told otherwise; others have more than most machines hold.
    void slotsLimitWhatIsInFlight()
    {
        Experiment e = service();
        e.serving.precision = ServingPrecision::Int4;
        e.serving.latencyP95Ms = 60000;
        const auto most = [&] { return flightOf(e, on("L40S")).most(); };
        QVERIFY(most() > 64);
        e.serving.engine = Engine::LlamaCpp;
        QCOMPARE(most(), 4.0);
        double before = 0;
        for (const std::int64_t count : {1, 2, 4, 16, 64}) {
            e.serving.slotCount = count;
            QCOMPARE(most(), real(count));
            const Flight flight = flightOf(e, on("L40S"));
            QCOMPARE(flight.pace().tokenS.size(), static_cast<std::size_t>(count));
            const double now = flight.capacityPerS();
            QVERIFY2(now > 1.1 * before, std::to_string(count).c_str());
            before = now;
        }
        e.serving.engine = Engine::Vllm;
        QCOMPARE(most(), 64.0);
    }

    // Caches of 300 tokens on average, somewhat fewer than fill it, beside 16 GB of weights in 24 GB: 128 KiB a token.
    void memoryLimitsWhatIsInFlight()
    {
        const Experiment e = service();
        const double held = flightOf(e, on("A10G")).most();
        const double left = 0.9 * 24e9 - 2 * 8.03e9;
        const double share = held / (left / (300 * 131072.0));
        QVERIFY2(share > 0.85 && share < 1, std::to_string(held).c_str());
        QCOMPARE(flightOf(e, on("A100-80GB-SXM4")).most(), 256.0); // the engine takes no more
        // What doesn't fit is no number of requests.
        QCOMPARE(flightOf(e, on("T4")).most(), 1.0);
    }

    void aTightPromiseIsHeldByFewerInFlight()
    {
        Experiment e = service();
        const double loose = flightOf(e, on("A100")).capacityPerS();
        const double alone = flightOf(e, on("A100")).under(0).latencyS;
        e.serving.latencyP95Ms = 1500 * alone;
        const double tight = flightOf(e, on("A100")).capacityPerS();
        QVERIFY(tight < loose);
        // A promise that nothing holds is not held by taking nothing in.
        e.serving.latencyP95Ms = 500 * alone;
        QVERIFY(flightOf(e, on("A100")).capacityPerS() > 0);
    }

    // Each promise alone lowers what a machine may take, and at what it takes then, it is kept just so.
    void eachPromiseIsKept()
    {
        const Experiment loose = service();
        for (const char* device : {"A10G", "A100", "H100"}) {
            const Flight free = flightOf(loose, on(device));
            const double most = free.capacityPerS();
            const FlightState full = free.under(most);
            const FlightState idle = free.under(0);
            const double first = free.firstTokenP95S(full, most);
            const double firstAlone = free.firstTokenP95S(idle, 0);
            const auto tokenAt = [&](const FlightState& state) { return free.tokenP95S(state); };
            QVERIFY(first > firstAlone && tokenAt(full) > tokenAt(idle));
            Experiment e = loose;
            e.serving.firstTokenP95Ms = 1000 * (first + firstAlone) / 2;
            const Flight prompt = flightOf(e, on(device));
            const double perS = prompt.capacityPerS();
            QVERIFY2(perS < most, device);
            const double kept = prompt.firstTokenP95S(prompt.under(perS), perS);
            QVERIFY(std::abs(1000 * kept / *e.serving.firstTokenP95Ms - 1) < 0.01);
            e = loose;
            e.serving.tokenP95Ms = 1000 * (tokenAt(full) + tokenAt(idle)) / 2;
            const Flight steady = flightOf(e, on(device));
            const double then = steady.tokenP95S(steady.under(steady.capacityPerS()));
            QVERIFY2(steady.capacityPerS() < most, device);
            QVERIFY(std::abs(1000 * then / *e.serving.tokenP95Ms - 1) < 0.01);
        }
    }

    // Before anybody else is there, it is the prompt; in the steps of others it takes less than alone.
    void theFirstTokenOfOneAlone()
    {
        const Experiment e = service();
        const Devices device = on("A100");
        const Flight flight = flightOf(e, device);
        const RequestSeconds alone = requestSecondsOn(
            servingDemand(e.model, LayerKinds(expand(e.model)), e.serving), device);
        const double first = flight.firstTokenP95S(flight.under(0), 0);
        QVERIFY(std::abs(first / alone.prompt - 1) < 0.01);
        const double beside = flight.pace().prompt.seconds(double(e.serving.inputTokens));
        QVERIFY(beside < alone.prompt && beside > alone.prompt - 2 * alone.token);
    }

    // Two tokens an answer, and far more requests than it keeps up with: a long time, but not for ever.
    void tooManyRequestsHaveAnEnd()
    {
        Experiment e = service();
        e.serving.inputTokens = 1;
        e.serving.outputTokens = 2;
        const Flight flight = flightOf(e, on("H100"));
        for (const double perS : {1e2, 1e4, 1e6, 1e9}) {
            const double first = flight.firstTokenP95S(flight.under(perS), perS);
            QVERIFY2(std::isfinite(first) && first > 0, std::to_string(perS).c_str());
        }
    }

    void whatIsContinuous()
    {
        const auto isTaken = [](Experiment e) {
            return isContinuous(servingDemand(e.model, LayerKinds(expand(e.model)), e.serving));
        };
        Experiment e = service();
        QVERIFY(isTaken(e));
        e.serving.batch = 4;
        QVERIFY(!isTaken(e));
        e.serving.batch.reset();
        e.serving.engine = Engine::Transformers;
        QVERIFY(!isTaken(e));
        QVERIFY(!isTaken(preset("text-generator")->experiment)); // operation by operation
        QVERIFY(!isTaken(preset("bert-base")->experiment));      // nothing is generated
    }
};

OUTLAY_TEST(TestFlight)
#include "tst_flight.moc"
