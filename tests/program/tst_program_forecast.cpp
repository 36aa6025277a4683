// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the first steps of a run say of all of it, over histories whose end is known.
#include "core/program/program_forecast.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace outlay::core;

namespace {

struct History {
    std::vector<StepMark> marks;
    double wholeS = 0;
};

struct Shape {
    double startS = 3;
    double stepS = 0.2;
    double noise = 0.03; // of each step, relative
    double slowness = 0; // of spells of some hundred steps, relative
    int pauseEvery = 0;  // steps
    double pauseS = 0;
    int steps = 3000;
};

History historyOf(const Shape& shape, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> one(0, 1);
    History h;
    double atS = shape.startS;
    double spell = 1;
    for (int i = 1; i <= shape.steps; ++i) {
        if (i % 150 == 1)
            spell = std::exp(shape.slowness * one(random));
        const double first = i == 1 ? 5 : 1; // compiles, and fills caches
        atS += shape.stepS * first * spell * std::exp(shape.noise * one(random));
        h.marks.push_back({atS, double(i), double(shape.steps)});
        if (shape.pauseEvery > 0 && i % shape.pauseEvery == 0)
            atS += shape.pauseS * std::exp(0.1 * one(random));
    }
    h.wholeS = atS;
    return h;
}

/// As much as is seen in that time.
std::vector<StepMark> seenIn(const History& h, double seconds)
{
    std::vector<StepMark> seen;
    for (const StepMark& mark : h.marks) {
        if (mark.atS <= seconds)
            seen.push_back(mark);
    }
    return seen;
}

} // namespace

class TestProgramForecast : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSteadyRun()
    {
        const History h = historyOf({.noise = 0.001}, 1);
        const auto f = forecastOf(seenIn(h, 60), std::nullopt, 0);
        QVERIFY(f.has_value());
        QCOMPARE(f->step.verdict, Verdict::Steady);
        QVERIFY(std::abs(f->step.meanS / 0.2 - 1) < 0.005);
        QVERIFY(std::abs(f->wholeS / h.wholeS - 1) < 0.005);
        QVERIFY(std::abs(f->startS - 3.8) < 0.1); // the first mark comes after the first step
        QCOMPARE(f->pauses, 0);
        QCOMPARE(f->ofSteps, std::optional(3000.0));
        QVERIFY(f->lowS < h.wholeS && h.wholeS < f->highS);
    }

    // Pauses are no steps, and come again.
    void pauses()
    {
        const History h = historyOf({.pauseEvery = 50, .pauseS = 4}, 2);
        const auto f = forecastOf(seenIn(h, 90), std::nullopt, 0);
        QVERIFY(std::abs(f->step.meanS / 0.2 - 1) < 0.02);
        QCOMPARE(f->pauses, 6);
        QVERIFY(std::abs(f->pausedS - 24) < 3);
        QVERIFY(std::abs(f->wholeS / h.wholeS - 1) < 0.1);
    }

    // One that goes on when it is last looked at counts, too.
    void aPauseAtTheEnd()
    {
        const std::vector<StepMark> seen = seenIn(historyOf({}, 6), 60);
        const auto steady = forecastOf(seen, 3000, 0, 60.2);
        const auto paused = forecastOf(seen, 3000, 0, 90);
        QCOMPARE(steady->pauses, 0);
        QCOMPARE(paused->pauses, 1);
        QVERIFY(paused->wholeS > steady->wholeS + 29);
        QVERIFY(paused->lowS < paused->wholeS && paused->highS > paused->wholeS);
    }

    // Steps that come in bursts take as long as they do in all.
    void bursts()
    {
        std::vector<StepMark> seen;
        for (const StepMark& mark : seenIn(historyOf({.noise = 0.001}, 7), 60))
            seen.push_back({std::ceil(mark.atS), mark.steps, mark.of});
        const auto f = forecastOf(seen, 3000, 0);
        QVERIFY2(std::abs(f->step.meanS / 0.2 - 1) < 0.03,
                 qPrintable(QString::number(f->step.meanS)));
    }

    // Several steps to a mark, and none of the first.
    void marksThatLeaveOut()
    {
        const History h = historyOf({}, 3);
        std::vector<StepMark> seen = seenIn(h, 90);
        std::vector<StepMark> some;
        for (std::size_t i = 20; i < seen.size(); i += i % 3 == 0 ? 7 : 13)
            some.push_back(seen[i]);
        const auto all = forecastOf(seen, std::nullopt, 0);
        const auto f = forecastOf(some, std::nullopt, 0);
        QVERIFY(std::abs(f->step.meanS / all->step.meanS - 1) < 0.01);
        QVERIFY(std::abs(f->startS - 3.8) < 0.3);
    }

    void tooFewAndUnknown()
    {
        const History h = historyOf({}, 4);
        QVERIFY(!forecastOf({}, 100, 0));
        QVERIFY(!forecastOf(seenIn(h, 4.3), 100, 0));
        std::vector<StepMark> seen = seenIn(h, 60);
        for (StepMark& mark : seen)
            mark.of.reset();
        const auto unknown = forecastOf(seen, std::nullopt, 0);
        QVERIFY(unknown && !unknown->ofSteps && unknown->wholeS == 0);
        QCOMPARE(forecastOf(seen, 3000, 0)->ofSteps, std::optional(3000.0));
        // What is done already contradicts who says it is less.
        QVERIFY(!forecastOf(seen, 10, 0)->ofSteps);
    }

    // More steps take longer; waiting widens.
    void moreAndWider()
    {
        const std::vector<StepMark> seen = seenIn(historyOf({}, 5), 60);
        const auto f = forecastOf(seen, 3000, 0);
        const auto longer = forecastOf(seen, 6000, 0);
        const auto waiting = forecastOf(seen, 3000, 0.3);
        QVERIFY(longer->wholeS > 1.9 * f->wholeS);
        QCOMPARE(waiting->wholeS, f->wholeS);
        QVERIFY(waiting->lowS < f->lowS && waiting->highS > f->highS);
    }

    // The share of 300 runs of ten minutes whose end lies in the interval of their first 60 s.
    void intervalsHold_data()
    {
        QTest::addColumn<double>("slowness");
        QTest::addColumn<int>("every");
        QTest::addColumn<double>("least");
        QTest::newRow("steady") << 0.02 << 0 << 0.95;
        QTest::newRow("uneven machine") << 0.15 << 0 << 0.75;
        QTest::newRow("pauses") << 0.05 << 100 << 0.75;
    }
    void intervalsHold()
    {
        QFETCH(double, slowness);
        QFETCH(int, every);
        QFETCH(double, least);
        constexpr std::uint32_t Histories = 300;
        int held = 0;
        for (std::uint32_t seed = 0; seed < Histories; ++seed) {
            const History h =
                historyOf({.slowness = slowness, .pauseEvery = every, .pauseS = 5}, 100 + seed);
            const auto f = forecastOf(seenIn(h, 60), std::nullopt, 0);
            held += f->lowS <= h.wholeS && h.wholeS <= f->highS ? 1 : 0;
        }
        qInfo("%d of %u", held, Histories);
        QVERIFY(held >= Histories * least);
    }
};

OUTLAY_TEST(TestProgramForecast)
#include "tst_program_forecast.moc"
