// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/main_window.h"

#include "core/experiment/mixes.h"
#include "core/experiment/presets.h"
#include "gui/panels/dashboard.h"
#include "gui/session/price_session.h"
#include "gui/style/theme.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"
#include "gui/view/status_view.h"
#include "gui/view/vary_view.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/twinned.h"
#include "gui/window/about_dialog.h"
#include "gui/window/actions.h"
#include "gui/window/change_dialog.h"
#include "gui/window/designer.h"
#include "gui/window/exporter.h"
#include "gui/window/field_keys.h"
#include "gui/window/file_commands.h"
#include "gui/window/focus_moves.h"
#include "gui/window/help_window.h"
#include "gui/window/host_commands.h"
#include "gui/window/page_stack.h"
#include "gui/window/program_commands.h"
#include "gui/window/settings_dialog.h"
#include "gui/window/top_bar.h"
#include "gui/window/vary_dialog.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QVBoxLayout>

namespace outlay::gui {
MainWindow::MainWindow(const WindowStart& start)
    : m_locale(displayLocaleOf(m_settings)), m_platform(start.platform),
      m_document(start.catalogs, start.experiment), m_files(m_document, start.recoveryFolder),
      m_probe(m_document), m_program(m_document), m_hosts(m_document), m_traffic(m_document),
      m_actions(new Actions(this)), m_menu(new QMenu(this)),
      m_commands(new FileCommands(sessions(), *this)),
      m_programs(new ProgramCommands(sessions(), m_locale, *this)),
      m_hostCommands(new HostCommands(sessions(), this)),
      m_exporter(new Exporter([this] { return input(); }, m_locale, *this)),
      m_topBar(new TopBar(*m_actions, m_menu, this)), m_messages(new MessageBar(m_topBar, this)),
      m_body(new QVBoxLayout), m_prices(new PriceSession(m_document, m_settings, this)),
      m_status(makeQuietLabel(QString(), TypeRole::Secondary, this)),
      m_hint(makeQuietLabel(QStringLiteral("Every figure: hover, or Ctrl+I, for how it was got"),
                            TypeRole::Secondary, this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(size::LeastWindowWidth, size::LeastWindowHeight);
    resize(size::UsualWindowWidth, size::UsualWindowHeight);
    setAcceptDrops(true);
    m_actions->fillMenu(*m_menu, *m_commands->presetMenu(), *m_commands->recentMenu());
    new FieldKeys(this);
    buildPages();
    buildFrame();
    buildWork();
    connectActions();
    connectProbe();
    connectProgram();
    connectHosts();
    connectPrices();
    m_probe.setWorker(m_settings.value(setting::worker()));
    connect(m_commands, &FileCommands::said, this, &MainWindow::show);
    connect(m_commands, &FileCommands::retracted, m_messages, &MessageBar::retract);
    connect(m_commands, &FileCommands::othersOpened, this, &MainWindow::compareWith);
    connect(m_programs, &ProgramCommands::said, this, &MainWindow::show);
    connect(m_hostCommands, &HostCommands::said, this, &MainWindow::show);
    connect(m_exporter, &Exporter::said, this, &MainWindow::show);
    connect(&m_document, &Document::changed, this, &MainWindow::refresh);
    connect(&m_document, &Document::completed, this, &MainWindow::refreshPage);
    connect(&m_files, &FileSession::changed, this, &MainWindow::refreshTitle);
    connect(&m_files, &FileSession::recoveryFailed, this, [this](const QString& sentence) {
        show({.kind = BarMessage::Kind::Warning, .text = sentence});
    });
    restoreGeometry(m_settings.value(setting::windowState()));
    refresh();
    refreshTitle();
}

MainWindow::~MainWindow()
{
    delete findChild<SettingsDialog*>(); // it speaks to the settings, which go before children do
}

void MainWindow::buildPages()
{
    m_topBar->addPage(QStringLiteral("dashboardPage"), QStringLiteral("Dashboard"));
    for (const PanelRow& row : pages())
        m_topBar->addPage(row.id, row.title);
    connect(m_topBar, &TopBar::pageChosen, this, &MainWindow::setPage);
}

void MainWindow::connectPages()
{
    const auto tell = [this](const core::Result<void>& outcome) {
        if (!outcome)
            show({.kind = BarMessage::Kind::Error, .text = toQString(outcome.error().sentence())});
    };
    connect(m_pages, &PageStack::changeWanted, this,
            [this, tell](const std::string& pointer, const core::Json& value, int drag) {
                tell(m_document.set(pointer, value, drag));
            });
    connect(m_pages, &PageStack::patchWanted, this,
            [this, tell](const core::Json& patch, const QString& what) {
                tell(m_document.apply(patch, what));
            });
    connect(m_pages, &PageStack::probeWanted, (*m_actions)[QStringLiteral("actionProbe")],
            &QAction::trigger);
    connect(m_pages, &PageStack::variantsWanted, (*m_actions)[QStringLiteral("actionProbeAll")],
            &QAction::trigger);
    connect(m_pages, &PageStack::programWanted, (*m_actions)[QStringLiteral("actionProgram")],
            &QAction::trigger);
    connect(m_pages, &PageStack::cancelWanted, this, &MainWindow::cancelMeasurement);
    connect(m_pages, &PageStack::trackFolderWanted, m_programs,
            &ProgramCommands::chooseTrackFolder);
    connect(m_pages, &PageStack::trackWanted, m_programs, &ProgramCommands::readTrack);
    connect(m_pages, &PageStack::actualWanted, m_programs, &ProgramCommands::attach);
    connect(m_pages, &PageStack::hostWanted, m_hostCommands, &HostCommands::measure);
    connect(m_pages, &PageStack::hostsWanted, &m_hosts, &HostsSession::check);
    connect(m_pages, &PageStack::othersWanted, m_commands, &FileCommands::chooseOthers);
    connect(m_pages, &PageStack::othersDropped, this, [this] {
        m_others.clear();
        refreshPage();
    });
}

void MainWindow::buildFrame()
{
    auto* body = new QWidget(this);
    body->setLayout(m_body);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    m_body->addWidget(m_topBar);
    m_messages->setParent(body); // over the pages, which stay where they are
    setCentralWidget(body);
    m_status->setObjectName(QStringLiteral("status"));
    statusBar()->setSizeGripEnabled(false);
    m_status->setContentsMargins(size::Small, 0, 0, 0);
    m_hint->setContentsMargins(0, 0, size::Small, 0);
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_hint);
}

/// Designer, tiles and pages, which write numbers as the settings say when they are built.
void MainWindow::buildWork()
{
    const int page = m_pages == nullptr ? 0 : m_pages->currentIndex();
    if (m_work != nullptr) {
        m_work->setParent(nullptr);
        m_work->deleteLater();
    }
    m_work = new QWidget(centralWidget());
    m_designer = new Designer(m_locale, m_work);
    m_designer->setWords(fieldWords(m_document.catalogs()));
    auto* right = new QWidget(m_work);
    m_tiles = new TileRow(m_locale, right);
    m_tiles->setObjectName(QStringLiteral("tiles"));
    m_tiles->setInput(seen()); // its tiles come before the pages for the tab key
    m_pages = new PageStack(m_locale, right);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(size::Large, size::Large, size::Large, size::Large);
    rightLayout->setSpacing(size::Large);
    rightLayout->addWidget(m_tiles);
    rightLayout->addWidget(m_pages, 1);
    auto* row = new QHBoxLayout(m_work);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_designer);
    row->addWidget(right, 1);
    m_body->addWidget(m_work, 1);
    m_pages->setCurrentIndex(page);
    m_work->show(); // now, and not when the layout gets to it
    m_messages->raise();
    connectDesigner();
    connectPages();
}

