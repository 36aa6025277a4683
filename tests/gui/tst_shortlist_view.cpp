// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The short table of offers against the Report's own options, found the long way.
#include "core/experiment/presets.h"
#include "gui/view/figure_view.h"
#include "gui/view/offer_name.h"
#include "gui/view/offers_view.h"
#include "gui/view/shortlist_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/english.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <map>

using namespace outlay;
using namespace outlay::gui;
using outlay::tests::Display;
using outlay::tests::Today;

namespace {

using Way = std::pair<QString, QString>; // provider, way of buying

/// The least cost of each, whatever the order of the options.
std::map<Way, pricing::UsdRange> leastOf(const pricing::Report& report)
{
    std::map<Way, pricing::UsdRange> least;
    for (const pricing::Option& option : report.training.options) {
        if (!pricing::keepsPlan(option) || option.trust == pricing::Trust::Stale)
            continue;
        const pricing::OfferRow& row = Today.book().rows()[option.row];
        const Way way{providerTitle(Today.book().machine(row).provider),
                      purchaseTitle(row.purchase)};
        const auto [at, isNew] = least.try_emplace(way, option.usd);
        if (!isNew && option.usd.value < at->second.value)
            at->second = option.usd;
    }
    return least;
}

QString usdText(double usd)
{
    return headlineText(usd, core::Unit::Usd, Display);
}

int columnOf(const TableData& table, const QString& title)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].title == title)
            return static_cast<int>(i);
    }
    return -1;
}

} // namespace

class TestShortlistView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCheapestOfEachWay_data()
    {
        QTest::addColumn<QByteArray>("preset");
        for (const char* preset : {"text-generator", "gpt2", "bert-base"})
            QTest::newRow(preset) << QByteArray(preset);
    }
    void theCheapestOfEachWay()
    {
        QFETCH(QByteArray, preset);
        const core::Experiment e = core::preset(preset.toStdString())->experiment;
        const pricing::Report report = pricing::figuresOf(e, Today);
        const ShortlistView view = makeShortlistView(report, &Today, Display);
        const auto least = leastOf(report);
        QVERIFY(least.size() > 3);
        const int provider = columnOf(view.table, titleOf(OfferColumn::Provider));
        const int purchase = columnOf(view.table, titleOf(OfferColumn::Purchase));
        const int usd = columnOf(view.table, titleOf(OfferColumn::Usd));
        const int interval = columnOf(view.table, QStringLiteral("80 % interval"));
        QVERIFY(provider >= 0 && purchase >= 0 && usd >= 0 && interval >= 0);
        std::map<Way, int> seen;
        int compared = 0;
        for (const auto& row : view.table.rows) {
            QCOMPARE(row.size(), view.table.columns.size());
            const auto at = [&](int column) { return row[static_cast<std::size_t>(column)].text; };
            const Way way{at(provider), at(purchase)};
            ++seen[way];
            const auto known = least.find(way);
            if (known == least.end())
                continue; // of stale prices alone
            ++compared;
            QCOMPARE(at(usd), usdText(known->second.value));
            QCOMPARE(at(interval), usdText(known->second.low) + QStringLiteral(" to ") +
                                       usdText(known->second.high));
        }
        QCOMPARE(compared, static_cast<int>(least.size()));
        for (const auto& [way, count] : seen)
            QCOMPARE(count, 1);
        QVERIFY(view.verdict.startsWith(QStringLiteral("The cheapest")));
    }

    void rowsNameTheirOffer()
    {
        const core::Experiment e = core::preset("text-generator")->experiment;
        const pricing::Report report = pricing::figuresOf(e, Today);
        const ShortlistView view = makeShortlistView(report, &Today, Display);
        const OfferRows all(report, Today);
        QStringList titles;
        for (const auto& column : view.table.columns)
            titles.append(column.title);
        for (const auto& row : view.table.rows) {
            const auto matches = [&](std::size_t i) {
                for (const OfferColumn column :
                     {OfferColumn::Provider, OfferColumn::Instance, OfferColumn::Accelerator,
                      OfferColumn::Region, OfferColumn::Purchase, OfferColumn::Hours,
                      OfferColumn::Usd, OfferColumn::AsOf, OfferColumn::Note}) {
                    const auto at = static_cast<std::size_t>(titles.indexOf(titleOf(column)));
                    if (at >= row.size() || row[at].text != all.text(i, column, Display))
                        return false;
                }
                return true;
            };
            bool isThere = false;
            for (std::size_t i = 0; i < all.count() && !isThere; ++i)
                isThere = matches(i);
            QVERIFY(isThere);
        }
    }

    void nothingIsSaidToBeNothing()
    {
        core::Experiment e = core::preset("text-generator")->experiment;
        e.plan.providers = {"nobody"};
        const pricing::Report report = pricing::figuresOf(e, Today);
        const ShortlistView none = makeShortlistView(report, &Today, Display);
        QVERIFY(none.table.rows.empty());
        QVERIFY(none.verdict.startsWith(QStringLiteral("Unavailable")));
        QVERIFY(makeShortlistView(report, nullptr, Display).table.rows.empty());
    }
};

OUTLAY_TEST(TestShortlistView)
#include "tst_shortlist_view.moc"
