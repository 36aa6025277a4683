// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a worker for its name and lets it go: whether a measurement could be made with it.
#pragma once

#include "gui/session/probe_process.h"

namespace outlay::gui {

class WorkerCheck final : public QObject {
    Q_OBJECT
public:
    explicit WorkerCheck(QObject* parent);

    /// Empty: the one that is found without a setting. A check that still runs goes on.
    void start(const QString& worker);

Q_SIGNALS:
    /// A sentence either way.
    void finished(bool hasAnswered, const QString& sentence);

private:
    ProbeProcess m_process;
    QString m_answer; // empty until it has said who it is
};

} // namespace outlay::gui
