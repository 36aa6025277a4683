// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "pricing/report/make_report.h"
#include "pricing/report/offers/environments.h"
#include "pricing/report/offers/serving_ways.h"
#include "tests/support/measured.h"
#include "tests/support/near.h"
#include "tests/support/reports.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay;
using core::Basis;
using core::Quantity;
using core::Unit;
using outlay::tests::isNear;
using outlay::tests::Today;

namespace {

core::Experiment experiment()
{
    return core::preset("text-generator")->experiment;
}

Quantity price(double usdPerHour)
{
    return Quantity::exact(usdPerHour, Unit::UsdPerHour, {});
}

const pricing::MonthItem& item(const pricing::MonthReport& month, const std::string& name)
{
    static const pricing::MonthItem None;
    for (const pricing::MonthItem& i : month.items) {
        if (i.item == name)
            return i;
    }
    return None;
}

} // namespace

class TestMonth : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void plannedEnvironments_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("usdPerHour");
        QTest::addColumn<double>("hoursPerDay");
        QTest::addColumn<double>("days");
        QTest::addColumn<QString>("usd");
        QTest::newRow("development") << 2 << 0.526 << 8.0 << 22.0 << "185.15";
        QTest::newRow("staging") << 1 << 3.060 << 4.0 << 22.0 << "269.28";
        QTest::newRow("production") << 3 << 0.752 << 24.0 << 30.0 << "1624.32";
        QTest::newRow("four days") << 1 << 32.770 << 24.0 << 4.0 << "3145.92";
    }
    void plannedEnvironments()
    {
        QFETCH(int, count);
        QFETCH(double, usdPerHour);
        QFETCH(double, hoursPerDay);
        QFETCH(double, days);
        QFETCH(QString, usd);
        const core::Environment e{"e", "x", count, hoursPerDay, days};
        QCOMPARE(QString::number(pricing::environmentUsd(e, price(usdPerHour)).value(), 'f', 2),
                 usd);
        QVERIFY(!pricing::environmentUsd(e, Quantity()).isAvailable());
        // A commitment is paid whether they are on or not.
        QVERIFY(isNear(
            pricing::environmentUsd(e, price(usdPerHour), core::Purchase::Reserved1y).value(),
            count * usdPerHour * 730));
    }

    void widerInIsAtLeastAsWideOut()
    {
        const core::Environment e{"e", "x", 2, 8, 22};
        double before = 0;
        for (const double factor : {1.0, 1.1, 2.0, 5.0}) {
            const Quantity wide = Quantity::within(0.5, 0.5 / factor, 0.5 * factor,
                                                   Unit::UsdPerHour, Basis::Listed, {});
            const Quantity usd = pricing::environmentUsd(e, wide);
            const Quantity seconds =
                Quantity::within(1, 1 / factor, factor, Unit::Seconds, Basis::Forecast, {});
            const Quantity calls = pricing::functionUsd(Today, {1e6, 1, seconds});
            const double width = usd.high() - usd.low() + calls.high() - calls.low();
            QVERIFY(width > before);
            before = width;
        }
    }

    void environmentsFindTheirOffers()
    {
        core::Experiment e = experiment();
        e.plan.environments = {{"dev", "g4dn.xlarge", 2, 8, 22},
                               {"spot", "aws/g4dn.xlarge/spot", 1, 24, 30},
                               {"named", "aws/g4dn.xlarge/eu-west-1/on_demand", 1, 1, 1},
                               {"none", "g4dn.nosuch", 1, 24, 30},
                               {"provider's", "aws/g4dn.xlarge", 2, 8, 22}};
        const auto rows = pricing::figuresOf(e, Today).month.environments;
        QCOMPARE(rows.size(), std::size_t{5});
        QCOMPARE(rows[4].offer, rows[0].offer);
        QCOMPARE(QString::number(rows[0].usd.value(), 'f', 2), QString("185.15"));
        QCOMPARE(rows[0].offer, std::string("aws/g4dn.xlarge/us-east-1/on_demand"));
        QCOMPARE(rows[0].hours, 352.0);
        QVERIFY(rows[1].offer.ends_with("/spot"));
        QVERIFY(rows[1].usd.value() < 720 * 0.526);
        QVERIFY(rows[2].usd.value() > 0.526);
        QVERIFY(!rows[3].usd.isAvailable());
        QVERIFY(rows[3].usd.how().note.text().find("g4dn.nosuch") != std::string::npos);
    }

    // Whatever the book has can be named, its first and its last row too.
    void everyRowCanBeAnEnvironment()
    {
        core::Experiment e = experiment();
        const pricing::PriceBook& book = Today.book();
        std::vector<std::string> names;
        for (std::size_t i = 0; i < book.rows().size();
             i = i + 1 == book.rows().size() ? i + 1 : std::min(i + 997, book.rows().size() - 1)) {
            const pricing::Offer offer = pricing::offerOf(book.table(), book.rows()[i]);
            const auto purchase = static_cast<std::size_t>(offer.purchase);
            names.push_back(offer.machine.provider + "/" + offer.machine.instance + "/" +
                            offer.region + "/" + std::string(core::PurchaseNames.at(purchase)));
            e.plan.environments.push_back({"dev", names.back(), 1, 1, 1});
        }
        const auto rows = pricing::figuresOf(e, Today).month.environments;
        QVERIFY(rows.size() > 10);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QVERIFY2(rows[i].usd.isAvailable(), names[i].c_str());
            QCOMPARE(rows[i].offer, names[i]);
        }
    }

    // A million calls of 1 ms with 1.2 GB: 0.020 USD of GB-seconds and 0.20 USD for the requests.
    void aFunctionPaysForItsRequests()
    {
        const Quantity seconds = Quantity::exact(0.001, Unit::Seconds, {});
        const Quantity usd = pricing::functionUsd(Today, {1e6, 1.2, seconds});
        QCOMPARE(QString::number(usd.value(), 'f', 4), QString("0.2200"));
        QVERIFY(!pricing::functionUsd(Today, {1e6, 1.2, Quantity()}).isAvailable());
        QVERIFY(isNear(pricing::usdPerMillion(usd, 5e5).value(), 2 * usd.value()));
        QVERIFY(!pricing::usdPerMillion(usd, 0).isAvailable());
    }

    void aMonthHas730Hours()
    {
        core::Experiment e = experiment();
        QVERIFY(isNear(pricing::figuresOf(e, Today).serving.hoursPerMonth, 730));
        e.plan.hoursPerDay = 8;
        e.plan.daysPerMonth = 22;
        QVERIFY(isNear(pricing::figuresOf(e, Today).serving.hoursPerMonth, 176));
    }

    // A reserved machine is owed day and night.
    void aTermIsPaidForAllOfItsMonth()
    {
        core::Experiment e = experiment();
        e.plan.hoursPerDay = 8;
        e.plan.daysPerMonth = 22;
        e.plan.purchase = core::Purchase::Reserved1y;
        const pricing::Report report = pricing::figuresOf(e, Today);
        const auto& option = report.serving.recommended.option;
        QVERIFY(option && pricing::isCommitment(option->offer.purchase));
        const double instances = option->instances.value();
        QVERIFY(isNear(option->hours.value(), 730 * instances));
        QVERIFY(isNear(option->usd.value(), 730 * instances * *option->offer.usdPerHour));
        QVERIFY(isNear(report.serving.recommended.chosen->usd.value, option->usd.value()));
        e.plan.purchase = core::Purchase::OnDemand;
        const pricing::Report asNeeded = pricing::figuresOf(e, Today);
        QVERIFY(isNear(asNeeded.serving.recommended.option->hours.value(),
                       176 * asNeeded.serving.recommended.option->instances.value()));
    }

    void itemsAddUp()
    {
        core::Experiment e = experiment();
        e.plan.providers = {"aws"};
        e.training.runsPerMonth = 3;
        const pricing::Report report = pricing::figuresOf(e, Today);
        const pricing::MonthReport& month = report.month;
        QVERIFY(month.lacking.empty());
        double sum = 0;
        for (const pricing::MonthItem& i : month.items)
            sum += i.usd.value();
        QVERIFY(isNear(month.total.value(), sum));
        QVERIFY(isNear(item(month, "training").usd.value(),
                       3 * report.training.recommended.option->usd.value()));
        QVERIFY(isNear(item(month, "inference").usd.value() + item(month, "idle").usd.value(),
                       report.serving.recommended.option->usd.value()));
        QVERIFY(item(month, "storage").usd.value() > 0);
        QVERIFY(item(month, "transfer").usd.value() > 0);
    }

    // So many at once share the time of one pass.
    void aBatchSharesTheTime_data()
    {
        QTest::addColumn<int>("batch");
        for (const int batch : {1, 4, 16})
            QTest::newRow(QByteArray::number(batch)) << batch;
    }
    void aBatchSharesTheTime()
    {
        QFETCH(int, batch);
        core::Experiment e = experiment();
        e.serving.batch = batch;
        const pricing::Report report = pricing::figuresOf(e, Today);
        const auto& chosen = report.serving.recommended;
        const double ms = report.serving.forecasts[chosen.chosen->forecast].latencyMs.value();
        const double busyHours = report.serving.requestsPerMonth / batch * ms / 3.6e6;
        const double share = busyHours / chosen.option->hours.value();
        QVERIFY(share > 0 && share < 1);
        QVERIFY(isNear(item(report.month, "inference").usd.value(),
                       chosen.option->usd.value() * share));
    }

    void theTotalNamesWhatItLacks()
    {
        core::Experiment e = experiment();
        e.plan.providers = {"azure"}; // nobody lists its hot storage and its transfer
        const pricing::MonthReport month = pricing::figuresOf(e, Today).month;
        QVERIFY(!item(month, "storage").usd.isAvailable());
        QVERIFY(month.total.isAvailable());
        QCOMPARE(month.lacking, (std::vector<std::string>{"storage", "transfer"}));
        QVERIFY(month.total.how().sentence().find("without storage, transfer") !=
                std::string::npos);
        e.plan.providers = {"nobody"};
        QVERIFY(!pricing::figuresOf(e, Today).month.total.isAvailable());
    }

    // From two instances on; a month has 730 h.
    void manyInstancesHaveALoadBalancer()
    {
        core::Experiment e = experiment();
        e.serving.requestsPerDay = 1e7;
        e.assumptions.set("load_balancer_usd_per_hour", 0.1);
        const pricing::Subject subject = pricing::subjectOf(e, Today);
        const auto balancerOf = [&](double instances) {
            return pricing::loadBalancerUsd(subject,
                                            core::Quantity::exact(instances, core::Unit::One, {}));
        };
        QVERIFY(balancerOf(1).value() == 0 && balancerOf(1).isAvailable());
        QVERIFY(isNear(balancerOf(2).value(), 73) && isNear(balancerOf(900).value(), 73));
        QVERIFY(!pricing::loadBalancerUsd(subject, {}).isAvailable());
        const pricing::Report report = pricing::figuresOf(e, Today);
        const auto& option = report.serving.recommended.option;
        QVERIFY(option->instances.value() > 1);
        const core::Quantity& usd = item(report.month, "load balancer").usd;
        QVERIFY(isNear(usd.value(), 73));
        QVERIFY(usd.basis() == Basis::Assumed && usd.low() < 73 && usd.high() > 73);
        QVERIFY(report.month.lacking.empty());
        for (const pricing::ServingWay& way : report.serving.ways) {
            if (way.name == "instance")
                QVERIFY(isNear(way.usdPerMonth.value(), option->usd.value() + 73));
        }
        for (const pricing::ScalingRow& row : report.serving.scaling) {
            const double balancer = row.instances.value() > 1 ? 73 : 0;
            QCOMPARE(row.needsLoadBalancer, balancer > 0);
            QVERIFY(isNear(row.loadBalancerUsd.value(), balancer));
            const double alone =
                option->usd.value() * row.instances.value() / option->instances.value();
            QVERIFY(isNear(row.usdPerMonth.value(), alone + balancer));
        }
        e.serving.requestsPerDay = 100;
        const pricing::MonthReport small = pricing::figuresOf(e, Today).month;
        QVERIFY(std::none_of(small.items.begin(), small.items.end(),
                             [](const auto& i) { return i.item == "load balancer"; }));
    }

    // Planned machines are paid, too; one without a price is named, and so is missing in the total.
    void environmentsArePartOfTheMonth()
    {
        core::Experiment e = experiment();
        const double without = pricing::figuresOf(e, Today).month.total.value();
        e.plan.environments = {{.name = "production", .offer = "aws/g5.xlarge"},
                               {.name = "staging", .offer = "aws/g5.xlarge", .hoursPerDay = 8}};
        pricing::MonthReport month = pricing::figuresOf(e, Today).month;
        const core::Quantity& usd = item(month, "environments").usd;
        QVERIFY(isNear(usd.value(),
                       month.environments[0].usd.value() + month.environments[1].usd.value()));
        QVERIFY(isNear(month.total.value(), without + usd.value()));
        QVERIFY(month.lacking.empty());
        e.plan.environments[1].offer.clear();
        month = pricing::figuresOf(e, Today).month;
        QCOMPARE(month.lacking, std::vector<std::string>{"staging"});
        QVERIFY(isNear(month.total.value(), without + month.environments[0].usd.value()));
        QVERIFY(month.total.how().note.text().find("staging") != std::string::npos);
        QVERIFY(month.environments[1].usd.how().note.text().find("no machine is chosen") !=
                std::string::npos);
        // A machine that nobody sells may be most of the month; a way of buying that nobody knows isn't taken for another.
        for (const char* offer : {"aws/g5.xlargee", "aws/g5.xlarge/us-east-1/spott"}) {
            e.plan.environments[1].offer = offer;
            month = pricing::figuresOf(e, Today).month;
            QVERIFY2(!month.total.isAvailable(), offer);
            QVERIFY(month.total.how().note.text().find("staging") != std::string::npos);
        }
    }

    // A provider without managed instances has none, and says so.
    void managedInstancesAreThoseOfTheProvider()
    {
        const auto managedOf = [](const char* provider) {
            core::Experiment e = experiment();
            e.plan.providers = {provider};
            const auto ways = pricing::figuresOf(e, Today).serving.ways;
            return *std::find_if(ways.begin(), ways.end(), [](const pricing::ServingWay& way) {
                return way.name == "managed instance";
            });
        };
        const std::string aws = managedOf("aws").usdPerMonth.how().note.text();
        QVERIFY2(aws.find("no managed price is known of") == std::string::npos, aws.c_str());
        const pricing::ServingWay none = managedOf("azure");
        QVERIFY(!none.usdPerMonth.isAvailable());
        const std::string& why = none.usdPerMonth.how().note.text();
        QVERIFY2(why.find("no managed price is known of") == 0, why.c_str());
    }

    void sharesOfTheSplit()
    {
        core::Experiment e = experiment();
        e.plan.providers = {"aws"};
        e.plan.split = core::ProviderSplit{60, 30, 10};
        const pricing::MonthReport month = pricing::figuresOf(e, Today).month;
        QCOMPARE(month.split.size(), std::size_t{3});
        QVERIFY(isNear(month.split[0].usd.value(), 0.6 * month.total.value()));
        QVERIFY(isNear(month.split[2].usd.value(), 0.1 * month.total.value()));
    }

    // A 7-minute run at 500 W and 0.13 USD/kWh: 0.0583 kWh, 0.0076 USD.
    void electricityHere()
    {
        core::Experiment e = experiment();
        e.site.powerWatts = 500;
        e.site.electricityUsdPerKwh = 0.13;
        e.site.gridGramsPerKwh = 420;
        e.site.pue = 1;
        e.training.samples = static_cast<double>(e.training.batch);
        e.training.epochs = 1;
        e.training.validationShare = 0;
        outlay::tests::addTo(e, outlay::tests::measurementOf(e, 420.0));
        const pricing::TrainingReport t = pricing::figuresOf(e, Today).training;
        QCOMPARE(t.here.value(), 420.0);
        QCOMPARE(QString::number(t.hereKwh.value(), 'f', 4), QString("0.0583"));
        QCOMPARE(QString::number(t.hereUsd.value(), 'f', 4), QString("0.0076"));
        QCOMPARE(QString::number(t.hereKgCo2e.value(), 'f', 4), QString("0.0245"));
        QCOMPARE(t.hereKwh.basis(), Basis::Assumed);
    }
};

OUTLAY_TEST(TestMonth)
#include "tst_month.moc"
