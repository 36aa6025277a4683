// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with runs of their own: measures a program, and attaches what a run took.
#pragma once

#include "gui/session/sessions.h"
#include "gui/widgets/message_bar.h"

namespace outlay::gui {

class ProgramCommands final : public QObject {
    Q_OBJECT
public:
    /// The locale is the window's, as it is then.
    ProgramCommands(const Sessions& sessions, const DisplayLocale& locale, QWidget& window);

    /// Asks what to run, and runs it.
    void ask();
    /// Asks what a run of the open experiment took, and attaches it.
    void attach();
    void chooseTrackFolder();
    /// The folder that was chosen last, as it is now.
    void readTrack();

Q_SIGNALS:
    void said(const outlay::gui::BarMessage& message);

private:
    void start(const ProgramRequest& request);
    void tellOfEnd();
    void take(const pricing::Actual& actual);

    bool m_wasUnsaved = false; // the open experiment
    Sessions m_sessions;
    const DisplayLocale& m_locale;
    QWidget& m_window; // that dialogs stand over
};

} // namespace outlay::gui
