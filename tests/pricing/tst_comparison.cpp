// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reports side by side, and the cheapest offer of those that a plan can use.
#include "core/experiment/presets.h"
#include "pricing/report/compare/comparison.h"
#include "pricing/report/make_report.h"
#include "pricing/report/offers/cheapest.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>

using namespace outlay;
using core::Quantity;
using core::Unit;
using outlay::tests::Today;

namespace {

pricing::Compared sample(const char* preset, const Quantity& usd)
{
    pricing::Compared one{preset, core::preset(preset)->experiment, {}};
    one.report = pricing::makeReport(one.experiment, Today);
    one.report.training.hereUsd = usd;
    return one;
}

Quantity dollars(double value)
{
    return Quantity::exact(value, Unit::Usd, {.note = "a test"});
}

const pricing::Difference& cell(const pricing::Comparison& comparison, const char* key)
{
    const auto row = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                  [&](const auto& r) { return r.key == key; });
    return row->cells.back();
}

/// The first row of the book with this provider and way of buying.
std::uint32_t rowOf(std::string_view provider, core::Purchase purchase)
{
    const auto rows = Today.book().rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (Today.book().machine(rows[i]).provider == provider && rows[i].purchase == purchase)
            return static_cast<std::uint32_t>(i);
    }
    qFatal("the book lacks it");
    return 0;
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT
private slots:
    void differences_data()
    {
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("after");
        QTest::addColumn<double>("percent");
        QTest::newRow("cheaper") << 2.0 << 1.5 << -25.0;
        QTest::newRow("dearer") << 2.0 << 3.0 << 50.0;
        QTest::newRow("same") << 2.0 << 2.0 << 0.0;
    }
    void differences()
    {
        QFETCH(double, before);
        QFETCH(double, after);
        QFETCH(double, percent);
        const std::vector<pricing::Compared> both{sample("text-generator", dollars(before)),
                                                  sample("text-generator", dollars(after))};
        const auto got = cell(pricing::compare(both, Today), "here_usd");
        QCOMPARE(*got.change, after - before);
        QCOMPARE(*got.changePercent, percent);
    }

    void whatCannotBeComparedIsNot()
    {
        const Quantity none = Quantity::unavailable(Unit::Usd, "not measured");
        const std::vector<pricing::Compared> missing{sample("mlp", dollars(1)),
                                                     sample("mlp", none)};
        QVERIFY(!cell(pricing::compare(missing, Today), "here_usd").change);
        const std::vector<pricing::Compared> fromZero{sample("mlp", dollars(0)),
                                                      sample("mlp", dollars(1))};
        const pricing::Comparison zero = pricing::compare(fromZero, Today);
        QCOMPARE(*cell(zero, "here_usd").change, 1.0);
        QVERIFY(!cell(zero, "here_usd").changePercent);
        const core::Json json = pricing::toJson(zero);
        QVERIFY(core::valueAt(json, "/experiments/1/figures/here_usd/change_percent")->isNull());
    }

    void onlySettingsThatDifferAreNamed()
    {
        std::vector<pricing::Compared> both{sample("mlp", dollars(1)), sample("mlp", dollars(1))};
        QVERIFY(pricing::compare(both, Today).settings.empty());
        both.back().experiment.training.batch = 7;
        const auto settings = pricing::compare(both, Today).settings;
        QCOMPARE(settings.size(), std::size_t{1});
        QCOMPARE(settings.front().pointer, std::string("/training/batch"));
        QCOMPARE(settings.front().values.back(), core::Json(7));
    }

    void qualityStandsBesideTheCost()
    {
        std::vector<pricing::Compared> both{sample("mlp", dollars(1)), sample("mlp", dollars(2))};
        both.front().experiment.quality = core::Json::Object{{"mse", 0.5}, {"note", "good"}};
        both.back().experiment.quality = core::Json::Object{{"mse", 0.25}};
        const auto mse = cell(pricing::compare(both, Today), "quality/mse");
        QCOMPARE(*mse.changePercent, -50.0);
        QCOMPARE(pricing::compare(both, Today).rows.back().label, std::string("quality, mse"));
        // One of them says which direction is better.
        both.back().experiment.quality.set("better", core::Json::Object{{"mse", "smaller"}});
        QCOMPARE(pricing::compare(both, Today).rows.back().label,
                 std::string("quality, mse (smaller is better)"));
    }

    void everyFigureHasAReasonOrAValue()
    {
        for (const core::Preset& row : outlay::tests::presetsToTry()) {
            const auto report = pricing::makeReport(row.experiment, Today);
            for (const pricing::Headline& headline : pricing::headlinesOf(report, Today))
                QVERIFY2(!headline.figure.how().sentence().empty(), headline.key.c_str());
        }
    }

    void theCheapestIsOneThatCanBeUsed()
    {
        using core::Purchase;
        pricing::Option unfit{.row = rowOf("aws", Purchase::OnDemand),
                              .usd = {1, 1, 1},
                              .hasUsd = true,
                              .fits = core::Fits::No};
        pricing::Option doubtful{.row = rowOf("aws", Purchase::OnDemand),
                                 .usd = {2, 2, 2},
                                 .hasUsd = true,
                                 .fits = core::Fits::Yes,
                                 .trust = pricing::Trust::Doubtful};
        pricing::Option forbidden{.row = rowOf("aws", Purchase::OnDemand),
                                  .usd = {3, 3, 3},
                                  .hasUsd = true,
                                  .fits = core::Fits::Yes,
                                  .isAllowed = false};
        pricing::Option unpriced{
            .row = rowOf("aws", Purchase::OnDemand), .usd = {0, 0, 0}, .fits = core::Fits::Yes};
        pricing::Option spot{.row = rowOf("aws", Purchase::Spot),
                             .usd = {4, 3, 5},
                             .hasUsd = true,
                             .fits = core::Fits::Yes};
        pricing::Option google{.row = rowOf("gcp", Purchase::OnDemand),
                               .usd = {5, 4, 6},
                               .hasUsd = true,
                               .fits = core::Fits::Yes};
        pricing::Option amazon{.row = rowOf("aws", Purchase::OnDemand),
                               .usd = {6, 5, 7},
                               .hasUsd = true,
                               .fits = core::Fits::Yes};
        pricing::Option unknown{.row = rowOf("aws", Purchase::OnDemand),
                                .usd = {1, 1, 1},
                                .hasUsd = true,
                                .fits = core::Fits::Unknown};
        const std::vector<pricing::Option> options{unfit,    unknown, doubtful, forbidden,
                                                   unpriced, spot,    google,   amazon};
        QCOMPARE(pricing::cheapest({options, Today, {}})->usd.value, 4.0);
        QCOMPARE(pricing::cheapest({options, Today, Purchase::OnDemand})->usd.value, 5.0);
        QCOMPARE(pricing::cheapest({options, Today, Purchase::OnDemand}, "aws")->usd.value, 6.0);
        QVERIFY(pricing::cheapest({options, Today, Purchase::OnDemand}, "azure") == nullptr);
        const Quantity usd = pricing::usdOf(spot, Today);
        QCOMPARE(usd.low(), 3.0);
        QCOMPARE(usd.high(), 5.0);
        QVERIFY(usd.how().sentence().find("aws ") != std::string::npos);
        QVERIFY(!pricing::usdOf(unpriced, Today).isAvailable());
    }
};

OUTLAY_TEST(TestComparison)
#include "tst_comparison.moc"
