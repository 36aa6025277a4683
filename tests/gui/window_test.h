// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A window on a home of its own, for tests that drive it.
#pragma once

#include "core/experiment/presets.h"
#include "gui/style/theme.h"
#include "gui/view/tiles_view.h"
#include "gui/widgets/figure_label.h"
#include "gui/window/file_commands.h"
#include "gui/window/main_window.h"
#include "pricing/report/make_report.h"
#include "tests/support/catalogs.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace outlay::gui {

/// The program ends where a widget that a test relies on is missing.
template <typename T>
T* find(const QWidget& window, const QString& name)
{
    T* found = window.findChild<T*>(name);
    if (found == nullptr)
        qFatal("there is no %s", qPrintable(name));
    return found;
}

template <typename T>
T* find(const QWidget& window, const char* name)
{
    return find<T>(window, QLatin1String(name));
}

/// The user's folders and settings, apart from those of who runs the tests.
inline void useHome(const QTemporaryDir& home)
{
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    qputenv("OUTLAY_PROBE", OUTLAY_FAKE_WORKER);
    qputenv("OUTLAY_RUNNER", "/bin/false"); // nobody's program runs by chance
    applyTheme(ThemeChoice::Light, {});
}

/// A new one, with settings of its own.
inline std::unique_ptr<QTemporaryDir> makeHome()
{
    auto home = std::make_unique<QTemporaryDir>();
    if (!home->isValid())
        qFatal("there is no temporary folder");
    useHome(*home);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home->path());
    return home;
}

inline std::unique_ptr<MainWindow> makeWindow(
    const QTemporaryDir& home, const pricing::Catalogs& catalogs = outlay::tests::catalogs())
{
    auto window = std::make_unique<MainWindow>(
        WindowStart{.catalogs = catalogs,
                    .experiment = core::preset("text-generator")->experiment,
                    .recoveryFolder = home.filePath(QStringLiteral("recovery")),
                    .platform = {}});
    static_cast<QWidget*>(window.get())->show();
    window->activateWindow();
    return window;
}

/// After a dialog, as a desktop does by itself.
inline void activate(MainWindow& window)
{
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window))
        qFatal("the window isn't active");
}

/// What the tiles must say of the document, by makeReport alone.
inline void compareWithReport(MainWindow& window)
{
    const core::Experiment experiment = window.document().experiment();
    const pricing::Report report = pricing::makeReport(experiment, outlay::tests::catalogs());
    const auto views = makeTilesView(report, window.document().baseline(), window.locale());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const auto* tile = find<FigureLabel>(window, QStringLiteral("tile%1").arg(i));
        QCOMPARE(tile->view(), views[i]);
    }
}

/// Each test function has a window of its own, which is active.
class WindowTest : public QObject {
    Q_OBJECT
protected:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        useHome(m_home);
    }
    void init()
    {
        m_window = makeWindow(m_home);
        m_window->resize(1440, 900);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }
};

} // namespace outlay::gui
