// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A Report in the formats of others: their names, their order, their numbers.
#include "core/experiment/presets.h"
#include "pricing/csv_table.h"
#include "pricing/export/export.h"
#include "pricing/report/make_report.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using core::Basis;
using core::Json;
using core::Quantity;
using core::Unit;
using outlay::tests::Today;

namespace {

const char* const Now = "2026-11-20T13:00:00Z";

Quantity figure(double value, Unit unit, Basis basis = Basis::Measured)
{
    return Quantity::within(value, value * 0.95, value * 1.05, unit, basis, {.note = "a test"});
}

/// Seven minutes at 500 W, 0.13 USD/kWh and 420 g/kWh.
struct Sample {
    core::Experiment experiment = core::preset("text-generator")->experiment;
    pricing::Report report;

    Sample()
    {
        constexpr double Seconds = 420;
        constexpr double Watts = 500;
        const double kwh = Seconds * Watts / 3.6e6;
        report = pricing::makeReport(experiment, Today);
        report.training.here = figure(Seconds, Unit::Seconds);
        report.training.hereKwh = figure(kwh, Unit::KilowattHours);
        report.training.hereUsd = core::energyCost(
            report.training.hereKwh, figure(0.13, Unit::UsdPerKilowattHour, Basis::Assumed));
        report.training.hereKgCo2e =
            core::carbonOf(report.training.hereKwh, Quantity::exact(1, Unit::One, {}),
                           figure(420, Unit::GramsPerKilowattHour, Basis::Listed));
        report.month.items = {{"training", figure(12.5, Unit::Usd)},
                              {"storage", Quantity::unavailable(Unit::Usd, "nobody lists it")},
                              {"transfer", figure(0.25, Unit::Usd)}};
        report.month.total = Quantity::unavailable(Unit::Usd, "storage is unavailable");
    }

    [[nodiscard]] pricing::ExportInput input() const { return {experiment, report, Today, Now}; }
};

QStringList linesOf(const std::string& text)
{
    return QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

double numberAt(const Json& json, const char* pointer)
{
    const Json* found = core::valueAt(json, pointer);
    return found != nullptr && found->isNumber() ? found->number() : std::nan("");
}

/// Cells of a line without quotes in it.
QString cellOf(const QStringList& lines, int row, const char* column)
{
    const auto at = lines.front().split(QLatin1Char(',')).indexOf(QLatin1String(column));
    return lines.at(row).split(QLatin1Char(',')).value(at);
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT
private slots:
    void costAnalysisHasTheNumbers_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* pointer, double expected) {
            QTest::newRow(pointer) << QByteArray("/cost_breakdown/") + pointer << expected;
        };
        row("training/time_hours", 0.116667);
        row("training/energy_kwh", 0.0583333);
        row("training/cost_local_usd", 0.00758333);
        row("resources/parameters", 2'842'400);
        row("resources/model_size_mb", 11.3696);
        row("environmental/carbon_kg", 0.0245);
        row("environmental/miles_driven", 0.0245 / 0.393);
        row("environmental/tree_months", 0.049);
        row("environmental/smartphone_charges", 0.0245 / 0.0124);
    }
    void costAnalysisHasTheNumbers()
    {
        QFETCH(QByteArray, pointer);
        QFETCH(double, expected);
        const Json json = pricing::costAnalysis(Sample().input());
        const double got = numberAt(json, pointer.constData());
        QVERIFY2(std::abs(got / expected - 1) < 1e-4, qPrintable(QString::number(got)));
    }

    void unavailableIsNull()
    {
        Sample sample;
        sample.report.training.hereUsd = Quantity::unavailable(Unit::Usd, "no power");
        sample.report.efficiency.score = {};
        const Json json = pricing::costAnalysis(sample.input());
        // What reads such files goes by these.
        QVERIFY(json.find("format") != nullptr &&
                *json.find("format") == Json("outlay-cost-analysis"));
        QVERIFY(json.find("version") != nullptr && *json.find("version") == Json(1));
        for (const char* pointer : {"/cost_breakdown/training/cost_local_usd",
                                    "/cost_breakdown/efficiency/efficiency_score",
                                    "/cost_breakdown/resources/average_memory_mb"}) {
            const Json* found = core::valueAt(json, pointer);
            QVERIFY2(found != nullptr && found->isNull(), pointer);
        }
    }

    void recommendationsHaveTheKeysOfTheContract()
    {
        Sample sample;
        pricing::AdviceRow row;
        row.title = "Train in bf16";
        row.effort = pricing::Level::Low;
        row.savingPercent = figure(25, Unit::Percent);
        sample.report.advice = {row};
        const Json json = pricing::costAnalysis(sample.input());
        const Json& first = *core::valueAt(json, "/recommendations/0");
        for (const char* key :
             {"category", "priority", "recommendation", "expected_improvement",
              "implementation_effort", "estimated_cost_reduction", "code_example"})
            QVERIFY2(first.find(key) != nullptr, key);
        QCOMPARE(*first.find("implementation_effort"), Json("easy"));
        QCOMPARE(first.find("estimated_cost_reduction")->number(), 25.0);
    }

