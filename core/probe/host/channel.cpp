// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/channel.h"

#include "core/base/result.h"

#include <cerrno>
#include <condition_variable>
#include <poll.h>
#include <unistd.h>

namespace outlay::worker {

using namespace std::chrono_literals;

namespace {

constexpr auto Heartbeat = 1000ms;
constexpr auto LeastPause = 100ms;
constexpr auto StopGrace = 2000ms;

} // namespace

bool hasNews(int in, std::optional<std::chrono::milliseconds> lease)
{
    pollfd watched{.fd = in, .events = POLLIN, .revents = 0};
    int ready = -1;
    do {
        ready = ::poll(&watched, 1, lease ? static_cast<int>(lease->count()) : -1);
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

Channel::Channel(std::FILE* out)
    : m_out(out), m_progress{.phase = "start"},
      m_heart([this](const std::stop_token& stop) { beat(stop); })
{
}

void Channel::send(const core::Message& message)
{
    const std::lock_guard lock(m_mutex);
    if (m_isClosed)
        return;
    m_isClosed = core::isTerminal(message);
    const std::string line =
        core::toLine(m_isClosed && m_ending ? m_ending(message) : core::Message(message));
    // A parent that no longer reads has gone, and then nobody wants the rest.
    if (std::fwrite(line.data(), 1, line.size(), m_out) != line.size() || std::fflush(m_out) != 0)
        m_stop.request_stop();
}

void Channel::progress(const core::Progress& progress)
{
    {
        const std::lock_guard lock(m_mutex);
        const bool isNewPhase = progress.phase != m_progress.phase;
        m_progress = progress;
        const auto now = std::chrono::steady_clock::now();
        if (!isNewPhase && now - m_lastProgress < LeastPause)
            return;
        m_lastProgress = now;
    }
    send(progress);
}

void Channel::keep(core::Done soFar)
{
    const std::lock_guard lock(m_mutex);
    m_kept = std::move(soFar);
}

void Channel::setEnding(std::function<core::Message(core::Message)> ending)
{
    const std::lock_guard lock(m_mutex);
    m_ending = std::move(ending);
}

void Channel::setHearing(std::function<void(std::string_view)> hearing)
{
    const std::lock_guard lock(m_hearingMutex);
    m_hearing = std::move(hearing);
}

void Channel::listen(int in, std::optional<std::chrono::milliseconds> lease)
{
    std::thread([this, in, lease] {
        std::string text;
        char byte = 0;
        while (hasNews(in, lease) && ::read(in, &byte, 1) == 1) {
            if (byte != '\n') {
                text += byte;
            } else if (text.find("\"cancel\"") != std::string::npos) {
                break;
            } else {
                const std::lock_guard lock(m_hearingMutex);
                if (m_hearing)
                    m_hearing(text);
                text.clear();
            }
        }
        m_stop.request_stop();
        std::this_thread::sleep_for(StopGrace);
        leave();
    }).detach();
}

void Channel::leave()
{
    // Whoever reads may have stopped to, or a disk that results go to may hang: then it ends without a last word.
    constexpr unsigned MostSeconds = 3;
    ::alarm(MostSeconds);
    std::optional<core::Done> kept;
    {
        const std::lock_guard lock(m_mutex);
        kept = std::move(m_kept);
    }
    if (kept) {
        send(*kept);
        ::_exit(0);
    }
    send(core::Cancelled{});
    ::_exit(core::exitStatus(core::ErrorCode::Cancelled));
}

void Channel::beat(const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any bell;
    std::unique_lock lock(mutex);
    while (!bell.wait_for(lock, stop, Heartbeat, [&] { return stop.stop_requested(); })) {
        core::Progress progress;
        {
            const std::lock_guard guard(m_mutex);
            progress = m_progress;
        }
        send(progress);
    }
}

} // namespace outlay::worker
