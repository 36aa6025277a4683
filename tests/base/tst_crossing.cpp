// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/crossing.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace outlay::core;

namespace {

struct Curve {
    const char* name;
    std::function<double(double)> at;
    double crosses;
};

const std::vector<Curve>& curves()
{
    static const std::vector<Curve> All{
        {"line", [](double x) { return x - 0.3; }, 0.3},
        {"falling", [](double x) { return 7 - x; }, 7},
        {"bent late", [](double x) { return std::exp(x) - std::exp(9.5); }, 9.5},
        {"bent early", [](double x) { return 1 - 0.01 / std::max(x, 1e-12); }, 0.01},
        {"step", [](double x) { return x < 6.25 ? -1.0 : 5.0; }, 6.25},
        {"step to next to nothing",
         [](double x) { return x < 6.25 ? 0.3 : -std::numeric_limits<double>::min(); }, 6.25},
        {"flat, then steep", [](double x) { return std::max(-1.0, 1e6 * (x - 2)); }, 2},
        {"saturates", [](double x) { return 1 / (1 + std::pow(x, 8)) - 0.5; }, 1}};
    return All;
}

struct Answer {
    Crossing found;
    int asked = 0;
};
Answer crossed(const std::function<double(double)>& at, Crossing between, double part)
{
    Answer answer;
    const auto counted = [&](double x) {
        ++answer.asked;
        return at(x);
    };
    answer.found = crossingOf(counted, between, part);
    return answer;
}

} // namespace

class TestCrossing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isFound()
    {
        constexpr double Part = 1e-5;
        for (const Curve& curve : curves()) {
            const auto [found, asked] = crossed(curve.at, {0, 10}, Part);
            QVERIFY2(found.high - found.low <= found.high * Part, curve.name);
            QVERIFY2(found.low <= curve.crosses && curve.crosses <= found.high, curve.name);
            QVERIFY2(asked <= 90, curve.name);
        }
    }

    void smoothOnesAreAskedSeldom()
    {
        const auto [found, asked] = crossed([](double x) { return x * x - 30; }, {0, 10}, 1e-5);
        QVERIFY(found.low * found.low <= 30 && found.high * found.high >= 30);
        QVERIFY(asked <= 10); // by halves it would be 19
    }

    void withoutOneItIsTheUpperEnd()
    {
        for (const double sign : {-1.0, 1.0}) {
            const Crossing found =
                crossed([&](double x) { return sign * (1 + x); }, {2, 4}, 1e-4).found;
            QCOMPARE(found.high, 4.0);
            QVERIFY(found.low >= 4 - 2e-4);
        }
    }
};

OUTLAY_TEST(TestCrossing)
#include "tst_crossing.moc"
