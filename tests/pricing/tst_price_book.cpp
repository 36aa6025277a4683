// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own prices, the user's over them, and how sure and how old each is.
#include "pricing/import/import.h"
#include "pricing/offer_table.h"
#include "pricing/price_book.h"
#include "pricing/prices_on.h"
#include "pricing/tariffs.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <QTest>
#include <random>
#include <set>

using namespace outlay::pricing;
using namespace outlay::core;

namespace {

constexpr const char* Day = "2026-11-20";

const PriceBook& program()
{
    static const PriceBook Book = *PriceBook::load();
    return Book;
}

Offer ownOffer(double usd, const char* asOf)
{
    Offer offer;
    offer.machine.provider = "aws";
    offer.machine.instance = "g4dn.xlarge";
    offer.region = "us-east-1";
    offer.usdPerHour = usd;
    offer.source = {"our contract", asOf, {}};
    return offer;
}

OfferTable tableOf(const std::vector<Offer>& offers)
{
    OfferTableBuilder builder;
    for (const Offer& offer : offers)
        builder.add(offer);
    return builder.take();
}

Result<PriceFile> readText(std::string_view text)
{
    ByteWindow window(text);
    return readPriceFile(window);
}

OfferTable randomTable(unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Offer> offers;
    for (auto i = random() % 60; i > 0; --i) {
        Offer offer = ownOffer(static_cast<double>(random() % 1000) / 64, "");
        offer.machine.instance = "m" + std::to_string(random() % 8);
        offer.machine.accelerators = 0;
        offer.region = "r" + std::to_string(random() % 3);
        offer.purchase = static_cast<Purchase>(random() % 4);
        if (random() % 8 == 0)
            offer.usdPerHour.reset();
        offer.source.asOf = random() % 4 == 0 ? "" : "202" + std::to_string(random() % 6);
        offers.push_back(offer);
    }
    return tableOf(offers);
}

} // namespace

