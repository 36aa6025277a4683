// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/carbon/carbon.h"
#include "core/hardware/rates.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace outlay::core;

namespace {

const CarbonCatalog& catalog()
{
    return *carbonCatalog();
}

Quantity exact(double value, Unit unit)
{
    return Quantity::exact(value, unit, {});
}

Quantity kilograms(double kg)
{
    return exact(kg, Unit::KilogramsCo2e);
}

Site at(const char* region)
{
    Site site;
    site.region = region;
    return site;
}

Site in(const char* country)
{
    Site site;
    site.country = country;
    return site;
}

/// To the digits that a person would compare.
bool isAbout(double value, double expected, double share = 0.005)
{
    return std::abs(value / expected - 1) <= share;
}

const Equivalent& equivalent(const std::vector<Equivalent>& all, const std::string& id)
{
    return *std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.id == id; });
}

} // namespace

class TestCarbon : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sevenMinutesAt500Watts()
    {
        const Quantity kwh = energyOf(exact(500, Unit::Watts), exact(420, Unit::Seconds));
        QVERIFY(isAbout(kwh.value(), 0.0583));
        QCOMPARE(kwh.unit(), Unit::KilowattHours);
        QVERIFY(isAbout(energyCost(kwh, exact(0.13, Unit::UsdPerKilowattHour)).value(), 0.0076));
        const Quantity kg =
            carbonOf(kwh, exact(1, Unit::One), exact(420, Unit::GramsPerKilowattHour));
        QVERIFY(isAbout(kg.value(), 0.0245));
        QCOMPARE(kg.unit(), Unit::KilogramsCo2e);
    }

    void aYearAndItsOffset()
    {
        QVERIFY(isAbout((kilograms(0.024) * 365).value(), 8.76));
        QVERIFY(isAbout(offsetCost(catalog(), kilograms(0.024), 100).value(), 0.0024));
        const Quantity usual = offsetCost(catalog(), kilograms(0.024), {});
        QVERIFY(isAbout(usual.value(), 0.0024));
        QCOMPARE(usual.basis(), Basis::Assumed);
        QVERIFY(usual.low() < usual.value() / 5 && usual.high() > 5 * usual.value());
    }

    void tokensToHours_data()
    {
        QTest::addColumn<double>("tokensPerS");
        QTest::addColumn<double>("hours");
        QTest::newRow("2500") << 2500.0 << 11.1;
        QTest::newRow("1200") << 1200.0 << 23.1;
        QTest::newRow("800") << 800.0 << 34.7;
        QTest::newRow("600") << 600.0 << 46.3;
        QTest::newRow("400") << 400.0 << 69.4;
    }
    void tokensToHours()
    {
        QFETCH(double, tokensPerS);
        QFETCH(double, hours);
        const Quantity q = hoursForTokens(1e8, exact(tokensPerS, Unit::TokensPerSecond));
        QVERIFY(isAbout(q.value(), hours));
        QCOMPARE(q.unit(), Unit::Hours);
        QVERIFY(!hoursForTokens(1e8, exact(0, Unit::TokensPerSecond)).isAvailable());
    }

    void fiftyMillisecondsAreTwentyRequestsASecond()
    {
        QCOMPARE(serialRequestsPerS(exact(50, Unit::Milliseconds)).value(), 20.0);
    }

    void equivalentsAreThoseOfTheirSources()
    {
        const auto all = equivalentsOf(catalog(), kilograms(0.0245));
        QVERIFY(isAbout(equivalent(all, "car_mile").amount.value(), 0.0623));
        QVERIFY(isAbout(equivalent(all, "tree_month").amount.value(), 0.049));
        QVERIFY(isAbout(equivalent(all, "smartphone_charge").amount.value(), 1.976));
        for (const Equivalent& e : all) {
            QCOMPARE(e.amount.basis(), Basis::Listed);
            QVERIFY2(!e.what.empty() && !e.amount.how().note.empty(), e.id.c_str());
        }
    }

    // Kilograms times a figure for tonnes is what another tool showed: a thousand times too much.
    void aTonneIsAThousandKilograms()
    {
        const auto all = equivalentsOf(catalog(), kilograms(1000));
        QVERIFY(isAbout(equivalent(all, "smartphone_charge").amount.value(), 1000 / 0.0124));
        QVERIFY(isAbout(equivalent(all, "flight_nyc_london_oneway").amount.value(), 1.2345));
    }

    void smallAmountsGetSmallUnits()
    {
        const auto all = equivalentsOf(catalog(), kilograms(0.0004));
        const Equivalent& car = equivalent(all, "car_mile");
        QCOMPARE(car.smallName.value_or(""), std::string("feet driven"));
        QVERIFY(isAbout(car.smallAmount->value(), 5.374));
        const auto large = equivalentsOf(catalog(), kilograms(100));
        QVERIFY(!equivalent(large, "car_mile").smallAmount);
    }

    void oneBasisAtATime()
    {
        const Site site = at("gcp/us-central1");
        const Quantity location = gridIntensity(catalog(), site, GridBasis::Location);
        const Quantity direct = gridIntensity(catalog(), site, GridBasis::Direct);
        const Quantity market = gridIntensity(catalog(), site, GridBasis::Market);
        QVERIFY(location.value() > direct.value() && direct.value() > market.value());
        QVERIFY(isAbout(market.value(), 412.72 * (1 - 0.87)));
        QVERIFY(market.how().sentence().find("carbon-free") != std::string::npos);
        QVERIFY(location.how().sentence().find("2024") != std::string::npos);
    }

    // The purchases of one provider beside the bare grid of another: no list may hold both.
    void aSwitchChangesEveryRow()
    {
        const Quantity kwh = exact(1, Unit::KilowattHours);
        for (const GridBasis basis : {GridBasis::Location, GridBasis::Market, GridBasis::Direct}) {
            const auto rows = elsewhere(catalog(), kwh, basis);
            QCOMPARE(rows.size(), catalog().regions().size());
            bool isOver = false; // unavailable ones are last
            double before = 0;
            for (const RegionCarbon& row : rows) {
                if (basis == GridBasis::Market && row.kg.isAvailable())
                    QVERIFY(row.grid.how().note.text().find("carbon-free") != std::string::npos);
                if (basis != GridBasis::Market && row.kg.isAvailable())
                    QVERIFY(row.grid.how().note.text().find("carbon-free") == std::string::npos);
                QVERIFY(!(isOver && row.kg.isAvailable()));
                isOver = isOver || !row.kg.isAvailable();
                if (row.kg.isAvailable()) {
                    QVERIFY(row.kg.value() >= before);
                    before = row.kg.value();
                }
            }
            const auto known = std::count_if(rows.begin(), rows.end(),
                                             [](const auto& r) { return r.kg.isAvailable(); });
            QVERIFY(known > (basis == GridBasis::Market ? 30 : 110));
        }
        QCOMPARE(gridIntensity(catalog(), at("aws/us-east-1"), GridBasis::Market).basis(),
                 Basis::Unavailable);
    }

    void knownRegions_data()
    {
        QTest::addColumn<double>("grams");
        QTest::newRow("aws/ca-central-1") << 34.8;
        QTest::newRow("azure/norway-east") << 33.2; // as people spell it
        QTest::newRow("AWS/eu-north-1") << 20.3;
        QTest::newRow("aws/ap-south-1") << 737.2;
        QTest::newRow("azure/northeurope") << 353.0;
    }
    void knownRegions()
    {
        QFETCH(double, grams);
        const Quantity q =
            gridIntensity(catalog(), at(QTest::currentDataTag()), GridBasis::Location);
        QCOMPARE(q.value(), grams);
        QCOMPARE(q.basis(), Basis::Listed);
        QVERIFY(q.low() < grams && q.high() > grams);
    }

    void whatIsNotKnownIsUnavailable()
    {
        for (const Site& site : {at("aws/moon-1"), in("Atlantis")}) {
            const Quantity grid = gridIntensity(catalog(), site, GridBasis::Location);
            QVERIFY(!grid.isAvailable());
            QVERIFY(!grid.how().note.empty());
            const Quantity kg =
                carbonOf(catalog(), site, GridBasis::Location, exact(1, Unit::KilowattHours));
            QVERIFY(!kg.isAvailable());
            for (const Equivalent& e : equivalentsOf(catalog(), kg))
                QVERIFY(!e.amount.isAvailable() && !e.smallAmount);
            QVERIFY(!offsetCost(catalog(), kg, {}).isAvailable());
        }
        const Quantity noEnergy = Quantity::unavailable(Unit::KilowattHours, "not measured");
        const Quantity kg = carbonOf(catalog(), in("Germany"), GridBasis::Location, noEnergy);
        QVERIFY(!kg.isAvailable());
        QCOMPARE(kg.how().note.text(), std::string("not measured"));
    }

    void noPlaceIsTheWorldAndSaysSo()
    {
        const Quantity q = gridIntensity(catalog(), Site{}, GridBasis::Location);
        QCOMPARE(q.basis(), Basis::Assumed);
        QVERIFY(q.low() < 30 && q.high() > 700);
        QVERIFY(q.how().note.text().find("site.country") != std::string::npos);
        QVERIFY(!gridIntensity(catalog(), Site{}, GridBasis::Direct).isAvailable());
    }

    void countriesAreFoundByNameAndCode()
    {
        for (const char* name : {"Germany", "germany", "DE", "DEU"})
            QCOMPARE(gridIntensity(catalog(), in(name), GridBasis::Location).value(), 346.3);
        QVERIFY(!gridIntensity(catalog(), in("Germany"), GridBasis::Market).isAvailable());
    }

    void whatTheSiteGivesWins()
    {
        Site site = at("aws/us-east-1");
        site.gridGramsPerKwh = 420;
        site.pue = 1;
        site.electricityUsdPerKwh = 0.13;
        const Quantity kwh = exact(0.0583, Unit::KilowattHours);
        const Quantity kg = carbonOf(catalog(), site, GridBasis::Location, kwh);
        QVERIFY(isAbout(kg.value(), 0.0245));
        QCOMPARE(kg.basis(), Basis::Assumed);
        QCOMPARE(electricityPrice(catalog(), site).value(), 0.13);
    }

    void overheads()
    {
        QCOMPARE(overheadOf(catalog(), Site{}).value(), 1.0);
        const Quantity aws = overheadOf(catalog(), at("aws/us-east-1"));
        QCOMPARE(aws.value(), 1.15);
        QVERIFY(aws.low() < 1.15 && aws.high() > 1.15);
        QCOMPARE(overheadOf(catalog(), at("lambda/us-east-1")).basis(), Basis::Assumed);
    }

    void electricityPrices()
    {
        const Quantity home = electricityPrice(catalog(), in("US"));
        QCOMPARE(home.value(), 0.1872);
        QCOMPARE(home.basis(), Basis::Listed);
        QCOMPARE(electricityPrice(catalog(), in("Germany")).value(), 0.39);
        QCOMPARE(electricityPrice(catalog(), in("China")).basis(), Basis::Assumed); // poor source
        QCOMPARE(electricityPrice(catalog(), at("aws/us-east-1")).value(), 0.1872);
        const Quantity unknown = electricityPrice(catalog(), Site{});
        QCOMPARE(unknown.basis(), Basis::Assumed);
        QVERIFY(unknown.high() > 2 * unknown.value());
    }

    void aWiderIntervalInIsAtLeastAsWideOut()
    {
        const auto energy = [](double factor) {
            return Quantity::within(1, 1 / factor, factor, Unit::KilowattHours, Basis::Forecast,
                                    {});
        };
        double low = 1e9;
        double high = 0;
        for (const double factor : {1.0, 1.2, 1.5, 3.0}) {
            const Quantity kg =
                carbonOf(catalog(), in("France"), GridBasis::Location, energy(factor));
            QVERIFY(kg.low() <= low && kg.high() >= high);
            low = kg.low();
            high = kg.high();
            QVERIFY(std::isfinite(low) && std::isfinite(high) && low > 0);
        }
    }

    // The mean over the day is the mean of the year, whatever the hours.
    void theHoursOfADayAverageToItself()
    {
        for (const Site& site : {at("aws/us-west-1"), in("Spain"), in("NO"), in("Brazil")}) {
            for (const GridBasis basis : {GridBasis::Location, GridBasis::Direct}) {
                const auto hours = byHour(catalog(), site, basis, kilograms(1));
                QCOMPARE(hours.size(), std::size_t{24});
                double sum = 0;
                for (const HourCarbon& hour : hours) {
                    QVERIFY(hour.kg.isAvailable());
                    QVERIFY(hour.kg.low() <= hour.kg.value());
                    sum += hour.kg.value();
                }
                QVERIFY(isAbout(sum / 24, 1, 0.01));
            }
        }
    }

    void noonIsCleanInCalifornia()
    {
        const auto hours =
            byHour(catalog(), at("aws/us-west-1"), GridBasis::Location, kilograms(1));
        QVERIFY(isAbout(hours[12].kg.value(), 0.716));
        QVERIFY(hours[20].kg.value() > 1.1 && hours[3].kg.value() > 1.1);
        // Making the plants counts at all hours, so direct emissions swing further.
        const auto direct = byHour(catalog(), at("aws/us-west-1"), GridBasis::Direct, kilograms(1));
        QVERIFY(direct[12].kg.value() < hours[12].kg.value() - 0.01);
    }

    void hoursWithoutAShapeAreUnavailable()
    {
        for (const HourCarbon& h :
             byHour(catalog(), at("aws/us-east-1"), GridBasis::Location, kilograms(1)))
            QVERIFY(!h.kg.isAvailable());
        for (const HourCarbon& h :
             byHour(catalog(), at("aws/us-west-1"), GridBasis::Market, kilograms(1)))
            QVERIFY(!h.kg.isAvailable());
    }

    void makingTheHardwareStandsApart()
    {
        const Quantity year = embodiedCarbon(catalog(), exact(8760, Unit::Hours), 8, 0);
        QVERIFY(isAbout(year.value(), (1000 + 8 * 150) / 4.0));
        QCOMPARE(year.basis(), Basis::Assumed);
        QVERIFY(isAbout(embodiedCarbon(catalog(), exact(1, Unit::Hours), 8, 0).value() * 8760,
                        year.value()));
    }

    void tablesAreSound()
    {
        for (const GridRegion& r : catalog().regions()) {
            QVERIFY2(r.lifecycleGrams && !r.source.empty(), r.id.c_str());
            QVERIFY2(r.year >= 2015 && r.year <= 2026, r.id.c_str());
            if (r.directGrams)
                QVERIFY2(*r.directGrams <= *r.lifecycleGrams, r.id.c_str());
            if (r.marketGrams)
                QVERIFY2(r.marketYear && !r.marketBy.empty(), r.id.c_str());
        }
        for (const GridCountry& c : catalog().countries())
            QVERIFY2(c.lifecycleGrams && !c.source.empty(), c.name.c_str());
        for (const ElectricityPrice& p : catalog().prices())
            QVERIFY2(!p.source.empty() && !p.asOf.empty(), p.place.c_str());
    }
};

OUTLAY_TEST(TestCarbon)
#include "tst_carbon.moc"
