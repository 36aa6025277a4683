// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/session/child_process.h"

#include <QCoreApplication>

#include <csignal>

namespace outlay::gui {

void whenEnded(QProcess* process, QObject* receiver, const std::function<void()>& ended)
{
    QObject::connect(process, &QProcess::finished, receiver, ended);
    QObject::connect(
        process, &QProcess::errorOccurred, receiver,
        [ended](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                ended();
        },
        Qt::QueuedConnection);
}

void killUnheard(QProcess* process, QObject* owner)
{
    process->disconnect(owner);
    if (process->state() == QProcess::NotRunning)
        return;
    // Killed it can't go on; the program itself collects what is left of it.
    process->setParent(QCoreApplication::instance());
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

void ignoreInterrupts(QProcess& process)
{
    process.setChildProcessModifier([] { std::signal(SIGINT, SIG_IGN); });
}

} // namespace outlay::gui
