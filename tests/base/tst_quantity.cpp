// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace outlay::core;

namespace {

constexpr Formula Test{"test", "{0} x {1}"};

Quantity figure(double value, double low, double high, Basis basis, Unit unit = Unit::Seconds)
{
    return Quantity::within(value, low, high, unit, basis, {});
}

} // namespace

class TestQuantity : public QObject {
    Q_OBJECT
private slots:
    void sumsAddIntervals()
    {
        const Quantity s = figure(10, 8, 13, Basis::Measured) + figure(1, 0.5, 4, Basis::Forecast);
        QCOMPARE(s.value(), 11.0);
        QCOMPARE(s.low(), 8.5);
        QCOMPARE(s.high(), 17.0);
    }

    void differencesCrossIntervals()
    {
        const Quantity d = figure(10, 8, 13, Basis::Measured) - figure(1, 0.5, 4, Basis::Measured);
        QCOMPARE(d.value(), 9.0);
        QCOMPARE(d.low(), 4.0);
        QCOMPARE(d.high(), 12.5);
    }

    void productsTakeTheOuterCorners()
    {
        const Quantity p =
            product(figure(2, -1, 3, Basis::Measured), figure(4, 2, 5, Basis::Listed), Unit::Usd);
        QCOMPARE(p.value(), 8.0);
        QCOMPARE(p.low(), -5.0);
        QCOMPARE(p.high(), 15.0);
        QCOMPARE(p.unit(), Unit::Usd);
    }

    void divisionByAPossibleZeroIsUnavailable()
    {
        const Quantity a = figure(1, 1, 1, Basis::Exact);
        QVERIFY(!quotient(a, figure(0, 0, 0, Basis::Exact), Unit::One).isAvailable());
        QVERIFY(!quotient(a, figure(1, -1, 2, Basis::Exact), Unit::One).isAvailable());
        QVERIFY(!quotient(a, figure(1, 0, 2, Basis::Exact), Unit::One).isAvailable());
        QCOMPARE(quotient(a, figure(4, 2, 8, Basis::Exact), Unit::One).high(), 0.5);
    }

    void theWeakerBasisWins_data()
    {
        QTest::addColumn<Basis>("a");
        QTest::addColumn<Basis>("b");
        QTest::addColumn<Basis>("expected");
        const QList<Basis> order{Basis::Exact,    Basis::Measured, Basis::Listed,
                                 Basis::Forecast, Basis::Assumed,  Basis::Unavailable};
        for (qsizetype i = 0; i < order.size(); ++i) {
            for (qsizetype j = 0; j < order.size(); ++j)
                QTest::addRow("%d %d", static_cast<int>(i), static_cast<int>(j))
                    << order[i] << order[j] << order[std::max(i, j)];
        }
    }
    void theWeakerBasisWins()
    {
        QFETCH(Basis, a);
        QFETCH(Basis, b);
        QFETCH(Basis, expected);
        const Quantity x = figure(2, 1, 3, a);
        const Quantity y = figure(5, 4, 6, b);
        QCOMPARE((x + y).basis(), expected);
        QCOMPARE((x - y).basis(), expected);
        QCOMPARE(product(x, y, Unit::One).basis(), expected);
        QCOMPARE(quotient(x, y, Unit::One).basis(), expected);
        const std::array parts{x, y};
        QCOMPARE(sum(parts, Unit::Seconds, {}).basis(), expected);
    }

    void unavailableNeverBecomesZeroAndKeepsItsReason()
    {
        const Quantity none = Quantity::unavailable(Unit::Seconds, "no counter");
        const Quantity one = figure(1, 1, 1, Basis::Exact);
        for (const Quantity& q :
             {none + one, one + none, one - none, none * 0.0, product(one, none, Unit::Seconds),
              quotient(none, one, Unit::Seconds)}) {
            QVERIFY(!q.isAvailable());
            QCOMPARE(q.how().note.text(), std::string("no counter"));
            QCOMPARE(q.because(how(Test, {1, 2})).how().note.text(), std::string("no counter"));
        }
        const std::array parts{one, none};
        QVERIFY(!sum(parts, Unit::Seconds, {}).isAvailable());
    }

    void copiesOfAFigurePointToTheSameNote()
    {
        const How first = how(Test, {1, 2}, "as the vendor lists it, 2026-11-20");
        const How copy = first; // NOLINT(performance-unnecessary-copy-initialization)
        QCOMPARE(&copy.note.text(), &first.note.text());
        QCOMPARE(copy, first);
        QVERIFY(Note("one") == Note(std::string("one")) && !(Note("one") == Note("two")));
        QVERIFY(Note().empty() && Note("").empty() && Note("") == Note());
        QCOMPARE(Note().text(), std::string());
    }

    void whatIsNotFiniteIsUnavailable()
    {
        constexpr double Infinite = std::numeric_limits<double>::infinity();
        QVERIFY(!figure(Infinite, 0, 1, Basis::Exact).isAvailable());
        QVERIFY(!figure(1, std::nan(""), 1, Basis::Exact).isAvailable());
        const Quantity large = figure(1e300, 1e300, 1e300, Basis::Exact);
        QVERIFY(!product(large, large, Unit::One).isAvailable());
    }

    void intervalsHoldTheirValue()
    {
        const Quantity q = figure(5, 7, 6, Basis::Measured);
        QCOMPARE(q.low(), 5.0);
        QCOMPARE(q.high(), 7.0);
    }

    // For random operands, the result's interval holds every result of values from the operands'.
    void arithmeticHoldsAllResults()
    {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> any(-10, 10);
        const auto draw = [&] {
            const double a = any(random);
            const double b = any(random);
            return figure((a + b) / 2, a, b, Basis::Measured);
        };
        const auto inside = [&](const Quantity& q) {
            return std::uniform_real_distribution<double>(q.low(), q.high())(random);
        };
        const auto holds = [](const Quantity& q, double x) {
            constexpr double Rounding = 1e-9;
            return !q.isAvailable() || (x >= q.low() - Rounding && x <= q.high() + Rounding);
        };
        for (int i = 0; i < 2000; ++i) {
            const Quantity a = draw();
            const Quantity b = draw();
            const double x = inside(a);
            const double y = inside(b);
            QVERIFY(holds(a + b, x + y));
            QVERIFY(holds(a - b, x - y));
            QVERIFY(holds(product(a, b, Unit::One), x * y));
            QVERIFY(holds(quotient(a, b, Unit::One), x / y));
        }
    }

    void theSentenceHoldsItsNumbers()
    {
        QCOMPARE(how(Test, {2841200, 4}, "exact").sentence(), std::string("2,841,200 x 4; exact"));
        QCOMPARE(how(Test, {0.12345, -1e20}).sentence(), std::string("0.1235 x -1e+20"));
        QCOMPARE(How{}.sentence(), std::string());
    }

    void everyUnitAndBasisHasAWord()
    {
        for (int i = 0; i <= static_cast<int>(Unit::UsdPerKilowattHour); ++i)
            QVERIFY(!symbol(static_cast<Unit>(i)).empty());
        for (int i = 0; i <= static_cast<int>(Basis::Unavailable); ++i)
            QVERIFY(!name(static_cast<Basis>(i)).empty());
    }
};

OUTLAY_TEST(TestQuantity)
#include "tst_quantity.moc"
