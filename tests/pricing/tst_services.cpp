// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Six services that people run, each with a published benchmark of such a model that is forecast beside it: the plan is of the
// kind, and its price by the token stands beside it. docs/services.md shows them; OUTLAY_WRITE_TASKS=1 writes it anew.
#include "core/base/text.h"
#include "core/hardware/hardware_catalog.h"
#include "pricing/report/make_report.h"
#include "tests/support/rates.h"
#include "tests/support/reports.h"
#include "tests/support/served_traffic.h"
#include "tests/support/stored_text.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;
using namespace outlay::pricing;
using outlay::tests::experimentOf;
using outlay::tests::knownModel;
using outlay::tests::rates;
using outlay::tests::ServedTraffic;
using outlay::tests::Today;
using outlay::tests::TrafficForecast;

namespace {

const std::string ServicesPage = std::string(OUTLAY_SOURCE_DIR) + "/docs/services.md";

/// What a month of the plan may cost, how much memory its devices may have, and whether tokens may be bought instead.
struct Expected {
    double least = 0;
    double most = 0;
    double mostGb = 0; // of a device
    bool isSold = false;
};

/// A figure that somebody published of such a model, and the forecast of the same.
struct Published {
    std::string what;
    double published = 0;
    double forecast = 0;
    std::string unit;
    std::string source;
};

struct Service {
    const char* name;
    Experiment experiment;
    Expected expected;
    Published benchmark;
};

Experiment serving(const char* preset, double perDay)
{
    Experiment e = experimentOf(preset);
    e.training.runsPerMonth = 0;
    e.serving.requestsPerDay = perDay;
    return e;
}

/// Tokens a second of all, with so many in flight.
double ratePublishedAs(const char* model, const char* device, std::int64_t devices, double inFlight,
                       double output)
{
    const ServedTraffic traffic{
        .model = *knownModel(model), .inFlight = inFlight, .output = output};
    const TrafficForecast f =
        forecastOf(traffic, {*hardwareCatalog()->find(device), devices, rates()});
    return MillisPerS * inFlight / f.allMs();
}

Published traffic(const char* model, std::int64_t devices, double inFlight, double output,
                  double published)
{
    return {.what = std::string(model) + " on " + std::to_string(devices) + " x H100, " +
                    plainNumber(std::round(inFlight)) + " in flight",
            .published = published,
            .forecast = ratePublishedAs(model, "H100-80GB-SXM5", devices, inFlight, output),
            .unit = "tokens a second",
            .source = "github.com/ml-energy/leaderboard, read 2026-11-28"};
}

/// Of an encoder on a V100, as ONNX Runtime's documentation has it.
Published pass(std::int64_t tokens, double publishedMs)
{
    const Experiment e = experimentOf("bert-base");
    const Serving s{.inputTokens = tokens,
                    .outputTokens = 0,
                    .batch = 1,
                    .precision = ServingPrecision::Fp16,
                    .engine = Engine::OnnxRuntime};
    const ServingForecast f =
        servingForecast(servingDemand(e.model, LayerKinds(expand(e.model)), s),
                        {*hardwareCatalog()->find("V100-PCIe-16GB"), 1, rates()});
    return {.what = "BERT base on a V100, " + std::to_string(tokens) + " tokens, ONNX Runtime",
            .published = publishedMs,
            .forecast = f.latencyMs.value(),
            .unit = "ms",
            .source = "github.com/microsoft/onnxruntime at 00b595e389eb"};
}

std::vector<Service> services()
{
    Experiment large = serving("llama-3.1-70b-qlora", 1e6);
    large.serving.precision = ServingPrecision::Fp8;
    large.serving.latencyP95Ms = 60'000;
    Experiment chat = serving("llama-3.1-8b", 10'000);
    chat.serving.inputTokens = 1000;
    chat.serving.outputTokens = 250;
    chat.serving.latencyP95Ms = 60'000;
    chat.serving.firstTokenP95Ms = 2000;
    return {{"Llama 3.1 8B, 1,000 requests a day",
             serving("llama-3.1-8b", 1000),
             {200, 700, 24, true},
             traffic("Llama-3.1-8B", 1, 31.91, 390.3, 3391.07)},
            {"Llama 3.1 8B, chats, 10,000 a day, first token within 2 s",
             chat,
             {400, 1500, 48, true},
             traffic("Llama-3.1-8B", 1, 191.66, 396.8, 8223.35)},
            {"Llama 3.1 70B in fp8, 1 M requests a day",
             large,
             {20'000, 70'000, 192, true},
             traffic("Llama-3.3-70B", 4, 127.71, 411.4, 3895.39)},
            {"Mixtral 8x7B, 10,000 requests a day",
             serving("mixtral-8x7b", 10'000),
             {3000, 9000, 80, true},
             traffic("Qwen3-30B-A3B", 1, 31.93, 921.7, 1393.77)},
            {"BERT base, 10 M requests a day",
             serving("bert-base", 1e7),
             {300, 2500, 24, false},
             pass(128, 1.45)},
            {"The text generator, 10,000 requests a day",
             serving("text-generator", 10'000),
             {5, 30, 0, false},
             {.what = "none was published of an LSTM of its size; the worker measures it"}}};
}

struct PlannedService {
    std::string machine;
    double count = 1;
    double gb = 0; // of a device
    double usd = 0;
    std::string byToken;
    std::string from;
};

PlannedService plannedFor(const Service& service)
{
    const Report report = figuresOf(service.experiment, Today);
    const ServingReport& serving = report.serving;
    PlannedService plan;
    if (!serving.recommended.option)
        return plan;
    const Machine& machine = serving.recommended.option->offer.machine;
    plan.count = serving.recommended.option->instances.value();
    plan.machine = plainNumber(plan.count) + " x " + machine.provider + " " + machine.instance;
    if (machine.accelerators > 0) {
        plan.machine +=
            " (" + plainNumber(machine.accelerators) + " x " + machine.accelerator + ")";
        plan.gb = hardwareCatalog()->find(machine.accelerator)->memoryGb.value_or(0);
    }
    plan.usd = report.month.total.value();
    const HostedRow* hosted = serving.hosted.best();
    plan.byToken = hosted == nullptr
                       ? "-"
                       : plainNumber(std::round(100 * hosted->usdPerMonth.value()) / 100) + ", " +
                             hosted->provider;
    constexpr double All = 100;
    if (hosted != nullptr && serving.hosted.crossingPerDay.isAvailable())
        plan.from =
            serving.hosted.crossingShare.isAvailable() && serving.hosted.crossingShare.value() > All
                ? "never"
                : plainNumber(std::round(serving.hosted.crossingPerDay.value())) + " a day";
    else
        plan.from = "-";
    return plan;
}

std::string shortText(double value)
{
    return plainNumber(std::stod(QString::number(value, 'g', 3).toStdString()));
}

std::string servicesPage()
{
    std::string text =
        "# Typical services\n\nWhat Outlay plans for services that people run, what the same costs "
        "by the token, from how many requests on one of the\nplan's machines is the cheaper one "
        "(\"never\": more than it answers), and a published benchmark of such a model beside its\n"
        "forecast. Prices are of 2026-11-20, months in USD with storage, transfer and what waits. "
        "Written by `tests/pricing/tst_services.cpp`,\nwhich holds plans to bounds and forecasts "
        "to a quarter of what was published.\n\n| Service | Plan | A month | By the token | From "
        "| Benchmark | Published | Forecast | Source |\n|---|---|---|---|---|---|---|---|---|\n";
    for (const Service& service : services()) {
        const PlannedService plan = plannedFor(service);
        const Published& b = service.benchmark;
        text += std::string("| ") + service.name + " | " + plan.machine + " | " +
                shortText(plan.usd) + " | " + plan.byToken + " | " + plan.from + " | " + b.what +
                " | ";
        text += b.published > 0 ? shortText(b.published) + " " + b.unit + " | " +
                                      shortText(b.forecast) + " | " + b.source + " |\n"
                                : "- | - | - |\n";
    }
    return text;
}

} // namespace

class TestServices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plansAreOfTheKind_data()
    {
        QTest::addColumn<int>("index");
        const std::vector<Service> all = services();
        QCOMPARE(all.size(), std::size_t{6});
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void plansAreOfTheKind()
    {
        QFETCH(int, index);
        const Service service = services()[static_cast<std::size_t>(index)];
        const PlannedService plan = plannedFor(service);
        const Expected& expected = service.expected;
        QVERIFY(!plan.machine.empty());
        QVERIFY2(plan.usd >= expected.least && plan.usd <= expected.most,
                 qPrintable(QString::fromStdString(plan.machine) +
                            QStringLiteral(": %1").arg(plan.usd)));
        QVERIFY2(plan.gb <= expected.mostGb, plan.machine.c_str());
        QCOMPARE(plan.byToken != "-", expected.isSold);
        QCOMPARE(plan.from != "-", expected.isSold);
        const Published& b = service.benchmark;
        if (b.published > 0)
            QVERIFY2(
                std::abs(std::log(b.forecast / b.published)) < std::log(1.25),
                qPrintable(QStringLiteral("%1, published %2").arg(b.forecast).arg(b.published)));
    }

    void thePageSaysSo()
    {
        const QString difference =
            outlay::tests::differenceFromStored(ServicesPage, servicesPage(), "OUTLAY_WRITE_TASKS");
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
};

OUTLAY_TEST(TestServices)
#include "tst_services.moc"
