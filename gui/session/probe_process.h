// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a worker and turns what it says into signals; whatever it does, exactly one `finished` follows
// each `start`, and no process is left.
#pragma once

#include "core/probe/job.h"
#include "core/probe/message.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <chrono>

namespace outlay::gui {

struct ProbeOutcome {
    enum class Kind { Done, Failed, Cancelled };
    Kind kind = Kind::Failed;
    core::Json measurement; // of Done
    core::Error error;      // of Failed
    bool isLost = false;    // of Failed: nobody knows what has become of the job
    QByteArray log;         // the end of what the worker wrote to standard error
};

/// A worker on another machine, or one with options.
struct WorkerStart {
    QStringList words;
    QString host; // as a person calls it; empty for this machine
    /// Beside the job: it has to hear something now and then.
    bool hasLease = false;
    QByteArray job; // a line; empty: the plain one
};

class ProbeProcess final : public QObject {
    Q_OBJECT
public:
    /// Before the next, harder way of stopping.
    static constexpr std::chrono::milliseconds Patience{2000};

    explicit ProbeProcess(QObject* parent = nullptr);
    /// Kills a running worker. While there is an event loop nothing waits for its end, and without one the program does.
    ~ProbeProcess() override;

    /// Only while it isn't running.
    void start(const core::Job& job);
    void start(const core::Job& job, const WorkerStart& how);
    /// Asks, then insists: over in half a second normally, in four and a half at worst; done where enough was
    /// measured until then.
    void cancel();
    /// What it has asked for, of others that train with it.
    void answer(const core::Kept& kept);
    [[nodiscard]] bool isRunning() const { return m_state != State::Idle; }

    [[nodiscard]] qint64 processId() const { return m_process->processId(); }

    /// How long a worker may say nothing; it beats once a second.
    void setLongestSilence(std::chrono::milliseconds silence) { m_watchdog.setInterval(silence); }
    /// How long it may beat and not come on: longer than any step.
    void setLongestStandstill(std::chrono::milliseconds time) { m_standstill.setInterval(time); }

    /// The worker that the user has chosen; empty: the one that belongs to this program.
    void setWorker(const QString& path) { m_worker = path; }
    /// Where the worker is: OUTLAY_PROBE, or what was chosen, or a path relative to this program; empty
    /// if there is none.
    [[nodiscard]] static QString findWorker(const QString& chosen = {});

Q_SIGNALS:
    void answered(const outlay::core::Hello& hello);
    void progressed(const outlay::core::Progress& progress);
    void sampled(const outlay::core::Sample& sample);
    void tried(const outlay::core::VariantMeasurement& variant);
    void warned(const QString& text);
    /// What others that train with it have to know, or its wish for that.
    void kept(const outlay::core::Kept& kept);
    void finished(const outlay::gui::ProbeOutcome& outcome);

private:
    enum class State { Idle, Starting, Running, Stopping };

    void readOutput();
    void readLog();
    void handleLine(const QByteArray& line);
    void handleMessage(const core::Message& message);
    void handleProgress(const core::Progress& progress);
    void handleSample(core::Sample sample);
    void handleWarning(const core::ProbeWarning& warning);
    [[nodiscard]] bool isFlood();
    /// What the shell of another machine says before the worker does.
    [[nodiscard]] bool isGreeting(bool isHello);
    [[nodiscard]] core::Error errorOfEnd() const;
    [[nodiscard]] core::Error errorOfHost() const;
    void insist();
    void processEnded();
    void fail(const QString& what, const QString& remedy);
    /// The only place that ends a run.
    void finish(ProbeOutcome outcome);

    QProcess* m_process; // outlives this until it has ended
    QString m_worker;
    QTimer m_watchdog;   // restarted by every message
    QTimer m_standstill; // restarted by all but a heartbeat
    QTimer m_lease;      // says that somebody is still there
    QTimer m_patience;   // between asking a worker to stop and insisting
    State m_state = State::Idle;
    QString m_host;
    QStringList m_program; // that was started
    int m_greetings = 0;
    QByteArray m_line; // not yet complete
    QByteArray m_log;
    QElapsedTimer m_second; // in which messages are counted
    int m_messages = 0;
    int m_warnings = 0;
    core::Progress m_progress;             // the last one
    bool m_isCancelled = false;            // was asked to stop
    bool m_hasTerminated = false;          // SIGTERM was sent
    std::optional<ProbeOutcome> m_outcome; // known, and the process has still to end
};

} // namespace outlay::gui
