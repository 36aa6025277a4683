// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What every program that is started from here has in common.
#pragma once

#include <QProcess>

#include <functional>

namespace outlay::gui {

/// Calls `ended` when it has ended or couldn't be started; never from inside of start(), where the caller doesn't listen
/// yet.
void whenEnded(QProcess* process, QObject* receiver, const std::function<void()>& ended);

/// Kills one that its owner, which goes, has as a child. While there is an event loop nothing waits for its end, and
/// without one the program does.
void killUnheard(QProcess* process, QObject* owner);

/// The keys of a terminal reach every program that was started from it; who started this one says when it ends.
void ignoreInterrupts(QProcess& process);

} // namespace outlay::gui
