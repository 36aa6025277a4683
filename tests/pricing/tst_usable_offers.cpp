// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What can be bought is asked in one place: what is recommended, cheapest and listed agree.
#include "core/base/text.h"
#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/sections.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace outlay;
using outlay::tests::figuresToday;
using outlay::tests::Today;
using pricing::Option;
using pricing::Report;

namespace {

} // namespace

class TestUsableOffers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPlanNamesPlaces_data()
    {
        QTest::addColumn<QByteArray>("providers");
        QTest::addColumn<QByteArray>("regions");
        QTest::addColumn<bool>("isAllowed"); // aws/us-east-1
        QTest::newRow("nothing named") << QByteArray() << QByteArray() << true;
        QTest::newRow("its provider") << QByteArray("aws") << QByteArray() << true;
        QTest::newRow("another provider") << QByteArray("gcp") << QByteArray() << false;
        QTest::newRow("its region") << QByteArray() << QByteArray("us-east-1") << true;
        QTest::newRow("its region in full") << QByteArray() << QByteArray("aws/us-east-1") << true;
        QTest::newRow("of another provider")
            << QByteArray() << QByteArray("gcp/us-east-1") << false;
        QTest::newRow("another region") << QByteArray() << QByteArray("us-east-2") << false;
        QTest::newRow("both") << QByteArray("aws") << QByteArray("us-east-1") << true;
        QTest::newRow("one of both") << QByteArray("gcp") << QByteArray("us-east-1") << false;
    }
    void aPlanNamesPlaces()
    {
        QFETCH(QByteArray, providers);
        QFETCH(QByteArray, regions);
        core::Plan plan;
        if (!providers.isEmpty())
            plan.providers = {providers.toStdString()};
        if (!regions.isEmpty())
            plan.regions = {regions.toStdString()};
        QTEST(pricing::allowsRegion(plan, "aws/us-east-1"), "isAllowed");
    }

    // One answer to what can be bought: what is recommended, what is cheapest and what is listed agree.
    void whatIsCheapestIsUsable_data()
    {
        QTest::addColumn<QString>("preset");
        for (const core::Preset& preset : outlay::tests::presetsToTry())
            QTest::newRow(preset.id.c_str()) << QString::fromStdString(preset.id);
    }
    void whatIsCheapestIsUsable()
    {
        QFETCH(QString, preset);
        core::Experiment e = core::preset(preset.toStdString())->experiment;
        for (const std::int64_t batch : {e.training.batch, std::int64_t{65536}}) {
            e.training.batch = batch;
            const Report report = figuresToday(e);
            const auto& r = report.training.recommended;
            const pricing::OptionList list{report.training.options, Today, {}};
            const Option* cheapest = pricing::cheapest(list);
            QCOMPARE(r.chosen.has_value(), cheapest != nullptr);
            QVERIFY(!r.chosen || pricing::isUsable(*r.chosen));
            QVERIFY(cheapest == nullptr || cheapest->fits == core::Fits::Yes);
            for (const Option* option : pricing::cheapestMachines(list, 50))
                QVERIFY(pricing::isUsable(*option));
        }
    }

    void nothingDoubtfulUnknownOrForbiddenIsUsable()
    {
        const Option good{.usd = {2, 1, 3}, .hasUsd = true, .fits = core::Fits::Yes};
        QVERIFY(pricing::isUsable(good) && pricing::keepsPlan(good));
        const auto with = [&](auto change) {
            Option option = good;
            change(option);
            return option;
        };
        const std::array bad{with([](Option& o) { o.hasUsd = false; }),
                             with([](Option& o) { o.usd.value = 0; }),
                             with([](Option& o) { o.fits = core::Fits::Unknown; }),
                             with([](Option& o) { o.fits = core::Fits::No; }),
                             with([](Option& o) { o.isAllowed = false; }),
                             with([](Option& o) { o.trust = pricing::Trust::Doubtful; })};
        for (const Option& option : bad)
            QVERIFY(!pricing::isUsable(option) && !pricing::keepsPlan(option));
        const std::array broken{with([](Option& o) { o.meetsDeadline = false; }),
                                with([](Option& o) { o.isWithinBudget = false; })};
        for (const Option& option : broken)
            QVERIFY(pricing::isUsable(option) && !pricing::keepsPlan(option));
    }

    // A run of some minutes doesn't take a machine for three years; runs that fill a month may.
    void aCommitmentCountsWhereItIsFilled()
    {
        core::Experiment e = core::preset("text-generator")->experiment;
        const auto committed = [](const Report& report) {
            const auto& options = report.training.options;
            return std::count_if(options.begin(), options.end(), [](const Option& o) {
                return pricing::isUsable(o) &&
                       pricing::isCommitment(Today.book().rows()[o.row].purchase);
            });
        };
        const Report few = figuresToday(e);
        QCOMPARE(committed(few), 0);
        QVERIFY(std::any_of(few.training.options.begin(), few.training.options.end(),
                            [&](const Option& o) {
                                const auto text = pricing::trainingOptionText(few, Today, o);
                                return !o.isWorthIt && !text.why.empty() &&
                                       text.why.front().find("unused") != std::string::npos;
                            }));
        e.training.runsPerMonth = 3000;
        QVERIFY(committed(figuresToday(e)) > 0);
        // Who asks for it pays the month.
        e.training.runsPerMonth = 2;
        e.plan.purchase = core::Purchase::Reserved1y;
        const auto option = figuresToday(e).training.recommended.option;
        QCOMPARE(option->offer.purchase, core::Purchase::Reserved1y);
        QVERIFY(option->hours.value() < 24); // that it takes, whatever is paid
        const double price = option->offer.usdPerHour.value_or(0);
        QVERIFY(std::abs(option->usd.value() - 365 * price) <= 1e-9 * option->usd.value());
        // Every other month: each run pays for two.
        e.training.runsPerMonth = 0.5;
        const auto rare = figuresToday(e).training.recommended.option;
        QVERIFY(std::abs(rare->usd.value() - 1460 * rare->offer.usdPerHour.value_or(0)) <=
                1e-9 * rare->usd.value());
    }

    // Who is cautious isn't told of what may be late, too slow or too dear: all by the upper ends.
    void theCautiousGoByTheUpperEnds()
    {
        int changed = 0;
        for (const char* name : {"text-generator", "gpt2", "llama-3.1-8b", "bert-base"}) {
            core::Experiment e = core::preset(name)->experiment;
            const auto expected = figuresToday(e).training.recommended.option;
            e.plan.deadlineHours = (expected->hours.value() + expected->hours.high()) / 2;
            e.plan.budgetUsd = 1e4;
            const auto daring = figuresToday(e).training.recommended.option;
            e.plan.risk = core::Risk::Cautious;
            const Report report = figuresToday(e);
            const auto& chosen = *report.training.recommended.chosen;
            const auto& option = *report.training.recommended.option;
            QVERIFY(chosen.meetsDeadline);
            QVERIFY2(option.hours.high() <= *e.plan.deadlineHours, name);
            QVERIFY(chosen.isWithinBudget && option.usd.high() <= 1e4);
            changed += option.offer.machine.instance != daring->offer.machine.instance ? 1 : 0;
            double before = 0;
            for (const Option& o : optionsOf(report.training.options, pricing::Standing::InTime)) {
                const auto text = pricing::trainingOptionText(report, Today, o);
                QVERIFY(text.hours.high() <= *e.plan.deadlineHours);
                if (o.trust != pricing::Trust::Fresh)
                    break;
                QVERIFY2(o.usd.high >= before, name);
                before = o.usd.high;
            }
            for (const Option& o : report.serving.options)
                QVERIFY(!o.hasUsd ||
                        o.meetsDeadline == report.serving.capacities[o.forecast].holdsSurely);
        }
        QVERIFY2(changed >= 1, "caution never chose another machine");
    }

    // What one would choose from, in a tenth of the size; all of it on request.
    void theShortlistIsOfAllOptions()
    {
        const Report report = figuresToday(core::preset("text-generator")->experiment);
        const core::Json all = pricing::toJson(report, Today, pricing::Listed::All);
        const core::Json few = pricing::toJson(report, Today);
        for (const char* section : {"training", "serving"}) {
            const auto& whole = *all.find(section)->find("options")->asArray();
            const auto& listed = *few.find(section)->find("options")->asArray();
            QVERIFY(listed.size() >= 24 && listed.size() * 10 < whole.size());
            const core::Json& chosen = *few.find(section)->find("recommended")->find("option");
            QVERIFY(std::find(listed.begin(), listed.end(), chosen) != listed.end());
            for (const core::Json& option : listed)
                QCOMPARE(*option.find("fits"), core::Json(true));
        }
    }

    void whatDoesntFitAnywhere()
    {
        core::Experiment e = core::preset("llama-65b")->experiment;
        e.training.batch = 4096;
        const Report report = figuresToday(e);
        QVERIFY(!report.training.recommended.option);
        // Some machines are too small, and of some nobody says what is inside: the reason tells them apart.
        const auto& options = report.training.options;
        const auto small = std::count_if(options.begin(), options.end(), [](const Option& o) {
            return o.isAllowed && o.fits == core::Fits::No;
        });
        QVERIFY(small > 0 && small < static_cast<std::ptrdiff_t>(options.size()));
        const std::string& why = report.training.recommended.reasons.front();
        QVERIFY2(why.find("known to fit") != std::string::npos, why.c_str());
        QVERIFY2(why.find(core::grouped(small) + " are too small") != std::string::npos,
                 why.c_str());
        QVERIFY(!report.month.items.front().usd.isAvailable());
    }

    // Where nothing can be used the list still begins with the first, and says why it can't.
    void theListIsNeverEmpty()
    {
        core::Experiment e = core::preset("text-generator")->experiment;
        e.plan.providers = {"lambda"}; // whose prices are too old to rely on
        const Report report = figuresToday(e);
        const auto& all = report.training.options;
        QVERIFY(!all.empty() && std::none_of(all.begin(), all.end(), pricing::isUsable));
        const core::Json json = pricing::toJson(report, tests::catalogs());
        const core::Json& first = (*json.find("training")->find("options")->asArray()).front();
        const auto& book = tests::catalogs().book();
        QCOMPARE(*first.find("offer")->find("instance")->asString(),
                 book.machine(book.rows()[all.front().row]).instance);
    }
};

OUTLAY_TEST(TestUsableOffers)
#include "tst_usable_offers.moc"
