// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Random sequences of user actions in the real window, with new seeds each time: none may crash, hang or
// leave something that undo doesn't take back. The tests run twenty fixed ones.
#include "tests/gui/window_test.h"
#include "tests/support/window_monkey.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unistd.h>

using namespace outlay::gui;

namespace {

constexpr int ActionCount = 50;
constexpr unsigned LongestSeconds = 120; // a sequence takes one or two

/// Whether undo leads back to the start, redo to the end, and the end can be saved.
bool isSound(const QTemporaryDir& home, unsigned seed)
{
    const auto window = makeWindow(home);
    const DocumentState start = window->document().state();
    WindowMonkey monkey(*window, seed);
    for (int i = 0; i < ActionCount; ++i)
        monkey.act();
    const DocumentState end = window->document().state();
    QUndoStack& undo = window->document().undoStack();
    while (undo.canUndo())
        undo.undo();
    const bool isBack = window->document().state() == start;
    while (undo.canRedo())
        undo.redo();
    return isBack && window->document().state() == end &&
           outlay::core::readExperiment(outlay::core::toJson(window->document().experiment()))
               .has_value();
}

} // namespace

int main(int argc, char** argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 500;
    const unsigned first = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10))
                                    : std::random_device()();
    if (count < 1) {
        std::fputs("Usage: monkeys [COUNT [FIRST-SEED]]\n", stderr);
        return 2;
    }
    const QTemporaryDir home;
    QApplication application(argc, argv);
    useHome(home);
    int failed = 0;
    double slowest = 0;
    for (int i = 0; i < count; ++i) {
        const unsigned seed = first + static_cast<unsigned>(i);
        std::printf("\rseed %u", seed); // seen last where the program ends here
        std::fflush(stdout);
        ::alarm(LongestSeconds);
        QElapsedTimer timer;
        timer.start();
        if (!isSound(home, seed)) {
            std::printf(": undo doesn't lead back, or redo doesn't lead on\n");
            ++failed;
        }
        slowest = std::max(slowest, static_cast<double>(timer.elapsed()) / 1000);
    }
    std::printf("\r%d sequences of %d actions from seed %u: %d failed, the slowest took %.1f s\n",
                count, ActionCount, first, failed, slowest);
    return failed == 0 ? 0 : 1;
}
