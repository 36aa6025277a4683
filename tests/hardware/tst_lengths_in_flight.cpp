// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Requests whose lengths scatter, that begin alike, or that fill the caches: the formulas against a simulation that
// takes every step.
#include "core/experiment/presets.h"
#include "core/hardware/flight.h"
#include "core/hardware/hardware_catalog.h"
#include "core/service/simulation.h"
#include "tests/support/every_step.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;

namespace {

Experiment service()
{
    Experiment e = preset("llama-3.1-8b")->experiment;
    e.serving.inputTokens = 600;
    e.serving.outputTokens = 200;
    e.serving.latencyP95Ms = 1e9;
    return e;
}

Devices on(const char* name)
{
    return {*hardwareCatalog()->find(name), 1, *calibration()};
}

ServingDemand demandOf(const Experiment& e, const Serving& serving)
{
    return servingDemand(e.model, LayerKinds(expand(e.model)), serving);
}

Flight flightOf(const Experiment& e, const Devices& devices)
{
    return {flightDemand(e.model, LayerKinds(expand(e.model)), e.serving, {}), devices};
}

} // namespace

class TestLengthsInFlight : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreesWithEveryStep_data()
    {
        QTest::addColumn<int>("tokens"); // of the input, and of the answer
        QTest::addColumn<int>("answer");
        QTest::addColumn<double>("input");
        QTest::addColumn<double>("output");
        QTest::addColumn<double>("load"); // of the most that hold
        // Where a sanitizer watches, one load shows as much.
        for (const double load :
             outlay::tests::Slower > 1 ? std::vector{0.4} : std::vector{0.1, 0.4, 0.7}) {
            QTest::addRow("input %g", load) << 600 << 200 << 0.9 << 0.0 << load;
            QTest::addRow("output %g", load) << 600 << 200 << 0.0 << 0.9 << load;
            QTest::addRow("both %g", load) << 600 << 200 << 0.6 << 1.2 << load;
            const double less = std::min(load, 0.6); // beyond, a token lies further off
            QTest::addRow("prompts %g", less) << 4000 << 40 << 0.8 << 0.3 << less;
        }
    }
    void agreesWithEveryStep()
    {
        QFETCH(int, tokens);
        QFETCH(int, answer);
        QFETCH(double, input);
        QFETCH(double, output);
        QFETCH(double, load);
        Experiment e = service();
        e.serving.inputTokens = tokens;
        e.serving.outputTokens = answer;
        e.serving.inputSpread = input;
        e.serving.outputSpread = output;
        const outlay::tests::Allowed allowed{.simulation = 0.1};
        const std::string missed = outlay::tests::missedInFlight(e, on("H100"), load, allowed);
        QVERIFY2(missed.empty(), missed.c_str());
    }

    // Means stay what they are: only who is late changes.
    void spreadMakesTheLateLater()
    {
        for (const char* device : {"A100", "H100"}) {
            const Experiment even = service();
            Experiment wide = even;
            wide.serving.inputSpread = 1;
            wide.serving.outputSpread = 1;
            const Flight before = flightOf(even, on(device));
            const Flight after = flightOf(wide, on(device));
            const double perS = before.capacityPerS() / 2;
            const FlightState a = before.under(perS);
            const FlightState b = after.under(perS);
            QVERIFY(b.p95S > 1.5 * a.p95S);
            QVERIFY(after.firstTokenP95S(b, perS) > 1.2 * before.firstTokenP95S(a, perS));
            QVERIFY(after.tokenP95S(b) > before.tokenP95S(a));
            QVERIFY(std::abs(b.latencyS / a.latencyS - 1) < 0.2); // longer contexts are met longer
        }
    }

    // Tokens in common are neither read nor kept again, where the engine keeps them.
    void sharedTokensAreReadOnce()
    {
        Experiment e = service();
        e.serving.inputTokens = 2000;
        Experiment shared = e;
        shared.serving.sharedTokens = 1500;
        const Devices device = on("A10G");
        const auto promptS = [&](const Experiment& one) {
            return requestSecondsOn(demandOf(one, one.serving), device).prompt;
        };
        const auto tokenS = [&](const Experiment& one) {
            return requestSecondsOn(demandOf(one, one.serving), device).token;
        };
        Experiment shorter = e;
        shorter.serving.inputTokens = 500;
        QVERIFY(promptS(shared) < 0.4 * promptS(e));
        QVERIFY(promptS(shared) > promptS(shorter)); // it attends to what was read before
        QVERIFY(std::abs(tokenS(shared) / tokenS(e) - 1) < 1e-9);
        QVERIFY(flightOf(shared, device).most() > 2 * flightOf(e, device).most());
        QVERIFY(flightOf(shared, device).capacityPerS() > 1.5 * flightOf(e, device).capacityPerS());
        // 1,500 tokens once and 501 for each, as keys and values of 8 heads of 128 in 32 blocks.
        const ServingWork all = servingWork(e.model, LayerKinds(expand(e.model)), e.serving);
        const ServingWork own = servingWork(e.model, LayerKinds(expand(e.model)), shared.serving);
        constexpr double TokenBytes = 2.0 * 32 * 8 * 128 * 2;
        QCOMPARE(all.stateBytes, 2200 * TokenBytes);
        QCOMPARE(own.stateBytes, 700 * TokenBytes);
        QCOMPARE(own.sharedBytes, 1500 * TokenBytes);
        for (Experiment* one : {&e, &shared})
            one->serving.engine = Engine::LlamaCpp;
        QCOMPARE(promptS(shared), promptS(e));
        // All but the last token, which somebody has to read.
        shared = e;
        shared.serving.engine = Engine::Vllm;
        shared.serving.sharedTokens = 5000;
        QCOMPARE(demandOf(shared, shared.serving).ownTokens, 1.0);
    }

    // Where caches limit it, what a machine is said to answer it does answer, and not much more for ever.
    void fullCachesAreNotPromised()
    {
        int limited = 0;
        std::mt19937_64 random(3);
        const auto between = [&](double low, double high) {
            return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
        };
        const int services = outlay::tests::Slower > 1 ? 3 : 12;
        for (int i = 0; i < services; ++i) {
            Experiment e = service();
            e.serving.inputTokens = std::llround(between(50, 4000));
            e.serving.outputTokens = std::llround(between(100, 1000));
            e.serving.inputSpread = e.serving.outputSpread = i % 2 == 0 ? 0 : 0.8;
            const Flight flight = flightOf(e, on(i % 3 == 0 ? "L4" : "A10G"));
            const double perS = 0.9 * flight.capacityPerS();
            limited += flight.most() < 256;
            const auto day = simulateDay(flight.pace(), {.requestsPerDay = perS * 86400});
            QVERIFY(day);
            const FlightState state = flight.under(perS);
            QVERIFY2(*day->answerP95S < 1.6 * state.p95S,
                     qPrintable(QStringLiteral("%1 tokens, then %2: %3 against %4")
                                    .arg(e.serving.inputTokens)
                                    .arg(e.serving.outputTokens)
                                    .arg(*day->answerP95S)
                                    .arg(state.p95S)));
            const auto late = simulateDay(flight.pace(), {.requestsPerDay = 2.5 * perS * 86400});
            QVERIFY2(*late->answerP95S > 2 * state.p95S, qPrintable(QString::number(i)));
        }
        QCOMPARE(limited, services);
    }
};

OUTLAY_TEST(TestLengthsInFlight)
#include "tst_lengths_in_flight.moc"
