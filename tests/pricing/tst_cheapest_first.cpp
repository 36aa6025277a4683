// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/cheapest_first.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

using namespace outlay::pricing;

namespace {

std::vector<std::uint32_t> bySort(const std::vector<Candidate>& prices)
{
    std::vector<std::uint32_t> order(prices.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
        const auto key = [&](std::uint32_t i) {
            const Candidate& c = prices[i];
            return std::tuple(c.group, c.trust == Trust::Doubtful, c.usd);
        };
        return key(a) < key(b);
    });
    return order;
}

} // namespace

class TestCheapestFirst : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sortsAsTheLibraryDoes_data()
    {
        QTest::addColumn<double>("spread"); // of the logarithm
        QTest::newRow("prices") << 2.0;
        QTest::newRow("all sizes") << 50.0;
        QTest::newRow("nearly equal") << 1e-7;
    }
    void sortsAsTheLibraryDoes()
    {
        QFETCH(double, spread);
        std::mt19937_64 random(11);
        for (const std::size_t count : {0U, 1U, 2U, 10U, 1000U, 20'000U}) {
            std::vector<Candidate> prices;
            for (std::size_t i = 0; i < count; ++i)
                prices.push_back(
                    {.trust = static_cast<Trust>(random() % 3),
                     .group = static_cast<std::uint8_t>(random() % 8),
                     .usd = std::exp(std::normal_distribution<double>(0, spread)(random))});
            QCOMPARE(cheapestFirst(prices), bySort(prices));
        }
    }

    // Numbers that agree in all that the digits hold, and equal ones, which keep their order.
    void nearNumbers()
    {
        std::mt19937_64 random(12);
        std::vector<Candidate> prices;
        for (int i = 0; i < 500; ++i)
            prices.push_back({.usd = 1 + static_cast<double>(random() % 50) *
                                             std::numeric_limits<double>::epsilon()});
        QCOMPARE(cheapestFirst(prices), bySort(prices));
    }

    void zeroNegativeAndHuge()
    {
        std::vector<Candidate> prices;
        for (const double usd : {3.0, -1.0, 0.0, 1e308, -2e300, 5e-324, 3.0, -1.0, 1e-300})
            prices.push_back({.usd = usd});
        prices.push_back({.group = 1, .usd = -1});
        QCOMPARE(cheapestFirst(prices), bySort(prices));
    }
};

OUTLAY_TEST(TestCheapestFirst)
#include "tst_cheapest_first.moc"
