// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/live_line.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace outlay::core {
namespace {

/// Beyond the standard ones, and not for the programs that are started.
int keptCopy(int descriptor)
{
    return ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

} // namespace

LiveLine::LiveLine(std::optional<double> leaseS)
    : m_out(keptCopy(STDOUT_FILENO)), m_in(keptCopy(STDIN_FILENO)), m_leaseS(leaseS)
{
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
}

LiveLine::~LiveLine()
{
    ::close(m_out);
    ::close(m_in);
}

void LiveLine::say(const ProgramMessage& message) const
{
    const std::string line = lineOf(message);
    constexpr std::size_t Piece = PIPE_BUF; // a pipe takes so much without waiting
    constexpr int Milliseconds = 500;
    for (std::size_t done = 0; done < line.size();) {
        pollfd ready{m_out, POLLOUT, 0};
        if (::poll(&ready, 1, Milliseconds) == 0) {
            if (isOverdue())
                return;
            continue;
        }
        const ssize_t written =
            ::write(m_out, line.data() + done, std::min(Piece, line.size() - done));
        if (written < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (written <= 0) // nobody listens any more
            return;
        done += static_cast<std::size_t>(written);
    }
}

std::string LiveLine::readLine() const
{
    constexpr std::size_t Longest = std::size_t{16} << 20U;
    constexpr int PauseMs = 200;
    std::string text;
    pollfd here{m_in, POLLIN, 0};
    while (text.size() < Longest && !isOverdue()) {
        char byte = 0;
        if (::poll(&here, 1, PauseMs) <= 0)
            continue;
        if (::read(m_in, &byte, 1) != 1)
            return {};
        if (byte == '\n')
            break;
        text += byte;
    }
    m_heard = std::chrono::steady_clock::now();
    return text;
}

bool LiveLine::isOverdue() const
{
    const std::chrono::duration<double> silence = std::chrono::steady_clock::now() - m_heard;
    return m_leaseS && silence.count() > *m_leaseS;
}

ProgramJob LiveLine::toldHere(ProgramJob job) const
{
    job.tell = [this](const ProgramOutcome& soFar) { say(momentOf(soFar)); };
    job.tellFirstS = 0;
    job.tellEveryS = 1;
    job.isAskedToEnd = [this] { return isClosed(); };
    return job;
}

bool LiveLine::isClosed() const
{
    pollfd here{m_in, POLLIN, 0};
    if (::poll(&here, 1, 0) <= 0)
        return isOverdue();
    m_heard = std::chrono::steady_clock::now();
    std::array<char, 256> words{}; // that have no meaning
    return ::read(m_in, words.data(), words.size()) == 0;
}

} // namespace outlay::core
