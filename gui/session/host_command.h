// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A short command that is asked of a host: run without the window waiting, with an end to its patience.
#pragma once

#include "core/base/result.h"
#include "core/launch/command_words.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <chrono>
#include <functional>

namespace outlay::gui {

/// What went wrong where a program on `host` ended before it had said anything of its own. `words`: as it was started.
struct HostFailure {
    QString host;
    QStringList words;
    int exitStatus = 0;
    QByteArray log; // standard error
    bool isNotStarted = false;
    bool hasGreeted = false;
};
[[nodiscard]] core::Error hostError(const HostFailure& failure);

class HostCommand final : public QObject {
public:
    using Answer = std::function<void(const core::Result<QByteArray>&)>;
    static constexpr std::chrono::seconds Patience{30};

    /// One `answer`, always, from the event loop: standard output, or why there is none. Deletes itself then. With its
    /// parent it goes unheard.
    static void run(QObject* parent, const QString& host, const core::Words& words,
                    const QByteArray& input, Answer answer);

    ~HostCommand() override;

private:
    HostCommand(QObject* parent, QString host, QStringList words, Answer answer);
    void end();

    QString m_host;
    QStringList m_words;
    Answer m_answer;
    QProcess* m_process; // may outlive this until it has ended
    QTimer m_patience;
    bool m_isTooSlow = false;
};

[[nodiscard]] QStringList toQStrings(const core::Words& words);

} // namespace outlay::gui
