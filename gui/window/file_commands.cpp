// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/file_commands.h"

#include "core/experiment/cost_analysis.h"
#include "core/experiment/presets.h"
#include "gui/panels/panel.h"
#include "gui/session/price_book_file.h"
#include "gui/view/edit.h"
#include "gui/view/format.h"
#include "gui/window/actions.h"
#include "gui/window/goal_dialog.h"
#include "gui/window/import_dialog.h"

#include <QAbstractButton>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>

#include <algorithm>

namespace outlay::gui {
namespace {

QString joinedSentences(const std::vector<std::string>& sentences)
{
    QString text;
    for (const std::string& sentence : sentences)
        text += toQString(sentence) + QLatin1Char('\n');
    return text;
}

QString countedText(qsizetype count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(count);
}

} // namespace

FileCommands::FileCommands(const Sessions& sessions, QWidget& window)
    : QObject(&window), m_sessions(sessions), m_window(window),
      m_presets(new QMenu(QStringLiteral("New from preset"), &window)),
      m_recent(new QMenu(QStringLiteral("Recent"), &window))
{
    m_presets->setObjectName(QStringLiteral("presetMenu"));
    m_recent->setObjectName(QStringLiteral("recentMenu"));
    connect(m_recent, &QMenu::aboutToShow, this, &FileCommands::fillRecent);
    fillPresets();
    fillRecent();
    connectDisk();
}

void FileCommands::connectDisk()
{
    connect(&m_sessions.files, &FileSession::changedOnDisk, this, [this] {
        m_saidOfDisk =
            QStringLiteral("%1 was changed by another program.").arg(m_sessions.files.title());
        Q_EMIT said({.kind = BarMessage::Kind::Warning,
                     .text = m_saidOfDisk,
                     .actionText = QStringLiteral("Read it again"),
                     .action = [this] { openAll({m_sessions.files.path()}); }});
    });
    connect(&m_sessions.files, &FileSession::goneFromDisk, this, [this] {
        m_saidOfDisk = QStringLiteral("%1 was deleted or moved by another program; what it held is "
                                      "still open here.")
                           .arg(m_sessions.files.title());
        Q_EMIT said({.kind = BarMessage::Kind::Warning,
                     .text = m_saidOfDisk,
                     .actionText = QStringLiteral("Save it again"),
                     .action = [this] { save(); }});
    });
}

int FileCommands::pageOf(const QString& id) const
{
    const auto& all = pages();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const PanelRow& row) { return row.id == id; });
    return found == all.end() ? 0 : static_cast<int>(found - all.begin()) + 1;
}

void FileCommands::fillPresets()
{
    const auto& all = core::presets();
    if (!all)
        return;
    for (const core::Preset& preset : *all) {
        QAction* action = m_presets->addAction(toQString(preset.experiment.name));
        action->setToolTip(toQString(preset.summary));
        connect(action, &QAction::triggered, this,
                [this, id = toQString(preset.id)] { start(id); });
    }
}

void FileCommands::fillRecent()
{
    m_recent->clear();
    for (const QString& path : m_sessions.settings.value(setting::recent())) {
        QAction* action = m_recent->addAction(QDir::toNativeSeparators(path));
        connect(action, &QAction::triggered, this, [this, path] { openAll({path}); });
    }
    m_recent->setEnabled(!m_recent->isEmpty());
}

void FileCommands::start(const QString& presetId)
{
    const auto preset = core::preset(presetId.toStdString());
    if (!preset)
        return;
    const std::string place = m_sessions.settings.value(setting::place()).toStdString();
    core::Experiment experiment = withPlace(preset->experiment, place);
    // A design that was measured or worked on is kept within reach of undo.
    m_sessions.document.replace(std::move(experiment), QStringLiteral("the preset"));
}

void FileCommands::choosePreset()
{
    m_presets->popup(m_window.mapToGlobal(QPoint(0, 0)));
}

void FileCommands::askForGoal()
{
    const Document& open = m_sessions.document;
    auto* dialog = new GoalDialog(open.experiment(), open.catalogs(),
                                  displayLocaleOf(m_sessions.settings), &m_window);
    connect(dialog, &GoalDialog::chosen, this, [this](core::Experiment experiment) {
        Document& document = m_sessions.document;
        // One may have been measured meanwhile.
        if (experiment.model == document.experiment().model)
            experiment.measurements = document.experiment().measurements;
        document.replace(std::move(experiment), QStringLiteral("the goal"));
    });
    dialog->open();
}

