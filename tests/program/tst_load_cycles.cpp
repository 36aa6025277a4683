// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Loads made here, of which it is known what repeats in them.
#include "core/probe/statistics.h"
#include "core/program/load_cycles.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

using namespace outlay::core;

namespace {

/// Work by the time, looked at as a machine does that has other things to do.
LoadCycles seenOf(const std::function<double(double)>& loadAt, double seconds, std::mt19937& random)
{
    constexpr double Fine = 0.005;
    std::uniform_real_distribution<double> late(0, 0.03);
    LoadCycles cycles;
    double done = 0;
    double next = 0;
    for (double t = 0; t < seconds; t += Fine) {
        done += Fine * std::max(0.0, loadAt(t));
        if (t < next)
            continue;
        cycles.add({t, done});
        next = t + LoadCycles::GridS + late(random);
    }
    return cycles;
}

/// Busy for half of each period, looked at unevenly, so far apart as is usual.
LoadCycles seldomSeen(double period, double usualS, std::mt19937& random)
{
    constexpr double Fine = 0.005;
    std::uniform_real_distribution<double> uneven(0.6, 1.4);
    LoadCycles cycles;
    double done = 0;
    double next = 0;
    for (double t = 0; t < 60; t += Fine) {
        done += std::fmod(t, period) < period / 2 ? Fine : 0;
        if (t < next)
            continue;
        cycles.add({t, done});
        next = t + usualS * uneven(random);
    }
    return cycles;
}

double usualGap(const std::vector<StepMark>& marks)
{
    std::vector<double> gaps;
    for (std::size_t i = 1; i < marks.size(); ++i)
        gaps.push_back(marks[i].atS - marks[i - 1].atS);
    return median(gaps);
}

} // namespace

class TestLoadCycles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Busy for a part of each period, which differs a little from one to the next, after a start of its own.
    void whatRepeatsIsFound()
    {
        std::mt19937 random(7);
        int right = 0;
        constexpr int Programs = 300;
        for (int i = 0; i < Programs; ++i) {
            const double period = std::uniform_real_distribution(0.4, 4.0)(random);
            const double share = std::uniform_real_distribution(0.2, 0.85)(random);
            const double cores = std::uniform_real_distribution(0.5, 8.0)(random);
            std::normal_distribution<double> spread(1, 0.05);
            double begin = 3;
            double its = period;
            const auto load = [&](double t) {
                if (t < 3)
                    return 1.0; // it loads
                while (t - begin > its) {
                    begin += its;
                    its = period * std::max(0.5, spread(random));
                }
                return t - begin < share * its ? cores : 0.02;
            };
            const LoadCycles cycles = seenOf(load, 3 + 25 * period, random);
            const auto& marks = cycles.marks();
            const bool isRight = marks.size() >= 20 && marks.size() <= 26 &&
                                 std::abs(usualGap(marks) / period - 1) < 0.05;
            right += isRight ? 1 : 0;
        }
        QVERIFY2(right >= 0.95 * Programs, qPrintable(QString::number(right)));
    }

    // Always busy, at random, drifting, or too seldom to tell: nothing is made up.
    void whatDoesntRepeatIsNothing()
    {
        std::mt19937 random(8);
        int found = 0;
        constexpr int Programs = 300;
        for (int i = 0; i < Programs; ++i) {
            std::uniform_real_distribution<double> any(0, 1);
            double level = 0.5;
            double until = 0;
            const auto load = [&](double t) {
                switch (i % 4) {
                case 0: return 1 + 0.02 * any(random);
                case 1: return any(random);
                case 2: return level = std::clamp(level + 0.02 * (any(random) - 0.5), 0.0, 1.0);
                default: // on and off, as long as chance says
                    if (t >= until) {
                        until = t - 1.5 * std::log(1 - any(random));
                        level = 1 - level;
                    }
                    return level;
                }
            };
            found += seenOf(load, 40, random).marks().empty() ? 0 : 1;
        }
        QVERIFY2(found <= 0.02 * Programs, qPrintable(QString::number(found)));
        const auto slow = [](double t) { return std::fmod(t, 10) < 5 ? 1.0 : 0.0; };
        QVERIFY(seenOf(slow, 45, random).marks().empty());
        QVERIFY(LoadCycles().marks().empty());
    }

    // Looked at seldom, what repeats faster is told from nothing else: rather nothing than something else.
    void seldomLooksSeeNothing()
    {
        for (const double period : {0.3, 0.4, 0.5, 0.8, 1.2, 3.0, 4.0}) {
            std::mt19937 random(11);
            const LoadCycles cycles = seldomSeen(period, 0.35, random);
            QVERIFY2(cycles.marks().empty(), qPrintable(QString::number(period)));
        }
    }

    // A little more often: what is seen is right, and what is too fast is nothing, or a few of its own.
    void unevenLooksMakeUpNothing()
    {
        std::mt19937 random(12);
        int wrong = 0;
        int found = 0;
        constexpr int Programs = 200;
        for (int i = 0; i < Programs; ++i) {
            const double period = std::uniform_real_distribution(0.2, 4.0)(random);
            const LoadCycles cycles = seldomSeen(period, 0.12, random);
            const auto& marks = cycles.marks();
            found += marks.empty() ? 0 : 1;
            const double times = marks.empty() ? 1 : usualGap(marks) / period;
            wrong += std::abs(times - std::round(times)) > 0.15 ? 1 : 0;
        }
        QVERIFY2(wrong <= 0.03 * Programs, qPrintable(QString::number(wrong)));
        QVERIFY2(found >= 0.75 * Programs, qPrintable(QString::number(found)));
    }

    // It stops looking, and keeps what it has seen.
    void longRuns()
    {
        std::mt19937 random(9);
        const auto load = [](double t) { return std::fmod(t, 2) < 1 ? 1.0 : 0.0; };
        const LoadCycles cycles = seenOf(load, 2 * LoadCycles::LongestS, random);
        QVERIFY(cycles.isFull());
        QVERIFY(cycles.marks().size() >= 140 && cycles.marks().size() <= 151);
    }
};

OUTLAY_TEST(TestLoadCycles)
#include "tst_load_cycles.moc"
