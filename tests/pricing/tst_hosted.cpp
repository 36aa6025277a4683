// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rent or buy tokens: whose price is taken, what a month of them costs, and from which traffic on a machine is cheaper.
#include "core/base/json.h"
#include "core/base/resources.h"
#include "pricing/report/make_report.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::experimentOf;
using outlay::tests::isNear;
using outlay::tests::Today;

namespace {

/// The plan serves, and trains nothing.
Experiment serving(const char* name, double requestsPerDay)
{
    Experiment e = experimentOf(name);
    e.training.runsPerMonth = 0;
    e.serving.requestsPerDay = requestsPerDay;
    return e;
}

double itemOf(const Report& report, std::string_view name)
{
    for (const MonthItem& item : report.month.items) {
        if (item.item == name)
            return item.usd.isAvailable() ? item.usd.value() : -1;
    }
    return 0;
}

const AdviceRow* adviceOf(const Report& report, std::string_view id)
{
    const auto found = std::find_if(report.advice.begin(), report.advice.end(),
                                    [&](const AdviceRow& row) { return row.id == id; });
    return found == report.advice.end() ? nullptr : &*found;
}

} // namespace

class TestHosted : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void believedOnesComeFirst()
    {
        for (const char* name : {"llama-3.1-8b", "llama-3.1-70b-qlora", "mixtral-8x7b"}) {
            const HostedReport hosted = figuresOf(experimentOf(name), Today).serving.hosted;
            QVERIFY2(hosted.rows.size() > 3, name);
            for (std::size_t i = 1; i < hosted.rows.size(); ++i) {
                const HostedRow& a = hosted.rows[i - 1];
                const HostedRow& b = hosted.rows[i];
                QVERIFY(a.trust < b.trust ||
                        (a.trust == b.trust && a.usdPerRequest.value() <= b.usdPerRequest.value()));
            }
            for (const HostedRow& row : hosted.rows)
                QCOMPARE(row.trust == Trust::Doubtful, row.checked.empty());
            QVERIFY(hosted.best() != nullptr && !hosted.best()->checked.empty());
        }
    }

    // The bill by hand, from the file itself.
    void aMonthIsItsTokens()
    {
        const auto file = readJson(resource("token-prices.json"));
        QVERIFY(file.has_value());
        Experiment e = serving("llama-3.1-8b", 12'345);
        e.serving.inputTokens = 700;
        e.serving.outputTokens = 90;
        const HostedReport hosted = figuresOf(e, Today).serving.hosted;
        int compared = 0;
        for (const HostedRow& row : hosted.rows) {
            for (const Json& price : *file->find("prices")->asArray()) {
                if (*price.find("provider")->asString() != row.provider ||
                    *price.find("model")->asString() != row.model)
                    continue;
                const double request =
                    (700 * price.find("input")->number() + 90 * price.find("output")->number()) /
                    1e6;
                QVERIFY(isNear(row.usdPerRequest.value(), request));
                QVERIFY(isNear(row.usdPerMonth.value(), 12'345 * 730.0 / 24 * request));
                ++compared;
            }
        }
        QCOMPARE(compared, static_cast<int>(hosted.rows.size()));
    }

    // What requests begin with in common costs less only where the provider publishes a price for it.
    void sharedTokensAreCachedWhereThatIsSold()
    {
        TokenPrice sold{.provider = "sold",
                        .model = "m",
                        .weights = "Llama 3.1 8B",
                        .input = 1,
                        .output = 2,
                        .cachedInput = 0.1,
                        .checked = "2026-11-01"};
        TokenPrice plain = sold;
        plain.provider = "plain";
        plain.cachedInput.reset();
        const auto catalogs = loadCatalogs(Today.today(), Today.here(), {.tokens = {sold, plain}});
        QVERIFY(catalogs.has_value());
        Experiment e = serving("llama-3.1-8b", 1000);
        e.serving.inputTokens = 3000;
        e.serving.outputTokens = 100;
        const auto usd = [&](std::string_view provider) {
            for (const HostedRow& row : figuresOf(e, *catalogs).serving.hosted.rows) {
                if (row.provider == provider)
                    return row.usdPerRequest.value() * 1e6;
            }
            return 0.0;
        };
        QVERIFY(isNear(usd("sold"), 3200));
        e.serving.sharedTokens = 2500;
        QVERIFY(isNear(usd("sold"), 500 + 250 + 200));
        QVERIFY(isNear(usd("plain"), 3200));
    }

    // At the crossing both cost the same, and one machine holds just as much of it as is said.
    void theCrossingIsOne()
    {
        int never = 0;
        int sometimes = 0;
        const auto asked = [](const char* name, std::int64_t in, std::int64_t out) {
            Experiment e = serving(name, 100'000);
            e.serving.inputTokens = in;
            e.serving.outputTokens = out;
            e.serving.peakFactor = 1;
            e.serving.latencyP95Ms = 60'000;
            return e;
        };
        for (Experiment e : {asked("llama-3.1-8b", 200, 200), asked("llama-3.1-8b", 4000, 50),
                             asked("mixtral-8x7b", 8000, 1), asked("mixtral-8x7b", 6000, 2)}) {
            const ServingReport before = figuresOf(e, Today).serving;
            QVERIFY(before.hosted.crossingPerDay.isAvailable());
            e.plan.servingOffer = OfferChoice{};
            const OfferRow& row = Today.book().rows()[before.recommended.chosen->row];
            const Machine& machine = Today.book().machine(row);
            e.plan.servingOffer = OfferChoice{.provider = machine.provider,
                                              .instance = machine.instance,
                                              .region = Today.book().region(row),
                                              .purchase = row.purchase};
            e.serving.requestsPerDay = before.hosted.crossingPerDay.value();
            const ServingReport at = figuresOf(e, Today).serving;
            const double machines = at.recommended.option->instances.value();
            const double own = at.recommended.option->usd.value() / machines;
            QVERIFY(isNear(own, at.hosted.best()->usdPerMonth.value()));
            const double share = before.hosted.crossingShare.value();
            QVERIFY2(share > 100 ? machines > 1 : machines <= 1,
                     qPrintable(QStringLiteral("%1 machines at %2 %").arg(machines).arg(share)));
            (share > 100 ? never : sometimes)++;
        }
        QVERIFY(never > 0 && sometimes > 0);
    }

    void whatNobodySells()
    {
        const ServingReport lstm = figuresOf(experimentOf("text-generator"), Today).serving;
        QVERIFY(lstm.way("api") == nullptr);
        QVERIFY(lstm.hosted.rows.empty() && !lstm.hosted.why.empty());
        Experiment other = experimentOf("llama-3.1-8b");
        std::get<TransformerDesign>(other.model.design).layers -= 1;
        const ServingReport shorter = figuresOf(other, Today).serving;
        QVERIFY(shorter.way("api") != nullptr);
        QVERIFY(!shorter.way("api")->usdPerMonth.isAvailable());
        QVERIFY(shorter.way("api")->why.find("parameters") != std::string::npos);
        QVERIFY(!shorter.hosted.crossingPerDay.isAvailable());
    }

    // Nothing of one's own waits, balances or draws power then; how soon it answers nobody says.
    void boughtTokensAreTheService()
    {
        Experiment e = serving("llama-3.1-8b", 500'000);
        const Report own = figuresOf(e, Today);
        QVERIFY(itemOf(own, "idle") > 0);
        e.assumptions.set("serving_way", "api");
        const Report report = figuresOf(e, Today);
        QVERIFY(
            isNear(itemOf(report, "inference"), report.serving.hosted.best()->usdPerMonth.value()));
        QCOMPARE(itemOf(report, "idle"), 0.0);
        QCOMPARE(itemOf(report, "load balancer"), 0.0);
        QVERIFY(report.month.total.isAvailable());
        QCOMPARE(report.carbon.monthLacks, std::vector<std::string>{"serving"});
        QVERIFY(!report.serving.plannedP95Ms().isAvailable());
    }

    // Advised where nothing is trained, and just what it saves; weights of one's own are sold by nobody.
    void adviceIsForPublishedWeights()
    {
        const Experiment e = serving("llama-3.1-8b", 1000);
        const Report report = makeReport(e, Today);
        const AdviceRow* row = adviceOf(report, "bought-tokens");
        QVERIFY(row != nullptr);
        Experiment bought = e;
        bought.assumptions.set("serving_way", "api");
        const Report after = makeReport(bought, Today);
        QVERIFY(std::abs(row->savingUsd.value() -
                         (report.month.total.value() - after.month.total.value())) < 1e-6);
        QVERIFY(row->savingUsd.value() > 0);
        QVERIFY(adviceOf(after, "bought-tokens") == nullptr);
        Experiment trained = e;
        trained.training.runsPerMonth = 1;
        QVERIFY(adviceOf(makeReport(trained, Today), "bought-tokens") == nullptr);
    }

    // A plan without a run isn't told how to train, nor one without a machine how busy that is.
    void whatIsNotPlannedIsNotAdvised()
    {
        Experiment e = serving("llama-3.1-8b", 1000);
        e.assumptions.set("serving_way", "api");
        const Report report = makeReport(e, Today);
        QVERIFY(!report.advice.empty());
        for (const AdviceRow& row : report.advice) {
            QVERIFY2(row.category != AdviceCategory::Training, row.id.c_str());
            QVERIFY2(row.title.find("Train") == std::string::npos, row.title.c_str());
        }
        for (const Benchmark& row : report.benchmarks)
            QVERIFY2(row.metric != "paid hours with work" && row.metric != "memory to serve",
                     row.metric.c_str());
        e.training.runsPerMonth = 1;
        QVERIFY(adviceOf(makeReport(e, Today), "spot") != nullptr);
    }

    void oldPricesAreStale()
    {
        const Catalogs later = Today.on("2029-01-01");
        const HostedReport hosted = figuresOf(experimentOf("llama-3.1-8b"), later).serving.hosted;
        QVERIFY(hosted.best() != nullptr);
        QCOMPARE(hosted.best()->trust, Trust::Stale);
    }

    void brokenFiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("what");
        const QByteArray head = R"({"as_of": "2026-01-01", "source": "s", "weights": [)";
        const QByteArray weights = R"({"name": "W", "parameters": 7}], "prices": [)";
        QTest::newRow("half") << QByteArray("{") << QByteArray("JSON");
        QTest::newRow("no source")
            << QByteArray(R"({"as_of": "2026-01-01"})") << QByteArray("source");
        QTest::newRow("no parameters")
            << head + R"({"name": "W"}], "prices": []})" << QByteArray("parameters");
        QTest::newRow("negative")
            << head + weights +
                   R"({"provider": "p", "model": "m", "weights": "W", "input": -1, "output": 1}]})"
            << QByteArray("input");
        QTest::newRow("other weights")
            << head + weights +
                   R"({"provider": "p", "model": "m", "weights": "V", "input": 1, "output": 1}]})"
            << QByteArray("weights that aren't in the list");
    }
    void brokenFiles()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, what);
        const auto prices = TokenPrices::create(text.toStdString());
        QVERIFY(!prices.has_value());
        const QByteArray said = QByteArray::fromStdString(prices.error().sentence());
        QVERIFY2(said.contains(what), said);
    }
};

OUTLAY_TEST(TestHosted)
#include "tst_hosted.moc"
