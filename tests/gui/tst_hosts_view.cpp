// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"
#include "gui/view/hosts_text.h"
#include "gui/view/hosts_view.h"
#include "pricing/report/make_report.h"
#include "tests/support/english.h"
#include "tests/support/measured.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using core::ProfileKind;
using outlay::tests::Display;

namespace {

HostEntry entryOf(const char* name, HostAnswer answer = HostAnswer::Unasked)
{
    HostEntry entry{.profile = {.name = name, .kind = ProfileKind::Ssh}, .answer = answer};
    entry.profile.address = "me@" + entry.profile.name;
    entry.facts.build = "outlay 9";
    entry.facts.machine.processor = "AMD EPYC";
    entry.facts.machine.cores = 64;
    entry.facts.machine.memoryBytes = 256e9;
    entry.facts.machine.load = 0.44;
    return entry;
}

std::vector<pricing::HostRow> measuredOn(const std::vector<std::pair<std::string, double>>& hosts)
{
    core::Experiment e = core::preset("text-generator")->experiment;
    for (const auto& [name, stepS] : hosts) {
        core::Measurement m = tests::measurementOf(e, stepS);
        m.host = name;
        m.hostHourUsd = 2;
        tests::addTo(e, m);
    }
    return pricing::makeReport(e, tests::catalogs()).hosts;
}

} // namespace

class TestHostsView final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsDescribed()
    {
        const HostsView view = makeHostsView({.folder = "/home/me/hosts"}, {}, Display);
        QVERIFY(view.empty.contains("/home/me/hosts"));
        QVERIFY(view.empty.contains("outlay-probe"));
        QVERIFY(view.hosts.rows.empty() && view.chart.isEmpty() && view.running.isEmpty());
        QCOMPARE(view.summary, QStringLiteral("No other machine is described yet"));
    }

    void eachSaysHowItStands()
    {
        HostList list;
        list.hosts = {entryOf("a"), entryOf("b", HostAnswer::Awaited),
                      entryOf("c", HostAnswer::Yes), entryOf("d", HostAnswer::No)};
        list.hosts[3].problem = QStringLiteral("d: ssh doesn't reach it.");
        const HostsView view = makeHostsView(list, {}, Display);
        const auto cell = [&](std::size_t row, std::size_t column) {
            return view.hosts.rows[row][column].text;
        };
        QCOMPARE(cell(0, 2), QStringLiteral("not asked yet"));
        QCOMPARE(cell(1, 2), QStringLiteral("asking…"));
        QCOMPARE(cell(2, 2), QStringLiteral("answers, load 0.4"));
        QCOMPARE(cell(2, 1), QStringLiteral("AMD EPYC, 64 cores, 256 GB"));
        QCOMPARE(cell(3, 2), QStringLiteral("doesn't answer"));
        QCOMPARE(cell(0, 3), QStringLiteral("–")); // never 0
        QCOMPARE(view.findings, std::vector<QString>{list.hosts[3].problem});
        QCOMPARE(view.summary,
                 QStringLiteral("4 machines are described; this design is measured on none"));
    }

    void theFastestIsNamed()
    {
        HostList list;
        list.hosts = {entryOf("slow", HostAnswer::Yes), entryOf("fast")};
        const HostsView view =
            makeHostsView(list, measuredOn({{"slow", 1}, {"fast", 0.5}, {"gone", 2}}), Display);
        QVERIFY2(view.summary.startsWith("Fastest: fast, "), qPrintable(view.summary));
        QCOMPARE(view.chart.categories,
                 (std::vector<QString>{QStringLiteral("fast"), QStringLiteral("slow"),
                                       QStringLiteral("gone")}));
        QCOMPARE(view.chart.y.title, QStringLiteral("Hours"));
        const auto& bars = view.chart.series.front().points;
        QVERIFY(bars[0].y < bars[1].y && bars[0].low < bars[0].y && bars[0].y < bars[0].high);
        // Measured, and its profile is gone.
        QCOMPARE(view.hosts.rows.size(), std::size_t{3});
        QCOMPARE(view.hosts.rows[2][2].text, QStringLiteral("no profile"));
        QVERIFY(view.hosts.rows[2][4].text.startsWith('$'));
    }

    void whatRunsIsSeen()
    {
        HostList list;
        list.hosts = {entryOf("gpu1")};
        list.measuring = 0;
        list.progress = {.done = 3, .total = 10, .phase = "training", .steps = 42};
        const HostsView view = makeHostsView(list, {}, Display);
        QVERIFY2(view.running.startsWith("Measuring on gpu1: Training, 42 steps"),
                 qPrintable(view.running));
        QCOMPARE(view.donePermille, 300);
        list.isStopping = true;
        QCOMPARE(makeHostsView(list, {}, Display).running,
                 QStringLiteral("Measuring on gpu1: stopping"));
    }

    // What a worker isn't kept from somewhere is said of the host.
    void missingWallsAreSaid()
    {
        HostEntry entry = entryOf("old", HostAnswer::Yes);
        const QString before = factsText(entry.facts, QLocale(QLocale::English));
        QCOMPARE(before, QStringLiteral("AMD EPYC, 64 cores, 256 GB, load 0.4; outlay 9"));
        entry.facts.missingWalls = {"this kernel has no Landlock"};
        QCOMPARE(factsText(entry.facts, QLocale(QLocale::English)),
                 before + QStringLiteral("; this kernel has no Landlock"));
        const auto read = core::readHostFacts(core::toLine(entry.facts));
        QVERIFY(read.has_value() && read->missingWalls == entry.facts.missingWalls);
        HostList list;
        list.hosts = {entry};
        QCOMPARE(makeHostsView(list, {}, Display).hosts.rows[0][2].hint,
                 QStringLiteral("outlay 9; this kernel has no Landlock"));
    }

    void profilesAreSentences()
    {
        core::Profile queue{.name = "lab", .kind = ProfileKind::Queue};
        QCOMPARE(profileText(queue, tests::English), QStringLiteral("queue here"));
        queue.address = "login";
        queue.partition = "gpu";
        queue.atOnce = 8;
        queue.cores = 1;
        queue.hourPriceUsd = 1.5;
        QCOMPARE(
            profileText(queue, tests::English),
            QStringLiteral("queue on login, partition gpu, 8 at once, 1 core each, $1.5 an hour"));
        QCOMPARE(launchText({.jobs = 24, .measured = 12, .failed = 1, .running = 3}),
                 QStringLiteral("12 of 24 measured, 1 failed, 3 running"));
        QCOMPARE(launchText({.jobs = 2, .waitsFor = QStringLiteral("Resources")}),
                 QStringLiteral("0 of 2 measured, the queue says: Resources"));
    }
};

OUTLAY_TEST(TestHostsView)
#include "tst_hosts_view.moc"
