// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/host_commands.h"

namespace outlay::gui {

HostCommands::HostCommands(const Sessions& sessions, QObject* parent)
    : QObject(parent), m_sessions(sessions)
{
    connect(&m_sessions.hosts, &HostsSession::failed, this, [this](const QString& sentence) {
        BarMessage message{.kind = BarMessage::Kind::Error, .text = sentence};
        if (m_sessions.hosts.counts().jobs <= 1) { // of several, who asked for them asks again
            message.actionText = QStringLiteral("Try again");
            message.action = [this] { measureAgain(); };
        }
        Q_EMIT said(message);
    });
    connect(&m_sessions.hosts, &HostsSession::warned, this, [this](const QString& text) {
        Q_EMIT said({.kind = BarMessage::Kind::Warning, .text = text});
    });
    connect(&m_sessions.hosts, &HostsSession::dropped, this, [this] {
        Q_EMIT said({.text = QStringLiteral("The measurement was cancelled; nothing was stored.")});
    });
}

/// Wherever it stands in the list by now.
void HostCommands::measureAgain()
{
    const auto& hosts = m_sessions.hosts.list().hosts;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        if (hosts[host].profile.name == m_last)
            return measure(host);
    }
}

void HostCommands::measure(std::size_t host)
{
    if (host >= m_sessions.hosts.list().hosts.size())
        return;
    if (m_sessions.isMeasuring()) {
        Q_EMIT said({.kind = BarMessage::Kind::Warning,
                     .text = QStringLiteral("A measurement is running: stop it, or wait for its "
                                            "end.")});
        return;
    }
    m_last = m_sessions.hosts.list().hosts.at(host).profile.name;
    m_sessions.hosts.measure(host, m_sessions.settings.value(setting::probeSeconds()));
}

} // namespace outlay::gui