void MainWindow::connectActions()
{
    const auto on = [this](const char* id, auto&& does) {
        connect((*m_actions)[QLatin1String(id)], &QAction::triggered, this, does);
    };
    m_commands->answer(*m_actions);
    on("actionUndo", [this] { m_document.undoStack().undo(); });
    on("actionRedo", [this] { m_document.undoStack().redo(); });
    on("actionPin", [this] { m_document.togglePin(); });
    on("actionExport", [this] { m_exporter->choose(); });
    on("actionCopy", [this] { m_exporter->copy(); });
    on("actionApplication", [this] { m_exporter->apply(); });
    on("actionProbe", [this] { probe(ProbeScope::Plain); });
    on("actionProbeAll", [this] { probe(ProbeScope::WithVariants); });
    on("actionCancel", [this] {
        // A message lies over what runs, and is closed first.
        if (m_messages->isVisible())
            m_messages->hide();
        else
            cancelMeasurement();
    });
    on("actionProgram", [this] { m_programs->ask(); });
    on("actionActual", [this] { m_programs->attach(); });
    on("actionExplain", [this] { explainFigure(*m_tiles); });
    on("actionChange", [this] { showChangeDialog(m_document, m_locale, *this); });
    on("actionTable", [this] { toggleForms(*m_pages->currentWidget()); });
    on("actionVary", [this] { varyField(); });
    // Bar, form, figures, page.
    on("actionNextArea", [this] {
        focusNextArea({m_topBar, m_designer, m_tiles, m_pages->currentWidget()});
    });
    on("actionSettings", [this] { showSettings(); });
    on("actionHelp", [this] { showHelp(); });
    on("actionAbout", [this] { showAbout(m_document.figures().provenance, this); });
    on("actionQuit", [this] { close(); });
}

