// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments side by side, as they are shown: figures, differences, and cost against quality.
#include "gui/view/compare_view.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::gui;
using core::Quantity;
using core::Unit;
using outlay::tests::English;

namespace {

struct Row {
    const char* key;
    Unit unit;
    std::vector<double> values; // NaN: unavailable
};

Quantity figure(double value, Unit unit)
{
    return std::isnan(value) ? Quantity::unavailable(unit, "not known")
                             : Quantity::exact(value, unit, {});
}

pricing::Comparison comparisonOf(const std::vector<std::string>& names,
                                 const std::vector<Row>& rows)
{
    pricing::Comparison comparison;
    comparison.names = names;
    for (const std::string& name : names)
        comparison.files.push_back(name + ".json");
    for (const Row& row : rows) {
        pricing::ComparisonRow one{row.key, row.key, {}};
        for (const double value : row.values)
            one.cells.push_back({figure(value, row.unit), std::nullopt, std::nullopt});
        comparison.rows.push_back(std::move(one));
    }
    return comparison;
}

constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

/// Four experiments: one doesn't say its mse, one has no cost.
pricing::Comparison four()
{
    return comparisonOf({"a", "b", "c", "d"},
                        {{"parameters", Unit::One, {10, 20, 30, 40}},
                         {"cheapest_usd", Unit::Usd, {1, 2, 3, Unknown}},
                         {"month_usd", Unit::Usd, {100, 50, 25, 12}},
                         {"quality/mse", Unit::One, {0.5, Unknown, 0.25, 0.125}},
                         {"quality/r2", Unit::One, {0.9, 0.95, Unknown, Unknown}}});
}

std::vector<const ChartPoint*> pointsOf(const ChartModel& chart)
{
    std::vector<const ChartPoint*> points;
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points)
            points.push_back(&point);
    }
    return points;
}

} // namespace

