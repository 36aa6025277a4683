// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/run_window.h"

#include "core/base/memory.h"
#include "core/base/version.h"
#include "core/experiment/presets.h"
#include "gui/session/price_book_file.h"
#include "gui/style/theme.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"
#include "gui/window/file_commands.h"
#include "gui/window/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <QTimer>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>

namespace outlay::gui {
namespace {

constexpr const char* StarterPreset = "text-generator";

bool hasDisplay()
{
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    static constexpr std::array NoDisplayNeeded{"offscreen", "minimal", "vnc", "linuxfb", "eglfs"};
    const bool isOwn = std::any_of(NoDisplayNeeded.begin(), NoDisplayNeeded.end(),
                                   [&](const char* name) { return platform.startsWith(name); });
    return isOwn || !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

int fail(const core::Error& error)
{
    std::cerr << "outlay: " << error.sentence() << '\n';
    return core::exitStatus(error.code);
}

/// Who reads figures needs no memory for the next ones.
void giveBackAtRest(QTimer& rest, const Document& document)
{
    constexpr std::chrono::seconds AtRest{10};
    rest.setSingleShot(true);
    rest.setInterval(AtRest);
    QObject::connect(&document, &Document::changed, &rest, qOverload<>(&QTimer::start));
    QObject::connect(&rest, &QTimer::timeout, [] { core::giveBackFreedMemory(); });
    rest.start(); // of what starting took
}

/// New experiments start where the user's settings say.
core::Experiment starterOf(const core::Preset& preset, const Settings& settings)
{
    return withPlace(preset.experiment, settings.value(setting::place()).toStdString());
}

} // namespace

bool isForWindow(std::span<const std::string> words)
{
    // A word that names no file is more likely a command mistyped than a file.
    return std::all_of(words.begin(), words.end(), [](const std::string& word) {
        return !word.starts_with('-') && QFileInfo::exists(QString::fromStdString(word));
    });
}

int runWindow(int argc, char** argv)
{
    if (!hasDisplay())
        return fail(core::usageError("there is no display for the window",
                                     "start it on a desktop, or give a command: `outlay --help` "
                                     "lists them")
                        .value());
    const QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("outlay"));
    QApplication::setApplicationDisplayName(QStringLiteral("Outlay"));
    QApplication::setDesktopFileName(QStringLiteral("outlay"));
    QApplication::setWindowIcon(
        QIcon::fromTheme(QStringLiteral("outlay"))); // where it is installed
    const auto starter = core::preset(StarterPreset);
    if (!starter)
        return fail(starter.error());
    const QPalette platform = QApplication::palette();
    const Settings settings;
    applyTheme(static_cast<ThemeChoice>(settings.value(setting::theme())), platform);
    // A user's price book that can't be read is told, and doesn't keep the window from opening.
    auto catalogs = loadCatalogsNow();
    const std::string problem = catalogs ? std::string() : catalogs.error().sentence();
    if (!catalogs)
        catalogs = loadCatalogsNow(pricing::OwnPrices{});
    if (!catalogs)
        return fail(catalogs.error());
    MainWindow window({.catalogs = *catalogs,
                       .experiment = starterOf(*starter, settings),
                       .recoveryFolder = recoveryFolder(),
                       .platform = platform});
    QTimer rest;
    giveBackAtRest(rest, window.document());
    static_cast<QWidget&>(window).show();
    window.commands().tellOfPrices(problem);
    window.commands().offerRecovery();
    window.commands().openAll(QApplication::arguments().mid(1));
    return QApplication::exec();
}

} // namespace outlay::gui
