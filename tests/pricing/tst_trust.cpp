// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Dates, doubts, staleness and the order of options.
#include "pricing/accelerator_name.h"
#include "pricing/date.h"
#include "pricing/offer_table.h"
#include "pricing/trust.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <functional>
#include <map>
#include <QTest>
#include <random>
#include <tuple>

using namespace outlay::pricing;
using outlay::core::Purchase;

namespace {

Offer offer(const char* instance, std::optional<double> usd, const char* asOf = "2026-07-01")
{
    Offer made;
    made.machine = {"aws", instance, "", "T4", 1, 16, 4, 16};
    made.region = "us-east-1";
    made.usdPerHour = usd;
    made.source = {"a catalog", asOf, {}};
    return made;
}

/// Doubt and reason of `questioned` among T4 offers at 0.40, 0.50 and 0.60 USD/h.
std::pair<Doubt, std::string> judged(const Offer& questioned)
{
    OfferTableBuilder builder;
    builder.add(offer("a", 0.4));
    builder.add(offer("b", 0.5));
    builder.add(offer("c", 0.6));
    builder.add(questioned);
    const OfferTable table = builder.take();
    const Peers peers(table);
    for (const OfferRow& row : table.rows) {
        if (table.machines[row.machine].instance == questioned.machine.instance) {
            const Doubt doubt = doubtOf(row, table, peers);
            return {doubt, reasonOf(doubt, row, table, peers)};
        }
    }
    return {};
}

Machine cpuMachine(const char* instance, double vcpus, double memoryGb)
{
    return {"aws", instance, "", "", 0, std::nullopt, vcpus, memoryGb};
}

} // namespace

class TestTrust : public QObject {
    Q_OBJECT
private slots:
    void dates_data()
    {
        QTest::addColumn<QString>("date");
        QTest::addColumn<int>("days"); // to 2026-11-20; -1: no date
        QTest::newRow("a day") << "2026-11-19" << 1;
        QTest::newRow("today") << "2026-11-20" << 0;
        QTest::newRow("with a time") << "2026-07-20T13:44:30Z" << 123;
        QTest::newRow("a month is its first day") << "2025-06" << 537;
        QTest::newRow("a year is its first day") << "2024" << 1054;
        QTest::newRow("a leap day") << "2024-02-29" << 995;
        QTest::newRow("no leap day") << "2025-02-29" << -1;
        QTest::newRow("month 13") << "2025-13-01" << -1;
        QTest::newRow("empty") << "" << -1;
        QTest::newRow("words") << "after 2025" << -1;
        QTest::newRow("slashes") << "2025/06/01" << -1;
        QTest::newRow("before computers") << "1969-12-31" << -1;
        QTest::newRow("letters for a day") << "2025-06-xx" << -1;
        QTest::newRow("letters for a year") << "yyyy-06-01" << -1;
        QTest::newRow("letters") << "2025-o6-01" << -1;
    }
    void dates()
    {
        QFETCH(QString, date);
        QFETCH(int, days);
        QCOMPARE(daysBetween(date.toStdString(), "2026-11-20").value_or(-1), days);
    }

    void stale_data()
    {
        QTest::addColumn<QString>("asOf");
        QTest::addColumn<bool>("stale");
        QTest::newRow("400 days") << "2025-10-16" << false;
        QTest::newRow("401 days") << "2025-10-15" << true;
        QTest::newRow("today") << "2026-11-20" << false;
        QTest::newRow("undated") << "" << false;
        QTest::newRow("tomorrow") << "2026-11-21" << false;
    }
    void stale()
    {
        QFETCH(QString, asOf);
        QFETCH(bool, stale);
        QCOMPARE(isStale(asOf.toStdString(), "2026-11-20"), stale);
    }

