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
    std::printf("%10s %10s %12s %8s %10s %14s %8s %12s %15s\n", "done", "processes", "descriptors",
                "files", "heap, MB", "resident, MB", "undo", "tick, ms", "over a new one");
}

/// A tick beside that of a window that was just made, in turns, so that neither counts how fast the machine is by then.
struct Tick {
    double ms = 0;
    double newMs = 0;

    [[nodiscard]] double over() const { return newMs > 0 ? ms / newMs : 0; }
};

void print(int done, const Footprint& f, int undoSteps, const Tick& tick)
{
    std::printf("%10d %10lld %12lld %8lld %10.1f %14.1f %8d %12.2f %15.3f\n", done,
                static_cast<long long>(f.processes), static_cast<long long>(f.descriptors),
                static_cast<long long>(f.files), f.heapMb, f.residentMb, undoSteps, tick.ms,
                tick.over());
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

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

void settle()
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

/// On the same design, page and size whatever was done before, which stands again afterwards.
class Pause {
public:
    explicit Pause(MainWindow& window) : m_document(window.document())
    {
        m_document.replace(outlay::core::preset("text-generator")->experiment,
                           QStringLiteral("a pause"));
        if (m_document.baseline()) {
            m_document.unpin();
            ++m_steps;
        }
        window.resize(1440, 900);
        window.setPage(0);
        settle();
    }
    ~Pause()
    {
        for (int i = 0; i < m_steps; ++i)
            m_document.undoStack().undo();
        settle();
    }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

    [[nodiscard]] Tick tick()
    {
        constexpr int Ticks = 60;
        const QTemporaryDir home;
        const auto fresh = makeWindow(home);
        const Pause there(*fresh);
        std::vector<double> ticks;
        std::vector<double> others;
        for (int i = 0; i < Ticks; ++i) {
            ticks.push_back(tickMs(m_document, 100 + i % 2));
            others.push_back(tickMs(fresh->document(), 100 + i % 2));
        }
        ++m_steps; // all of them are one
        return {medianOf(ticks), medianOf(others)};
    }

private:
    /// Of a slider, with all that follows.
    static double tickMs(Document& document, int hidden)
    {
        const double before = processorMs();
        if (!document.set("/model/hidden", outlay::core::Json(hidden), 1))
            std::abort();
        settle();
        return processorMs() - before;
    }

    Document& m_document;
    int m_steps = 1;
};

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
            print(0, before = footprintIn(home), 0, {});
        } else if (i >= 0 && (i + 1) % std::max(1, count / Rows) == 0)
            print(i + 1, footprintIn(home), 0, {});
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
    const auto third = static_cast<std::ptrdiff_t>(ticks.size() / 3);
    if (third < 1)
        return;
    const double first = medianOf({ticks.begin(), ticks.begin() + third});
    const double last = medianOf({ticks.end() - third, ticks.end()});
    std::printf(
        "a tick takes %.3f times that of a new window in the first third, %.3f times in the last: "
        "%+.1f %%\n",
        first, last, 100 * (last / first - 1));
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
        const int steps = window.document().undoStack().count();
        Pause pause(window);
        outlay::core::giveBackFreedMemory(); // as the program does at rest
        const Footprint now = footprintIn(home);
        const Tick tick = pause.tick();
        ticks.push_back(tick.over());
        if (i == -1)
            before = now;
        print(i + 1, now, steps, tick);
    }
    const Pause pause(window);
    outlay::core::giveBackFreedMemory();
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