void MainWindow::connectDesigner()
{
    connect(m_designer, &Designer::valueChanged, this,
            [this](const std::string& pointer, const core::Json& value, int drag) {
                if (const auto set = m_document.set(pointer, value, drag); !set)
                    m_designer->setProblem(
                        pointer, toQString(set.error().what + "; " + set.error().remedy + "."));
            });
    connect(m_designer, &Designer::presetChosen, m_commands, &FileCommands::start);
    connect(m_designer, &Designer::mixChosen, this, [this](const QString& id) {
        if (auto changed = core::withMix(m_document.experiment(), id.toStdString()))
            m_document.replace(std::move(*changed), QStringLiteral("the requests"));
    });
    connect(m_designer, &Designer::familyChosen, this, [this](const QString& family) {
        if (auto changed = withFamily(m_document.experiment(), family.toStdString()))
            m_document.replace(std::move(*changed), QStringLiteral("the family"));
    });
}

void MainWindow::probe(ProbeScope scope)
{
    setPage(m_commands->pageOf(QStringLiteral("probePage")));
    if (m_program.isRunning() || m_hosts.isRunning())
        return show({.text = QStringLiteral("Another measurement is running: stop it first, or "
                                            "wait for its end.")});
    m_probe.start(m_settings.value(setting::probeSeconds()), scope);
}

void MainWindow::connectProbe()
{
    connect(&m_probe, &ProbeSession::started, this, [this] {
        m_messages->hide();
        m_topBar->setRunning(true);
        refreshPage();
    });
    // Nothing else on the pages depends on it, and drawing them would disturb what is measured.
    connect(&m_probe, &ProbeSession::progressed, this, [this] {
        if (m_pages->currentIndex() == m_commands->pageOf(QStringLiteral("probePage")))
            refreshPage();
    });
    connect(&m_probe, &ProbeSession::warned, this, [this](const QString& text) {
        show({.kind = BarMessage::Kind::Warning, .text = text});
    });
    const auto end = [this] {
        m_topBar->setRunning(false);
        refreshPage();
    };
    connect(&m_probe, &ProbeSession::done, this, [this, end](const QString& cancelledIn) {
        end();
        if (!cancelledIn.isEmpty())
            show({.text =
                      QStringLiteral("The measurement was cancelled (%1); what was measured until "
                                     "then is kept.")
                          .arg(cancelledIn)});
    });
    connect(&m_probe, &ProbeSession::cancelled, this, [this, end] {
        end();
        show({.text = QStringLiteral("The measurement was cancelled; nothing was stored.")});
    });
    connect(&m_probe, &ProbeSession::failed, this,
            [this, end](const QString& sentence, const QString& log) {
                end();
                show({.kind = BarMessage::Kind::Error,
                      .text = sentence,
                      .details = log,
                      .actionText = QStringLiteral("Try again"),
                      .action = [this] { probe(m_probe.scope()); }});
            });
}

void MainWindow::connectProgram()
{
    connect(&m_program, &ProgramSession::started, this, [this] {
        m_messages->hide();
        m_topBar->setRunning(true);
        setPage(m_commands->pageOf(QStringLiteral("probePage")));
    });
    connect(&m_program, &ProgramSession::progressed, this, [this] {
        if (m_pages->currentIndex() == m_commands->pageOf(QStringLiteral("probePage")))
            refreshPage();
    });
    connect(&m_program, &ProgramSession::over, this, [this] {
        m_topBar->setRunning(false);
        refreshPage();
    });
    connect(&m_track, &TrackSession::changed, this, [this] {
        if (m_pages->currentIndex() == m_commands->pageOf(QStringLiteral("trackPage")))
            refreshPage();
    });
}

void MainWindow::connectHosts()
{
    connect(&m_hosts, &HostsSession::started, this, [this] {
        m_messages->hide();
        m_topBar->setRunning(true);
    });
    connect(&m_hosts, &HostsSession::changed, this, [this] {
        if (m_pages->currentIndex() == m_commands->pageOf(QStringLiteral("hostsPage")))
            refreshPage();
    });
    connect(&m_hosts, &HostsSession::over, this, [this] { m_topBar->setRunning(false); });
    connect(&m_traffic, &TrafficSession::changed, this, &MainWindow::refreshPage);
}

/// Whichever runs.
void MainWindow::cancelMeasurement()
{
    m_probe.cancel();
    m_program.stop();
    m_hosts.cancel();
}

Sessions MainWindow::sessions()
{
    return {m_document, m_files, m_probe, m_program, m_track, m_hosts, m_settings};
}

PanelInput MainWindow::input()
{
    static_cast<void>(m_document.report()); // all of it
    return seen();
}

