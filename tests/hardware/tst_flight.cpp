// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Requests in flight: what follows from the formulas, and a simulation of an engine, step by step, as the oracle.
#include "core/experiment/presets.h"
#include "core/hardware/flight.h"
#include "core/hardware/hardware_catalog.h"
#include "core/service/simulation.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <random>

using namespace outlay::core;

namespace {

constexpr double P95OverMedian = 1;

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
    return {flightDemand(e.model, LayerKinds(expand(e.model)), e.serving, P95OverMedian), devices};
}

/// Seconds of a token with so many at once, and of a prompt, straight from the forecast.
struct Oracle {
    Oracle(const Experiment& e, const Devices& devices, std::int64_t most)
    {
        Serving s = e.serving;
        for (std::int64_t count = 1; count <= most; ++count) {
            s.batch = count;
            const RequestSeconds seconds =
                requestSecondsOn(servingDemand(e.model, LayerKinds(expand(e.model)), s), devices);
            if (count == 1)
                promptS = seconds.prompt;
            tokenS.push_back(seconds.token);
        }
    }

    double promptS = 0;
    std::vector<double> tokenS; // with 1, 2, ...
};

struct Simulated {
    double inFlight = 0;
    double latencyS = 0;
    double p95S = 0;
    double busyShare = 0;
    double firstTokenP95S = 0;
    double tokenP95S = 0; // of an answer's later ones on average
};

double p95Of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() * 95 / 100];
}

/// An engine that reads the prompts that have come, then makes one token of each answer, and so on.
Simulated simulate(const Oracle& oracle, double perS, std::int64_t tokens)
{
    constexpr std::size_t Requests = 6000;
    std::mt19937_64 random(7);
    std::exponential_distribution<double> gap(perS);
    struct Answer {
        double came = 0;
        std::int64_t left = 0;
        double firstAt = 0;
    };
    std::deque<double> waiting;
    std::vector<Answer> running;
    double now = 0;
    double next = gap(random);
    double area = 0;
    double busy = 0;
    std::vector<double> latencies;
    std::vector<double> firsts;
    std::vector<double> each;
    while (latencies.size() < Requests) {
        for (; next <= now; next += gap(random))
            waiting.push_back(next);
        if (running.empty() && waiting.empty()) {
            now = next;
            continue;
        }
        double step = 0;
        while (!waiting.empty() && running.size() < oracle.tokenS.size()) {
            running.push_back({waiting.front(), tokens - 1});
            waiting.pop_front();
            step += oracle.promptS;
        }
        step += oracle.tokenS[running.size() - 1];
        area += static_cast<double>(running.size() + waiting.size()) * step;
        now += step;
        busy += step;
        for (Answer& answer : running) {
            if (answer.firstAt <= 0)
                answer.firstAt = now;
            if (--answer.left == 0) {
                latencies.push_back(now - answer.came);
                firsts.push_back(answer.firstAt - answer.came);
                each.push_back((now - answer.firstAt) / static_cast<double>(tokens - 2));
            }
        }
        std::erase_if(running, [](const Answer& answer) { return answer.left == 0; });
    }
    const double sum = std::accumulate(latencies.begin(), latencies.end(), 0.0);
    return {area / now,       sum / static_cast<double>(latencies.size()),
            p95Of(latencies), busy / now,
            p95Of(firsts),    p95Of(each)};
}

} // namespace

class TestFlight : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreesWithASimulation_data()
    {
        QTest::addColumn<QByteArray>("device");
        QTest::addColumn<double>("load"); // of the most that hold
        for (const char* device : {"A10G", "L40S", "A100-80GB-SXM4"}) {
            for (const double load : {0.05, 0.3, 0.6, 0.8})
                QTest::addRow("%s %g", device, load) << QByteArray(device) << load;
        }
    }
    void agreesWithASimulation()
    {
        QFETCH(QByteArray, device);
        QFETCH(double, load);
        const Experiment e = service();
        const Devices devices = on(device.constData());
        const Flight flight = flightOf(e, devices);
        const double perS = load * flight.capacityPerS();
        const FlightState state = flight.under(perS);
        const Oracle oracle(e, devices, static_cast<std::int64_t>(flight.most()));
        const Simulated simulated = simulate(oracle, perS, e.serving.outputTokens);
        const auto day = simulateDay(flight.pace(), {.requestsPerDay = perS * 86400});
        QVERIFY(day);
        struct Compared {
            const char* what;
            double found;
            double oracle;
            double allowed;
        };
        // The program's simulation skips steps in which nothing happens; the oracle doesn't.
        constexpr double ByFormula = 0.15;
        constexpr double Skipped = 0.06;
        const Simulated& o = simulated;
        for (const Compared& c : {
                 Compared{"in flight", state.inFlight, o.inFlight, ByFormula},
                 Compared{"latency", state.latencyS, o.latencyS, ByFormula},
                 Compared{"answer", state.p95S, o.p95S, ByFormula},
                 Compared{"busy", state.busyShare(), o.busyShare, ByFormula},
                 Compared{"first token", flight.firstTokenP95S(state, perS), o.firstTokenP95S,
                          ByFormula},
                 Compared{"token", flight.tokenP95S(state), o.tokenP95S, ByFormula},
                 Compared{"in flight of the day", day->inFlight, o.inFlight, Skipped},
                 Compared{"answer of the day", *day->answerP95S, o.p95S, Skipped},
                 Compared{"first token of the day", *day->firstTokenP95S, o.firstTokenP95S,
                          Skipped},
                 Compared{"token of the day", *day->tokenP95S, o.tokenP95S, Skipped},
                 Compared{"busy of the day", day->busyShare, o.busyShare, Skipped},
             })
            QVERIFY2(std::abs(c.found / c.oracle - 1) < c.allowed,
                     qPrintable(QStringLiteral("%1: %2 against %3")
                                    .arg(QLatin1String(c.what))
                                    .arg(c.found)
                                    .arg(c.oracle)));
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

    // Before anybody else is there, it is the prompt and a step.
    void theFirstTokenOfOneAlone()
    {
        const Experiment e = service();
        const Devices device = on("A100");
        const Flight flight = flightOf(e, device);
        const RequestSeconds alone = requestSecondsOn(
            servingDemand(e.model, LayerKinds(expand(e.model)), e.serving), device);
        const double first = flight.firstTokenP95S(flight.under(0), 0);
        QVERIFY(std::abs(first / (alone.prompt + alone.token) - 1) < 0.01);
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
