// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/cheapest_first.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using outlay::pricing::cheapestFirst;

namespace {

std::vector<std::uint32_t> bySort(const std::vector<double>& usd)
{
    std::vector<std::uint32_t> order(usd.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return usd[a] < usd[b]; });
    return order;
}

} // namespace

class TestCheapestFirst : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sortsAsTheLibraryDoes()
    {
        std::mt19937_64 random(11);
        for (const std::size_t count : {0U, 1U, 2U, 10U, 1000U, 20'000U}) {
            std::vector<double> usd;
            for (std::size_t i = 0; i < count; ++i)
                usd.push_back(std::exp(std::normal_distribution<double>(0, 5)(random)));
            QCOMPARE(cheapestFirst(usd), bySort(usd));
        }
    }

    // Numbers that agree in all that the digits hold, and equal ones, which keep their order.
    void nearNumbers()
    {
        std::mt19937_64 random(12);
        std::vector<double> usd;
        for (int i = 0; i < 500; ++i)
            usd.push_back(1 + static_cast<double>(random() % 50) *
                                  std::numeric_limits<double>::epsilon());
        QCOMPARE(cheapestFirst(usd), bySort(usd));
    }

    void zeroNegativeAndHuge()
    {
        const std::vector<double> usd{3, -1, 0, 1e308, -2e300, 5e-324, 3, -1};
        QCOMPARE(cheapestFirst(usd), bySort(usd));
    }
};

QTEST_GUILESS_MAIN(TestCheapestFirst)
#include "tst_cheapest_first.moc"