PanelInput MainWindow::seen() const
{
    return {.experiment = m_document.experiment(),
            .report = m_document.figures(),
            .baseline = m_document.baseline(),
            .live = m_probe.live(),
            .catalogs = &m_document.catalogs(),
            .compared = &m_others,
            .program = m_program.live(),
            .track = m_track.isRead() ? &m_track.folder() : nullptr,
            .hosts = m_hosts.isRead() ? &m_hosts.list() : nullptr,
            .traffic = &m_traffic.day()};
}

void MainWindow::refresh()
{
    const PanelInput now = seen();
    m_designer->show(now.experiment);
    m_tiles->setInput(now);
    refreshPage();
    QAction* pin = (*m_actions)[QStringLiteral("actionPin")];
    pin->setText(now.baseline == nullptr ? QStringLiteral("Pin as baseline")
                                         : QStringLiteral("Unpin the baseline"));
    m_status->setText(makeStatusText(now.report, m_locale));
}

void MainWindow::refreshPage()
{
    m_pages->setInput(seen());
}

void MainWindow::refreshTitle()
{
    setWindowTitle(m_files.title() + QStringLiteral("[*] – Outlay"));
    setWindowModified(m_files.isUnsaved());
    QUndoStack& undo = m_document.undoStack();
    (*m_actions)[QStringLiteral("actionUndo")]->setEnabled(undo.canUndo());
    (*m_actions)[QStringLiteral("actionRedo")]->setEnabled(undo.canRedo());
}

void MainWindow::setPage(int index)
{
    m_pages->setCurrentIndex(index);
    m_topBar->setPage(index);
    // Folders are read when somebody wants to see them.
    if (index == m_commands->pageOf(QStringLiteral("trackPage")) && !m_track.isRead())
        m_programs->readTrack();
    if (index == m_commands->pageOf(QStringLiteral("hostsPage")) && !m_hosts.isRead())
        m_hosts.read();
    const bool isScaling = index == m_commands->pageOf(QStringLiteral("scalingPage"));
    m_traffic.setSeen(isScaling);
    m_document.setGrowthSeen(isScaling);
    refreshPage();
}

void MainWindow::show(const BarMessage& message)
{
    m_messages->show(message);
}

/// The one that has the focus in the designer.
void MainWindow::varyField()
{
    const FormField* field = m_designer->fieldAt(QApplication::focusWidget());
    if (field == nullptr || valuesToVary(*field).empty())
        return show({.text = QStringLiteral("Put the cursor into a number of the designer that has "
                                            "a slider, then vary it.")});
    showVaryDialog({*field, sessions()}, m_locale, *this);
}

/// Beside the window, which stays free: what is set is seen in it.
void MainWindow::showSettings()
{
    auto* dialog = findChild<SettingsDialog*>();
    if (dialog == nullptr) {
        dialog = new SettingsDialog({m_document, m_settings, *m_prices}, m_locale, this);
        connect(dialog, &SettingsDialog::changed, this, &MainWindow::applySettings);
        connect(dialog, &SettingsDialog::helpWanted, this, &MainWindow::showHelp);
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::showHelp()
{
    const int page = m_pages->currentIndex();
    const QString shown = page == 0 ? QString() : pages().at(static_cast<std::size_t>(page) - 1).id;
    showHelpAt(QApplication::focusWidget(), shown, *this);
}

void MainWindow::compareWith(std::vector<pricing::Compared> others)
{
    m_others.insert(m_others.end(), std::make_move_iterator(others.begin()),
                    std::make_move_iterator(others.end()));
    setPage(m_commands->pageOf(QStringLiteral("comparePage")));
}

void MainWindow::applySettings()
{
    const QPalette before = QApplication::palette();
    const auto theme = static_cast<ThemeChoice>(m_settings.value(setting::theme()));
    if (before != paletteFor(theme, m_platform))
        applyTheme(theme, m_platform);
    m_probe.setWorker(m_settings.value(setting::worker()));
    DisplayLocale locale = displayLocaleOf(m_settings);
    if (locale == m_locale)
        return;
    m_locale = std::move(locale);
    buildWork();
    refresh();
}

void MainWindow::connectPrices()
{
    connect(m_commands, &FileCommands::pricesMerged, this,
            [this] { m_prices->read(m_settings.value(setting::priceBook())); });
    connect(m_prices, &PriceSession::aboutToUse, this, [this](const pricing::Catalogs& next) {
        for (pricing::Compared& other : m_others)
            other.report = pricing::makeReport(other.experiment, next);
    });
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_commands->mayClose())
        return event->ignore();
    m_settings.set(setting::windowState(), saveGeometry());
    event->accept();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_actions != nullptr)
        m_actions->applyTheme(palette());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_commands->openAll(localFilesOf(*event->mimeData()));
}

} // namespace outlay::gui
