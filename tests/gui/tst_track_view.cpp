// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The page that holds forecasts against what runs took.
#include "core/experiment/patch.h"
#include "core/experiment/presets.h"
#include "gui/view/track_view.h"
#include "tests/support/english.h"
#include "tests/support/test_class.h"

#include <QTest>

using namespace outlay;
using namespace outlay::gui;
using namespace outlay::tests;

namespace {

/// An hour was forecast, 50 to 80 min, and it took so much of that.
TrackedRun run(int day, double share, bool isHere = false)
{
    pricing::Actual actual{.kind = "CodeCarbon",
                           .file = "emissions.csv",
                           .attached = "2026-11-20T10:00:00Z",
                           .began = "2026-10-" + std::to_string(10 + day) + "T10:00:00Z",
                           .isHere = isHere,
                           .seconds = 3600 * share,
                           .seconds80 = pricing::Foretold{3600, 3000, 4800}};
    return {QStringLiteral("Run of day %1").arg(day), actual};
}

TrackFolder folderOf(std::initializer_list<double> shares)
{
    TrackFolder folder{.path = QStringLiteral("/experiments")};
    int day = 0;
    for (const double share : shares)
        folder.runs.push_back(run(day++, share));
    folder.experiments = folder.runs.size();
    return folder;
}

core::Experiment open()
{
    return core::preset("text-generator")->experiment;
}

} // namespace

class TestTrackView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Each says what to do next.
    void emptyStates()
    {
        const auto empty = [](const TrackFolder& folder) {
            const TrackView view = makeTrackView(folder, 0, open(), Display);
            return view.runs.rows.empty() && view.offers.empty() ? view.empty : QString();
        };
        QVERIFY(empty({}).startsWith(QStringLiteral("Choose the folder")));
        QVERIFY(empty({.path = QStringLiteral("/x"), .isReading = true})
                    .contains(QStringLiteral("being read")));
        QCOMPARE(empty({.path = QStringLiteral("/x"), .problem = QStringLiteral("It can't.")}),
                 QStringLiteral("It can't."));
        QVERIFY(empty({.path = QStringLiteral("/x")}).contains(QStringLiteral("no experiments")));
        const QString none = empty({.path = QStringLiteral("/x"), .experiments = 3});
        QVERIFY2(none.contains(QStringLiteral("`outlay actual FILE --from PATH`")),
                 qPrintable(none));
    }

    void runsStandBesideTheirForecasts()
    {
        const TrackView view = makeTrackView(folderOf({1.1, 0.5, 2}), 0, open(), Display);
        QVERIFY(view.empty.isEmpty());
        QCOMPARE(view.runs.rows.size(), std::size_t{3});
        const auto cell = [&](std::size_t row, std::size_t column) {
            return view.runs.rows[row][column].text;
        };
        QCOMPARE(cell(0, 6), QStringLiteral("110 %"));
        QCOMPARE(cell(0, 4), QStringLiteral("50 to 80 min"));
        QCOMPARE(cell(1, 6), QStringLiteral("50 % ↓"));
        QCOMPARE(cell(2, 6), QStringLiteral("200 % ↑"));
        QCOMPARE(cell(2, 2), QStringLiteral("2026-10-12"));
        // One inside and two outside, over the interval of the forecast: 50 and 80 min of 60.
        QCOMPARE(view.chart.series.size(), std::size_t{2});
        const ChartPoint& inside = view.chart.series.front().points.front();
        QVERIFY(std::abs(inside.y - 110) < 1e-9);
        QVERIFY(std::abs(inside.low.value_or(0) - 100 * 5.0 / 6) < 1e-9);
        QVERIFY(std::abs(inside.high.value_or(0) - 100 * 4.0 / 3) < 1e-9);
        QCOMPARE(view.chart.series.back().points.size(), std::size_t{2});
        QCOMPARE(view.chart.description,
                 QStringLiteral("1 of 3 runs are inside of their intervals"));
        QCOMPARE(view.kinds.rows.size(), std::size_t{1});
        QCOMPARE(view.kinds.rows.front()[2].text, QStringLiteral("1 (33 %)"));
        QCOMPARE(view.kinds.rows.front()[4].text, QStringLiteral("–")); // of three there is none
    }

    // What isn't known is a dash with its reason, and no dot.
    void whatIsNotKnownIsNotZero()
    {
        TrackFolder folder = folderOf({1.1, 1.2});
        folder.runs.back().actual.seconds80.reset();
        const TrackView time = makeTrackView(folder, 0, open(), Display);
        QCOMPARE(time.runs.rows.back()[3].text, QStringLiteral("–"));
        QVERIFY(time.runs.rows.back()[3].hint.contains(QStringLiteral("nothing was forecast")));
        QVERIFY(time.runs.rows.back()[5].text != QStringLiteral("–")); // what it took is known
        QCOMPARE(time.chart.series.front().points.size(), std::size_t{1});
        const TrackView money = makeTrackView(folder, 1, open(), Display);
        QVERIFY(money.chart.isEmpty());
        QCOMPARE(money.runs.rows.front()[5].text, QStringLiteral("–"));
    }

    void aFactorIsOfferedFromFiveRunsOn()
    {
        const TrackView four = makeTrackView(folderOf({1.2, 1.3, 1.4, 1.3}), 0, open(), Display);
        QCOMPARE(four.offers.size(), std::size_t{1});
        QVERIFY(four.offers.front().button.isEmpty());
        QVERIFY(four.offers.front().text.contains(QStringLiteral("needs 5 runs; there are 4")));
        const TrackFolder five = folderOf({1.2, 1.3, 1.4, 1.3, 1.3});
        const TrackView view = makeTrackView(five, 0, open(), Display);
        const FactorOffer& offer = view.offers.front();
        QVERIFY2(offer.text.contains(QStringLiteral("took 1.30 times")), qPrintable(offer.text));
        QVERIFY(!offer.button.isEmpty());
        // Taken, it is in force and can be taken back.
        const auto with = core::edited(open(), offer.patch);
        QVERIFY(with.has_value());
        QVERIFY(pricing::ownFactorOf(*with, pricing::RunPlace::Planned).has_value());
        QVERIFY(!pricing::ownFactorOf(*with, pricing::RunPlace::Here));
        const TrackView after = makeTrackView(five, 0, *with, Display);
        QCOMPARE(after.offers.front().button, QStringLiteral("Take it back"));
        const auto without = core::edited(*with, after.offers.front().patch);
        QVERIFY(without.has_value());
        QVERIFY(core::toJson(*without) == core::toJson(open()));
    }

    // Runs here tell nothing of planned machines.
    void kindsAreApart()
    {
        TrackFolder folder = folderOf({1.2, 1.3, 1.4, 1.3, 1.3});
        for (int i = 0; i < 5; ++i)
            folder.runs.push_back(run(i, 0.9, true));
        const TrackView view = makeTrackView(folder, 0, open(), Display);
        QCOMPARE(view.kinds.rows.size(), std::size_t{2});
        QCOMPARE(view.offers.size(), std::size_t{2});
        QVERIFY(view.offers[0].text.contains(QStringLiteral("1.30 times")));
        QVERIFY(view.offers[1].text.contains(QStringLiteral("0.90 times")));
    }
};

OUTLAY_TEST(TestTrackView)
#include "tst_track_view.moc"