    void doubts_data()
    {
        QTest::addColumn<double>("usd"); // negative: none
        QTest::addColumn<QString>("asOf");
        QTest::addColumn<int>("doubt");
        QTest::addColumn<QString>("reason"); // a part of it
        const auto code = [](Doubt doubt) { return static_cast<int>(doubt); };
        // With the questioned price itself among them, the median of four is the third.
        QTest::newRow("as others") << 0.55 << "2026-07-01" << code(Doubt::None) << "";
        QTest::newRow("no price") << -1.0 << "2026-07-01" << code(Doubt::NoPrice) << "has no";
        QTest::newRow("an H100 for nothing")
            << 0.0 << "2026-07-01" << code(Doubt::Zero) << "costs nothing";
        QTest::newRow("a B200 for a cent")
            << 0.01 << "2026-07-01" << code(Doubt::OffPeers) << "50 times below the median of 4";
        QTest::newRow("just five times below") << 0.1 << "2026-07-01" << code(Doubt::None) << "";
        QTest::newRow("more than five times below")
            << 0.099 << "2026-07-01" << code(Doubt::OffPeers) << "on_demand prices for 1 x T4";
        QTest::newRow("far above")
            << 3.1 << "2026-07-01" << code(Doubt::OffPeers) << "times above the median";
        QTest::newRow("undated") << 0.5 << "" << code(Doubt::Undated) << "when the price was valid";
        QTest::newRow("badly dated") << 0.5 << "lately" << code(Doubt::Undated) << "when";
        QTest::newRow("absurd and undated") << 0.01 << "" << code(Doubt::OffPeers) << "below";
    }
    void doubts()
    {
        QFETCH(double, usd);
        QFETCH(QString, asOf);
        QFETCH(int, doubt);
        QFETCH(QString, reason);
        const auto price = usd < 0 ? std::nullopt : std::optional(usd);
        const auto [found, why] = judged(offer("z", price, asOf.toStdString().c_str()));
        QCOMPARE(static_cast<int>(found), doubt);
        QVERIFY2(why.find(reason.toStdString()) != std::string::npos, why.c_str());
        QCOMPARE(why.empty(), found == Doubt::None);
    }

    void aSourceCanDoubtItself()
    {
        Offer questioned = offer("z", 0.5);
        questioned.source.doubt = "a part of the price is missing";
        const auto [doubt, why] = judged(questioned);
        QVERIFY(doubt == Doubt::SourceItself);
        QCOMPARE(why, questioned.source.doubt);
    }

    void peersAreOfTheSameKindOnly()
    {
        OfferTableBuilder builder;
        for (int i = 0; i < 5; ++i) {
            Offer spot = offer(("s" + std::to_string(i)).c_str(), 0.05);
            spot.purchase = Purchase::Spot;
            builder.add(spot);
        }
        builder.add(offer("a", 0.5));
        Offer eight = offer("eight", 4.0);
        eight.machine.accelerators = 8;
        builder.add(eight);
        Offer unknown = offer("unknown", 1000);
        unknown.machine = {"aws", "unknown", "", "", 0, {}, {}, {}};
        builder.add(unknown);
        const OfferTable table = builder.take();
        const Peers peers(table);
        for (const OfferRow& row : table.rows)
            QVERIFY(doubtOf(row, table, peers) == Doubt::None);
    }

    // Nor are machines doubted whose prices agree with each other by several sources; one source may be wrong throughout.
    void aMachineIsItsOwnPeer_data()
    {
        QTest::addColumn<bool>("hasOtherSource");
        QTest::addColumn<double>("usd"); // in one of its regions, where others have 0.05
        QTest::addColumn<int>("doubt");
        const int off = static_cast<int>(Doubt::OffPeers);
        QTest::newRow("two sources") << true << 0.052 << static_cast<int>(Doubt::None);
        QTest::newRow("one source") << false << 0.052 << off;
        QTest::newRow("further off itself") << true << 0.02 << off;
        QTest::newRow("reserved, dearer") << true << -0.06 << off;
        QTest::newRow("reserved") << true << -0.03 << static_cast<int>(Doubt::None);
        QTest::newRow("reserved, far below") << true << -0.005 << off;
    }
    void aMachineIsItsOwnPeer()
    {
        QFETCH(bool, hasOtherSource);
        QFETCH(double, usd);
        QFETCH(int, doubt);
        OfferTableBuilder builder;
        for (const char* other : {"a", "b", "c", "d", "e"}) {
            builder.add(offer(other, 0.5));
            builder.add(offer(other, 0.4));
            Offer reserved = offer(other, 0.4);
            reserved.purchase = Purchase::Reserved1y;
            builder.add(reserved);
        }
        if (usd < 0) { // bought otherwise
            Offer reserved = offer("small", -usd);
            reserved.purchase = Purchase::Reserved1y;
            builder.add(reserved);
        }
        for (const char* region : {"r1", "r2", "r3"}) {
            Offer own = offer("small", region[1] == '3' && usd > 0 ? usd : 0.05);
            own.region = region;
            if (hasOtherSource && region[1] == '2')
                own.source = {"another", "2026-06-01", {}};
            builder.add(own);
        }
        const OfferTable table = builder.take();
        const Peers peers(table);
        int found = 0;
        for (const OfferRow& row : table.rows) {
            if (table.machines[row.machine].instance != "small" ||
                *row.usdPerHour != std::abs(usd) ||
                (usd < 0) != (row.purchase == Purchase::Reserved1y))
                continue;
            ++found;
            QCOMPARE(static_cast<int>(doubtOf(row, table, peers)), doubt);
        }
        QCOMPARE(found, 1);
    }

