// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/remote_run.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/launch/command_words.h"
#include "core/probe/measurements.h"
#include "core/program/lines.h"
#include "core/program/live_line.h"
#include "gui/commands/event_loop.h"
#include "gui/commands/experiment_file.h"
#include "gui/commands/interrupts.h"
#include "gui/session/child_process.h"
#include "gui/session/host_command.h"
#include "gui/session/launcher.h"
#include "gui/view/program_view.h"

#include <QProcess>
#include <QTimer>

#include <chrono>
#include <functional>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr int MostGreetings = 50; // lines that a login there may say first
// A program that is told to end may take its time, and is ended in the end.
constexpr std::chrono::seconds LongestEnding{40};

/// The worker there, and what it says.
class RemoteRun final : public QObject {
public:
    using Hear = std::function<void(const core::ProgramMoment&)>;

    RemoteRun(const core::Profile& profile, const core::ProgramOrder& order, Hear hear)
        : m_profile(profile), m_hasDesign(order.design.has_value()), m_hear(std::move(hear))
    {
        const core::LaunchSite site = launchSite();
        for (QTimer* timer : {&m_silence, &m_patience})
            timer->setSingleShot(true);
        m_silence.setInterval(inMilliseconds(site.silenceSeconds));
        connect(&m_silence, &QTimer::timeout, this, [this, site] {
            leave(QStringLiteral("the worker has been silent for %1 s").arg(site.silenceSeconds));
        });
        connect(&m_patience, &QTimer::timeout, this,
                [this] { leave(QStringLiteral("the worker didn't end when it was told to")); });
        m_words = toQStrings(core::workerWords(
            profile, site, {"--program", "--lease", core::plainNumber(site.leaseSeconds)}));
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        ignoreInterrupts(m_process);
        whenEnded(&m_process, this, [] { EventLoop::end(); });
        connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] { read(); });
        constexpr double Often = 4; // within a lease
        m_ping.setInterval(inMilliseconds(site.leaseSeconds / Often));
        connect(&m_ping, &QTimer::timeout, this, [this] { m_process.write("\n"); });
        m_process.start(m_words.first(), m_words.mid(1));
        m_process.write(QByteArray::fromStdString(core::lineOf(order)));
        m_ping.start();
        m_silence.start();
    }

    /// The program there is told to end, as by Ctrl+C.
    void stop()
    {
        m_ping.stop();
        m_process.closeWriteChannel();
        m_patience.start(LongestEnding);
    }

    /// After the event loop has ended: the last word, or why there is none.
    [[nodiscard]] core::Result<core::ProgramMessage> end()
    {
        read();
        if (m_end)
            return *m_end;
        const bool isHeard = m_isHeard;
        if (isHeard)
            return tl::unexpected<core::Error>(
                core::Error{core::ErrorCode::Measurement,
                            "the connection ended before the program had",
                            "try again",
                            {},
                            m_profile.name});
        return tl::unexpected<core::Error>(
            hostError({.host = QString::fromStdString(m_profile.name),
                       .words = m_words,
                       .exitStatus = m_process.exitCode(),
                       .log = {},
                       .isNotStarted = m_process.error() == QProcess::FailedToStart,
                       .hasGreeted = m_greetings > 0}));
    }

