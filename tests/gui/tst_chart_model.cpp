// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Axes that hold their points, limits that are moved over them, and tables that say the same.
#include "gui/view/axis_ticks.h"
#include "gui/view/chart_model.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <map>
#include <random>

using namespace outlay::gui;
using outlay::tests::English;

namespace {

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

    // Between times that people say, with two marks at least, in their order.
    void timesAreMarked()
    {
        for (double low = 1e-6; low < 2e3; low *= 3.7) {
            for (const double span : {1.0, 1.5, 10.0, 1000.0}) {
                const ChartAxis axis = timeAxis(low, low * span, {});
                QVERIFY(axis.low < low && axis.high > low * span);
                const std::vector<AxisTick> ticks = ticksOf(axis, QLocale::c());
                QVERIFY2(ticks.size() >= 2, qPrintable(QString::number(low)));
                for (std::size_t i = 0; i < ticks.size(); ++i) {
                    QVERIFY(ticks[i].place >= -1e-9 && ticks[i].place <= 1 + 1e-9);
                    QVERIFY(i == 0 || ticks[i].place > ticks[i - 1].place);
                }
            }
        }
        const std::vector<AxisTick> hour = ticksOf(timeAxis(0.02, 1.9, {}), QLocale::c());
        QStringList labels;
        for (const AxisTick& tick : hour)
            labels.append(tick.label);
        QCOMPARE(labels, (QStringList{"1 min", "10 min", "1 h"}));
    }

    // Each is as many units as it says, and a number that people say: one digit and zeros.
    void timesAreRound()
    {
        const std::map<QString, double> hours{{QStringLiteral("ms"), 1 / 3.6e6},
                                              {QStringLiteral("s"), 1 / 3600.0},
                                              {QStringLiteral("min"), 1 / 60.0},
                                              {QStringLiteral("h"), 1},
                                              {QStringLiteral("d"), 24}};
        double before = 0;
        for (const RoundTime& time : roundTimes()) {
            const QString count = time.label.section(u' ', 0, 0);
            const double expected = count.toDouble() * hours.at(time.label.section(u' ', 1));
            QVERIFY2(std::abs(time.hours / expected - 1) < 1e-12, qPrintable(time.label));
            QVERIFY2(count.mid(1) == QString(count.size() - 1, u'0'), qPrintable(time.label));
            QVERIFY2(time.hours > before, qPrintable(time.label));
            before = time.hours;
        }
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

    void axesSayTheirNumbers_data()
    {
        QTest::addColumn<ChartAxis>("axis");
        QTest::addColumn<QString>("labels");
        QTest::newRow("from zero") << axisFromZero(9.3, {})
                                   << "0.0 at 0, 2.5 at 0.25, 5.0 at 0.5, "
                                      "7.5 at 0.75, 10.0 at 1";
        QTest::newRow("thousands")
            << axisFromZero(4000, {})
            << "0 at 0, 1,000 at 0.25, 2,000 at 0.5, 3,000 at 0.75, 4,000 at 1";
        QTest::newRow("powers of ten") << ChartAxis{.low = 0.01, .high = 1e7, .isLog = true}
                                       << "0.01 at 0, 0.1 at 0.1111, 1 at 0.2222, 10 at 0.3333, "
                                          "100 at 0.4444, 1,000 at 0.5556, 10,000 at 0.6667, "
                                          "100,000 at 0.7778, 1 M at 0.8889, 10 M at 1";
        QTest::newRow("words") << ChartAxis{.low = 0.5, .high = 2.5, .words = {"low", "high"}}
                               << "low at 0.25, high at 0.75";
        QTest::newRow("no room between its ends") << ChartAxis{.low = 1, .high = 1} << "";
        QTest::newRow("a logarithm of zero") << ChartAxis{.low = 0, .high = 1, .isLog = true} << "";
    }
    void axesSayTheirNumbers()
    {
        QFETCH(ChartAxis, axis);
        QStringList labels;
        for (const AxisTick& tick : ticksOf(axis, English))
            labels.append(
                QStringLiteral("%1 at %2").arg(tick.label, QString::number(tick.place, 'g', 4)));
        QTEST(labels.join(QStringLiteral(", ")), "labels");
    }

    // Whatever the room, what is left doesn't touch, is evenly spaced and keeps the low end.
    void crowdedTicksAreThinned()
    {
        for (int count = 2; count < 20; ++count) {
            for (double room = 1; room < 300; room *= 1.3) {
                constexpr double Length = 200;
                ChartAxis axis{.ticks = count};
                const auto ticks = ticksOf(axis, QLocale::c());
                const auto kept = thinned(ticks, Length, room);
                // A scale whose ends have no ticks: they are as far apart as they are, not more.
                const ChartAxis log{.low = 0.3, .high = 3 * std::pow(10, count), .isLog = true};
                const auto powers = thinned(ticksOf(log, QLocale::c()), Length, room);
                QVERIFY(powers.size() <= 2 ||
                        (powers[1].place - powers[0].place) * Length >= room - 1e-9);
                QVERIFY(kept.size() >= 2);
                QCOMPARE(kept.front(), ticks.front());
                QCOMPARE(kept.back(), ticks.back());
                const double apart = (kept[1].place - kept[0].place) * Length;
                QVERIFY(apart >= room - 1e-9 || kept.size() == 2);
                for (std::size_t i = 2; i < kept.size(); ++i)
                    QVERIFY(std::abs((kept[i].place - kept[i - 1].place) * Length - apart) < 1e-9);
            }
        }
    }
};

OUTLAY_TEST(TestChartModel)
#include "tst_chart_model.moc"
