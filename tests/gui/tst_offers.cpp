// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All offers of the book in the table and the chart of the Providers page, and on the dashboard.
#include "core/experiment/presets.h"
#include "gui/view/offer_name.h"
#include "gui/view/providers_view.h"
#include "gui/widgets/offer_table.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <algorithm>
#include <set>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::English;
using pricing::Option;
using pricing::Report;
using pricing::Trust;

namespace {

const pricing::PriceBook& book()
{
    return outlay::tests::catalogs().book();
}

/// An option for every price of the book: ten hours on each machine.
Report reportOfBook()
{
    Report report;
    core::TrainingForecast forecast;
    forecast.runSeconds = core::Quantity::exact(36000, core::Unit::Seconds, {});
    report.training.forecasts = {forecast};
    for (std::uint32_t row = 0; row < book().rows().size(); ++row) {
        const double usd = 10 * book().rows()[row].usdPerHour.value_or(0);
        Option option{.row = row,
                      .usd = {usd, 0.9 * usd, 1.1 * usd},
                      .hasUsd = usd > 0,
                      .fits = core::Fits::Yes};
        if (book().doubt(row) != pricing::Doubt::None)
            option.trust = Trust::Doubtful;
        report.training.options.push_back(option);
    }
    return report;
}

ReportInput inputOf(const Report& report)
{
    return {report, nullptr, &outlay::tests::catalogs()};
}

} // namespace

