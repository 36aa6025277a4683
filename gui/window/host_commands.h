// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with other machines: asked for on their page, told in the window.
#pragma once

#include "gui/session/sessions.h"
#include "gui/widgets/message_bar.h"

namespace outlay::gui {

class HostCommands final : public QObject {
    Q_OBJECT
public:
    HostCommands(const Sessions& sessions, QObject* parent);

    void measure(std::size_t host);
    void measureAgain();

Q_SIGNALS:
    void said(const outlay::gui::BarMessage& message);

private:
    Sessions m_sessions;
    std::string m_last; // that was measured on
};

} // namespace outlay::gui