class TestCompareView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTableHasEachFigure()
    {
        const CompareView view = makeCompareView(four(), {}, English);
        QCOMPARE(view.table.rows.size(), std::size_t{5});
        QCOMPARE(view.table.columns.size(), std::size_t{5});
        QCOMPARE(view.table.rows[1][4].text, QStringLiteral("unavailable"));
        QCOMPARE(view.table.rows[0][2].order, std::optional<double>(20));
        QVERIFY(view.verdict.contains(QStringLiteral("4 experiments; differences are to a")));
    }

    void theBaselineIsFirst()
    {
        const CompareView view = makeCompareView(four(), {}, English);
        QCOMPARE(view.chart.categories.front(), QStringLiteral("a"));
        QVERIFY(view.chart.series.front().points.front().isStrong);
        QVERIFY(!view.chart.series.front().points[1].isStrong);
        QCOMPARE(view.quality.series.front().name, QStringLiteral("Baseline"));
        QCOMPARE(view.quality.series.front().points.front().label, QStringLiteral("a"));
    }

    void unknownFiguresHaveNoBar()
    {
        const CompareView view = makeCompareView(four(), {.figure = 1}, English);
        QCOMPARE(view.chart.categories.size(), std::size_t{3});
        for (const ChartPoint& point : view.chart.series.front().points)
            QVERIFY(point.y > 0);
    }

    void costIsHeldAgainstQuality()
    {
        const CompareView view = makeCompareView(four(), {}, English);
        QCOMPARE(view.qualities,
                 (std::vector<QString>{QStringLiteral("mse"), QStringLiteral("r2")}));
        const auto points = pointsOf(view.quality);
        QCOMPARE(points.size(), std::size_t{2});
        // Parameters are no cost, so that of a training run is taken.
        QCOMPARE(points[0]->x, 0.5);
        QCOMPARE(points[0]->y, 1.0);
        QCOMPARE(points[1]->x, 0.25);
        QCOMPARE(points[1]->y, 3.0);
        QCOMPARE(points[1]->key, std::optional<std::size_t>(2));
        for (const ChartPoint* point : points) {
            QVERIFY(point->x > view.quality.x.low && point->x < view.quality.x.high);
            QVERIFY(point->y > view.quality.y.low && point->y <= view.quality.y.high);
        }
        QCOMPARE(view.quality.x.title, QStringLiteral("mse"));
        QVERIFY(view.quality.description.contains(QStringLiteral("a ($1.00, mse 0.5)")));
        QVERIFY(view.quality.description.contains(QStringLiteral("c ($3.00, mse 0.25)")));
    }

    void whoIsMissingIsNamed()
    {
        const CompareView view = makeCompareView(four(), {}, English);
        QCOMPARE(view.unplaced,
                 QStringLiteral("Not in the chart, without mse: b; without a known cost "
                                "(cheapest_usd): d."));
        const CompareView all =
            makeCompareView(comparisonOf({"a"}, {{"cheapest_usd", Unit::Usd, {1}},
                                                 {"quality/mse", Unit::One, {0.1}}}),
                            {}, English);
        QVERIFY(all.unplaced.isEmpty());
        QCOMPARE(pointsOf(all.quality).size(), std::size_t{1});
    }

    void aChosenCostAndQualityAreTaken()
    {
        const CompareView view = makeCompareView(four(), {.figure = 2, .quality = 1}, English);
        const auto points = pointsOf(view.quality);
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[0]->y, 100.0);
        QCOMPARE(points[1]->y, 50.0);
        QCOMPARE(points[1]->x, 0.95);
        QVERIFY(view.unplaced.startsWith(QStringLiteral("Not in the chart, without r2: c, d")));
        // Places that are no longer there are the last ones.
        QCOMPARE(makeCompareView(four(), {.figure = 2, .quality = 99}, English).quality,
                 view.quality);
    }

    void withoutQualityItSaysWhatToDo()
    {
        const CompareView view = makeCompareView(
            comparisonOf({"a", "b"}, {{"cheapest_usd", Unit::Usd, {1, 2}}}), {}, English);
        QVERIFY(view.quality.isEmpty());
        QVERIFY(view.qualities.empty());
        QVERIFY(view.quality.empty.contains(QStringLiteral("quality")));
        QVERIFY(view.unplaced.isEmpty());
    }

    void costsFarApartAreLogarithmic()
    {
        const auto chartOf = [](double low, double high) {
            return makeCompareView(
                       comparisonOf({"a", "b"}, {{"cheapest_usd", Unit::Usd, {low, high}},
                                                 {"quality/q", Unit::One, {1, 1}}}),
                       {}, English)
                .quality;
        };
        QVERIFY(!chartOf(1, 3).y.isLog);
        QVERIFY(chartOf(0.01, 300).y.isLog);
        QVERIFY(!chartOf(0, 300).y.isLog); // no logarithm of nothing
        // The same quality twice: an axis that has a width.
        const ChartAxis x = chartOf(1, 3).x;
        QVERIFY(x.low < 1 && x.high > 1);
    }

    void manyMissingAreCounted()
    {
        std::vector<std::string> names;
        Row cost{"cheapest_usd", Unit::Usd, {}};
        Row quality{"quality/q", Unit::One, {}};
        for (int i = 0; i < 9; ++i) {
            names.push_back("e" + std::to_string(i));
            cost.values.push_back(1);
            quality.values.push_back(i == 0 ? 1 : Unknown);
        }
        const CompareView view = makeCompareView(comparisonOf(names, {cost, quality}), {}, English);
        QCOMPARE(view.unplaced, QStringLiteral("Not in the chart, without q: e1, e2, e3, e4, e5 "
                                               "and 3 more."));
    }

    void axesAroundValuesAreRound_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("around zero") << -3.0 << 4.0;
        QTest::newRow("far from zero") << 0.981 << 0.989;
        QTest::newRow("one value") << 0.0013 << 0.0013;
        QTest::newRow("zero alone") << 0.0 << 0.0;
        QTest::newRow("negative") << -8e6 << -7.9e6;
    }
    void axesAroundValuesAreRound()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        const ChartAxis axis = axisAround(low, high, QStringLiteral("q"));
        QVERIFY(axis.low < low && axis.high > high);
        QVERIFY(axis.ticks >= 3 && axis.ticks <= 9);
        // Each number under the axis is a different one.
        const double step = (axis.high - axis.low) / (axis.ticks - 1);
        QVERIFY(step >= std::pow(10, -axis.decimals) * 0.99);
    }
};

OUTLAY_TEST(TestCompareView)
#include "tst_compare_view.moc"
