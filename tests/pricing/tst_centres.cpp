// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The units of computing centres: each against an example of its own, and what a broken table says.
#include "core/hardware/hardware_catalog.h"
#include "pricing/application/centres.h"
#include "pricing/date.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <set>

using namespace outlay;
using pricing::Centre;
using pricing::Centres;
using pricing::ChargedPer;

namespace {

const Centres& known()
{
    return *pricing::centres();
}

/// A table with one centre, in which one thing is otherwise.
std::string tableWith(const QByteArray& from, const QByteArray& to)
{
    QByteArray text = R"({"sources": [{"name": "a page", "url": "a.org", "read": "2026-11-26"}],
        "centres": [{"id": "a", "name": "A", "operator": "B", "country": "FI", "device": "MI250X",
        "devices_per_node": 4, "unit": "SBU", "units": 2, "per": "device", "source": 0,
        "hardware_source": 0}]})";
    return text.replace(from, to).toStdString();
}

} // namespace

class TestCentres : public QObject {
    Q_OBJECT
private slots:
    void eachIsWhole()
    {
        QVERIFY(pricing::centres().has_value());
        std::set<std::string> ids;
        for (const Centre& c : known().all()) {
            QVERIFY2(ids.insert(c.id).second, c.id.c_str());
            QVERIFY2(c.example.has_value(), c.id.c_str());
            QVERIFY2(!c.note.empty() && c.country.size() == 2, c.id.c_str());
            for (const auto* source : {&known().source(c), &known().hardwareSource(c)}) {
                QVERIFY2(pricing::dayOf(source->read).has_value(), c.id.c_str());
                QVERIFY2(source->url.starts_with("https:"), c.id.c_str());
            }
            if (c.hasAccelerators())
                QVERIFY2(core::hardwareCatalog()->device(c.device).has_value(), c.id.c_str());
        }
        QVERIFY(ids.size() >= 8);
    }

    void publishedExamples_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const Centre& centre : known().all())
            QTest::newRow(centre.id.c_str()) << QByteArray::fromStdString(centre.id);
    }
    void publishedExamples()
    {
        QFETCH(QByteArray, id);
        const auto centre = known().centre(id.toStdString());
        QVERIFY(centre.has_value());
        const pricing::ChargeExample& e = *centre->example;
        QCOMPARE(centre->unitsPerHour(e.devices) * e.hours, e.units);
    }

    // The same as somebody would work them out by hand.
    void units_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<int>("devices");
        QTest::addColumn<double>("units");
        const auto row = [](const char* id, int devices, double units) {
            QTest::addRow("%s %d", id, devices) << QByteArray(id) << devices << units;
        };
        row("lumi-g", 1, 0.5); // a GCD
        row("lumi-g", 8, 4);   // a node-hour is 4 GPU-hours
        row("lumi-c", 3, 384);
        row("leonardo-booster", 4, 32); // a whole node is its 32 cores
        row("snellius-a100", 2, 256);
        row("snellius-h100", 1, 192);
        row("nhr-zib-a100", 1, 600); // of a node
        row("nhr-zib-a100", 5, 1200);
        row("delta-a100", 8, 8);
        row("delta-cpu", 2, 256);
        row("rails-h100", 1, 120);
        row("archer2", 7, 7);
    }
    void units()
    {
        QFETCH(QByteArray, id);
        QFETCH(int, devices);
        QFETCH(double, units);
        QCOMPARE(known().centre(id.toStdString())->unitsPerHour(devices), units);
    }

    // More devices are never charged less, and twice the nodes are charged twice.
    void chargesGrow()
    {
        for (const Centre& c : known().all()) {
            for (std::int64_t devices = 1; devices < 64; ++devices)
                QVERIFY2(c.unitsPerHour(devices + 1) >= c.unitsPerHour(devices), c.id.c_str());
            const std::int64_t node = c.devicesPerNode;
            QCOMPARE(c.unitsPerHour(2 * node), 2 * c.unitsPerHour(node));
            QCOMPARE(c.nodesOf(node), 1);
            QCOMPARE(c.nodesOf(node + 1), 2);
        }
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(says);
        };
        row("no list", "\"centres\"", "\"rows\"", "these are no centres");
        row("no sources", "\"sources\"", "\"of\"", "these are no centres");
        row("no unit", "\"unit\": \"SBU\", ", "", "/centres/0/unit");
        row("no units", "\"units\": 2", "\"units\": 0", "/centres/0/units");
        row("another thing", "\"per\": \"device\"", "\"per\": \"month\"", "/centres/0/per");
        row("no such source", "\"source\": 0", "\"source\": 1", "there is no such source");
        row("nothing in it", "\"device\": \"MI250X\",", "", "needs its cores");
        row("cores unknown", "\"per\": \"device\"", "\"per\": \"core\"", "cores are charged");
        row("no page", "\"name\": \"a page\", ", "", "/sources/0/name");
    }
    void whatIsWrongIsSaid()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, says);
        QVERIFY(Centres::create(tableWith("x-x", "")).has_value());
        const auto read = Centres::create(tableWith(from, to));
        QVERIFY(!read);
        const QByteArray sentence = QByteArray::fromStdString(read.error().sentence());
        QVERIFY2(sentence.contains(says), sentence);
        QCOMPARE(sentence.count('\n'), 0);
        QVERIFY(!Centres::create("{").has_value());
    }

    void aNameThatIsMistyped()
    {
        const auto near = known().centre("lumi_g");
        QVERIFY(!near);
        QCOMPARE(near.error().remedy, std::string("did you mean lumi-g?"));
        QCOMPARE(known().centre("LUMI-G")->id, std::string("lumi-g"));
        const auto none = known().centre("nowhere at all");
        QVERIFY(!none && none.error().remedy.find("archer2") != std::string::npos);
    }
};

OUTLAY_TEST(TestCentres)
#include "tst_centres.moc"
