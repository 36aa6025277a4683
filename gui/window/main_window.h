// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window: designer, tiles, pages. Each change of the document is shown at once.
#pragma once

#include "gui/session/sessions.h"
#include "pricing/report/compare/comparison.h"

#include <QMainWindow>

class QLabel;
class QMenu;
class QVBoxLayout;

namespace outlay::gui {

class Actions;
class Designer;
class Exporter;
class FileCommands;
class HostCommands;
class MessageBar;
class PageStack;
class ProgramCommands;
class PriceSession;
class SettingsDialog;
class TileRow;
class TopBar;
struct BarMessage;
struct PanelInput;

struct WindowStart {
    pricing::Catalogs catalogs;
    core::Experiment experiment;
    QString recoveryFolder;
    QPalette platform; // the desktop's own colours
};

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const WindowStart& start);
    ~MainWindow() override;

    /// Shows them beside the document, on the page that compares.
    void compareWith(std::vector<pricing::Compared> others);
    void show(const BarMessage& message);
    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] FileSession& files() { return m_files; }
    [[nodiscard]] FileCommands& commands() { return *m_commands; }
    [[nodiscard]] bool isMeasuring() { return sessions().isMeasuring(); }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] const DisplayLocale& locale() const { return m_locale; }
    /// All of it, also in the middle of a drag.
    [[nodiscard]] PanelInput input();

    /// What was changed in the settings is seen at once.
    void applySettings();
    /// At the page of where the focus is.
    void showHelp();
    void setPage(int index);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    [[nodiscard]] Sessions sessions();
    void buildPages();
    void buildFrame();
    void buildWork();
    void connectActions();
    void connectPages();
    void connectDesigner();
    void connectPrices();
    void connectProbe();
    void connectProgram();
    void connectHosts();
    void probe(ProbeScope scope);
    void cancelMeasurement();
    [[nodiscard]] PanelInput seen() const;
    void refresh();
    void refreshPage();
    void refreshTitle();
    void varyField();
    void showSettings();

    Settings m_settings;
    DisplayLocale m_locale;
    QPalette m_platform;
    Document m_document;
    FileSession m_files;
    ProbeSession m_probe;
    ProgramSession m_program;
    TrackSession m_track;
    HostsSession m_hosts;
    TrafficSession m_traffic;
    Actions* m_actions;
    QMenu* m_menu;
    std::vector<pricing::Compared> m_others;
    FileCommands* m_commands;
    ProgramCommands* m_programs;
    HostCommands* m_hostCommands;
    Exporter* m_exporter;
    TopBar* m_topBar;
    MessageBar* m_messages;
    QVBoxLayout* m_body;
    PriceSession* m_prices;
    // Built anew for another locale or currency.
    QWidget* m_work = nullptr;
    Designer* m_designer = nullptr;
    TileRow* m_tiles = nullptr;
    PageStack* m_pages = nullptr;
    QLabel* m_status;
    QLabel* m_hint;
};

} // namespace outlay::gui