void FileCommands::importPrices()
{
    const QString own = m_sessions.settings.value(setting::priceBook());
    auto* dialog = new ImportDialog(own.isEmpty() ? usualPricesPath() : own.toStdString(),
                                    m_sessions.document.catalogs(),
                                    displayLocaleOf(m_sessions.settings), &m_window);
    connect(dialog, &ImportDialog::merged, this, &FileCommands::pricesMerged);
    dialog->open();
}

void FileCommands::open()
{
    auto* dialog = new QFileDialog(&m_window, QStringLiteral("Open experiments or model configs"));
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({QStringLiteral("Experiments and models (*.json *.safetensors)"),
                            QStringLiteral("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &FileCommands::openAll);
    dialog->open();
}

void FileCommands::openAll(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    whenSafe([this, paths] { openNow(paths); });
}

void FileCommands::chooseOthers()
{
    auto* dialog = new QFileDialog(&m_window, QStringLiteral("Open experiments to compare with"));
    dialog->setObjectName(QStringLiteral("compareDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({QStringLiteral("Experiments and cost analyses (*.json)"),
                            QStringLiteral("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &FileCommands::compareAll);
    dialog->open();
}

void FileCommands::compareAll(const QStringList& paths)
{
    std::vector<pricing::Compared> others;
    QStringList broken;
    for (const QString& path : paths) {
        const std::string file = path.toStdString();
        auto reading = core::loadAnyExperiment(file);
        if (!reading) {
            broken.append(toQString(reading.error().sentence()));
            continue;
        }
        pricing::Report report =
            pricing::makeReport(reading->experiment, m_sessions.document.catalogs());
        others.push_back({QFileInfo(path).fileName().toStdString(), std::move(reading->experiment),
                          std::move(report)});
    }
    if (!broken.isEmpty())
        Q_EMIT said({.kind = BarMessage::Kind::Error,
                     .text = broken.first(),
                     .details = broken.mid(1).join(QLatin1Char('\n'))});
    if (!others.empty())
        Q_EMIT othersOpened(others);
}

void FileCommands::openNow(const QStringList& paths)
{
    QStringList broken;
    QStringList sound;
    QString notes;
    for (const QString& path : paths) {
        const auto opened = m_sessions.files.open(path);
        if (!opened) {
            broken.append(toQString(opened.error().sentence()));
            if (!QFileInfo::exists(path))
                m_sessions.settings.removeRecent(path);
            continue;
        }
        notes += joinedSentences(*opened);
        sound.append(path);
        m_sessions.settings.addRecent(QFileInfo(path).absoluteFilePath());
        Q_EMIT retracted(m_saidOfDisk);
    }
    fillRecent();
    // The last one is worked on, the others stand beside it.
    if (sound.size() > 1)
        compareAll(sound.mid(0, sound.size() - 1));
    if (!broken.isEmpty()) {
        Q_EMIT said({.kind = BarMessage::Kind::Error,
                     .text = broken.first(),
                     .details = (broken.mid(1) + QStringList(notes)).join(QLatin1Char('\n'))});
    } else if (!notes.isEmpty()) {
        const qsizetype count = notes.count(QLatin1Char('\n'));
        Q_EMIT said({.kind = BarMessage::Kind::Info,
                     .text = countedText(count, notes.trimmed(),
                                         QStringLiteral("The file was read with %1 remarks.")),
                     .details = count == 1 ? QString() : notes});
    }
}

void FileCommands::save()
{
    if (m_sessions.files.path().isEmpty())
        saveAs();
    else
        saveTo(m_sessions.files.path(), {});
}

void FileCommands::saveAs()
{
    saveAs({});
}

void FileCommands::saveAs(const std::function<void()>& then)
{
    auto* dialog = new QFileDialog(&m_window, QStringLiteral("Save the experiment"));
    dialog->setObjectName(QStringLiteral("saveDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->setNameFilter(QStringLiteral("Experiments (*.json)"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, then](const QString& path) { saveTo(path, then); });
    dialog->open();
}

void FileCommands::duplicate()
{
    // Work without a file lives on in the copy as it is.
    if (m_sessions.files.path().isEmpty())
        m_sessions.files.duplicate();
    else
        whenSafe([this] { m_sessions.files.duplicate(); });
}

void FileCommands::saveTo(const QString& path, const std::function<void()>& then)
{
    const auto saved = m_sessions.files.saveAs(path);
    if (!saved) {
        Q_EMIT said({.kind = BarMessage::Kind::Error,
                     .text = toQString(saved.error().sentence()),
                     .actionText = QStringLiteral("Save elsewhere"),
                     .action = [this, then] { saveAs(then); }});
        return;
    }
    m_sessions.settings.addRecent(m_sessions.files.path());
    Q_EMIT retracted(m_saidOfDisk);
    if (then)
        then();
}

void FileCommands::answer(Actions& actions)
{
    const auto on = [&](const char* id, void (FileCommands::*does)()) {
        connect(actions[QLatin1String(id)], &QAction::triggered, this, does);
    };
    on("actionNew", &FileCommands::choosePreset);
    on("actionGoal", &FileCommands::askForGoal);
    on("actionImport", &FileCommands::importPrices);
    on("actionOpen", &FileCommands::open);
    on("actionSave", &FileCommands::save);
    on("actionSaveAs", qOverload<>(&FileCommands::saveAs));
    on("actionDuplicate", &FileCommands::duplicate);
}

void FileCommands::offerRecovery()
{
    const auto lost = m_sessions.files.recovery().findLostWork();
    if (!lost)
        return;
    Q_EMIT said({.kind = BarMessage::Kind::Warning,
                 .text = QStringLiteral("Unsaved work of '%1' was kept when Outlay ended "
                                        "unexpectedly.")
                             .arg(toQString(lost->experiment.name)),
                 .actionText = QStringLiteral("Recover it"),
                 .action = [this, work = *lost] { m_sessions.files.restore(work); }});
}

void FileCommands::tellOfPrices(const std::string& problem)
{
    QStringList sentences;
    if (!problem.empty())
        sentences.append(toQString(problem));
    for (const std::string& change : changedPrices(userPricesPath()))
        sentences.append(toQString(change));
    if (!sentences.isEmpty())
        Q_EMIT said({.kind = BarMessage::Kind::Warning, .text = sentences.join(QLatin1Char(' '))});
}

void FileCommands::whenMeasured(const std::function<void()>& then)
{
    const bool isProgram = m_sessions.program.isRunning();
    if (!m_sessions.isMeasuring() || m_sessions.hosts.goesOnAlone())
        return then();
    auto* box = new QMessageBox(
        QMessageBox::Question, QStringLiteral("A measurement is running"),
        isProgram ? QStringLiteral("Your program would be ended as by Ctrl+C, and nothing of the "
                                   "measurement kept.")
        : m_sessions.hosts.isRunning() && m_sessions.hosts.counts().measured > 0
            ? QStringLiteral("It would be stopped; what has been measured until now is kept.")
            : QStringLiteral("It would be stopped, and nothing of it kept."),
        QMessageBox::NoButton, &m_window);
    box->setObjectName(QStringLiteral("measuringQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* stop =
        box->addButton(QStringLiteral("Stop the measurement"), QMessageBox::AcceptRole);
    box->setDefaultButton(
        box->addButton(QStringLiteral("Go on measuring"), QMessageBox::RejectRole));
    connect(box, &QMessageBox::buttonClicked, this, [stop, then](const QAbstractButton* button) {
        if (button == static_cast<const QAbstractButton*>(stop))
            then();
    });
    box->open();
}

void FileCommands::whenSafe(const std::function<void()>& then)
{
    whenMeasured([this, then] { whenSaved(then); });
}

void FileCommands::whenSaved(const std::function<void()>& then)
{
    if (!m_sessions.files.isUnsaved())
        return then();
    auto* box = new QMessageBox(
        QMessageBox::Question, QStringLiteral("Unsaved work"),
        QStringLiteral("%1 has changes that aren't saved.").arg(m_sessions.files.title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
    box->setObjectName(QStringLiteral("unsavedQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this, [this, box, then](QAbstractButton* button) {
        const auto answer = box->standardButton(button);
        if (answer == QMessageBox::Discard)
            then();
        else if (answer == QMessageBox::Save && m_sessions.files.path().isEmpty())
            saveAs(then);
        else if (answer == QMessageBox::Save)
            saveTo(m_sessions.files.path(), then);
    });
    box->open();
}

bool FileCommands::mayClose()
{
    if (m_mayClose || !(m_sessions.files.isUnsaved() || m_sessions.isMeasuring()))
        return true;
    whenSafe([this] {
        m_mayClose = true;
        m_window.close();
    });
    return false;
}

QStringList localFilesOf(const QMimeData& dropped)
{
    QStringList paths;
    for (const QUrl& url : dropped.urls()) {
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    }
    return paths;
}

} // namespace outlay::gui