class TestPriceBook : public QObject {
    Q_OBJECT
private slots:
    void listPricesAreRight_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("instance");
        QTest::addColumn<QString>("region");
        QTest::addColumn<int>("purchase");
        QTest::addColumn<double>("usd");
        const auto row = [&](const char* p, const char* i, const char* r, double usd,
                             Purchase kind = Purchase::OnDemand) {
            QTest::addRow("%s %s %d", p, i, static_cast<int>(kind))
                << p << i << r << static_cast<int>(kind) << usd;
        };
        row("aws", "g4dn.xlarge", "us-east-1", 0.526);
        row("aws", "g4dn.2xlarge", "us-east-1", 0.752);
        row("aws", "p3.2xlarge", "us-east-1", 3.06);
        row("aws", "p3.8xlarge", "us-east-1", 12.24);
        row("aws", "p4d.24xlarge", "us-east-1", 21.957642);
        row("aws", "c6i.large", "us-east-1", 0.085);
        row("aws", "c5.large", "us-east-1", 0.085);
        row("gcp", "n1-standard-4+T4", "us-central1", 0.539999);
        row("gcp", "n1-standard-8+V100", "us-central1", 2.86);
        row("gcp", "n1-highmem-8+V100", "us-central1", 2.953);
        row("gcp", "a2-highgpu-1g", "us-central1", 3.673385);
        row("gcp", "a2-highgpu-8g", "us-central1", 29.38708);
        row("azure", "Standard_NC6s_v3", "eastus", 3.06);
        row("azure", "Standard_NC4as_T4_v3", "eastus", 0.526);
        row("azure", "Standard_NC24ads_A100_v4", "eastus", 3.673);
        row("aws", "g4dn.xlarge", "us-east-1", 0.2039, Purchase::Spot);
        row("aws", "g4dn.xlarge", "us-east-1", 0.331, Purchase::Reserved1y);
        row("aws", "g4dn.xlarge", "us-east-1", 0.227, Purchase::Reserved3y);
        row("gcp", "a2-highgpu-1g", "us-central1", 1.92802, Purchase::Spot);
    }
    void listPricesAreRight()
    {
        QFETCH(QString, provider);
        QFETCH(QString, instance);
        QFETCH(QString, region);
        QFETCH(int, purchase);
        QFETCH(double, usd);
        const OfferRow* row =
            program().find({provider.toStdString(), instance.toStdString(), region.toStdString(),
                            static_cast<Purchase>(purchase)});
        QVERIFY(row != nullptr);
        QVERIFY(std::abs(row->usdPerHour.value_or(0) - usd) < 0.0005);
    }

    // The documents' own arithmetic, at the book's prices.
    void monthsComeOut()
    {
        const auto usd = [](const char* instance) {
            return *program().find({"aws", instance, "us-east-1"})->usdPerHour;
        };
        QCOMPARE(2 * usd("g4dn.xlarge") * 8 * 22, 185.152);
        QCOMPARE(1 * usd("p3.2xlarge") * 4 * 22, 269.28);
        QCOMPARE(3 * usd("g4dn.2xlarge") * 24 * 30, 1624.32);
        QCOMPARE(std::round(usd("p3.2xlarge") * 7 / 60 * 1000), 357.0);
        QCOMPARE(std::round(usd("g4dn.xlarge") * 7 / 60 * 1000), 61.0);
    }

    void everyOfferIsWhole()
    {
        const PriceBook& book = program();
        QCOMPARE(book.rows().size(), std::size_t{16146});
        QCOMPARE(book.table().machines.size(), std::size_t{394});
        for (const OfferRow& row : book.rows()) {
            QVERIFY(row.usdPerHour && *row.usdPerHour > 0);
            const Machine& m = book.machine(row);
            QVERIFY(!m.provider.empty() && !m.instance.empty() && !book.region(row).empty());
            QVERIFY(!book.source(row).name.empty());
            QCOMPARE(m.accelerator.empty(), m.accelerators == 0);
            QVERIFY(m.accelerator.empty() || m.acceleratorMemoryGb > 0);
        }
        for (const Offer& known :
             {offerOf(book.table(), *book.find({"aws", "p4d.24xlarge", "us-east-1"}))}) {
            QCOMPARE(known.machine.accelerator, std::string("A100-40GB"));
            QCOMPARE(known.machine.accelerators, 8.0);
            QCOMPARE(known.machine.acceleratorMemoryGb, std::optional(40.0));
        }
    }

    void lookupsFindWhatIsThere()
    {
        const PriceBook& book = program();
        for (const char* provider : {"aws", "azure", "digitalocean", "gcp", "lambda", "runpod"}) {
            std::size_t expected = 0;
            for (const OfferRow& row : book.rows())
                expected += book.machine(row).provider == provider ? 1U : 0U;
            QCOMPARE(book.ofProvider(provider).size(), expected);
            QVERIFY(expected > 0);
        }
        std::size_t inAll = 0;
        for (const std::string& region : book.table().regions) {
            for (const std::uint32_t row : book.inRegion(region))
                QCOMPARE(book.region(book.rows()[row]), region);
            inAll += book.inRegion(region).size();
        }
        QCOMPARE(inAll, book.rows().size());
        for (std::size_t i = 0; i < book.rows().size(); i += 97) {
            const Offer offer = offerOf(book.table(), book.rows()[i]);
            const OfferRow* found = book.find(
                {offer.machine.provider, offer.machine.instance, offer.region, offer.purchase});
            QVERIFY(found != nullptr);
            QCOMPARE(book.indexOf(*found), i);
        }
        QVERIFY(book.ofProvider("nobody").empty());
        QVERIFY(book.ofInstance("aws", "nothing").empty());
        QVERIFY(book.ofInstance("gcp", "g4dn.xlarge").empty());
        QVERIFY(book.inRegion("nowhere").empty());
        QVERIFY(PriceBook().rows().empty());
    }

    // A spot price of another region is no answer.
    void spotIsOfItsRegion()
    {
        const OfferRow* here = program().find({"aws", "g4dn.xlarge", "us-east-1", Purchase::Spot});
        const OfferRow* there = program().find({"aws", "g4dn.xlarge", "us-east-2", Purchase::Spot});
        QVERIFY(here != nullptr && there != nullptr);
        QVERIFY(here->usdPerHour != there->usdPerHour);
        QVERIFY(program().find({"aws", "g4dn.xlarge", "us-central1", Purchase::Spot}) == nullptr);
    }

    void theUsersPriceCountsUnlessOlder_data()
    {
        QTest::addColumn<QString>("asOf");
        QTest::addColumn<double>("usd");
        QTest::newRow("newer") << "2026-11-01" << 0.45;
        QTest::newRow("of the same day") << "2026-07-20" << 0.45;
        QTest::newRow("older") << "2026-07-19" << 0.526;
        QTest::newRow("undated") << "" << 0.526;
    }
    void theUsersPriceCountsUnlessOlder()
    {
        QFETCH(QString, asOf);
        QFETCH(double, usd);
        const PriceBook book =
            *PriceBook::load(tableOf({ownOffer(0.45, asOf.toStdString().c_str())}));
        QCOMPARE(book.rows().size(), program().rows().size());
        const OfferRow* row = book.find({"aws", "g4dn.xlarge", "us-east-1"});
        QCOMPARE(row->usdPerHour, std::optional(usd));
        // What the user's file doesn't say of the machine is known already.
        QCOMPARE(book.machine(*row).accelerator, std::string("T4"));
    }

    // Whoever knows more of a machine completes it, in either order.
    void machinesAreCompleted()
    {
        Offer bare = ownOffer(1, "2026-01-01");
        Offer whole = bare;
        whole.region = "elsewhere";
        whole.machine = {"aws", "g4dn.xlarge", "accelerated", "T4", 1, 16, 4, 16};
        QVERIFY((tableOf({bare, whole}).machines == std::vector{whole.machine}));
        QVERIFY((tableOf({whole, bare}).machines == std::vector{whole.machine}));
    }

    void figuresNameTheirSource()
    {
        const PriceBook& book = program();
        const PricesOn prices(book, Day);
        const auto priceOf = [&](Purchase kind) {
            const OfferRow* row = book.find({"aws", "g4dn.xlarge", "us-east-1", kind});
            return std::pair(prices.price(book.indexOf(*row)), prices.trust(book.indexOf(*row)));
        };
        const auto [fresh, freshTrust] = priceOf(Purchase::OnDemand);
        QVERIFY(freshTrust == Trust::Fresh);
        QVERIFY(fresh.basis() == Basis::Listed && fresh.unit() == Unit::UsdPerHour);
        QCOMPARE(fresh.low(), 0.526);
        QCOMPARE(fresh.high(), 0.526);
        const std::string how = fresh.how().sentence();
        QVERIFY2(how.find("AWS Price List API") != std::string::npos, how.c_str());
        QVERIFY2(how.ends_with("2026-07-20"), how.c_str());
        const auto [stale, staleTrust] = priceOf(Purchase::Reserved1y);
        QVERIFY(staleTrust == Trust::Stale);
        QVERIFY(stale.basis() == Basis::Listed);
        QVERIFY(stale.low() < 0.331 && stale.high() > 0.331);
        QVERIFY(stale.how().sentence().find("595 days old") != std::string::npos);
        QCOMPARE(cheapestKnown("2022-12-02"), std::string("cheapest known, as of 2022-12-02"));
    }

    void noPriceIsUnavailableAndNeverZero()
    {
        Offer none = ownOffer(0, "2026-11-01");
        Offer zero = ownOffer(0, "2026-11-01");
        none.region = "r1";
        none.usdPerHour.reset();
        zero.region = "r2";
        const PriceBook book(PriceFile{}, tableOf({none, zero}));
        const PricesOn prices(book, Day);
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(!prices.price(i).isAvailable());
            QVERIFY(!prices.range(i));
            QVERIFY(prices.trust(i) == Trust::Doubtful);
            QVERIFY(prices.caution(i).starts_with("doubtful: "));
            QCOMPARE(prices.price(i).how().note.text(), book.doubtReason(i));
        }
    }

    // The older a price, the wider; the widths come from the dated prices that the book has.
    void intervalsGrowWithAge()
    {
        const PriceBook& book = program();
        const std::array days{PricesOn(book, "2026-11-20"), PricesOn(book, "2027-11-20"),
                              PricesOn(book, "2029-11-20")};
        for (std::size_t i = 0; i < book.rows().size(); i += 31) {
            double width = 0;
            for (const PricesOn& day : days) {
                const auto range = day.range(i);
                QVERIFY(range && range->low > 0 && std::isfinite(range->high));
                QVERIFY(range->low <= range->value && range->value <= range->high);
                QVERIFY(range->high / range->low >= width);
                width = range->high / range->low;
            }
            QVERIFY(width > 1);
        }
    }

    void driftIsWhatWasSeen()
    {
        const Drift& drift = program().drift();
        QCOMPARE(drift.pairs(Purchase::OnDemand, true) + drift.pairs(Purchase::OnDemand, false),
                 std::size_t{184});
        QCOMPARE(drift.pairs(Purchase::Spot, true) + drift.pairs(Purchase::Spot, false),
                 std::size_t{82});
        const PriceRange spot = drift.after(1, Purchase::Spot, true);
        const PriceRange onDemand = drift.after(1, Purchase::OnDemand, true);
        QVERIFY(spot.lowFactor < onDemand.lowFactor && spot.highFactor > onDemand.highFactor);
        QCOMPARE(drift.after(0, Purchase::Spot, true).lowFactor, 1.0);

        // Twelve prices that halved in a year, one that stayed.
        PriceFile file;
        file.offers.sources = {{"old", "2024-01-01", {}}, {"new", "2025-01-01", {}}};
        file.offers.regions = {"r"};
        for (std::uint32_t i = 0; i < 13; ++i) {
            file.offers.machines.push_back({"p", "m" + std::to_string(i), "", "T4", 1, 16, 4, 16});
            file.offers.rows.push_back({i, 0, 1, Purchase::OnDemand, i == 12 ? 2.0 : 1.0});
            file.earlier.push_back({i, 0, 0, Purchase::OnDemand, 2.0});
        }
        const Drift halved(file.offers, file.earlier);
        const double year = std::sqrt(366 / 365.25); // 2024 had 366 days
        const PriceRange range = halved.after(1, Purchase::OnDemand, true);
        QVERIFY(std::abs(std::log(range.lowFactor) + std::log(2) / year) < 1e-9);
        const PriceRange four = halved.after(4, Purchase::OnDemand, true);
        QVERIFY(std::abs(four.lowFactor - range.lowFactor * range.lowFactor) < 1e-9);
    }

    // A step within two months is that year's change, not a sixth of one.
    void stepsCountAsAYears()
    {
        PriceFile file;
        file.offers.sources = {{"old", "2025-04-04", {}}, {"new", "2025-06", {}}};
        file.offers.regions = {"r"};
        for (std::uint32_t i = 0; i < 12; ++i) {
            file.offers.machines.push_back({"p", "m" + std::to_string(i), "", "T4", 1, 16, 4, 16});
            file.offers.rows.push_back({i, 0, 1, Purchase::OnDemand, 1.0});
            file.earlier.push_back({i, 0, 0, Purchase::OnDemand, 2.0});
        }
        const Drift drift(file.offers, file.earlier);
        QVERIFY(std::abs(drift.after(1, Purchase::OnDemand, true).lowFactor - 0.5) < 1e-9);
    }

    void undatedPricesAreAsWideAsTheOldest()
    {
        const PriceBook& book = program();
        const PricesOn prices(book, Day);
        double widest = 0;
        std::optional<double> undated;
        for (std::size_t i = 0; i < book.rows().size(); ++i) {
            const OfferRow& row = book.rows()[i];
            if (row.purchase != Purchase::OnDemand || book.machine(row).accelerator.empty())
                continue;
            const double width = prices.range(i)->high / prices.range(i)->low;
            widest = std::max(widest, width);
            if (book.source(row).asOf.empty())
                undated = width;
        }
        QVERIFY(undated && std::abs(*undated - widest) < 1e-9 && widest > 1);
    }

    void filesComeBackAsTheyWere()
    {
        for (unsigned seed = 0; seed < 30; ++seed) {
            const OfferTable table = randomTable(seed);
            const std::string text = writePriceFile(table, "test", "2026-11-20T00:00:00Z");
            const auto file = readText(text);
            QVERIFY2(file, file ? "" : file.error().sentence().c_str());
            QVERIFY(OfferTableBuilder(file->offers).take() == table);
        }
        const OfferTable& all = program().table();
        const auto again = readText(writePriceFile(all, "test", ""));
        QVERIFY(again && OfferTableBuilder(again->offers).take() == all);
    }

    void mergingTwiceIsMergingOnce()
    {
        for (unsigned seed = 0; seed < 30; ++seed) {
            const OfferTable book = randomTable(seed);
            const OfferTable added = randomTable(seed + 100);
            const auto merge = [&](const OfferTable& into) {
                OfferTableBuilder builder(into);
                for (const OfferRow& row : added.rows)
                    builder.add(offerOf(added, row));
                return builder.take();
            };
            const OfferTable once = merge(book);
            QVERIFY(merge(once) == once);
            std::set<std::tuple<std::uint32_t, std::uint32_t, Purchase>> seen;
            for (const OfferRow& row : once.rows)
                QVERIFY(seen.insert({row.machine, row.region, row.purchase}).second);
        }
    }

    void brokenBooksAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("what");
        const QByteArray head(R"({"format":"outlay-prices","version":1,)");
        QTest::newRow("empty") << QByteArray() << QByteArray("in the middle of its JSON");
        QTest::newRow("a list") << QByteArray("[]") << QByteArray("something else than an object");
        QTest::newRow("another format")
            << QByteArray(R"({"format":"outlay-report"})") << QByteArray("not a price book");
        QTest::newRow("a later version")
            << QByteArray(R"({"format":"outlay-prices","version":2})") << QByteArray("version 2");
        QTest::newRow("an index too large")
            << head + R"( "machines":{"provider":["a"],"instance":["b"]},"regions":["r"],)"
                      R"( "source_sets":[],"offers":{"machine":[1],"region":[0],"source_set":[0]}})"
            << QByteArray("entry 0 of the column 'machine'");
        QTest::newRow("half an index")
            << head +
                   R"( "machines":{"provider":["a"],"instance":["b"]},"regions":["r"],)"
                   R"( "source_sets":[],"offers":{"machine":[0.5],"region":[0],"source_set":[0]}})"
            << QByteArray("entry 0 of the column 'machine'");
        QTest::newRow("no such source")
            << head +
                   R"( "machines":{"provider":["a"],"instance":["b"]},"regions":["r"],)"
                   R"( "source_sets":[[3]],"offers":{"machine":[0],"region":[0],"source_set":[0]}})"
            << QByteArray("a set of sources");
        QTest::newRow("columns of unequal length")
            << head +
                   R"( "machines":{"provider":["a"],"instance":["b"]},"regions":["r"],)"
                   R"( "source_sets":[[]],"offers":{"machine":[0,0],"region":[0],"source_set":[0,0]}})"
            << QByteArray("entry 1 of the column 'region'");
    }
    void brokenBooksAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, what);
        const auto file = readText({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(!file);
        const std::string sentence = file.error().sentence();
        QVERIFY2(sentence.find(what.toStdString()) != std::string::npos, sentence.c_str());
    }

    // Each reason is named with the row where it came first, however many rows were named before.
    void everyReasonIsNamedOnce()
    {
        ImportAccount account;
        const std::size_t many = 2 * ImportAccount::MostNamed;
        for (std::size_t row = 0; row < many; ++row)
            account.leaveOut(row, "one reason");
        account.leaveOut(many, "another");
        account.leaveOut(many + 1, "another");
        QCOMPARE(account.named.size(), ImportAccount::MostNamed + 1);
        QCOMPARE(account.named.back().row, many);
        QCOMPARE(account.leftOut.at("one reason"), many);
        QCOMPARE(account.leftOut.at("another"), std::size_t{2});
    }
};

OUTLAY_TEST(TestPriceBook)
#include "tst_price_book.moc"
