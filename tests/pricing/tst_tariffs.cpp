// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Functions, storage, transfer and managed services: steps, regions, and what isn't known.
#include "pricing/tariffs.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <QTest>

using namespace outlay::pricing;
using namespace outlay::core;

namespace {

constexpr const char* Day = "2026-11-20";

const Tariffs& program()
{
    static const Tariffs All = *Tariffs::load();
    return All;
}

double usd(const TariffChoice& choice, double amount)
{
    const Quantity cost = program().cost(choice, amount, Day, Drift());
    return cost.isAvailable() ? cost.value() : -1;
}

} // namespace

class TestTariffs : public QObject {
    Q_OBJECT
private slots:
    // A million predictions of 1 ms with 1.2 GB: the requests cost ten times what the time does.
    void aMillionPredictionsOnLambda()
    {
        constexpr double Million = 1e6;
        const double requests =
            usd({TariffKind::Serverless, "aws", "Lambda requests", "us-east-1"}, Million);
        const double time =
            usd({TariffKind::Serverless, "aws", "Lambda x86", "us-east-1"}, Million * 0.001 * 1.2);
        QCOMPARE(std::round(requests * 1000), 200.0);
        QCOMPARE(std::round(time * 1000), 20.0);
        QCOMPARE(std::round((requests + time) * 100), 22.0);
    }

    void costs_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("provider");
        QTest::addColumn<QByteArray>("service");
        QTest::addColumn<QByteArray>("region");
        QTest::addColumn<double>("amount");
        QTest::addColumn<double>("usd");
        const auto row = [](TariffKind kind, const char* provider, const char* service,
                            const char* region, double amount, double usd) {
            QTest::addRow("%s %s %g", service, region, amount)
                << static_cast<int>(kind) << QByteArray(provider) << QByteArray(service)
                << QByteArray(region) << amount << usd;
        };
        row(TariffKind::Storage, "aws", "EBS gp3", "us-east-1", 100, 8);
        row(TariffKind::Storage, "aws", "EBS gp2", "us-east-1", 100, 10);
        row(TariffKind::Storage, "aws", "S3 Standard", "us-east-1", 1000, 23);
        row(TariffKind::Storage, "gcp", "GCS Standard", "us-central1", 1000, 20);
        row(TariffKind::Transfer, "aws", "to the internet", "us-east-1", 0, 0);
        row(TariffKind::Transfer, "aws", "to the internet", "us-east-1", 10240, 921.6);
        // Only what is beyond a step costs that step's price.
        row(TariffKind::Transfer, "aws", "to the internet", "us-east-1", 10340, 930.1);
        row(TariffKind::Transfer, "aws", "to the internet", "eu-west-1", 200000,
            10240 * 0.09 + 40960 * 0.085 + 102400 * 0.07 + 46400 * 0.05);
        // Nobody lists what comes after 150 TB there: the last price that is known goes on.
        row(TariffKind::Transfer, "aws", "to the internet", "us-east-1", 200000,
            10240 * 0.09 + 40960 * 0.085 + 148800 * 0.07);
        row(TariffKind::Managed, "aws", "ml.g4dn.xlarge", "us-east-1", 10, 7.364);
        row(TariffKind::Managed, "aws", "ml.p3.2xlarge", "us-east-1", 1, 3.825);
        row(TariffKind::Accelerator, "gcp", "T4 on_demand", "us-central1", 1, 0.35);
    }
    void costs()
    {
        QFETCH(int, kind);
        QFETCH(QByteArray, provider);
        QFETCH(QByteArray, service);
        QFETCH(QByteArray, region);
        QFETCH(double, amount);
        QFETCH(double, usd);
        const double found = ::usd({static_cast<TariffKind>(kind), provider.constData(),
                                    service.constData(), region.constData()},
                                   amount);
        QVERIFY2(std::abs(found - usd) < 1e-6, qPrintable(QString::number(found, 'g', 10)));
    }

    void whatNobodyListsIsUnavailable()
    {
        const Quantity cost = program().cost(
            {TariffKind::Storage, "azure", "Blob hot LRS", "eastus"}, 10, Day, Drift());
        QVERIFY(!cost.isAvailable());
        QCOMPARE(cost.how().note.text(), "no price of 'Blob hot LRS' is listed for Azure");
    }

    void anotherRegionsTariffIsAnAssumption()
    {
        const Quantity here = program().cost(
            {TariffKind::Storage, "aws", "S3 Standard", "us-east-1"}, 10, Day, Drift());
        const Quantity there = program().cost(
            {TariffKind::Storage, "aws", "S3 Standard", "eu-west-1"}, 10, Day, Drift());
        QVERIFY(here.basis() == Basis::Listed);
        QVERIFY(there.basis() == Basis::Assumed);
        QVERIFY(there.how().sentence().find("none is listed for eu-west-1") != std::string::npos);
        QVERIFY(here.how().sentence().find("2024-07-01") != std::string::npos);
    }

    void everyTariffHasASource()
    {
        QVERIFY(program().all().size() > 300);
        for (const Tariff& tariff : program().all()) {
            QVERIFY(!program().source(tariff).name.empty());
            QVERIFY(tariff.usd > 0);
        }
    }

    void moreNeverCostsLess()
    {
        for (const Tariff& tariff : program().all()) {
            double last = -1;
            for (double amount = 0; amount < 1e6; amount = amount * 3 + 1) {
                const double cost =
                    usd({tariff.kind, tariff.provider, tariff.service, tariff.region}, amount);
                QVERIFY(std::isfinite(cost) && cost > last);
                last = cost;
            }
        }
    }

    void brokenTariffsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("no JSON") << QByteArray("x") << QByteArray("line 1");
        QTest::newRow("no list") << QByteArray("{}") << QByteArray("not tariffs");
        QTest::newRow("no such source")
            << QByteArray(R"({"sources":[],"tariffs":[{"kind":"storage","provider":"a",)"
                          R"( "service":"b","unit":"GB","usd":1,"source":0}]})")
            << QByteArray("/tariffs/0/source");
        QTest::newRow("no such kind")
            << QByteArray(R"({"sources":[],"tariffs":[{"kind":"magic"}]})")
            << QByteArray("/tariffs/0/kind");
    }
    void brokenTariffsAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto tariffs =
            Tariffs::create({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(!tariffs);
        const std::string sentence = tariffs.error().sentence();
        QVERIFY2(sentence.find(place.toStdString()) != std::string::npos, sentence.c_str());
    }
};

OUTLAY_TEST(TestTariffs)
#include "tst_tariffs.moc"
