// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// TensorBoard's and MLflow's files, made here byte by byte as their formats say.
#include "core/program/metric_files.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <algorithm>
#include <cstring>

using namespace outlay::core;

namespace {

std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 128; value >>= 7U)
        bytes += static_cast<char>((value & 127U) | 128U);
    return bytes + static_cast<char>(value);
}

std::string little(const void* data, std::size_t size)
{
    return {static_cast<const char*>(data), size}; // of this machine, which is little-endian
}

/// A scalar at a step: wall time, step, a summary with a tag and a value.
std::string eventOf(double wallS, std::uint64_t step, const std::string& summary = "\x0a\x04loss")
{
    std::string bytes = "\x09" + little(&wallS, 8) + "\x10" + varint(step);
    if (!summary.empty())
        bytes += "\x2a" + varint(summary.size()) + summary;
    return bytes;
}

std::string framed(const std::string& event)
{
    const std::uint64_t length = event.size();
    return little(&length, 8) + "crc1" + event + "crc2";
}

} // namespace

class TestMetricFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eventsInPieces()
    {
        std::string text = framed(eventOf(99, 0, {})); // the file's version, about no value
        for (std::uint64_t i = 1; i <= 300; ++i)
            text += framed(eventOf(100 + 0.5 * double(i), 10 * i));
        for (const std::size_t size : {std::size_t{1}, std::size_t{13}, text.size()}) {
            EventFile file;
            for (std::size_t at = 0; at < text.size(); at += size)
                file.feed(std::string_view(text).substr(at, size));
            QVERIFY(!file.isBroken());
            QCOMPARE(file.steps().size(), std::size_t{300});
            QCOMPARE(file.steps().front(), (TimedStep{100.5, 10}));
            QCOMPARE(file.steps().back(), (TimedStep{250, 3000}));
        }
    }

    // What is being written is no end, and what isn't an event is left out.
    void brokenOnes()
    {
        const std::string whole = framed(eventOf(100, 7));
        EventFile cut;
        cut.feed(std::string_view(whole).substr(0, whole.size() - 1));
        QVERIFY(cut.steps().empty() && !cut.isBroken());
        cut.feed(whole.substr(whole.size() - 1));
        QCOMPARE(cut.steps().size(), std::size_t{1});
        EventFile nonsense;
        nonsense.feed(std::string(64, '\xff'));
        QVERIFY(nonsense.isBroken() && nonsense.steps().empty());
        nonsense.feed(whole);
        QVERIFY(nonsense.steps().empty());
        EventFile other;
        other.feed(framed("\x0a\xff") + framed("\x17\x17\x17") + framed("") +
                   framed(eventOf(-1, 3)) + whole);
        QCOMPARE(other.steps().size(), std::size_t{1});
    }

    void metricLines()
    {
        const auto steps = metricSteps("1732592400000 0.9 0\n1732592400500 NaN 10\nnonsense\n"
                                       "1732592401000 0.5\n\n1732592402000 0.4 30");
        QCOMPARE(steps.size(), std::size_t{3});
        QCOMPARE(steps[1], (TimedStep{1732592400.5, 10}));
        QCOMPARE(steps[2], (TimedStep{1732592402, 30}));
    }

    // How far a checkpoint is, and of how many steps; what says neither is none.
    void states()
    {
        const auto read = [](std::string text) {
            std::replace(text.begin(), text.end(), '\'', '"');
            return trainerState(text);
        };
        const auto state = read("{'epoch': 0.5, 'global_step': 500, 'max_steps': 3000, "
                                "'log_history': [{'epoch': 0.1, 'loss': 3.1, 'step': 100}]}");
        QVERIFY(state && state->step == 500 && state->of == std::optional(3000.0));
        const auto endless = read("{'global_step': 7, 'max_steps': -1}");
        QVERIFY(endless && endless->step == 7 && !endless->of);
        for (const char* none : {"", "[1]", "{'global_step': '7'}", "{'global_step': 0}",
                                 "{'global_step': 1e16}", "{'global_step': 500, 'max_st"})
            QVERIFY2(!read(none), none);
    }

    // Several values at a step are one mark, and an earlier run's are none.
    void marks()
    {
        const auto marks = marksOf({{90, 500}, {103, 20}, {101, 10}, {101.1, 10}, {104, 15}}, 100);
        QCOMPARE(marks.size(), std::size_t{2});
        QCOMPARE(marks[0], (StepMark{1, 10, std::nullopt}));
        QCOMPARE(marks[1], (StepMark{3, 20, std::nullopt}));
    }
};

OUTLAY_TEST(TestMetricFiles)
#include "tst_metric_files.moc"
