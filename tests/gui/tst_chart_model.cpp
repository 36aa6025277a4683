// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Axes that hold their points, limits that are moved over them, and tables that say the same.
#include "gui/view/chart_model.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::gui;

namespace {

const QLocale English(QLocale::English, QLocale::UnitedStates);

int powersOfTenIn(const ChartAxis& axis)
{
    int count = 0;
    for (int power = -12; power <= 12; ++power) {
        const double at = std::pow(10, power);
        count += at >= axis.low * (1 - 1e-9) && at <= axis.high * (1 + 1e-9) ? 1 : 0;
    }
    return count;
}

} // namespace

class TestChartModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Numbers stand at powers of ten only: with fewer than two an axis can't be read.
    void logarithmicAxesHoldTheirPoints()
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> power(-6, 6);
        for (int i = 0; i < 2000; ++i) {
            double low = std::pow(10, power(random));
            double high = std::pow(10, power(random));
            if (low > high)
                std::swap(low, high);
            const ChartAxis axis = logAxis(low, high, {});
            QVERIFY(axis.low < low && axis.high > high);
            QVERIFY(axis.low > low / 20 && axis.high < high * 20); // close to them
            QVERIFY2(powersOfTenIn(axis) >= 2,
                     qPrintable(QStringLiteral("%1 to %2").arg(low).arg(high)));
        }
        QCOMPARE(logAxis(0.09, 5, {}).low, 0.05);
        QCOMPARE(logAxis(0.012, 16, {}).high, 20.0);
    }

    void limitsHaveFewDigitsAndStayOnTheAxis()
    {
        const ChartAxis axis = logAxis(0.02, 700, {});
        QCOMPARE(draggedLimit(12.3456, axis), std::optional(12.3));
        QCOMPARE(draggedLimit(0.00001, axis), std::optional(axis.low));
        QCOMPARE(draggedLimit(axis.high, axis), std::optional<double>());
        QCOMPARE(draggedLimit(axis.high * 0.99999, axis), std::optional<double>()); // by rounding
        QCOMPARE(draggedLimit(std::nan(""), axis), std::optional<double>());
    }

    void limitsMoveByKeys()
    {
        const ChartAxis axis = logAxis(0.02, 700, {});
        ChartLimit limit{.at = 10, .name = {}, .isMovable = true};
        for (int steps : {1, 5, -1, -5}) {
            const auto moved = movedLimit(limit, axis, steps);
            QVERIFY(moved.has_value());
            QCOMPARE(*moved > limit.at, steps > 0);
        }
        // Forty steps are ten times as much.
        QCOMPARE(movedLimit(limit, axis, 40), std::optional(100.0));
        limit.at = axis.high;
        limit.isSet = false;
        QCOMPARE(movedLimit(limit, axis, 1), std::optional<double>());
        QVERIFY(movedLimit(limit, axis, -1).has_value());
        limit.isSet = true;
        // Where numbers are far apart each step still moves.
        for (limit.at = axis.low; limit.at < axis.high / 2; limit.at = *movedLimit(limit, axis, 1))
            QVERIFY(movedLimit(limit, axis, 1) > limit.at);
    }

    void limitsAreInTheTable()
    {
        ChartModel chart{.kind = ChartModel::Kind::Scatter};
        chart.series = {{QStringLiteral("s"), 0, {{.x = 1, .y = 2}}}};
        chart.limits = {
            {.of = ChartLimit::Of::X, .at = 24, .name = QStringLiteral("deadline 24 h")},
            {.of = ChartLimit::Of::Y, .at = 9, .name = {}, .isSet = false}};
        const TableData table = tableOf(chart, English);
        QCOMPARE(table.rows.size(), std::size_t{2});
        QCOMPARE(table.rows[1][0].text, QStringLiteral("Limit: deadline 24 h"));
        QCOMPARE(table.rows[1][1].order, std::optional<double>(24));
        QVERIFY(table.rows[1][2].text.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestChartModel)
#include "tst_chart_model.moc"
