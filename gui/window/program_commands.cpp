// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/program_commands.h"

#include "gui/view/format.h"
#include "gui/window/attach_dialog.h"
#include "gui/window/program_dialog.h"

#include <QFileDialog>

#include <utility>

namespace outlay::gui {

ProgramCommands::ProgramCommands(const Sessions& sessions, const DisplayLocale& locale,
                                 QWidget& window)
    : QObject(&window), m_sessions(sessions), m_locale(locale), m_window(window)
{
    tellOfEnd();
    // What was attached to the open one is in its file then.
    connect(&m_sessions.files, &FileSession::changed, this, [this] {
        const bool wasUnsaved = std::exchange(m_wasUnsaved, m_sessions.files.isUnsaved());
        if (wasUnsaved && !m_wasUnsaved && m_sessions.track.isRead())
            readTrack();
    });
}

void ProgramCommands::ask()
{
    if (!m_sessions.hosts.isRead())
        m_sessions.hosts.read();
    std::vector<core::Profile> hosts;
    for (const HostEntry& entry : m_sessions.hosts.list().hosts)
        hosts.push_back(entry.profile);
    auto* dialog = new ProgramDialog(m_sessions.settings, hosts, m_locale, &m_window);
    connect(dialog, &ProgramDialog::wanted, this, &ProgramCommands::start);
    dialog->open();
}

void ProgramCommands::start(const ProgramRequest& request)
{
    if (m_sessions.isMeasuring()) {
        Q_EMIT said({.kind = BarMessage::Kind::Warning,
                     .text = QStringLiteral("A measurement is running, and two would disturb each "
                                            "other: stop it, or wait for its end.")});
        return;
    }
    m_sessions.program.start(request);
}

void ProgramCommands::tellOfEnd()
{
    ProgramSession& program = m_sessions.program;
    connect(&program, &ProgramSession::done, this,
            [this](const QString& failure, const QString& log) {
                if (!failure.isEmpty())
                    Q_EMIT said({.kind = BarMessage::Kind::Warning,
                                 .text = QStringLiteral("The program: %1; what was seen until then "
                                                        "is kept.")
                                             .arg(failure),
                                 .details = log});
            });
    connect(&program, &ProgramSession::dropped, this, [this] {
        Q_EMIT said({.text = QStringLiteral("The program was ended, and nothing of its measurement "
                                            "kept: another experiment is open.")});
    });
    connect(&program, &ProgramSession::failed, this,
            [this](const QString& sentence, const QString& log) {
                Q_EMIT said({.kind = BarMessage::Kind::Error,
                             .text = sentence,
                             .details = log,
                             .actionText = QStringLiteral("Try again"),
                             .action = [this] { ask(); }});
            });
}

void ProgramCommands::attach()
{
    auto* dialog = new AttachDialog(m_sessions.document, &m_window);
    connect(dialog, &AttachDialog::read, this, &ProgramCommands::take);
    dialog->open();
}

void ProgramCommands::take(const pricing::Actual& actual)
{
    auto with = withActual(m_sessions.document.experiment(), actual);
    if (!with)
        return;
    m_sessions.document.replace(std::move(*with), QStringLiteral("what it took"));
    Q_EMIT said({.text = QStringLiteral("What %1 kept of the run is attached; save the experiment "
                                        "to have it in the track record.")
                             .arg(toQString(actual.kind)),
                 .details = actualText(actual, m_locale)});
}

void ProgramCommands::chooseTrackFolder()
{
    auto* dialog = new QFileDialog(&m_window, QStringLiteral("Choose a folder of experiments"),
                                   m_sessions.settings.value(setting::trackFolder()));
    dialog->setObjectName(QStringLiteral("trackFolderDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        m_sessions.settings.set(setting::trackFolder(), folder);
        readTrack();
    });
    dialog->open();
}

void ProgramCommands::readTrack()
{
    m_sessions.track.read(m_sessions.settings.value(setting::trackFolder()));
}

} // namespace outlay::gui
