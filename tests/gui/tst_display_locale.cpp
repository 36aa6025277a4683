// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Figures in the user's currency and distances: what is written changes, what is computed doesn't.
#include "core/experiment/presets.h"
#include "gui/view/carbon_view.h"
#include "gui/view/cost_view.h"
#include "gui/view/figure_cell.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/growth_view.h"
#include "gui/view/offers_view.h"
#include "gui/view/providers_view.h"
#include "gui/view/scaling_view.h"
#include "gui/view/tiles_view.h"
#include "gui/view/vary_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using namespace outlay::gui;
using core::Quantity;
using core::Unit;

namespace {

const QLocale& english()
{
    static const QLocale English(QLocale::English, QLocale::UnitedStates);
    return English;
}

DisplayLocale localeIn(const QString& code, double perDollar)
{
    DisplayLocale locale = english();
    locale.currency = {code, perDollar, QStringLiteral("2026-11-01")};
    return locale;
}

const pricing::Report& report()
{
    static const pricing::Report Made =
        pricing::makeReport(core::preset("text-generator")->experiment, tests::catalogs());
    return Made;
}

QString textOf(const FigureView& view, const QString& name)
{
    for (const ExplanationRow& row : view.explanation) {
        if (row.name == name)
            return row.text;
    }
    return {};
}

/// All of a chart's numbers are the plain one's times the factor.
bool isScaled(const ChartModel& plain, const ChartModel& shown, double factor)
{
    if (plain.isEmpty() || plain.series.size() != shown.series.size())
        return false;
    const auto isNear = [&](double a, double b) { return std::abs(a * factor - b) <= 1e-9 * b; };
    for (std::size_t s = 0; s < plain.series.size(); ++s) {
        const auto& a = plain.series[s].points;
        const auto& b = shown.series[s].points;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!isNear(a[i].y, b[i].y) || !isNear(a[i].low.value_or(0), b[i].low.value_or(0)) ||
                !isNear(a[i].high.value_or(0), b[i].high.value_or(0)))
                return false;
        }
    }
    return true;
}

} // namespace