private:
    static std::chrono::milliseconds inMilliseconds(double seconds)
    {
        return std::chrono::round<std::chrono::milliseconds>(
            std::chrono::duration<double>(seconds));
    }

    void read()
    {
        const QByteArray bytes = m_process.readAllStandardOutput();
        m_lines.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())},
                     [this](std::string_view line) { take(line); });
    }

    void take(std::string_view line)
    {
        if (m_end || line.empty())
            return;
        auto message = core::readProgramMessage(line);
        if (!message && !m_isHeard && ++m_greetings <= MostGreetings)
            return;
        if (!message) {
            m_end = core::ProgramFailed{message.error().what, message.error().remedy, {}};
            m_process.kill();
            return;
        }
        m_isHeard = true;
        m_silence.start();
        if (const auto* moment = std::get_if<core::ProgramMoment>(&*message)) {
            m_hear(*moment);
            return;
        }
        m_end = std::move(*message);
        if (auto* done = std::get_if<core::ProgramDone>(&*m_end); done != nullptr && m_hasDesign)
            receive(*done);
        stop();
    }

    /// What can't be read is no measurement, whatever it was called there.
    void receive(core::ProgramDone& done)
    {
        auto received = core::receivedMeasurement(done.measurement, core::nowUtc());
        if (received)
            done.measurement = core::withHost(*received, m_profile.name, m_profile.hourPriceUsd);
        else
            m_end = core::ProgramFailed{received.error().what, received.error().remedy, {}};
    }

    void leave(const QString& what)
    {
        m_end = core::ProgramFailed{
            what.toStdString(), "see by hand, with ssh, what keeps that machine busy", {}};
        m_process.kill();
    }

    core::Profile m_profile;
    bool m_hasDesign;
    Hear m_hear;
    QStringList m_words;
    QProcess m_process;
    QTimer m_ping;
    QTimer m_silence;
    QTimer m_patience;
    core::Lines m_lines{"\n", core::LongestProgramMessage};
    int m_greetings = 0;
    bool m_isHeard = false;
    std::optional<core::ProgramMessage> m_end;
};

/// Until the worker there has ended; asked for the end, it is told so.
core::Result<core::ProgramMessage> watch(RemoteRun& run, const std::function<bool()>& isAskedToEnd)
{
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &run, [&] {
        if (!isAskedToEnd())
            return;
        poll.stop();
        run.stop();
    });
    poll.start(Interrupts::PollMs);
    EventLoop::run();
    return run.end();
}

/// Now and then, and more and more seldom: a line of how far it is.
class Teller {
public:
    Teller(const core::ProgramOrder& order, std::ostream& err)
        : m_live(requestOf(order)), m_err(err)
    {
    }

    void hear(const core::ProgramMoment& moment)
    {
        m_live.add(moment);
        if (moment.seconds < m_nextS)
            return;
        m_nextS = 2 * moment.seconds;
        m_err << "\noutlay: " << view().phase.toStdString() << '\n' << std::flush;
    }

    /// All that it has let see.
    void tellAll() const
    {
        if (m_live.now() == nullptr)
            return;
        const LiveProgramView all = view();
        m_err << "\noutlay: it has ended; what was seen of it:\n";
        for (const std::vector<TableCell>& row : all.figures.rows)
            m_err << "  " << row[0].text.toStdString() << ": " << row[1].text.toStdString() << '\n';
        m_err << std::flush;
    }

private:
    [[nodiscard]] LiveProgramView view() const
    {
        return makeLiveProgramView(m_live, DisplayLocale{commandLocale()});
    }
    static ProgramRequest requestOf(const core::ProgramOrder& order)
    {
        ProgramRequest request{.seconds = order.seconds,
                               .steps = order.steps,
                               .isWhole = order.isWhole,
                               .ofSteps = order.ofSteps};
        for (const std::string& word : order.command)
            request.command.push_back(QString::fromStdString(word));
        return request;
    }

    LiveProgram m_live;
    std::ostream& m_err;
    double m_nextS = 10;
};

} // namespace

core::Result<core::ProgramMessage> runProgramOn(const core::Profile& profile,
                                                const core::ProgramOrder& order,
                                                const Streams& streams)
{
    const EventLoop loop;
    const Interrupts interrupts;
    Teller teller(order, streams.err);
    streams.err << "outlay: running `" << order.command.front() << "` on " << profile.name << '\n'
                << std::flush;
    RemoteRun run(profile, order, [&](const core::ProgramMoment& moment) { teller.hear(moment); });
    auto end = watch(run, [] { return Interrupts::wasAsked(); });
    if (!order.design)
        teller.tellAll();
    return end;
}

int runLiveOn(const core::Profile& profile, const core::ProgramOrder& order)
{
    const EventLoop loop;
    const core::LiveLine line;
    RemoteRun run(profile, order, [&](const core::ProgramMoment& moment) { line.say(moment); });
    const auto end = watch(run, [&] { return line.isClosed(); });
    line.say(
        end ? *end
            : core::ProgramFailed{profile.name + ": " + end.error().what, end.error().remedy, {}});
    return 0;
}

} // namespace outlay::gui
