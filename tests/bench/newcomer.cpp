// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long the newcomer's path takes in the real window with the real worker: what the program lets wait,
// and the time of a hand for the clicks.
#include "tests/support/newcomer.h"
#include "core/base/clock.h"
#include "core/probe/machine.h"
#include "tests/gui/window_test.h"

#include <cstdio>

using namespace outlay;

int main(int argc, char** argv)
{
    // To find the thing, to point at it and to press and let go: the keystroke-level model of Card, Moran
    // and Newell (1980).
    constexpr double HandS = 1.35 + 1.1 + 0.2;
    const QTemporaryDir home;
    QElapsedTimer timer;
    timer.start();
    QApplication application(argc, argv);
    gui::useHome(home);
    qputenv("OUTLAY_PROBE", OUTLAY_REAL_WORKER);
    QDir::setCurrent(home.path()); // where the dialog for files begins
    const auto catalogs = pricing::loadCatalogs(core::todayUtc(), core::thisMachine());
    const auto window = gui::makeWindow(home, catalogs.value());
    tests::Newcomer newcomer(*window);
    const bool isThere = QTest::qWaitForWindowExposed(window.get()) &&
                         newcomer.choose(QStringLiteral("family"), QStringLiteral("GRU")) &&
                         newcomer.moveSlider(QStringLiteral("modelHiddenSlider"), 0.2) &&
                         newcomer.measure() && !newcomer.exportPicture().isEmpty();
    const double machineS = static_cast<double>(timer.elapsed()) / 1000;
    const int clicks = newcomer.clicks();
    std::printf("%s after %d clicks: %.1f s of the program, %.1f s of them waiting; with %.2f s a "
                "click %.1f s\n",
                isThere ? "exported" : "STUCK", clicks, machineS, newcomer.waitedS(), HandS,
                machineS + HandS * clicks);
    return isThere ? 0 : 1;
}