class TestOffers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A price that may have changed is called the cheapest only with its date.
    void aStaleCheapestHasItsDate()
    {
        const auto verdictOf = [&](Trust trust) {
            Report report = m_report;
            for (Option& option : report.training.options) {
                if (option.trust != Trust::Doubtful)
                    option.trust = trust;
            }
            const OfferRows rows(report, outlay::tests::catalogs());
            return makeOffersView(rows, rows.passing({.onlySound = true}), report.plan, English)
                .verdict;
        };
        const QString stale = verdictOf(Trust::Stale);
        QVERIFY2(stale.contains(QStringLiteral("cheapest known, as of 20")), qPrintable(stale));
        const QString fresh = verdictOf(Trust::Fresh);
        QVERIFY2(fresh.contains(QStringLiteral("cheapest")), qPrintable(fresh));
        QVERIFY(!fresh.contains(QStringLiteral("known, as of")));
    }

    void everyOfferIsARow()
    {
        OfferModel model(English, nullptr);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRows(OfferRows(m_report, outlay::tests::catalogs()));
        QCOMPARE(model.rowCount(), static_cast<int>(book().rows().size()));
        QVERIFY(model.rowCount() > 10'000);
        model.setFilter({QStringLiteral("azure spot"), false});
        QVERIFY(model.rowCount() > 0 && model.rowCount() < 10'000);
        for (int row = 0; row < model.rowCount(); row += 50) {
            const auto cell = [&](OfferColumn column) {
                return model.data(model.index(row, static_cast<int>(column)), Qt::DisplayRole)
                    .toString();
            };
            QCOMPARE(cell(OfferColumn::Provider), QStringLiteral("Azure"));
            QCOMPARE(cell(OfferColumn::Purchase), QStringLiteral("spot"));
        }
        model.setRows({});
        QCOMPARE(model.rowCount(), 0);
    }

    void columnsSort_data()
    {
        QTest::addColumn<int>("column");
        for (int column = 0; column < OfferColumns; ++column)
            QTest::newRow(qPrintable(titleOf(static_cast<OfferColumn>(column)))) << column;
    }
    void columnsSort()
    {
        QFETCH(int, column);
        OfferModel model(English, nullptr);
        model.setRows(OfferRows(m_report, outlay::tests::catalogs()));
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(column, order);
            const auto& shown = model.shown();
            QCOMPARE(shown.size(), model.rows().count());
            for (std::size_t i = 1; i < shown.size(); ++i) {
                const bool isAscending = order == Qt::AscendingOrder;
                const auto before = shown[isAscending ? i - 1 : i];
                const auto after = shown[isAscending ? i : i - 1];
                QVERIFY(!model.rows().isLess(after, before, static_cast<OfferColumn>(column)));
            }
        }
    }

    void theFrontHasNoBetter()
    {
        Report report = m_report;
        core::TrainingForecast faster;
        faster.runSeconds = core::Quantity::exact(3600, core::Unit::Seconds, {});
        report.training.forecasts.push_back(faster);
        for (std::size_t i = 0; i < report.training.options.size(); i += 3)
            report.training.options[i].forecast = 1;
        const OfferRows rows(report, outlay::tests::catalogs());
        const auto all = rows.passing({});
        const auto front = paretoFront(rows, all);
        QVERIFY(!front.empty());
        for (const std::uint32_t best : front) {
            for (const std::uint32_t other : all) {
                const bool isBetter =
                    pricing::isUsable(rows.option(other)) &&
                    rows.option(other).usd.value < rows.option(best).usd.value &&
                    rows.hours(other).value_or(1e9) <= rows.hours(best).value_or(0);
                QVERIFY(!isBetter);
            }
        }
    }

    void theChartIsThinAndInside()
    {
        core::Plan plan;
        plan.deadlineHours = 24;
        plan.budgetUsd = 100;
        const OfferRows rows(m_report, outlay::tests::catalogs());
        plan.trainingOffer = rows.choice(5);
        const ChartModel chart = makeOffersView(rows, rows.passing({}), plan, English).chart;
        std::size_t count = 0;
        for (const ChartSeries& series : chart.series) {
            count += series.points.size();
            for (const ChartPoint& point : series.points) {
                QVERIFY(point.x > chart.x.low && point.x < chart.x.high);
                QVERIFY(point.y > chart.y.low && point.y < chart.y.high);
                QVERIFY(point.key.has_value());
            }
        }
        QVERIFY(count > 20 && count <= 2000);
        QCOMPARE(chart.limits.size(), std::size_t{2});
        QCOMPARE(chart.series.back().name, QStringLiteral("Chosen"));
        QCOMPARE(chart.series.back().points.front().key, std::optional<std::size_t>(5));
    }

    // A price that isn't to be relied on has a mark of its own, whatever else is said of its offer.
    void doubtfulPricesHaveTheirMark()
    {
        const OfferRows rows(m_report, outlay::tests::catalogs());
        const ChartModel chart = makeOffersView(rows, rows.passing({}), {}, English).chart;
        std::size_t ofDoubtful = 0;
        for (const ChartSeries& series : chart.series) {
            const auto doubtful =
                std::count_if(series.points.begin(), series.points.end(), [&](const ChartPoint& p) {
                    return rows.option(*p.key).trust == Trust::Doubtful;
                });
            QVERIFY2(doubtful == 0 || static_cast<std::size_t>(doubtful) == series.points.size(),
                     qPrintable(series.name));
            ofDoubtful += doubtful > 0 ? 1 : 0;
        }
        QCOMPARE(ofDoubtful, std::size_t{1});
    }

    // What is outclassed a hundredfold is not drawn, and a filter doesn't move the scale.
    void theScaleIsOfWhatMatters()
    {
        Report report = m_report;
        std::vector<Option>& options = report.training.options;
        const OfferRows before(report, outlay::tests::catalogs());
        const ChartModel usual = makeOffersView(before, before.passing({}), {}, English).chart;
        const auto least = std::find_if(options.begin(), options.end(), [](const Option& o) {
            return pricing::keepsPlan(o) && o.usd.value > 0;
        });
        options.back() = *least;
        options.back().usd.value *= 1e6;
        const OfferRows rows(report, outlay::tests::catalogs());
        const ChartModel chart = makeOffersView(rows, rows.passing({}), {}, English).chart;
        QCOMPARE(chart.y, usual.y);
        QVERIFY2(chart.subtitle.contains(QStringLiteral("left out")), qPrintable(chart.subtitle));
        const auto some = rows.passing({.words = QStringLiteral("azure spot")});
        QVERIFY(!some.empty());
        const ChartModel filtered = makeOffersView(rows, some, {}, English).chart;
        QCOMPARE(filtered.x, chart.x);
        QCOMPARE(filtered.y, chart.y);
        QCOMPARE(filtered.limits, chart.limits);
    }

    // The time to start is the same everywhere, and is told apart: on the scale, of the deadline, in the hint.
    void theStartIsApart()
    {
        const core::Experiment e = core::preset("text-generator")->experiment;
        const Report report = pricing::makeReport(e, outlay::tests::catalogs());
        const OfferRows rows(report, outlay::tests::catalogs());
        QCOMPARE(rows.startupHours(), 5.0 / 60);
        core::Plan plan;
        plan.deadlineHours = 2;
        const ChartModel chart = makeOffersView(rows, rows.passing({}), plan, English).chart;
        QCOMPARE(chart.limits[0].at, 2 - 5.0 / 60);
        QCOMPARE(limitValue(rows, 0, chart.limits[0].at, English), core::Json(2.0));
        const ChartPoint& point = chart.series.front().points.front();
        QCOMPARE(point.x, *rows.hours(*point.key) - 5.0 / 60);
        const QString hint = rows.hint(*point.key, English);
        QVERIFY2(hint.contains(QStringLiteral("5 min 00 s of it to start")), qPrintable(hint));
        QVERIFY(hint.contains(rows.text(*point.key, OfferColumn::Region, English)));
    }

    void doubtfulPricesSayWhy()
    {
        const OfferRows rows(m_report, outlay::tests::catalogs());
        int doubtful = 0;
        for (std::size_t row = 0; row < rows.count(); ++row) {
            const QString note = rows.text(row, OfferColumn::Note, English);
            const bool isDoubtful = rows.option(row).trust == Trust::Doubtful;
            doubtful += isDoubtful ? 1 : 0;
            QCOMPARE(note.startsWith(QStringLiteral("doubtful: ")), isDoubtful);
        }
        QVERIFY(doubtful > 0);
        for (const std::uint32_t row : paretoFront(rows, rows.passing({})))
            QVERIFY(rows.option(row).trust != Trust::Doubtful);
    }

    // Each provider and way of buying once, no doubtful price, and this machine in its place.
    void theDashboardComparesProviders()
    {
        Report report = m_report;
        std::sort(report.training.options.begin(), report.training.options.end(),
                  [](const Option& a, const Option& b) { return a.usd.value < b.usd.value; });
        report.training.options.front().trust = Trust::Doubtful;
        const double cheapest =
            makeProvidersView(inputOf(report), English).chart.series.front().points.front().y;
        report.training.hereUsd = core::Quantity::exact(cheapest / 2, core::Unit::Usd, {});
        const ChartModel chart = makeProvidersView(inputOf(report), English).chart;
        QCOMPARE(chart.categories.front(), QStringLiteral("This machine"));
        QVERIFY(chart.series.front().points.front().isStrong);
        QVERIFY(chart.series.front().points.front().label.contains(QStringLiteral("cheapest")));
        QVERIFY(chart.categories.size() <= 8);
        QCOMPARE(std::set<QString>(chart.categories.begin(), chart.categories.end()).size(),
                 chart.categories.size());
    }

    void aStalePriceIsDated()
    {
        Report report = m_report;
        std::erase_if(report.training.options,
                      [](const Option& o) { return !pricing::isUsable(o); });
        for (Option& option : report.training.options)
            option.trust = Trust::Stale;
        const ProvidersView view = makeProvidersView(inputOf(report), English);
        QVERIFY2(view.verdict.startsWith(QStringLiteral("From $")) &&
                     view.verdict.contains(QStringLiteral(" (20")),
                 qPrintable(view.verdict));
        for (const ChartPoint& point : view.chart.series.front().points)
            QVERIFY2(point.label.contains(QStringLiteral(", 20")), qPrintable(point.label));
    }

    void withoutOffersItSaysWhy()
    {
        Report report;
        report.training.recommended.reasons = {"nothing fits"};
        const ProvidersView view = makeProvidersView({report}, English);
        QVERIFY(view.chart.isEmpty());
        QCOMPARE(view.verdict, QStringLiteral("Unavailable: nothing fits"));
        QCOMPARE(view.cheapest.detail, QStringLiteral("nothing fits"));
    }

private:
    Report m_report = reportOfBook();
};

OUTLAY_TEST(TestOffers)
#include "tst_offers.moc"