    // CodeCarbon 3.3.0, codecarbon/output_methods/emissions_data.py.
    void emissionsHasAllColumnsInOrder()
    {
        const QStringList lines = linesOf(*pricing::emissionsRow(Sample().input()));
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines.front(),
                 QStringLiteral(
                     "timestamp,project_name,run_id,experiment_id,duration,emissions,"
                     "emissions_rate,cpu_power,gpu_power,ram_power,cpu_energy,gpu_energy,"
                     "ram_energy,energy_consumed,water_consumed,country_name,country_iso_code,"
                     "region,cloud_provider,cloud_region,os,python_version,codecarbon_version,"
                     "cpu_count,cpu_model,gpu_count,gpu_model,longitude,latitude,ram_total_size,"
                     "tracking_mode,cpu_utilization_percent,gpu_utilization_percent,"
                     "ram_utilization_percent,ram_used_gb,on_cloud,pue,wue"));
        QCOMPARE(cellOf(lines, 1, "timestamp"), QStringLiteral("2026-11-20T13:00:00"));
        QCOMPARE(cellOf(lines, 1, "duration"), QStringLiteral("420"));
        QVERIFY(std::abs(cellOf(lines, 1, "emissions").toDouble() - 0.0245) < 1e-9);
        QVERIFY(std::abs(cellOf(lines, 1, "emissions_rate").toDouble() - 0.0245 / 420) < 1e-12);
        QVERIFY(std::abs(cellOf(lines, 1, "energy_consumed").toDouble() - 0.0583333) < 1e-6);
        // What nobody measured is empty, not 0.
        QCOMPARE(cellOf(lines, 1, "gpu_energy"), QString());
        QCOMPARE(cellOf(lines, 1, "on_cloud"), QStringLiteral("N"));
    }

    void emissionsNamesTheCountry()
    {
        Sample sample;
        sample.experiment.site.country = "FR";
        const QStringList lines = linesOf(*pricing::emissionsRow(sample.input()));
        QCOMPARE(cellOf(lines, 1, "country_name"), QStringLiteral("France"));
        QCOMPARE(cellOf(lines, 1, "country_iso_code"), QStringLiteral("FRA"));
        sample.experiment.site.region = "aws/us-east-1";
        const QStringList cloud = linesOf(*pricing::emissionsRow(sample.input()));
        QCOMPARE(cellOf(cloud, 1, "cloud_provider"), QStringLiteral("aws"));
        QCOMPARE(cellOf(cloud, 1, "cloud_region"), QStringLiteral("us-east-1"));
        QCOMPARE(cellOf(cloud, 1, "on_cloud"), QStringLiteral("Y"));
    }

    void whatNeedsEnergyRefusesToBeWithoutIt()
    {
        Sample sample;
        sample.report.training.hereKwh = Quantity::unavailable(Unit::KilowattHours, "no counter");
        sample.report.carbon = {};
        QVERIFY(!pricing::emissionsRow(sample.input()));
        QVERIFY(!pricing::boampsReport(sample.input()));
        sample.report.carbon.kwh = figure(1, Unit::KilowattHours);
        sample.report.carbon.kgCo2e = figure(0.4, Unit::KilogramsCo2e);
        QCOMPARE(cellOf(linesOf(*pricing::emissionsRow(sample.input())), 1, "energy_consumed"),
                 QStringLiteral("1"));
    }

    // Each planned machine is a charge of its own provider.
    void focusHasEachEnvironment()
    {
        Sample sample;
        sample.experiment.plan.environments = {{.name = "production", .offer = "aws/g5.xlarge"},
                                               {.name = "test", .offer = "gcp/g2-standard-4"},
                                               {.name = "unknown", .offer = "no-such"}};
        sample.report = pricing::makeReport(sample.experiment, tests::catalogs());
        const QStringList lines =
            linesOf(*pricing::focusRows(sample.input())).filter(QStringLiteral("environment "));
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].contains(QStringLiteral("g5.xlarge")) &&
                lines[0].contains(QStringLiteral("production")));
        QVERIFY(lines[1].contains(QStringLiteral("g2-standard-4")));
    }

    // Whoever sells it is named; what is stored and sent isn't bought as machines are.
    void focusNamesWhoIsPaid_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("way");
        QTest::addColumn<QString>("seller"); // of the service
        QTest::newRow("a function") << "text-generator"
                                    << "serverless"
                                    << "AWS";
        QTest::newRow("tokens") << "llama-3.1-8b"
                                << "api"
                                << "Cerebras";
        QTest::newRow("a machine") << "text-generator"
                                   << "instance"
                                   << "";
    }
    void focusNamesWhoIsPaid()
    {
        QFETCH(QString, preset);
        QFETCH(QString, way);
        QFETCH(QString, seller);
        Sample sample;
        sample.experiment = core::preset(preset.toStdString())->experiment;
        sample.experiment.plan.purchase = core::Purchase::Spot;
        sample.experiment.assumptions.set("serving_way", way.toStdString());
        sample.report = pricing::makeReport(sample.experiment, tests::catalogs());
        QStringList lines = linesOf(*pricing::focusRows(sample.input()));
        lines.replaceInStrings(QStringLiteral("not billed: "), QString());
        lines.replaceInStrings(QStringLiteral("\"Estimate, "), QStringLiteral("\""));
        QStringList found;
        for (int i = 1; i < lines.size(); ++i) {
            const QString service = cellOf(lines, i, "ServiceName");
            found.append(service);
            QVERIFY2(cellOf(lines, i, "ProviderName") != QStringLiteral("on-premises"),
                     qPrintable(service));
            const bool isMachine = service == QStringLiteral("training") ||
                                   (seller.isEmpty() && (service == QStringLiteral("inference") ||
                                                         service == QStringLiteral("idle")));
            QCOMPARE(cellOf(lines, i, "PricingCategory"),
                     isMachine ? QStringLiteral("Dynamic") : QStringLiteral("Standard"));
            QCOMPARE(cellOf(lines, i, "ResourceType") == QStringLiteral("Instance"), isMachine);
            if (service == QStringLiteral("inference") && !seller.isEmpty())
                QVERIFY(cellOf(lines, i, "ProviderName").startsWith(seller));
        }
        QVERIFY(found.contains(QStringLiteral("storage")) &&
                found.contains(QStringLiteral("inference")));
    }

    // FOCUS 1.2, specification/columns.
    void focusHasTheMandatoryColumns()
    {
        const QStringList lines = linesOf(*pricing::focusRows(Sample().input()));
        const QStringList columns = lines.front().split(QLatin1Char(','));
        for (const char* name :
             {"BilledCost",        "BillingAccountId",   "BillingAccountName", "BillingCurrency",
              "BillingPeriodEnd",  "BillingPeriodStart", "ChargeCategory",     "ChargeClass",
              "ChargeDescription", "ChargePeriodEnd",    "ChargePeriodStart",  "ContractedCost",
              "EffectiveCost",     "InvoiceIssuerName",  "ListCost",           "PricingQuantity",
              "PricingUnit",       "ProviderName",       "PublisherName",      "ServiceCategory",
              "ServiceName"})
            QVERIFY2(columns.contains(QLatin1String(name)), name);
        QCOMPARE(lines.size(), 3); // the item without a price has no row
        QCOMPARE(cellOf(lines, 1, "BilledCost"), QStringLiteral("12.5"));
        QVERIFY(lines.at(2).contains(QStringLiteral(",Networking,transfer,")));
        QVERIFY(lines.at(1).contains(
            QStringLiteral("2026-12-01T00:00:00Z,2026-11-01T00:00:00Z,Usage,")));
        const auto missing = pricing::leftOutOfFocus(Sample().report);
        QCOMPARE(missing.size(), std::size_t{1});
        QCOMPARE(missing.front(), std::string("storage has no row, because its cost is "
                                              "unavailable: nobody lists it."));
    }

    void aYearEndsInFocusToo()
    {
        Sample sample;
        const pricing::Catalogs december = Today.on("2026-12-31");
        const auto text = *pricing::focusRows({sample.experiment, sample.report, december, Now});
        QVERIFY(QString::fromStdString(text).contains(
            QStringLiteral("2027-01-01T00:00:00Z,2026-12-01T00:00:00Z")));
    }

    void boampsHasTheRequiredKeys()
    {
        const Json json = *core::readJson(*pricing::boampsReport(Sample().input()));
        for (const char* pointer :
             {"/task/taskStage", "/task/taskFamily", "/task/algorithms/0/parametersNumber",
              "/task/dataset/0/dataUsage", "/task/dataset/0/dataType",
              "/measures/0/measurementMethod", "/measures/0/powerConsumption",
              "/infrastructure/infraType", "/infrastructure/components/0/componentType",
              "/infrastructure/components/0/nbComponent", "/header/reportId"})
            QVERIFY2(core::valueAt(json, pointer) != nullptr, pointer);
        QVERIFY(std::abs(numberAt(json, "/measures/0/powerConsumption") - 0.0583333) < 1e-6);
        QVERIFY(std::abs(numberAt(json, "/task/algorithms/0/parametersNumber") - 0.0028424) < 1e-9);
        QCOMPARE(numberAt(json, "/measures/0/measurementDuration"), 420.0);
        QCOMPARE(*core::valueAt(json, "/header/reportDatetime"), Json("2026-11-20 13:00:00"));
        QCOMPARE(*core::valueAt(json, "/quality"), Json("high"));
    }

    void boampsClaimsNoMoreThanTheInterval_data()
    {
        QTest::addColumn<double>("share");
        QTest::addColumn<QByteArray>("quality");
        QTest::newRow("high") << 0.1 << QByteArray("high");
        QTest::newRow("just not high") << 0.11 << QByteArray("medium");
        QTest::newRow("medium") << 0.25 << QByteArray("medium");
        QTest::newRow("just not medium") << 0.26 << QByteArray("low");
        QTest::newRow("low") << 0.5 << QByteArray("low");
        QTest::newRow("none") << 0.51 << QByteArray();
    }
    void boampsClaimsNoMoreThanTheInterval()
    {
        QFETCH(double, share);
        QFETCH(QByteArray, quality);
        Sample sample;
        sample.report.training.hereKwh = Quantity::within(1, 1 - share / 2, 1 + share * 0.999,
                                                          Unit::KilowattHours, Basis::Forecast, {});
        const Json json = *core::readJson(*pricing::boampsReport(sample.input()));
        const Json* found = json.find("quality");
        QCOMPARE(found == nullptr ? QByteArray() : QByteArray::fromStdString(*found->asString()),
                 quality);
    }

    void csvHasEveryFigure()
    {
        const std::string text = pricing::csvReport(Sample().input());
        const QStringList lines = linesOf(text);
        QCOMPARE(lines.front(), QStringLiteral("pointer,value,low,high,unit,basis,how"));
        QVERIFY(text.find("\n/training/memory/total,178433600,") != std::string::npos);
        QVERIFY(text.find("\n/training/here,420,399,441,s,measured,a test\n") != std::string::npos);
        QVERIFY(text.find("\n/model/parameters,2842400,") != std::string::npos);
    }

    void fieldsAreQuoted()
    {
        pricing::CsvTable table({"a", "b"});
        table.addRow();
        table.set("a", std::string_view("x, \"y\"\nz"));
        table.set("b", std::optional(0.1));
        table.addRow();
        table.set("b", std::optional(std::nan("")));
        QCOMPARE(table.text(), std::string("a,b\n\"x, \"\"y\"\"\nz\",0.1\n,\n"));
    }

    void markdownSurvivesItsNames()
    {
        Sample sample;
        sample.report.name = "a\nb";
        sample.report.month.items.front().item = "x | y";
        const std::string text = pricing::markdownReport(sample.input());
        QVERIFY(text.starts_with("# a b\n"));
        QVERIFY(text.find("| x \\| y | 12.5 USD | ") != std::string::npos);
        QVERIFY(text.find("| training here, cost | 0.007583 USD | ") != std::string::npos);
        QVERIFY(text.find("| storage | unavailable |") != std::string::npos);
    }

    void markdownTellsHowItGrows()
    {
        Sample sample;
        sample.report.scaling = {};
        QCOMPARE(pricing::markdownReport(sample.input()).find("Several devices"),
                 std::string::npos);
        pricing::ScalingReport& scaling = sample.report.scaling;
        const auto none = Quantity::unavailable(Unit::One, "attention never costs more");
        scaling.mixing.rows = {{64, {}, {}}};
        scaling.mixing.crossings = {{"flops", Quantity::exact(97, Unit::One, {})}, {"state", none}};
        scaling.lengths.rows = {{.tokens = 64}};
        scaling.devices.rows = {{.devices = 4, .machines = 2}};
        const std::string text = pricing::markdownReport(sample.input());
        QVERIFY(text.find("| flops | 97 |\n| state | attention never costs more |\n") !=
                std::string::npos);
        QVERIFY(text.find("\n| 64 | unavailable |") != std::string::npos);
        QVERIFY(text.find("\n| 4 | 2 | unavailable |") != std::string::npos);
    }

    void identifiersFollowFromTheContent()
    {
        const std::string id = pricing::uuidOf("text", "salt");
        QCOMPARE(id, pricing::uuidOf("text", "salt"));
        QVERIFY(id != pricing::uuidOf("text", "Salt"));
        QCOMPARE(id.size(), std::size_t{36});
        QCOMPARE(id.at(14), '8');
        QVERIFY(std::string("89ab").find(id.at(19)) != std::string::npos);
    }

    void everyFormatIsAFunctionOfItsInput()
    {
        const Sample sample;
        for (const pricing::ExportFormat& format : pricing::exportFormats())
            QCOMPARE(*format.write(sample.input()), *format.write(sample.input()));
    }
};

OUTLAY_TEST(TestExport)
#include "tst_export.moc"