class TestDisplayLocale : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void moneyIsConverted_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<double>("rate");
        QTest::addColumn<double>("usd");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<QString>("figure");
        QTest::newRow("dollar") << "USD" << 1.0 << 185.15 << "$185.15"
                                << "$185.15";
        QTest::newRow("euro") << "EUR" << 0.5 << 185.15 << "€92.58"
                              << "€92.58";
        QTest::newRow("code") << "CHF" << 2.0 << 10.0 << "CHF 20.00"
                              << "CHF 20.00";
        QTest::newRow("yen") << "JPY" << 150.0 << 1000.0 << "¥150k"
                             << "¥150,000.00";
        QTest::newRow("small") << "EUR" << 0.5 << 0.004 << "€0.0020"
                               << "€0.00200";
        QTest::newRow("less") << "EUR" << 0.5 << -4.0 << "-€2.00"
                              << "-€2.00";
        QTest::newRow("nothing") << "EUR" << 0.5 << 0.0 << "€0.00"
                                 << "€0";
    }
    void moneyIsConverted()
    {
        QFETCH(QString, code);
        QFETCH(double, rate);
        QFETCH(double, usd);
        const DisplayLocale locale =
            code == QLatin1String("USD") ? DisplayLocale(english()) : localeIn(code, rate);
        QTEST(headlineText(usd, Unit::Usd, locale), "headline");
        QTEST(valueText(usd, Unit::Usd, locale), "figure");
    }

    void otherUnitsStay()
    {
        const DisplayLocale euro = localeIn(QStringLiteral("EUR"), 0.5);
        for (int unit = 0; unit <= static_cast<int>(Unit::UsdPerKilowattHour); ++unit) {
            const auto u = static_cast<Unit>(unit);
            const bool isMoney =
                u == Unit::Usd || u == Unit::UsdPerHour || u == Unit::UsdPerKilowattHour;
            QCOMPARE(valueText(12.5, u, euro) != valueText(12.5, u, english()), isMoney);
        }
    }

    // The card of every converted figure names dollars, rate and day; no other card does.
    void cardsNameTheRate()
    {
        const DisplayLocale euro = localeIn(QStringLiteral("EUR"), 0.5);
        const Quantity usd = Quantity::exact(185.15, Unit::Usd, {});
        const QString name = QStringLiteral("In US dollars");
        QCOMPARE(textOf(makeFigureView(QStringLiteral("a"), usd, nullptr, euro), name),
                 QStringLiteral("$185.15; 1 USD = 0.5 EUR, your own rate of 2026-11-01 (assumed)"));
        QVERIFY(
            textOf(makeFigureView(QStringLiteral("a"), usd, nullptr, english()), name).isEmpty());
        const Quantity bytes = Quantity::exact(185, Unit::Bytes, {});
        QVERIFY(textOf(makeFigureView(QStringLiteral("a"), bytes, nullptr, euro), name).isEmpty());
        const Quantity none = Quantity::unavailable(Unit::Usd, "nobody lists it");
        QCOMPARE(makeFigureView(QStringLiteral("a"), none, nullptr, euro),
                 makeFigureView(QStringLiteral("a"), none, nullptr, english()));
        QVERIFY(figureCell(usd, euro).hint.contains(QStringLiteral("your own rate")));
        QCOMPARE(figureCell(usd, euro).order, figureCell(usd, english()).order);
    }

    void tilesFollow()
    {
        const DisplayLocale euro = localeIn(QStringLiteral("EUR"), 0.5);
        const auto plain = makeTilesView(report(), nullptr, english());
        const auto shown = makeTilesView(report(), nullptr, euro);
        int converted = 0;
        for (std::size_t i = 0; i < plain.size(); ++i) {
            if (plain[i].value.startsWith(QLatin1Char('$'))) {
                QVERIFY(shown[i].value.startsWith(QStringLiteral("€")));
                ++converted;
            } else {
                QCOMPARE(shown[i], plain[i]);
            }
        }
        QCOMPARE(converted, 2);
    }

    void chartsFollow()
    {
        const DisplayLocale euro = localeIn(QStringLiteral("EUR"), 0.5);
        const ReportInput input{report(), nullptr, &tests::catalogs()};
        const ChartModel bars = makeProvidersView(input, euro).chart;
        QVERIFY(isScaled(makeProvidersView(input, english()).chart, bars, 0.5));
        QCOMPARE(bars.y.title, QStringLiteral("EUR a run"));
        const ChartModel cost = makeCostView(report(), nullptr, euro).chart;
        QVERIFY(isScaled(makeCostView(report(), nullptr, english()).chart, cost, 0.5));
        QVERIFY(cost.subtitle.startsWith(QStringLiteral("EUR")));
        const ScalingView scaling = makeScalingView(report(), euro);
        QVERIFY(isScaled(makeScalingView(report(), english()).cost, scaling.cost, 0.5));
        QCOMPARE(scaling.latency, makeScalingView(report(), english()).latency);
        const std::vector<VaryPoint> points{varyPointOf(1, report()), varyPointOf(2, report())};
        const auto plain = makeVaryView({}, points, english());
        const auto varied = makeVaryView({}, points, euro);
        QVERIFY(varied[0].y.title.contains(QStringLiteral("EUR")));
        QVERIFY(!plain[0].isEmpty() && plain[0] != varied[0]);
        QCOMPARE(varied[2], plain[2]);
    }

    // The offers' limits are drawn and moved in the user's currency, and kept in dollars.
    void offersAndTheirLimitsFollow()
    {
        const DisplayLocale euro = localeIn(QStringLiteral("EUR"), 0.5);
        const OfferRows rows(report(), tests::catalogs());
        std::vector<std::uint32_t> shown;
        for (std::uint32_t row = 0; row < rows.count(); ++row)
            shown.push_back(row);
        core::Plan plan;
        const ChartModel free = makeOffersView(rows, shown, plan, english()).chart;
        plan.budgetUsd = (free.y.low + free.y.high) / 2;
        const ChartModel plain = makeOffersView(rows, shown, plan, english()).chart;
        const ChartModel chart = makeOffersView(rows, shown, plan, euro).chart;
        QCOMPARE(chart.y.title, QStringLiteral("EUR"));
        QCOMPARE(chart.limits.at(1).at, plain.limits.at(1).at * 0.5);
        QCOMPARE(limitValue(rows, 1, chart.limits.at(1).at, euro), core::Json(*plan.budgetUsd));
        QCOMPARE(limitValue(rows, 0, 7.0, euro), core::Json(7.0833)); // the start is in it
        QCOMPARE(limitValue(rows, 1, {}, euro), core::Json());
    }

    void growthFollows()
    {
        const DisplayLocale euro = localeIn(QStringLiteral("EUR"), 0.5);
        const auto plain = makeGrowthView(report().scaling, english());
        const auto shown = makeGrowthView(report().scaling, euro);
        QCOMPARE(shown.size(), plain.size());
        int converted = 0;
        for (std::size_t part = 0; part < plain.size(); ++part) {
            for (std::size_t i = 0; i < plain[part].charts.size(); ++i) {
                const ChartModel& chart = shown[part].charts[i];
                const bool isMoney = chart.y.title.contains(QStringLiteral("EUR"));
                converted += isMoney && isScaled(plain[part].charts[i], chart, 0.5) ? 1 : 0;
                QVERIFY(isMoney || chart == plain[part].charts[i]);
            }
        }
        QCOMPARE(converted, 2); // over the sequence, over devices
    }

    // One of the two is told, never both.
    void distancesAreMilesOrKilometres()
    {
        core::Experiment experiment = core::preset("text-generator")->experiment;
        experiment.training.epochs = 10000;
        experiment.training.samples = 1e7;
        const pricing::Report large = pricing::makeReport(experiment, tests::catalogs());
        DisplayLocale locale = english();
        const QString miles = makeCarbonView(large, nullptr, locale).equivalents;
        locale.distance = DistanceUnit::Kilometres;
        const QString km = makeCarbonView(large, nullptr, locale).equivalents;
        QVERIFY2(miles.contains(QStringLiteral("miles driven")), qPrintable(miles));
        QVERIFY(!miles.contains(QStringLiteral("km driven")));
        QVERIFY2(km.contains(QStringLiteral("km driven")), qPrintable(km));
        QVERIFY(!km.contains(QStringLiteral("miles")));
    }
};

OUTLAY_TEST(TestDisplayLocale)
#include "tst_display_locale.moc"
