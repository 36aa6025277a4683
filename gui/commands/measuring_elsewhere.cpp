// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/measuring_elsewhere.h"

#include "core/base/text.h"
#include "gui/commands/event_loop.h"
#include "gui/commands/interrupts.h"
#include "gui/commands/measuring.h"
#include "gui/view/hosts_text.h"

#include <QTimer>

#include <chrono>
#include <optional>
#include <ostream>
#include <unistd.h>

namespace outlay::gui {
namespace {

/// One line that is written over, where a person watches.
class LaunchLine {
public:
    explicit LaunchLine(std::ostream& err) : m_err(err), m_isTerminal(::isatty(STDERR_FILENO) == 1)
    {
    }

    void show(const LaunchCounts& state)
    {
        if (!m_isTerminal)
            return;
        m_err << "\r\x1b[K" << launchText(state).toStdString() << std::flush;
        m_isShown = true;
    }
    void clear()
    {
        if (std::exchange(m_isShown, false))
            m_err << "\r\x1b[K" << std::flush;
    }

private:
    std::ostream& m_err;
    bool m_isTerminal;
    bool m_isShown = false;
};

/// Results between their arrival and the file, which takes the longer to write the more it holds.
class Inbox {
public:
    explicit Inbox(const ElsewhereHandlers& handlers) : m_handlers(handlers) {}

    void add(const core::Json& measurement) { m_waiting.push_back(measurement); }
    /// Storing takes a twentieth of the time at most.
    [[nodiscard]] core::Result<void> storeIfDue()
    {
        constexpr int Rest = 20;
        return Clock::now() - m_stored < Rest * m_took ? core::Result<void>() : store();
    }
    [[nodiscard]] core::Result<void> store()
    {
        if (m_waiting.empty())
            return {};
        const auto start = Clock::now();
        const auto outcome = m_handlers.store(std::exchange(m_waiting, {}));
        m_stored = Clock::now();
        m_took = m_stored - start;
        return outcome;
    }

private:
    using Clock = std::chrono::steady_clock;
    const ElsewhereHandlers& m_handlers;
    std::vector<core::Json> m_waiting;
    Clock::time_point m_stored;
    Clock::duration m_took{};
};

} // namespace

core::Result<std::vector<core::Profile>> profilesOf(const Arguments& arguments)
{
    std::vector<core::Profile> profiles;
    const auto names = arguments.value(OnOption.name);
    if (!names)
        return profiles;
    for (const std::string& name : core::split(*names, ',')) {
        auto profile = core::loadProfile(name, profileFolder());
        if (!profile)
            return core::failureOf(profile);
        profiles.push_back(std::move(*profile));
    }
    return profiles;
}

std::vector<std::string> namesOf(const std::vector<core::Profile>& profiles)
{
    std::vector<std::string> names;
    for (const core::Profile& profile : profiles)
        names.push_back(profile.name);
    return names;
}

core::Result<void> measureElsewhere(const std::vector<core::Profile>& profiles,
                                    std::vector<core::Job> jobs, Reuse reuse, Joining joining,
                                    const ElsewhereHandlers& handlers, const Streams& streams)
{
    const EventLoop loop;
    auto made = joining == Joining::Together ? makeTogetherLauncher(profiles, launchSite())
                                             : makeLauncher(profiles, launchSite());
    if (!made)
        return core::failureOf(made);
    Launcher& launcher = **made;
    LaunchLine line(streams.err);
    core::Result<void> outcome;
    Inbox inbox(handlers);
    const auto storeIfDue = [&] {
        if (!outcome)
            return;
        outcome = inbox.storeIfDue();
        if (!outcome)
            launcher.cancel();
    };
    QObject::connect(&launcher, &Launcher::changed, &launcher,
                     [&] { line.show(launcher.state()); });
    QObject::connect(&launcher, &Launcher::noted, &launcher, [&](const QString& text) {
        line.clear();
        streams.err << "outlay: " << text.toStdString() << '\n';
    });
    QObject::connect(&launcher, &Launcher::measured, &launcher,
                     [&](std::size_t, const core::Json& measurement) {
                         inbox.add(measurement);
                         storeIfDue();
                     });
    QObject::connect(&launcher, &Launcher::failed, &launcher, handlers.fail);
    QObject::connect(&launcher, &Launcher::finished, &launcher, [] { EventLoop::end(); });
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, &launcher, [&] {
        storeIfDue();
        if (Interrupts::wasAsked())
            launcher.cancel();
        else if (handlers.isSpent && handlers.isSpent())
            launcher.stopBeginning();
    });
    const Interrupts interrupts;
    poll.start(Interrupts::PollMs);
    launcher.start(std::move(jobs), reuse);
    EventLoop::run();
    line.clear();
    made->reset(); // while there is an application
    if (outcome)
        outcome = inbox.store();
    if (outcome && Interrupts::wasAsked())
        return tl::unexpected<core::Error>(
            cancelledError("what was measured until then is stored"));
    return outcome;
}

} // namespace outlay::gui
