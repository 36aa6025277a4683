// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A person's program, measured for the document: `outlay run` runs it as a process of its own and says what it sees, and
// the result becomes part of the experiment as one step of undo.
#pragma once

#include "core/program/lines.h"
#include "gui/session/document.h"
#include "gui/view/program_view.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

namespace outlay::gui {

class ProgramSession final : public QObject {
    Q_OBJECT
public:
    explicit ProgramSession(Document& document, QObject* parent = nullptr);
    /// What runs is told to end, politely, and is waited for by nobody.
    ~ProgramSession() override;

    void start(const ProgramRequest& request);
    /// Ends the program as by Ctrl+C; what was seen until then is kept.
    void stop();
    [[nodiscard]] bool isRunning() const { return m_live.has_value(); }
    /// Null while none runs.
    [[nodiscard]] const LiveProgram* live() const { return m_live ? &*m_live : nullptr; }
    /// Of the last one.
    [[nodiscard]] const std::optional<ProgramRequest>& request() const { return m_request; }

Q_SIGNALS:
    void started();
    void progressed(); // a few times a second at most
    /// With the program's own failure, if it had one; what it printed last.
    void done(const QString& failure, const QString& log);
    void dropped(); // another experiment is open
    void failed(const QString& sentence, const QString& log);
    void over(); // after each of these

private:
    void listenTo(QProcess& process);
    void readMessages();
    void readOutput();
    void take(std::string_view line);
    void fail(const core::Error& error);
    void processEnded();
    void finish();

    Document& m_document;
    QProcess* m_process = nullptr;           // while one runs
    std::unique_ptr<QTemporaryDir> m_folder; // of the experiment as it was when it began
    QTimer m_pace;                           // collects what comes in a burst
    core::Lines m_lines{"\n", core::LongestProgramMessage};
    std::optional<LiveProgram> m_live;
    std::optional<ProgramRequest> m_request;
    std::optional<core::ProgramMessage> m_end;
    bool m_isOrphaned = false; // its experiment is no longer open
};

} // namespace outlay::gui