    // t3.micro costs a tenth of other machines with two vCPUs, and rightly so.
    void leanMachinesAreTheirOwnPeers()
    {
        OfferTableBuilder builder;
        for (int i = 0; i < 20; ++i) {
            Offer usual = offer("usual", 0.1);
            usual.machine = cpuMachine(("m" + std::to_string(i)).c_str(), 2, 8);
            builder.add(usual);
        }
        Offer lean = offer("lean", 0.0104);
        lean.machine = cpuMachine("t3.micro", 2, 1);
        builder.add(lean);
        Offer absurd = lean;
        absurd.machine = cpuMachine("m99", 2, 8);
        builder.add(absurd);
        const OfferTable table = builder.take();
        const Peers peers(table);
        for (const OfferRow& row : table.rows) {
            const bool isAbsurd = table.machines[row.machine].instance == "m99";
            QVERIFY((doubtOf(row, table, peers) == Doubt::OffPeers) == isAbsurd);
        }
    }

    void ranking_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QList<Candidate>>("candidates");
        const auto on = Purchase::OnDemand;
        const auto spot = Purchase::Spot;
        QTest::newRow("nothing") << "" << QList<Candidate>{};
        QTest::newRow("by price") << "120"
                                  << QList<Candidate>{{on, Trust::Fresh, 0, 3},
                                                      {on, Trust::Fresh, 0, 1},
                                                      {on, Trust::Fresh, 0, 2}};
        QTest::newRow("zero is last")
            << "10" << QList<Candidate>{{on, Trust::Doubtful, 0, 0}, {on, Trust::Fresh, 0, 9}};
        QTest::newRow("stale after fresh of its kind")
            << "10" << QList<Candidate>{{on, Trust::Stale, 0, 1}, {on, Trust::Fresh, 0, 9}};
        QTest::newRow("stale before fresh of another kind")
            << "01" << QList<Candidate>{{spot, Trust::Stale, 0, 1}, {on, Trust::Fresh, 0, 9}};
        QTest::newRow("kinds are merged") << "2031"
                                          << QList<Candidate>{{on, Trust::Fresh, 0, 2},
                                                              {spot, Trust::Fresh, 0, 5},
                                                              {spot, Trust::Fresh, 0, 1},
                                                              {on, Trust::Fresh, 0, 4}};
        QTest::newRow("a cheap stale one waits for its kind")
            << "102"
            << QList<Candidate>{{spot, Trust::Fresh, 0, 5},
                                {on, Trust::Fresh, 0, 3},
                                {spot, Trust::Stale, 0, 1}};
        QTest::newRow("equal prices keep their order")
            << "012"
            << QList<Candidate>{
                   {on, Trust::Fresh, 0, 1}, {on, Trust::Fresh, 0, 1}, {on, Trust::Fresh, 0, 1}};
    }
    void ranking()
    {
        QFETCH(QString, order);
        QFETCH(QList<Candidate>, candidates);
        QString found;
        for (const std::size_t index :
             ranked({candidates.constData(), static_cast<std::size_t>(candidates.size())}))
            found += QString::number(index);
        QCOMPARE(found, order);
    }

    // Step by step: of what each kind has next, fresh ones before stale ones, the cheapest.
    static std::vector<std::uint32_t> rankedStepByStep(const std::vector<Candidate>& candidates)
    {
        std::vector<std::uint32_t> order;
        for (std::uint8_t group = 0; group < Candidate::Groups; ++group) {
            std::map<Purchase, std::vector<std::tuple<Trust, double, std::uint32_t>>> kinds;
            std::vector<std::pair<double, std::uint32_t>> doubtful;
            for (std::uint32_t i = 0; i < candidates.size(); ++i) {
                const Candidate& c = candidates[i];
                if (c.group == group && c.trust == Trust::Doubtful)
                    doubtful.emplace_back(c.usd, i);
                else if (c.group == group)
                    kinds[c.purchase].emplace_back(c.trust, c.usd, i);
            }
            for (auto& [kind, left] : kinds)
                std::sort(left.begin(), left.end(), std::greater<>());
            const auto next = [](const auto& entry) {
                const auto& [trust, usd, index] = entry.second.back();
                return std::pair(usd, index);
            };
            while (!kinds.empty()) {
                const auto best =
                    std::min_element(kinds.begin(), kinds.end(), [&](const auto& a, const auto& b) {
                        return next(a) < next(b);
                    });
                order.push_back(std::get<2>(best->second.back()));
                best->second.pop_back();
                if (best->second.empty())
                    kinds.erase(best);
            }
            std::sort(doubtful.begin(), doubtful.end());
            for (const auto& [usd, index] : doubtful)
                order.push_back(index);
        }
        return order;
    }

    void anyRankingKeepsItsRules()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 200; ++round) {
            std::vector<Candidate> candidates(random() % 40);
            for (Candidate& c : candidates)
                c = {static_cast<Purchase>(random() % 4), static_cast<Trust>(random() % 3),
                     static_cast<std::uint8_t>(random() % 3), static_cast<double>(random() % 10)};
            std::vector<std::uint32_t> order = ranked(candidates);
            QCOMPARE(order, rankedStepByStep(candidates));
            for (std::size_t i = 0; i < order.size(); ++i) {
                for (std::size_t j = i + 1; j < order.size(); ++j) {
                    const Candidate& first = candidates[order[i]];
                    const Candidate& later = candidates[order[j]];
                    QVERIFY(first.group <= later.group);
                    if (first.group != later.group)
                        continue;
                    QVERIFY(first.trust != Trust::Doubtful || later.trust == Trust::Doubtful);
                    if (first.purchase == later.purchase)
                        QVERIFY(std::pair(first.trust, first.usd) <=
                                std::pair(later.trust, later.usd));
                }
            }
            std::sort(order.begin(), order.end());
            for (std::size_t i = 0; i < order.size(); ++i)
                QCOMPARE(std::size_t{order[i]}, i);
            QCOMPARE(order.size(), candidates.size());
        }
    }

    void acceleratorsHaveOneName_data()
    {
        QTest::addColumn<QString>("listed");
        QTest::addColumn<double>("listedGb"); // 0: not listed
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("memoryGb");
        QTest::newRow("T4") << "T4" << 16.0 << "T4" << 16.0;
        QTest::newRow("a maker") << "NVIDIA Tesla T4" << 0.0 << "T4" << 16.0;
        QTest::newRow("A100 of 40") << "A100" << 40.0 << "A100-40GB" << 40.0;
        QTest::newRow("A100 of 80") << "A100" << 80.0 << "A100-80GB" << 80.0;
        QTest::newRow("A100 alone") << "A100" << 0.0 << "A100-40GB" << 40.0;
        QTest::newRow("V100 of 32") << "V100" << 32.0 << "V100-32GB" << 32.0;
        QTest::newRow("HBM3") << "H100-80GB-HBM3" << 80.0 << "H100-80GB" << 80.0;
        // Public catalogs list 80 GB for these.
        QTest::newRow("H200") << "H200" << 80.0 << "H200" << 141.0;
        QTest::newRow("B200") << "B200" << 80.0 << "B200" << 180.0;
        QTest::newRow("GH200") << "GH200" << 80.0 << "GH200" << 96.0;
        QTest::newRow("unknown") << "Foo 9000" << 12.0 << "Foo 9000" << 12.0;
    }
    void acceleratorsHaveOneName()
    {
        QFETCH(QString, listed);
        QFETCH(double, listedGb);
        QFETCH(QString, name);
        QFETCH(double, memoryGb);
        const auto known = acceleratorNamed(listed.toStdString(),
                                            listedGb > 0 ? std::optional(listedGb) : std::nullopt);
        QCOMPARE(QString::fromStdString(known.name), name);
        QCOMPARE(known.memoryGb.value_or(0), memoryGb);
    }
};

OUTLAY_TEST(TestTrust)
#include "tst_trust.moc"
