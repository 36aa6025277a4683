// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published traffic of an engine that always has so many requests in flight.
#include "core/hardware/hardware_catalog.h"
#include "core/probe/statistics.h"
#include "tests/support/rates.h"
#include "tests/support/served_traffic.h"
#include "tests/support/table.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <map>

using namespace outlay::core;
using outlay::tests::forecastOf;
using outlay::tests::knownModel;
using outlay::tests::rates;
using outlay::tests::ServedTraffic;
using outlay::tests::Table;
using outlay::tests::TrafficForecast;

namespace {

ServedTraffic trafficOf(const Table& table, std::size_t row)
{
    const std::string& precision = table.text(row, "precision");
    return {.model = *knownModel(table.text(row, "model")),
            .precision = precision == "fp8"     ? ServingPrecision::Fp8
                         : precision == "mxfp4" ? ServingPrecision::Int4
                                                : ServingPrecision::Bf16,
            .inFlight = table.number(row, "in_flight"),
            .output = table.number(row, "output_tokens")};
}

struct Misses {
    std::vector<double> token;
    std::vector<double> all;
    int tokenHeld = 0;
    int allHeld = 0;
};

const Device& large()
{
    return *hardwareCatalog()->find("H100-80GB-SXM5");
}

Serving request(std::int64_t tokens)
{
    return {.inputTokens = tokens,
            .outputTokens = 200,
            .precision = ServingPrecision::Bf16,
            .engine = Engine::Vllm};
}

/// A prompt in a step of so many others, and alone.
double besideS(const char* name, std::int64_t tokens, std::int64_t inFlight)
{
    const Model model = *knownModel(name);
    const LayerKinds kinds = expand(model);
    Serving s = request(tokens);
    const ServingDemand one = servingDemand(model, kinds, s);
    s.batch = inFlight;
    return besideSecondsOn(one, servingDemand(model, kinds, s), {large(), 1, rates()});
}

double aloneS(const char* name, std::int64_t tokens)
{
    const Model model = *knownModel(name);
    const ServingDemand one = servingDemand(model, LayerKinds(expand(model)), request(tokens));
    return requestSecondsOn(one, {large(), 1, rates()}).prompt;
}

} // namespace

class TestTraffic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void publishedTrafficIsForecast()
    {
        const auto table = Table::read(OUTLAY_TEST_DATA "/published_traffic.csv").value();
        std::map<bool, Misses> byExperts;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const ServedTraffic traffic = trafficOf(table, i);
            const TrafficForecast f =
                forecastOf(traffic, {*hardwareCatalog()->find(table.text(i, "device")),
                                     std::llround(table.number(i, "devices")), rates()});
            Misses& misses = byExperts[LayerKinds(expand(traffic.model)).has<Experts>()];
            const double ms = table.number(i, "itl_ms");
            const double each = MillisPerS * traffic.inFlight / table.number(i, "tokens_per_s");
            misses.token.push_back(std::abs(std::log(f.tokenMs.value() / ms)));
            misses.all.push_back(std::abs(std::log(f.allMs() / each)));
            misses.tokenHeld += f.tokenMs.low() <= ms && ms <= f.tokenMs.high() ? 1 : 0;
            misses.allHeld += f.holdsWithPrompts(each) ? 1 : 0;
        }
        QCOMPARE(byExperts.size(), std::size_t{2});
        for (const auto& [hasExperts, misses] : byExperts) {
            const double token = median(misses.token);
            const double all = median(misses.all);
            const auto count = static_cast<int>(misses.token.size());
            const QString seen = QStringLiteral("%1 rows: token %2 (%3 held), all %4 (%5 held)")
                                     .arg(count)
                                     .arg(token)
                                     .arg(misses.tokenHeld)
                                     .arg(all)
                                     .arg(misses.allHeld);
            QVERIFY2(token < (hasExperts ? 0.2 : 0.15), qPrintable(seen));
            QVERIFY2(all < (hasExperts ? 0.22 : 0.15), qPrintable(seen));
            QVERIFY2(10 * misses.tokenHeld > 7 * count, qPrintable(seen));
            QVERIFY2(10 * misses.allHeld > 7 * count, qPrintable(seen));
        }
    }

    // DeepSeek's, of which no row is in a fit: somewhat too fast, and most within their wider interval.
    void latentsAreForecastUnseen()
    {
        const auto table = Table::read(OUTLAY_TEST_DATA "/published_traffic.csv").value();
        std::vector<double> misses;
        int held = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (!QString::fromStdString(table.text(i, "model")).startsWith(u"DeepSeek"))
                continue;
            const TrafficForecast f = forecastOf(
                trafficOf(table, i), {*hardwareCatalog()->find(table.text(i, "device")),
                                      std::llround(table.number(i, "devices")), rates()});
            const double ms = table.number(i, "itl_ms");
            misses.push_back(f.tokenMs.value() / ms);
            held += f.tokenMs.low() <= ms && ms <= f.tokenMs.high() ? 1 : 0;
            QVERIFY2(misses.back() > 0.65 && misses.back() < 1.5,
                     qPrintable(QString::number(misses.back())));
        }
        QCOMPARE(misses.size(), std::size_t{4});
        QVERIFY(held >= 3);
        QVERIFY(std::abs(median(misses) - 1) < 0.2);
    }

    // In a step that makes tokens of others a prompt takes what its products take; of experts also what has to be read
    // because no other row picked it.
    void promptsAreReadInStepsOfOthers()
    {
        const char* dense = "Llama-3.1-8B";
        const char* experts = "Qwen3-30B-A3B";
        for (const std::int64_t tokens : {20, 200, 2000, 20'000}) {
            QVERIFY(besideS(dense, tokens, 16) < aloneS(dense, tokens));
            // But for rows of the embedding.
            QVERIFY(std::abs(besideS(dense, tokens, 1) / besideS(dense, tokens, 64) - 1) < 1e-3);
        }
        // Long ones take nearly as long as alone, short ones hardly anything.
        QVERIFY(besideS(dense, 20'000, 16) > 0.9 * aloneS(dense, 20'000));
        QVERIFY(besideS(dense, 20, 16) < 0.2 * aloneS(dense, 20));
        QVERIFY(besideS(experts, 200, 1) > 1.5 * besideS(experts, 200, 64));
        QVERIFY(besideS(experts, 200, 1) < aloneS(experts, 200));
    }
};

OUTLAY_TEST(TestTraffic)
#include "tst_traffic.moc"
