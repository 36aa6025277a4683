// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Services whose requests are simulated one by one: the number of machines that the formulas give is the one that it takes.
#include "core/base/text.h"
#include "pricing/report/offers/simulated_service.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::chat;
using outlay::tests::experimentOf;
using outlay::tests::figuresToday;
using outlay::tests::Slower;
using outlay::tests::Today;

namespace {

SimulatedService simulated(const Experiment& e, std::optional<std::int64_t> machines = {})
{
    return *simulateService(e, Today, figuresToday(e), machines);
}

std::int64_t plannedMachines(const Report& report)
{
    return std::llround(report.serving.plannedCapacity()->instances.value());
}

/// The fewest with which everything is kept, by trying.
std::int64_t fewest(const Experiment& e, const Report& report, std::int64_t from)
{
    const auto keeps = [&](std::int64_t machines) {
        return simulateService(e, Today, report, machines)->plan().isEnough();
    };
    std::int64_t machines = from;
    while (machines > 1 && keeps(machines - 1))
        --machines;
    while (!keeps(machines))
        ++machines;
    return machines;
}

} // namespace

class TestSimulatedService : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsAreAroundThePlan()
    {
        const Experiment e = chat();
        const Report report = figuresToday(e);
        const SimulatedService service = *simulateService(e, Today, report);
        QVERIFY(service.why.empty());
        QCOMPARE(service.plan().machines, plannedMachines(report));
        QVERIFY(service.plan().machines > 1 && service.rows.size() == 3);
        for (std::size_t i = 1; i < service.rows.size(); ++i) {
            const SimulatedMachines& fewer = service.rows[i - 1];
            const SimulatedMachines& more = service.rows[i];
            QCOMPARE(more.machines, fewer.machines + 1);
            QVERIFY(more.answerP95Ms.value() < fewer.answerP95Ms.value());
            QVERIFY(more.inFlight.value() < fewer.inFlight.value());
            QVERIFY(more.usdPerMonth.value() > fewer.usdPerMonth.value());
            QVERIFY(!fewer.isEnough() || more.isEnough());
        }
        const SimulatedMachines& plan = service.plan();
        QCOMPARE(plan.answerP95Ms.basis(), Basis::Forecast);
        QVERIFY(plan.answerP95Ms.low() < plan.answerP95Ms.value() &&
                plan.answerP95Ms.high() > plan.answerP95Ms.value());
        // With what shares requests out it is what the recommendation says of it.
        QVERIFY(std::abs(plan.usdPerMonth.value() /
                             report.serving.way("instance")->usdPerMonth.value() -
                         1) < 1e-9);
        QCOMPARE(service.day.size(), std::size_t{96});
    }

    void anotherNumberIsTakenAsItIs_data()
    {
        QTest::addColumn<qint64>("machines");
        QTest::newRow("one") << qint64{1};
        QTest::newRow("many") << qint64{100};
    }
    void anotherNumberIsTakenAsItIs()
    {
        QFETCH(qint64, machines);
        const SimulatedService service = simulated(chat(), machines);
        QCOMPARE(service.plan().machines, machines);
        QCOMPARE(service.plan().isEnough(), machines == 100);
        QCOMPARE(service.rows.size(), std::size_t(machines == 1 ? 2 : 3));
    }

    // Of random services nine of ten have the number that it takes, or one more or less, or a tenth.
    void theFormulasGiveTheRightNumber()
    {
        constexpr int Services = 16 / Slower;
        std::mt19937_64 random(26);
        const auto between = [&](double low, double high) {
            return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
        };
        int right = 0;
        int several = 0;
        std::string off;
        for (int i = 0; i < Services; ++i) {
            Experiment e = chat();
            e.serving.requestsPerDay = std::round(between(5e4, 3e6));
            e.serving.peakFactor = between(1, 5);
            e.serving.inputTokens = std::llround(between(50, 4000));
            e.serving.outputTokens = std::llround(between(20, 800));
            e.serving.latencyP95Ms = 400 * static_cast<double>(e.serving.outputTokens);
            if (random() % 2 == 0)
                e.serving.firstTokenP95Ms = between(1000, 5000);
            const Report report = figuresToday(e);
            if (!simulateService(e, Today, report)->why.empty())
                continue;
            const std::int64_t given = plannedMachines(report);
            const std::int64_t needed = fewest(e, report, given);
            const auto allowed =
                std::max<std::int64_t>(1, std::llround(0.1 * static_cast<double>(needed)));
            const bool isRight = std::abs(given - needed) <= allowed;
            right += isRight ? 1 : 0;
            several += given > 1 ? 1 : 0;
            if (!isRight)
                off += std::to_string(given) + " for " + std::to_string(needed) + " of " +
                       plainNumber(e.serving.requestsPerDay) + " a day; ";
        }
        qInfo("%d of %d right, %d of several machines; %s", right, Services, several, off.c_str());
        QVERIFY2(right >= std::floor(0.9 * Services), off.c_str());
        QVERIFY(several >= Services / 4 || Slower > 1);
    }

    // Where a device has room for one or two beside the weights, who comes meanwhile waits for all of an answer.
    void fewPlacesAreWaitedFor()
    {
        for (const double requests : {600.0, 1000.0}) {
            Experiment e = outlay::tests::experimentOf("llama-3.1-8b");
            e.serving.requestsPerDay = requests;
            e.serving.latencyP95Ms = 60'000;
            e.plan.servingOffer = OfferChoice{"aws", "g4dn.xlarge", "us-east-1", {}}; // 16 GB
            const Report report = figuresToday(e);
            const Capacity& planned = *report.serving.plannedCapacity();
            const SimulatedService service = *simulateService(e, Today, report, 1);
            QCOMPARE(plannedMachines(report), std::int64_t{1});
            const double first = planned.firstTokenP95Ms.value();
            const double simulatedFirst = service.plan().firstTokenP95Ms.value();
            QVERIFY2(first > 0.65 * simulatedFirst && first < 1.35 * simulatedFirst,
                     (std::to_string(first) + " " + std::to_string(simulatedFirst)).c_str());
            const double answer = planned.p95Ms.value() / service.plan().answerP95Ms.value();
            QVERIFY2(answer > 0.8 && answer < 1.25, std::to_string(answer).c_str());
            // Far more than the prompt takes where anybody waits.
            QVERIFY(first >
                    3 * report.serving.forecasts[report.serving.recommended.chosen->forecast]
                            .firstTokenMs.value());
        }
    }

    // One alone misses it: then twice its own time is held, which the Report's number does, too.
    void whatOneAloneMissesIsSaid()
    {
        Experiment e = chat();
        e.serving.latencyP95Ms = 1000;
        const SimulatedService service = simulated(e);
        QVERIFY(!service.isKeptAlone);
        QVERIFY(service.plan().isEnough() && !service.plan().keepsPromises(&Quantity::value));
        const Json json = toJson(service);
        const Json& plan = json.find("rows")->asArray()->at(service.planned);
        QCOMPARE(*plan.find("holds_promises")->asBool(), false);
        QCOMPARE(*plan.find("enough")->asBool(), true);
        QVERIFY(simulated(chat()).isKeptAlone);
        QVERIFY(simulated(chat()).plan().keepsPromises(&Quantity::value));
    }

    // Requests that are answered one by one have no steps; encoders have no tokens.
    void encodersHaveNoTokens()
    {
        Experiment e = experimentOf("bert-base");
        e.serving.requestsPerDay = 2e5;
        const SimulatedService service = simulated(e);
        QVERIFY(service.why.empty());
        QVERIFY(!service.plan().firstTokenP95Ms.isAvailable());
        QVERIFY(!service.plan().tokenP95Ms.isAvailable());
        QVERIFY(service.plan().isEnough());
        QVERIFY2(service.plan().answerP95Ms.value() < e.serving.latencyP95Ms,
                 service.plan().answerP95Ms.how().sentence().c_str());
    }

    // Two tokens: the first is the prompt's, so there is one later one and no mean of several.
    void twoTokensHaveNoMeanOfSeveral()
    {
        Experiment e = chat();
        e.serving.outputTokens = 2;
        const SimulatedService service = simulated(e);
        QVERIFY(service.why.empty());
        QVERIFY(service.plan().tokenP95Ms.value() > 1);
        const Json first = toJson(service).find("day")->asArray()->at(48);
        QVERIFY(first.find("first_token_p95_ms")->number() > 0);
        e = experimentOf("bert-base");
        e.serving.requestsPerDay = 2e5;
        const Json encoder = toJson(simulated(e)).find("day")->asArray()->at(48);
        QVERIFY(encoder.find("first_token_p95_ms")->isNull());
    }

    void whereNothingServesItIsSaid()
    {
        Experiment e = chat();
        e.serving.requestsPerDay = 0;
        QVERIFY(simulated(e).why.find("no requests") != std::string::npos);
        QVERIFY(toJson(simulated(e)).find("why") != nullptr);
        // What nobody can tell is no promise that is kept.
        e.serving.requestsPerDay = 1e-3;
        QVERIFY2(simulated(e).why.find("so few requests") != std::string::npos,
                 simulated(e).why.c_str());
        e = chat();
        e.assumptions.set("serving_way", Json("api"));
        const SimulatedService bought = simulated(e);
        QVERIFY2(bought.why.find("token") != std::string::npos, bought.why.c_str());
    }

    void itIsStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        const Experiment e = chat();
        QVERIFY(!simulateService(e, Today, figuresToday(e), {}, stop.get_token()));
    }
};

OUTLAY_TEST(TestSimulatedService)
#include "tst_simulated_service.moc"
