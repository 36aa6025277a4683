// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Prices as a person writes them.
#include "pricing/import/importers.h"
#include "pricing/offer_table.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <sstream>

using namespace outlay::pricing;

namespace {

PriceImport imported(const std::string& offer)
{
    std::istringstream file(R"({"format": "outlay-prices", "offers": [{"provider": "AWS",
        "instance": "box", "region": "here", "vcpus": 4, "memory_gb": 16, "usd_per_hour": 1)" +
                            offer + "}]}");
    return importOwnPrices(file, {.asOf = "2026-11-20", .today = "2026-11-29"}).value();
}

} // namespace

class TestOwnPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyUsdIsTaken_data()
    {
        QTest::addColumn<QByteArray>("currency");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* currency, const char* why) {
            QTest::newRow(currency) << QByteArray(currency) << QByteArray(why);
        };
        row("", "");
        row(R"(, "currency": "USD")", "");
        row(R"(, "currency": "usd")", "");
        row(R"(, "currency": null)", "");
        row(R"(, "currency": "")", "");
        row(R"(, "currency": "EUR")", "its price is in EUR, not in USD");
    }
    void onlyUsdIsTaken()
    {
        QFETCH(QByteArray, currency);
        QFETCH(QByteArray, why);
        const PriceImport import = imported(currency.toStdString());
        QCOMPARE(import.account.imported, std::size_t(why.isEmpty() ? 1 : 0));
        QCOMPARE(import.offers.rows.size(), std::size_t(why.isEmpty() ? 1 : 0));
        if (!why.isEmpty())
            QCOMPARE(import.account.named.front().why, why.toStdString());
    }

    // The same provider as in the program's own prices, however it is written.
    void providersAreKnownInAnyCase()
    {
        QCOMPARE(imported("").offers.machines.front().provider, std::string("aws"));
    }
};

OUTLAY_TEST(TestOwnPrices)
#include "tst_own_prices.moc"
