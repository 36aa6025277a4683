// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window takes: to its first picture, from a change to painted panels, for a large picture.
#include "core/base/memory.h"
#include "core/experiment/presets.h"
#include "gui/export/picture.h"
#include "gui/style/theme.h"
#include "gui/window/main_window.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPainter>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace outlay;
using namespace outlay::gui;

namespace {

constexpr double MsPerNs = 1e-6;

double msOf(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) * MsPerNs;
}

/// Of this thread: what a busy machine doesn't lengthen.
double processorMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + MsPerNs * static_cast<double>(time.tv_nsec);
}

/// As the event loop does after a change: layouts, then what they and the change made dirty.
void paintWhatChanged()
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::processEvents();
}

void print(const char* what, std::vector<double> ms)
{
    std::sort(ms.begin(), ms.end());
    const auto at = [&](double share) {
        return ms.at(static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1)));
    };
    std::printf("%-44s median %7.2f ms   99th percentile %7.2f ms   n %zu\n", what, at(0.5),
                at(0.99), ms.size());
}

/// Of a slider that moves; a drag leaves some for later.
void printTicks(MainWindow& window, int count, bool isDragged)
{
    // Widths of transformers have to be divisible by their heads; their samples may be of any length.
    const bool isTransformer = std::holds_alternative<core::TransformerDesign>(
        window.document().experiment().model.design);
    const std::string moved = isTransformer ? "/training/sequence" : "/model/hidden";
    const int least = isTransformer ? 1024 : 64;
    QElapsedTimer timer;
    std::vector<double> ticks;
    std::vector<double> paints;
    std::vector<double> processor;
    for (int i = 0; i < count; ++i) {
        timer.start();
        const double before = processorMs();
        static_cast<void>(
            window.document().set(moved, core::Json(least + 8 * (i % 100)), isDragged ? 1 : 0));
        const double set = msOf(timer);
        paintWhatChanged();
        ticks.push_back(msOf(timer));
        paints.push_back(ticks.back() - set);
        processor.push_back(processorMs() - before);
    }
    print("a slider's tick to painted panels", ticks);
    print("the same in processor time", processor);
    print("of which painting", paints);
}

/// Of the design as it is then.
void printReports(MainWindow& window, int count)
{
    QElapsedTimer timer;
    std::vector<double> reports;
    for (int i = 0; i < count; ++i) {
        timer.start();
        static_cast<void>(
            pricing::makeReport(window.document().experiment(), outlay::tests::catalogs()));
        reports.push_back(msOf(timer));
    }
    print("of which the Report", reports);
}

/// Of what is exported.
void printPictures(MainWindow& window)
{
    QElapsedTimer timer;
    std::vector<double> pictures;
    std::vector<double> encodings;
    for (int i = 0; i < 5; ++i) {
        timer.start();
        const QImage image =
            paintImage(window.input(), {.size = {1920, 1200}, .scale = 2}, window.locale());
        pictures.push_back(msOf(timer));
        timer.start();
        static_cast<void>(encodePng(image));
        encodings.push_back(msOf(timer));
    }
    print("a picture of 3840 x 2400, painted", pictures);
    print("and encoded, on another thread", encodings);
}

} // namespace

int main(int argc, char** argv)
{
    core::keepFreedMemory(); // as the program does
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    QElapsedTimer timer;
    timer.start();
    const QApplication application(argc, argv);
    applyTheme(ThemeChoice::Light, {});
    const auto preset = core::preset(argc > 2 ? argv[2] : "text-generator");
    if (!preset) {
        std::fputs("bench_window [TICKS [PRESET [whole]]], whole: nothing is left for later\n",
                   stderr);
        return 2;
    }
    MainWindow window({.catalogs = outlay::tests::catalogs(),
                       .experiment = preset->experiment,
                       .recoveryFolder = home.path()});
    static_cast<QWidget&>(window).show();
    window.resize(1440, 900);
    QCoreApplication::processEvents();
    QImage canvas(window.size(), QImage::Format_RGB32);
    window.render(&canvas);
    print("start to first picture, after main()", {msOf(timer)});
    const int ticks = argc > 1 ? std::atoi(argv[1]) : 1000;
    printTicks(window, ticks, argc <= 3);
    printReports(window, ticks / 10);
    printPictures(window);
    return 0;
}
