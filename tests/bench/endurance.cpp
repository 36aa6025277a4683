// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A window that is used for long, and what it holds of the machine meanwhile: `endurance probes 200`, `endurance cancels
// 200`, each with the real worker as a further word, and `endurance use 20000`.
#include "core/base/memory.h"
#include "tests/support/long_use.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace outlay::gui;
using outlay::tests::Footprint;
using outlay::tests::footprintIn;

namespace {

void printHead()
{
    std::printf("%10s %10s %12s %8s %10s %14s %12s\n", "done", "processes", "descriptors", "files",
                "heap, MB", "resident, MB", "tick, ms");
}

void print(int done, const Footprint& f, double tickMs)
{
    std::printf("%10d %10lld %12lld %8lld %10.1f %14.1f %12.2f\n", done,
                static_cast<long long>(f.processes), static_cast<long long>(f.descriptors),
                static_cast<long long>(f.files), f.heapMb, f.residentMb, tickMs);
    std::fflush(stdout);
}

/// Of this thread: what a busy machine lengthens least.
double processorMs()
{
    constexpr double MsPerS = 1e3;
    constexpr double MsPerNs = 1e-6;
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return MsPerS * static_cast<double>(time.tv_sec) + MsPerNs * static_cast<double>(time.tv_nsec);
}

/// A tick of a slider with all that follows, on the same design and page whatever was done before, which stands again
/// afterwards.
double tickMs(MainWindow& window)
{
    constexpr int Ticks = 40;
    Document& document = window.document();
    document.replace(outlay::core::preset("text-generator")->experiment, QStringLiteral("a pause"));
    window.resize(1440, 900);
    window.setPage(0);
    QCoreApplication::processEvents();
    const double before = processorMs();
    for (int i = 0; i < Ticks; ++i) {
        const bool isSet =
            document.set("/model/hidden", outlay::core::Json(100 + i % 2), 1).has_value();
        if (!isSet)
            std::abort();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QCoreApplication::processEvents();
    }
    const double took = processorMs() - before;
    document.undoStack().undo();
    document.undoStack().undo();
    QCoreApplication::processEvents();
    return took / Ticks;
}

int measure(MainWindow& window, const QString& home, int count, bool isCancelled, bool isReal)
{
    constexpr int Warm = 5;
    constexpr int Rows = 10;
    constexpr int AutosaveMs = 4000; // then what is kept for a crash is there
    const int withinMs = isReal ? 3000 : 150;
    LongUse use(window, home, 1);
    printHead();
    Footprint before;
    for (int i = -Warm; i < count; ++i) {
        const bool isOver = isCancelled ? use.cancelledProbe(withinMs) : use.probe();
        if (!isOver) {
            std::printf("measurement %d doesn't end\n", i);
            return 1;
        }
        if (i == -1) {
            QTest::qWait(AutosaveMs);
            print(0, before = footprintIn(home), 0);
        } else if (i >= 0 && (i + 1) % std::max(1, count / Rows) == 0)
            print(i + 1, footprintIn(home), 0);
    }
    const Footprint after = footprintIn(home);
    std::printf(
        "%d measurements leave %lld processes, %lld descriptors, %lld files; heap %+.2f MB, "
        "resident %+.2f MB\n",
        count, static_cast<long long>(after.processes - before.processes),
        static_cast<long long>(after.descriptors - before.descriptors),
        static_cast<long long>(after.files - before.files), after.heapMb - before.heapMb,
        after.residentMb - before.residentMb);
    return 0;
}

/// The median of what the first and the last third of the rows took.
void printSlowing(const std::vector<double>& ticks)
{
    const auto medianOf = [](std::vector<double> part) {
        std::sort(part.begin(), part.end());
        return part.at(part.size() / 2);
    };
    const auto third = static_cast<std::ptrdiff_t>(ticks.size() / 3);
    if (third < 1)
        return;
    const double first = medianOf({ticks.begin(), ticks.begin() + third});
    const double last = medianOf({ticks.end() - third, ticks.end()});
    std::printf("a tick takes %.2f ms in the first third, %.2f ms in the last: %+.1f %%\n", first,
                last, 100 * (last / first - 1));
}

int use(MainWindow& window, const QString& home, int count)
{
    constexpr int Warm = 1000;
    constexpr int Rows = 20;
    LongUse day(window, home, 7);
    printHead();
    Footprint before;
    std::vector<double> ticks;
    for (int i = -std::min(Warm, count); i < count; ++i) {
        day.act();
        const bool isRow = i == -1 || (i >= 0 && (i + 1) % std::max(1, count / Rows) == 0);
        if (!isRow)
            continue;
        ticks.push_back(tickMs(window));
        const Footprint now = footprintIn(home);
        if (i == -1)
            before = now;
        print(i + 1, now, ticks.back());
    }
    const Footprint after = footprintIn(home);
    std::printf("%d actions: heap %+.2f MB, resident %+.2f MB\n", count,
                after.heapMb - before.heapMb, after.residentMb - before.residentMb);
    printSlowing(ticks);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const QByteArray what = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? std::atoi(argv[2]) : 0;
    if (count < 1 || (what != "probes" && what != "cancels" && what != "use")) {
        std::fputs("Usage: endurance probes|cancels|use COUNT [WORKER]\n", stderr);
        return 2;
    }
    outlay::core::keepFreedMemory(); // as the program does
    const QTemporaryDir home;
    QApplication application(argc, argv);
    useHome(home);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
    qputenv("TMPDIR", home.path().toUtf8());
    const bool isReal = argc > 3;
    const bool isCancelled = what == "cancels";
    if (isReal)
        qputenv("OUTLAY_PROBE", argv[3]);
    else if (isCancelled)
        qputenv("OUTLAY_FAKE_PROBE", "waits");
    const auto window = makeWindow(home);
    window->settings().set(setting::probeSeconds(), isCancelled ? 600.0 : 0.5);
    return what == "use" ? use(*window, home.path(), count)
                         : measure(*window, home.path(), count, isCancelled, isReal);
}
