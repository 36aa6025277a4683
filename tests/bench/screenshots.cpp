// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes every page in light and dark at the smallest, the usual and a large size, to be looked at.
#include "core/experiment/presets.h"
#include "gui/export/picture.h"
#include "gui/style/theme.h"
#include "gui/view/edit.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/message_bar.h"
#include "gui/window/main_window.h"
#include "pricing/actual/track.h"
#include "tests/support/measured.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

using namespace outlay;
using namespace outlay::gui;

namespace {

/// What queued layouts and deletions would do before a person sees the window.
void settle()
{
    for (int i = 0; i < 10; ++i) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
}

core::Json storedMeasurement(const QString& path)
{
    const auto reading = core::loadExperiment(path.toStdString());
    if (!reading || reading->experiment.measurements.isEmpty())
        return {};
    return reading->experiment.measurements.stored().asArray()->back();
}

/// Where pictures go, and what their names end in.
class Album {
public:
    Album(QDir folder, ThemeChoice theme, int scale)
        : m_folder(std::move(folder)), m_theme(theme), m_scale(scale)
    {
    }

    [[nodiscard]] bool isDark() const { return m_theme == ThemeChoice::Dark; }
    [[nodiscard]] int scale() const { return m_scale; }
    [[nodiscard]] QString pathOf(const QString& name, const QString& size = {}) const
    {
        const QString theme = isDark() ? QStringLiteral("dark") : QStringLiteral("light");
        const QString end = size.isEmpty() ? size : QLatin1Char('-') + size;
        return m_folder.filePath(
            QStringLiteral("%1-%2%3@%4.png").arg(name, theme, end).arg(m_scale));
    }
    void add(QWidget& shown, const QString& name, const QString& size = {}) const
    {
        settle();
        // Tables are fitted to their words a moment after they have their width.
        QElapsedTimer since;
        since.start();
        while (since.elapsed() < 2 * PauseBeforeFit.count())
            settle();
        shown.grab().save(pathOf(name, size));
    }

private:
    QDir m_folder;
    ThemeChoice m_theme;
    int m_scale;
};

/// A folder is read and a day simulated beside the window.
void waitForRest(MainWindow& window)
{
    const auto isAtWork = [&] {
        const PanelInput now = window.input();
        return (now.track != nullptr && now.track->isReading) || now.traffic->isRunning;
    };
    while (isAtWork())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// Twelve runs that took somewhat longer than was forecast of them, as runs do.
void writeTrack(const QString& folder, const pricing::Catalogs& catalogs)
{
    std::mt19937 random(5);
    std::normal_distribution<double> spread(0, 1);
    for (int i = 0; i < 12; ++i) {
        const auto& preset = (*core::presets())[static_cast<std::size_t>(i) % 6];
        core::Experiment e = preset.experiment;
        const auto report = pricing::figuresOf(e, catalogs);
        pricing::Actual actual = pricing::actualOf({.kind = "CodeCarbon"}, e, report, false);
        const double times = i == 8 ? 2.6 : std::exp(0.15 + 0.25 * spread(random));
        const auto took = [&](const std::optional<pricing::Foretold>& f, double share) {
            return f ? std::optional(f->value * share) : std::nullopt;
        };
        actual.file = "emissions.csv";
        actual.sha256 = std::to_string(i);
        actual.attached = "2026-11-20T10:00:00Z";
        actual.began = "2026-" + std::to_string(10 + i / 6) + "-" + std::to_string(10 + i % 6 * 3) +
                       "T08:00:00Z";
        actual.seconds = took(actual.seconds80, times);
        actual.usd = took(actual.usd80, times);
        if (i % 3 > 0)
            actual.kwh = took(actual.kwh80, 0.9 * times);
        e.actuals.append(pricing::toJson(actual));
        const QString path = QStringLiteral("%1/run-%2.json").arg(folder).arg(i);
        if (!core::saveExperiment(e, path.toStdString()))
            qFatal("an experiment can't be written");
    }
}

/// A program of 40 ms steps and pauses, measured for some seconds.
void pictureProgram(MainWindow& window, const Album& album)
{
    window.setPage(2);
    window.findChild<QAction*>(QStringLiteral("actionProgram"))->trigger();
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("programDialog"));
    const auto field = [&](const char* name) {
        return dialog->findChild<QLineEdit*>(QLatin1String(name));
    };
    field("programCommand")
        ->setText(QStringLiteral("sh %1/tests/programs/counting.sh 12000 0.04")
                      .arg(QStringLiteral(OUTLAY_SOURCE_DIR)));
    album.add(*dialog, QStringLiteral("programDialog"));
    dialog->findChild<QPushButton*>(QStringLiteral("programMeasure"))->click();
    QElapsedTimer watch;
    watch.start();
    constexpr qint64 LongEnough = 12'000;
    while (window.isMeasuring() && watch.elapsed() < LongEnough)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    for (const QSize size : {QSize(1024, 640), QSize(1440, 900)}) {
        window.resize(size);
        album.add(window, QStringLiteral("program"), QString::number(size.width()));
        album.add(*window.findChild<QWidget*>(QStringLiteral("probePage")),
                  QStringLiteral("program-whole"), QString::number(size.width()));
    }
    window.findChild<QAction*>(QStringLiteral("actionCancel"))->trigger();
    while (window.isMeasuring())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    album.add(window, QStringLiteral("program-kept"));
    window.document().undoStack().undo();
}

void picturePages(MainWindow& window, const Album& album)
{
    for (const QSize size : {QSize(1024, 640), QSize(1440, 900), QSize(1920, 1200)}) {
        window.resize(size);
        static_cast<QWidget&>(window).show();
        int page = 0;
        for (const char* title : {"dashboard", "layers", "probe", "providers", "scaling", "plan",
                                  "compare", "assumptions", "track"}) {
            window.setPage(page++);
            waitForRest(window);
            album.add(window, QLatin1String(title), QString::number(size.width()));
            // All of what scrolls.
            for (const char* scrolls : {"scaling", "track"}) {
                const QString name = QLatin1String(scrolls);
                if (name == QLatin1String(title))
                    album.add(*window.findChild<QWidget*>(name + QStringLiteral("Page")),
                              name + QStringLiteral("-whole"), QString::number(size.width()));
            }
        }
    }
}

/// Two machines that were measured on, one that answers, and one that doesn't.
void writeHosts(const QString& folder)
{
    core::Profile gpu{.name = "gpu1", .kind = core::ProfileKind::Ssh};
    gpu.address = "me@gpu1.invalid";
    gpu.hourPriceUsd = 0.4;
    core::Profile lab{.name = "lab", .kind = core::ProfileKind::Queue};
    lab.folder = "/shared/outlay";
    lab.partition = "gpu";
    lab.atOnce = 8;
    core::Profile bench{.name = "bench", .kind = core::ProfileKind::Local};
    bench.cores = 1;
    bench.worker = QFileInfo(QStringLiteral(OUTLAY_PROGRAM))
                       .dir()
                       .filePath(QStringLiteral("../core/probe/worker/outlay-probe"))
                       .toStdString();
    for (const core::Profile& profile : {gpu, lab, bench}) {
        if (!core::saveProfile(profile, folder.toStdString()))
            qFatal("a profile can't be written");
    }
}

void pictureHosts(MainWindow& window, const Album& album)
{
    constexpr int Page = 9;
    core::Experiment e = window.document().experiment();
    for (const auto& [host, stepS, usd] :
         {std::tuple("gpu1", 0.021, 0.4), std::tuple("lab", 0.034, 1.1)}) {
        core::Measurement m = outlay::tests::measurementOf(e, stepS);
        m.host = host;
        m.hostHourUsd = usd;
        m.machine.device = "cuda";
        outlay::tests::addTo(e, m);
    }
    window.setPage(Page);
    window.findChild<QPushButton*>(QStringLiteral("checkHosts"))->click();
    const auto isAsking = [&] {
        const auto& hosts = window.input().hosts->hosts;
        return std::any_of(hosts.begin(), hosts.end(), [](const HostEntry& entry) {
            return entry.answer == HostAnswer::Awaited;
        });
    };
    while (isAsking())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    window.document().replace(e, QStringLiteral("the measurement"));
    for (const QSize size : {QSize(1024, 640), QSize(1440, 900)}) {
        window.resize(size);
        album.add(window, QStringLiteral("hosts"), QString::number(size.width()));
    }
    window.document().undoStack().undo();
}

void pictureExport(MainWindow& window, const Album& album)
{
    const PictureRequest request{.scale = static_cast<double>(album.scale()),
                                 .isDark = album.isDark()};
    paintImage(window.input(), request, window.locale())
        .save(album.pathOf(QStringLiteral("export")));
}

/// A plan by hand, a pinned baseline with an error above it, and a figure that explains itself.
void pictureStates(MainWindow& window, const Album& album)
{
    window.resize(1024, 640);
    static_cast<void>(window.document().set(
        "/plan/environments",
        core::Json::Array{
            core::Json::Object{{"name", "production"}, {"offer", "aws/g4dn.xlarge/reserved_1y"}},
            core::Json::Object{
                {"name", "staging"}, {"offer", "gcp/g2-standard-4"}, {"hours_per_day", 8}}}));
    static_cast<void>(
        window.document().set("/plan/split", core::Json::Object{{"aws", 60}, {"gcp", 40}}));
    window.setPage(5);
    album.add(window, QStringLiteral("by-hand"));
    window.setPage(0);
    window.document().pin();
    static_cast<void>(window.document().set("/training/batch", core::Json(32)));
    window.show({.kind = BarMessage::Kind::Error,
                 .text = QStringLiteral("the worker ended without a result; try again."),
                 .details = QStringLiteral("its last words"),
                 .actionText = QStringLiteral("Try again")});
    album.add(window, QStringLiteral("baseline"));
    auto* tile = window.findChild<FigureLabel*>(QStringLiteral("tile2"));
    tile->explain();
    settle();
    album.add(*tile->findChild<QWidget*>(QStringLiteral("explanation")),
              QStringLiteral("explanation"));
}

void pictureDialogs(MainWindow& window, const Album& album)
{
    static_cast<void>(window.document().set("/training/epochs", core::Json(40)));
    static_cast<void>(window.document().set("/serving/requests_per_day", core::Json(400'000)));
    static_cast<void>(window.document().set(
        "/quality", core::Json::Object{{"accuracy", 0.93},
                                       {"better", core::Json::Object{{"accuracy", "larger"}}},
                                       {"curve", core::Json::Array{3.0, 1.5}}}));
    for (const char* action : {"actionSettings", "actionHelp", "actionAbout", "actionChange",
                               "actionGoal", "actionImport", "actionActual", "actionApplication"})
        window.findChild<QAction*>(QLatin1String(action))->trigger();
    settle();
    for (const char* dialog :
         {"settingsDialog", "helpWindow", "aboutDialog", "qualityEditor", "changeDialog",
          "importDialog", "goalDialog", "attachDialog", "applicationDialog"}) {
        auto* shown = window.findChild<QWidget*>(QLatin1String(dialog));
        album.add(*shown, QLatin1String(dialog));
        if (shown->isWindow())
            shown->close();
    }
}

} // namespace

int main(int argc, char** argv)
{
    // The scale is Qt's own: QT_SCALE_FACTOR=2 makes the pictures of such a screen.
    if (argc < 2) {
        std::cerr << "Usage: screenshots FOLDER [PRESET [MEASURED-EXPERIMENT]]\n";
        return 2;
    }
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    qputenv("OUTLAY_RUNNER", OUTLAY_PROGRAM);
    const QApplication application(argc, argv);
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    if (!folder.mkpath(QStringLiteral(".")))
        return 1;
    const auto preset = core::preset(argc > 2 ? argv[2] : "text-generator");
    if (!preset) {
        std::cerr << preset.error().sentence() << '\n';
        return 2;
    }
    core::Experiment experiment = preset->experiment;
    if (argc > 3)
        experiment.measurements =
            experiment.measurements.with(storedMeasurement(QString::fromLocal8Bit(argv[3])));
    // What was measured was measured here, as far as the pictures go.
    const auto measured = experiment.measurements.all().newest();
    const pricing::Catalogs catalogs =
        measured == nullptr ? outlay::tests::catalogs()
                            : *pricing::loadCatalogs("2026-11-20", measured->machine);
    writeHosts(home.filePath(QStringLiteral("outlay/hosts")));
    const QTemporaryDir runs;
    writeTrack(runs.path(), catalogs);
    Settings().set(setting::trackFolder(), runs.path());
    const int scale =
        qRound(qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")).toDouble());
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        applyTheme(theme, {});
        MainWindow window({.catalogs = catalogs,
                           .experiment = experiment,
                           .recoveryFolder = home.filePath(QStringLiteral("recovery"))});
        const Album album(folder, theme, scale);
        picturePages(window, album);
        pictureHosts(window, album);
        pictureProgram(window, album);
        pictureExport(window, album);
        pictureStates(window, album);
        pictureDialogs(window, album);
    }
    return 0;
}
