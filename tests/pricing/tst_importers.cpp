// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other people's price files: recognised by content, forgiven where they can be, every row accounted for.
#include "pricing/import/csv.h"
#include "pricing/import/import.h"
#include "pricing/import/python_literal.h"
#include "pricing/price_book.h"
#include "tests/support/test_class.h"

#include <fstream>
#include <QTemporaryDir>
#include <QTest>
#include <sstream>

using namespace outlay::pricing;
using namespace outlay::core;

namespace {

const ImportOptions Options{{}, {}, "2026-11-20"};

std::string dataFile(const QString& name)
{
    return (QStringLiteral(OUTLAY_TEST_DATA "/prices/") + name).toStdString();
}

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The price of one offer of an import; -1 where it is not there.
double usd(const PriceImport& import, const OfferChoice& choice)
{
    const PriceBook book(PriceFile{}, import.offers);
    const OfferRow* row = book.find(choice);
    return row == nullptr ? -1 : row->usdPerHour.value_or(-1);
}

Machine machineOf(const PriceImport& import, const std::string& instance)
{
    for (const Machine& machine : import.offers.machines) {
        if (machine.instance == instance)
            return machine;
    }
    return {};
}

} // namespace

class TestImporters : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void everyRowIsAccountedFor_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("imported");
        QTest::addColumn<int>("offers");
        QTest::addColumn<QString>("asOf");
        QTest::newRow("skypilot_v5.csv") << "SkyPilot catalog" << 14 << 9 << 12 << "";
        QTest::newRow("skypilot_v8.csv") << "SkyPilot catalog" << 2 << 2 << 2 << "";
        QTest::newRow("aws_offer.json") << "AWS price list" << 14 << 4 << 4 << "2026-07-20";
        QTest::newRow("aws_offer.csv") << "AWS price list" << 14 << 4 << 4 << "2026-07-20";
        QTest::newRow("azure_retail.json") << "Azure Retail Prices" << 12 << 4 << 4 << "2026-06-01";
        QTest::newRow("gpuhunt.csv") << "gpuhunt catalog" << 8 << 5 << 5 << "";
        QTest::newRow("own_offers.json") << "prices of Outlay" << 7 << 2 << 2 << "2026-11-01";
    }
    void everyRowIsAccountedFor()
    {
        QFETCH(QString, kind);
        QFETCH(int, rows);
        QFETCH(int, imported);
        QFETCH(int, offers);
        QFETCH(QString, asOf);
        const auto import =
            importPrices(dataFile(QString::fromUtf8(QTest::currentDataTag())), Options);
        QVERIFY2(import, import ? "" : import.error().sentence().c_str());
        const ImportAccount& account = import->account;
        QCOMPARE(QString::fromStdString(import->kind), kind);
        QCOMPARE(account.rows, static_cast<std::size_t>(rows));
        QCOMPARE(account.imported, static_cast<std::size_t>(imported));
        QCOMPARE(import->offers.rows.size(), static_cast<std::size_t>(offers));
        QCOMPARE(QString::fromStdString(import->offers.sources.front().asOf), asOf);
        std::size_t leftOut = 0;
        for (const auto& [why, count] : account.leftOut)
            leftOut += count;
        QCOMPARE(account.imported + leftOut, account.rows);
        QCOMPARE(account.named.size(), leftOut);
    }

    void skypilot()
    {
        const auto import = importPrices(dataFile(QStringLiteral("skypilot_v5.csv")), Options);
        QVERIFY(import);
        QCOMPARE(usd(*import, {"aws", "p3.2xlarge", "us-east-1"}), 3.06);
        // Of three zones the middle one; a zone without a price doesn't count.
        QCOMPARE(usd(*import, {"aws", "p3.2xlarge", "us-east-1", Purchase::Spot}), 1.0);
        QCOMPARE(usd(*import, {"aws", "p3.2xlarge", "eu-west-1"}), 3.305);
        QCOMPARE(usd(*import, {"aws", "p3.2xlarge", "eu-west-1", Purchase::Spot}), -1.0);
        QCOMPARE(usd(*import, {"gcp", "n1-standard-4", "us-central1"}), 0.189999);
        QCOMPARE(usd(*import, {"azure", "Standard_NC6s_v3", "eastus", Purchase::Spot}), 1.3464);
        const Machine machine = machineOf(*import, "p3.2xlarge");
        QVERIFY((machine == Machine{"aws", "p3.2xlarge", "", "V100-16GB", 1, 16, 8, 61}));
        // A price of zero, and one that is no number, are no prices.
        QVERIFY(machineOf(*import, "p5.48xlarge").instance.empty());
        QVERIFY(machineOf(*import, "p4d.24xlarge").instance.empty());
        const auto& account = import->account;
        QCOMPARE(account.leftOut.at("its price is zero"), std::size_t{1});
        QVERIFY((account.named.front() == LeftOut{8, "it has no price"}));
        ImportOptions dated = Options;
        dated.asOf = "2022-12-02";
        QCOMPARE(importPrices(dataFile(QStringLiteral("skypilot_v5.csv")), dated)
                     ->offers.sources.front()
                     .asOf,
                 dated.asOf);
    }

    // Google lists machines and accelerators apart; only both together can be bought.
    void googlesAcceleratorsHaveTheirMachines()
    {
        const auto import = importPrices(
            written("gcp.csv", "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,"
                               "GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"
                               "a2-highgpu-1g,,,12,85,,0.7,0.2,us-central1,us-central1-a\n"
                               "a2-highgpu-1g,,,12,85,,0.8,0.3,us-central1,us-central1-b\n"
                               "a2-highgpu-2g,,,24,170,,1.5,0.4,europe-west4,europe-west4-a\n"
                               "n1-standard-8,,,8,30,,0.38,0.08,us-central1,us-central1-a\n"
                               "n1-standard-32,,,32,120,,1.52,0.32,us-central1,us-central1-a\n"
                               ",A100,1,,,A100,2.9,0.9,us-central1,us-central1-a\n"
                               ",A100,2,,,A100,5.8,1.8,us-central1,us-central1-a\n"
                               ",T4,1,,,T4,0.35,,us-central1,us-central1-a\n"
                               ",T4,4,,,T4,1.4,0.4,us-central1,us-central1-a\n"
                               ",tpu-v2-8,1,,,TPU,4.5,1.35,us-central1,us-central1-b\n"),
            Options);
        QVERIFY2(import, import ? "" : import.error().sentence().c_str());
        // The middle of two zones, and its accelerator.
        QCOMPARE(usd(*import, {"gcp", "a2-highgpu-1g", "us-central1"}), 0.75 + 2.9);
        QCOMPARE(usd(*import, {"gcp", "a2-highgpu-1g", "us-central1", Purchase::Spot}), 0.25 + 0.9);
        QVERIFY((machineOf(*import, "a2-highgpu-1g") ==
                 Machine{"gcp", "a2-highgpu-1g", "", "A100-40GB", 1, 40, 12, 85}));
        QCOMPARE(usd(*import, {"gcp", "n1-standard-8+T4", "us-central1"}), 0.38 + 0.35);
        QCOMPARE(usd(*import, {"gcp", "n1-standard-8+T4", "us-central1", Purchase::Spot}), -1.0);
        QCOMPARE(usd(*import, {"gcp", "n1-standard-32+4xT4", "us-central1"}), 1.52 + 1.4);
        QCOMPARE(usd(*import, {"gcp", "n1-standard-8", "us-central1"}), 0.38);
        // Too large or too small a machine for them, and one without its accelerators' price.
        QVERIFY(machineOf(*import, "n1-standard-32+T4").instance.empty());
        QVERIFY(machineOf(*import, "n1-standard-8+4xT4").instance.empty());
        QVERIFY(machineOf(*import, "a2-highgpu-2g").instance.empty());
        const auto& left = import->account.leftOut;
        QCOMPARE(left.at("it is sold with accelerators only, and they have no price"),
                 std::size_t{1});
        QCOMPARE(left.at("it is an accelerator without a machine"), std::size_t{2});
        QCOMPARE(import->account.imported, std::size_t{7});
    }

    // One device, two prices: each machine has that of its own; and what nobody knows isn't a plain machine.
    void googlesAcceleratorsAreNotMixed()
    {
        const auto import = importPrices(
            written("h100.csv", "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,"
                                "GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"
                                "g4-standard-48,,,48,180,,1.5,,us-central1,us-central1-a\n"
                                "a3-highgpu-8g,,,208,1872,,9.4,,us-central1,us-central1-a\n"
                                "a3-megagpu-8g,,,208,1872,,9.5,,us-central1,us-central1-a\n"
                                "a3-ultragpu-8g-nolssd,,,224,2952,,10,,us-central1,us-central1-a\n"
                                "a3-edgegpu-8g,,,208,1872,,9.4,,us-central1,us-central1-a\n"
                                "n1-standard-4,,,4,15,,0.19,,us-central1,us-central1-a\n"
                                ",H100,8,,,H100,33.6,,us-central1,us-central1-a\n"
                                ",H100-MEGA,8,,,H100,82.8,,us-central1,us-central1-a\n"
                                ",H200,8,,,H200,74,,us-central1,us-central1-a\n"
                                ",T4,1,,,T4,,0.1,us-central1,us-central1-a\n"),
            Options);
        QVERIFY2(import, import ? "" : import.error().sentence().c_str());
        QCOMPARE(usd(*import, {"gcp", "a3-highgpu-8g", "us-central1"}), 9.4 + 33.6);
        QCOMPARE(usd(*import, {"gcp", "a3-megagpu-8g", "us-central1"}), 9.5 + 82.8);
        QCOMPARE(usd(*import, {"gcp", "a3-ultragpu-8g-nolssd", "us-central1"}), 84.0);
        QCOMPARE(machineOf(*import, "a3-megagpu-8g").accelerator,
                 machineOf(*import, "a3-highgpu-8g").accelerator);
        for (const char* unknown : {"a3-edgegpu-8g", "g4-standard-48"})
            QVERIFY2(machineOf(*import, unknown).instance.empty(), unknown);
        // A machine on demand and its accelerator on spot alone are no offer.
        const ImportAccount& account = import->account;
        QCOMPARE(account.imported, std::size_t{7});
        QCOMPARE(account.leftOut.at("it is an accelerator without a machine"), std::size_t{1});
        const auto unknown =
            std::find_if(account.named.begin(), account.named.end(), [](const LeftOut& row) {
                return row.why.find("isn't known here") != std::string::npos;
            });
        QVERIFY(unknown != account.named.end());
        QCOMPARE(unknown->row, std::size_t{2}); // the first of them in the file
    }

    // Others' names have dots, dashes and regions of the same shape: nobody is taken for AWS or Google.
    void whoseFileItIsIsNotGuessed_data()
    {
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("Nebius") << QByteArray("gpu-b200-sxm_8gpu-160vcpu-1792gb,us-central1,44");
        QTest::newRow("Nebius, Europe")
            << QByteArray("gpu-h100-sxm_1gpu-16vcpu-200gb,eu-north1,2.9");
        QTest::newRow("Oracle") << QByteArray("VM.Standard.E4.Flex,us-ashburn-1,0.1");
        QTest::newRow("Oracle's accelerators") << QByteArray("BM.GPU4.8,us-phoenix-1,24");
        QTest::newRow("IBM") << QByteArray("bx2-8x32,us-south-1,0.4");
        QTest::newRow("Alibaba") << QByteArray("ecs.g7.large,us-east-1,0.1");
        QTest::newRow("Lambda") << QByteArray("gpu_1x_h100_pcie,us-east-1,2.5");
        QTest::newRow("Scaleway") << QByteArray("H100-1-80G,fr-par-2,2.7");
    }
    void whoseFileItIsIsNotGuessed()
    {
        QFETCH(QByteArray, row);
        const std::string file =
            written("who.csv", "InstanceType,Region,Price\n" + row.toStdString() + "\n");
        const auto nobody = importPrices(file, Options);
        QVERIFY(!nobody);
        QVERIFY(nobody.error().sentence().find("say whose prices these are") != std::string::npos);
        ImportOptions told = Options;
        told.provider = "nebius";
        QVERIFY(importPrices(file, told).has_value());
    }

    // Of an accelerator that nobody knows, the file says how much memory it has.
    void unknownAcceleratorsHaveTheirSize()
    {
        const auto import = importPrices(
            written("xpu.csv", "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,"
                               "GpuInfo,Price,SpotPrice,Region\n"
                               "x1.large,XPU-9,1,8,61,\"{'Gpus': [{'Name': 'XPU-9', 'MemoryInfo': "
                               "{'SizeInMiB': 49152}}]}\",2,,us-east-1\n"),
            Options);
        QVERIFY(import);
        QCOMPARE(machineOf(*import, "x1.large").acceleratorMemoryGb, std::optional(48.0));
    }

    void twoZonesHaveTheirMiddle()
    {
        const auto import = importPrices(dataFile(QStringLiteral("skypilot_v8.csv")), Options);
        QVERIFY(import);
        QCOMPARE(usd(*import, {"aws", "g4dn.xlarge", "us-east-1", Purchase::Spot}), 0.2079);
    }

    // Lambda's regions look like those of AWS, its file has another order, CRLF and a byte-order mark.
    void skypilotOfAnotherProvider()
    {
        const std::string file = dataFile(QStringLiteral("skypilot_v7.csv"));
        const auto nobody = importPrices(file, Options);
        QVERIFY(!nobody);
        QVERIFY(nobody.error().sentence().find("say whose prices these are") != std::string::npos);
        ImportOptions options = Options;
        options.provider = "lambda";
        const auto import = importPrices(file, options);
        QVERIFY(import);
        QCOMPARE(usd(*import, {"lambda", "gpu_8x_a100_80gb_sxm4", "us-east-1"}), 14.32);
        QCOMPARE(machineOf(*import, "gpu_8x_a100_80gb_sxm4").acceleratorMemoryGb,
                 std::optional(80.0));
        QCOMPARE(machineOf(*import, "gpu_1x_h200").acceleratorMemoryGb, std::optional(141.0));
    }

    void awsInBothShapes()
    {
        const auto json = importPrices(dataFile(QStringLiteral("aws_offer.json")), Options);
        const auto csv = importPrices(dataFile(QStringLiteral("aws_offer.csv")), Options);
        QVERIFY(json && csv);
        QVERIFY(json->offers == csv->offers);
        QCOMPARE(usd(*json, {"aws", "p3.2xlarge", "us-east-1"}), 3.06);
        QCOMPARE(usd(*json, {"aws", "c6i.large", "us-east-1", Purchase::Reserved1y}), 0.05623);
        QCOMPARE(usd(*json, {"aws", "c6i.large", "us-east-1", Purchase::Reserved3y}), 0.03742);
        QCOMPARE(machineOf(*json, "p3.2xlarge").vcpus, std::optional(8.0));
        QCOMPARE(machineOf(*json, "c6i.large").memoryGb, std::optional(4.0));
        QCOMPARE(machineOf(*json, "p3.2xlarge").family, std::string("accelerated"));
        QCOMPARE(machineOf(*json, "c6i.large").family, std::string("compute"));
        const auto& why = json->account.leftOut;
        for (const char* reason : {"its operating system isn't Linux", "its tenancy isn't shared",
                                   "it comes with software", "it is paid upfront"})
            QCOMPARE(why.at(reason), std::size_t{1});
    }

    void awsTermsMayStandFirst()
    {
        const std::string text = contentOf(dataFile(QStringLiteral("aws_offer.json")));
        auto json = *readJson(text);
        const Json products = *json.find("products");
        json.erase("products");
        json.set("products", products);
        const auto turned = importPrices(written("turned.json", writeJson(json)), Options);
        const auto plain = importPrices(dataFile(QStringLiteral("aws_offer.json")), Options);
        QVERIFY(turned && plain);
        QVERIFY(turned->offers == plain->offers);
        QVERIFY(turned->account == plain->account);
    }

    // What is paid once beside the hours, before or after them.
    void awsTakesTheHourlyPrice()
    {
        const std::string hours = "\"a\":{\"unit\":\"Hrs\",\"pricePerUnit\":{\"USD\":\"0.5\"}}";
        const std::string once = "\"b\":{\"unit\":\"Quantity\",\"pricePerUnit\":{\"USD\":\"99\"}}";
        for (const auto& both : {hours + "," + once, once + "," + hours}) {
            const auto import = importPrices(
                written("both.json",
                        "{\"offerCode\":\"AmazonEC2\",\"products\":{\"S\":{\"attributes\":"
                        "{\"instanceType\":\"a.b\",\"regionCode\":\"r-x-1\"}}},\"terms\":"
                        "{\"OnDemand\":{\"S\":{\"S.T\":{\"priceDimensions\":{" +
                            both + "}}}}}}"),
                Options);
            QVERIFY2(import, import ? "" : import.error().sentence().c_str());
            QCOMPARE(usd(*import, {"aws", "a.b", "r-x-1"}), 0.5);
        }
    }

    void azure()
    {
        const auto import = importPrices(dataFile(QStringLiteral("azure_retail.json")), Options);
        QVERIFY(import);
        const auto price = [&](Purchase kind) {
            return usd(*import, {"azure", "Standard_NC6s_v3", "eastus", kind});
        };
        QCOMPARE(price(Purchase::OnDemand), 3.06);
        QCOMPARE(price(Purchase::Spot), 0.3978);
        QCOMPARE(price(Purchase::Reserved1y), 1.95); // 17,082 for 8,760 hours
        QCOMPARE(price(Purchase::Reserved3y), 1.25);
        QCOMPARE(import->account.leftOut.at("its price isn't in USD"), std::size_t{1});
        QCOMPARE(import->account.leftOut.at("its price isn't in force yet"), std::size_t{1});
        // Pages in a list, and items alone.
        const std::string page = contentOf(dataFile(QStringLiteral("azure_retail.json")));
        const auto pages =
            importPrices(written("pages.json", "[" + page + "," + page + "]"), Options);
        QVERIFY(pages && pages->offers == import->offers);
        QCOMPARE(pages->account.rows, std::size_t{24});
        const auto items = importPrices(
            written("items.json", writeJson(*valueAt(*readJson(page), "/Items"))), Options);
        QVERIFY(items && items->offers == import->offers);
    }

    void gpuhunt()
    {
        const auto import = importPrices(dataFile(QStringLiteral("gpuhunt.csv")), Options);
        QVERIFY(import);
        QCOMPARE(usd(*import, {"aws", "g4dn.xlarge", "us-east-1", Purchase::Spot}), 0.2039);
        QCOMPARE(machineOf(*import, "a2-ultragpu-1g").accelerator, std::string("A100-80GB"));
        QCOMPARE(machineOf(*import, "CPU.4V").accelerator, std::string());
        // Of one provider, named by who imports it; what the second line says makes no catalog.
        const char* own = "instance_name,location,price,cpu,memory\nx,us-east-1,0.5,4,16\n";
        const auto one = importPrices(written("one.csv", own), {"aws", {}, "2026-11-20"});
        QVERIFY(one && usd(*one, {"aws", "x", "us-east-1"}) == 0.5);
        QVERIFY(!importPrices(written("none.csv", "name,place\ninstance_name,price\n"), Options));
    }

    void own()
    {
        const auto import = importPrices(dataFile(QStringLiteral("own_offers.json")), Options);
        QVERIFY(import);
        QCOMPARE(usd(*import, {"aws", "g4dn.xlarge", "us-east-1"}), 0.45);
        QVERIFY((machineOf(*import, "big-box") ==
                 Machine{"cellar", "big-box", "", "A100-80GB", 1, 80, 64, 512}));
        // A book is imported as well.
        const auto again =
            importPrices(written("book.json", writePriceFile(import->offers, "test", "")), Options);
        QVERIFY(again && again->offers == import->offers);
    }

    void marksAndMissingColumnsAreForgiven()
    {
        for (const char* name : {"skypilot_v5.csv", "aws_offer.csv", "aws_offer.json",
                                 "gpuhunt.csv", "azure_retail.json", "own_offers.json"}) {
            const std::string text = contentOf(dataFile(QString::fromLatin1(name)));
            const auto plain = importPrices(dataFile(QString::fromLatin1(name)), Options);
            const auto marked = importPrices(written("marked", "\xEF\xBB\xBF" + text), Options);
            QVERIFY2(marked && marked->offers == plain->offers, name);
            QVERIFY2(marked->account == plain->account, name);
        }
        const auto few = importPrices(
            written("few.csv", "InstanceType,Region,Price\nc6i.large,us-east-1,0.085\n"), Options);
        QVERIFY(few);
        QCOMPARE(usd(*few, {"aws", "c6i.large", "us-east-1"}), 0.085);
        QVERIFY(!isKnown(few->offers.machines.front()));
    }

    void whatIsCutOffIsRefused()
    {
        for (const char* name : {"aws_offer.json", "azure_retail.json", "own_offers.json"}) {
            const std::string text = contentOf(dataFile(QString::fromLatin1(name)));
            for (std::size_t length = text.size() / 2; length < text.size() - 3; length += 101) {
                const auto cut = importPrices(written("cut.json", text.substr(0, length)), Options);
                QVERIFY2(!cut, name);
                QVERIFY(cut.error().sentence().find("cut.json") != std::string::npos);
            }
        }
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("what");
        QTest::newRow("empty") << QByteArray() << QByteArray("the file is empty");
        QTest::newRow("words") << QByteArray("hello") << QByteArray("no price file");
        QTest::newRow("other JSON") << QByteArray("{\"a\": 1}") << QByteArray("no price file");
        QTest::newRow("zip") << QByteArray("PK\x03\x04...") << QByteArray("unpack it");
        QTest::newRow("a header alone")
            << QByteArray("InstanceType,Region,Price\n") << QByteArray("none of its 0 rows");
        QTest::newRow("zeros only")
            << QByteArray("InstanceType,Region,Price\nc5.large,us-east-1,0\n")
            << QByteArray("its price is zero");
        QTest::newRow("1e308") << QByteArray(
                                      "InstanceType,Region,Price\nc5.large,us-east-1,1e308\n")
                               << QByteArray("above a million");
        QTest::newRow("no products")
            << QByteArray(R"({"offerCode":"AmazonEC2","terms":{}})") << QByteArray("no products");
        QTest::newRow("no columns")
            << QByteArray("\"FormatVersion\",\"v1.0\"\n\"OfferCode\",\"x\"\n")
            << QByteArray("no line that names its columns");
    }
    void refuses()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, what);
        const auto import = importPrices(written("bad", content.toStdString()), Options);
        QVERIFY(!import);
        const std::string sentence = import.error().sentence();
        QVERIFY2(sentence.find(what.toStdString()) != std::string::npos, sentence.c_str());
        QCOMPARE(exitStatus(import.error().code), 2);
    }

    void csvRecords_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("fields"); // "LINE:", fields end in ';', records in '/'
        QTest::newRow("plain") << QByteArray("a,b\nc,d\n") << QByteArray("1:a;b;/2:c;d;/");
        QTest::newRow("CRLF, no last end")
            << QByteArray("a,b\r\nc,d") << QByteArray("1:a;b;/2:c;d;/");
        QTest::newRow("empty fields") << QByteArray(",,\n") << QByteArray("1:;;;/");
        QTest::newRow("empty lines") << QByteArray("\n\na\n\n") << QByteArray("3:a;/");
        QTest::newRow("quotes") << QByteArray("\"a,b\",\"c\"\"d\",\"\"\n")
                                << QByteArray("1:a,b;c\"d;;/");
        QTest::newRow("a line break inside")
            << QByteArray("\"a\nb\",c\nd\n") << QByteArray("1:a\nb;c;/3:d;/");
        QTest::newRow("an open quote") << QByteArray("a,b\nc,\"d") << QByteArray("1:a;b;/");
        QTest::newRow("a mark") << QByteArray("\xEF\xBB\xBF"
                                              "a\n")
                                << QByteArray("1:a;/");
        QTest::newRow("empty") << QByteArray() << QByteArray();
    }
    void csvRecords()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, fields);
        std::istringstream stream(text.toStdString());
        ByteWindow window(stream);
        CsvReader csv(window);
        std::string found;
        while (csv.next()) {
            found += std::to_string(csv.line()) + ":";
            for (const std::string_view field : csv.fields())
                found += std::string(field) + ";";
            found += "/";
        }
        QCOMPARE(found, fields.toStdString());
    }

    void pythonLiterals_data()
    {
        QTest::addColumn<QByteArray>("python");
        QTest::addColumn<QByteArray>("json"); // empty: refused
        QTest::newRow("a dictionary") << QByteArray("{'a': 1, 'b': [2.0, None, True, False]}")
                                      << QByteArray(R"({"a":1,"b":[2.0,null,true,false]})");
        QTest::newRow("an apostrophe")
            << QByteArray("{\"it's\": 'say \"x\"'}") << QByteArray("{\"it's\":\"say \\\"x\\\"\"}");
        QTest::newRow("escapes") << QByteArray("['it\\'s']") << QByteArray("[\"it's\"]");
        QTest::newRow("a tuple") << QByteArray("(1, 2)") << QByteArray("[1,2]");
        QTest::newRow("a bare name") << QByteArray("K80") << QByteArray();
        QTest::newRow("an open text") << QByteArray("{'a") << QByteArray();
        QTest::newRow("nothing") << QByteArray() << QByteArray();
    }
    void pythonLiterals()
    {
        QFETCH(QByteArray, python);
        QFETCH(QByteArray, json);
        const auto value = readPythonLiteral(python.toStdString());
        QCOMPARE(bool(value), !json.isEmpty());
        if (value)
            QCOMPARE(writeJson(*value, JsonStyle::Compact),
                     writeJson(*readJson(json.toStdString()), JsonStyle::Compact));
    }

private:
    std::string written(const char* name, const std::string& content)
    {
        const std::string path = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    QTemporaryDir m_folder;
};

OUTLAY_TEST(TestImporters)
#include "tst_importers.moc"
