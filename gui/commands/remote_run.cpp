// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/remote_run.h"

#include "core/base/text.h"
#include "core/launch/command_words.h"
#include "core/probe/measurements.h"
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

#include <functional>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr int MostGreetings = 50; // lines that a login there may say first
constexpr qsizetype LongestMessage = qsizetype{64} << 20;

/// The worker there, and what it says.
class RemoteRun final : public QObject {
public:
    using Hear = std::function<void(const core::ProgramMoment&)>;

    RemoteRun(const core::Profile& profile, const core::ProgramOrder& order, Hear hear)
        : m_profile(profile), m_hear(std::move(hear))
    {
        const core::LaunchSite site = launchSite();
        m_words = toQStrings(core::workerWords(
            profile, site, {"--program", "--lease", core::plainNumber(site.leaseSeconds)}));
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        ignoreInterrupts(m_process);
        whenEnded(&m_process, this, [] { EventLoop::end(); });
        connect(&m_process, &QProcess::readyReadStandardOutput, this, [this] { read(); });
        constexpr double Milli = 1000;
        constexpr double Often = 4; // within a lease
        m_ping.setInterval(static_cast<int>(Milli * site.leaseSeconds / Often));
        connect(&m_ping, &QTimer::timeout, this, [this] { m_process.write("\n"); });
        m_process.start(m_words.first(), m_words.mid(1));
        m_process.write(QByteArray::fromStdString(core::lineOf(order)));
        m_ping.start();
    }

    /// The program there is told to end, as by Ctrl+C.
    void stop()
    {
        m_ping.stop();
        m_process.closeWriteChannel();
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
    void read()
    {
        m_line += m_process.readAllStandardOutput();
        qsizetype start = 0;
        for (qsizetype end = m_line.indexOf('\n'); end >= 0; end = m_line.indexOf('\n', start)) {
            take(m_line.mid(start, end - start));
            start = end + 1;
        }
        m_line.remove(0, start);
        if (m_line.size() > LongestMessage)
            m_process.kill();
    }

    void take(const QByteArray& line)
    {
        if (m_end || line.isEmpty())
            return;
        auto message =
            core::readProgramMessage({line.constData(), static_cast<std::size_t>(line.size())});
        if (!message && !m_isHeard && ++m_greetings <= MostGreetings)
            return;
        if (!message) {
            m_end = core::ProgramFailed{message.error().what, message.error().remedy, {}};
            m_process.kill();
            return;
        }
        m_isHeard = true;
        if (const auto* moment = std::get_if<core::ProgramMoment>(&*message)) {
            m_hear(*moment);
            return;
        }
        if (auto* done = std::get_if<core::ProgramDone>(&*message))
            done->measurement =
                core::withHost(done->measurement, m_profile.name, m_profile.hourPriceUsd);
        m_end = std::move(*message);
        stop();
    }

    core::Profile m_profile;
    Hear m_hear;
    QStringList m_words;
    QProcess m_process;
    QTimer m_ping;
    QByteArray m_line; // what has come of the next message
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
