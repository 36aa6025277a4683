// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/launched.h"

#include "core/base/text.h"
#include "core/program/process_tree.h"
#include "core/program/step_lines.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace outlay::core {
namespace {

constexpr std::array PassedOn{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr std::size_t ThatEnd = 4; // the first of these
std::array<std::atomic<int>, PassedOn.size()> sentHere{};
std::array<std::atomic<int>, PassedOn.size()> sentByTerminal{};
std::atomic<bool> isAskedToEnd{false};
std::atomic<bool> isResized{false};
bool ignoresInterrupts = false;

// As they were before, and as the program gets them.
struct sigaction pipeBefore {};
struct sigaction childBefore {};

/// What the kernel sends for a key goes to all of the terminal's foreground.
void receive(int signal, siginfo_t* info, void*)
{
    const bool isKey = info != nullptr && info->si_code == SI_KERNEL;
    for (std::size_t i = 0; i < PassedOn.size(); ++i) {
        if (PassedOn.at(i) != signal)
            continue;
        ++(isKey ? sentByTerminal : sentHere).at(i);
        if (i < ThatEnd)
            isAskedToEnd = true;
    }
}

void resize(int)
{
    isResized = true;
}

void listen()
{
    struct sigaction action {};
    action.sa_sigaction = receive;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int signal : PassedOn) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        const bool isIgnored =
            before.sa_handler == SIG_IGN; // as under nohup: the program ignores it, too
        if (!isIgnored)
            ::sigaction(signal, &action, nullptr);
        if (signal == SIGINT)
            ignoresInterrupts = isIgnored;
    }
    struct sigaction plain {};
    plain.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &plain, &pipeBefore);
    plain.sa_handler = SIG_DFL; // else nobody hears of the program's end
    ::sigaction(SIGCHLD, &plain, &childBefore);
    plain.sa_handler = resize;
    ::sigaction(SIGWINCH, &plain, nullptr);
    for (auto* counts : {&sentHere, &sentByTerminal}) {
        for (auto& count : *counts)
            count = 0;
    }
    isAskedToEnd = false;
}

void closeIt(int& descriptor)
{
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

/// Two ends, none of which a program started later has.
struct Pipe {
    int read = -1;
    int write = -1;
};

bool open(Pipe& pipe)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    pipe = {ends[0], ends[1]};
    return true;
}

void copySize(int terminal)
{
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0)
        ::ioctl(terminal, TIOCSWINSZ, &size);
}

/// Where standard error is a terminal the program sees one, too, of the same size, which changes nothing that it writes.
bool openTerminal(Pipe& pipe)
{
    pipe.read = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (pipe.read < 0 || ::grantpt(pipe.read) != 0 || ::unlockpt(pipe.read) != 0)
        return false;
    std::array<char, 128> name{};
    if (::ptsname_r(pipe.read, name.data(), name.size()) != 0)
        return false;
    pipe.write = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (pipe.write < 0)
        return false;
    copySize(pipe.write);
    termios settings{};
    if (::tcgetattr(pipe.write, &settings) == 0) {
        ::cfmakeraw(&settings);
        ::tcsetattr(pipe.write, TCSANOW, &settings);
    }
    return true;
}

/// "7:12345": the descriptor, and which pipe it is, so that nobody takes another one of that number for it.
std::string nameOf(int descriptor)
{
    struct stat it {};
    ::fstat(descriptor, &it);
    return std::to_string(descriptor) + ":" + std::to_string(it.st_ino);
}

/// In the new process, where little may be called: until the program runs or can't. What is received here has its
/// default there.
[[noreturn]] void become(char* const* command, int error, int failed)
{
    ::sigaction(SIGPIPE, &pipeBefore, nullptr);
    ::sigaction(SIGCHLD, &childBefore, nullptr);
    ::dup2(error, STDERR_FILENO);
    ::execvp(command[0], command);
    const int why = errno;
    static_cast<void>(!::write(failed, &why, sizeof why));
    ::_exit(127);
}

tl::unexpected<Error> cannotStart(const std::string& program, int why)
{
    const bool isMissing = why == ENOENT;
    return inputError("`" + printable(program, 100) + "` can't be started (" + std::strerror(why) +
                          ")",
                      isMissing ? "check its name and folder" : "check that it may be run");
}

/// As much at once as a pipe takes without waiting.
void writeAll(int to, std::string_view bytes, const std::function<bool()>& isGivenUp)
{
    constexpr std::size_t Piece = PIPE_BUF;
    constexpr int Milliseconds = 500;
    while (!bytes.empty()) {
        pollfd ready{to, POLLOUT, 0};
        if (::poll(&ready, 1, Milliseconds) == 0) {
            if (isGivenUp && isGivenUp())
                return;
            continue;
        }
        const ssize_t written = ::write(to, bytes.data(), std::min(Piece, bytes.size()));
        if (written < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (written <= 0) // nobody reads it: the program isn't hindered by that
            return;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

} // namespace

Result<Launched> Launched::start(const std::vector<std::string>& command)
{
    Pipe error;
    Pipe steps;
    Pipe failed;
    const bool isTerminal = ::isatty(STDERR_FILENO) == 1;
    if (!(isTerminal ? openTerminal(error) : open(error)) || !open(steps) || !open(failed))
        return tl::unexpected<Error>(
            Error{ErrorCode::Internal,
                  std::string("no pipe can be made (") + std::strerror(errno) + ")",
                  "close other programs",
                  {},
                  {}});
    ::fcntl(steps.write, F_SETFD, 0); // this one it keeps
    ::setenv(StepsVariable, nameOf(steps.write).c_str(), 1);
    // What it leaves behind when it ends is a child of this process, and found.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::vector<char*> words;
    for (const std::string& word : command)
        words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    listen();
    Launched launched;
    launched.m_process = ::fork();
    if (launched.m_process == 0)
        become(words.data(), error.write, failed.write);
    ::unsetenv(StepsVariable);
    for (int* end : {&error.write, &steps.write, &failed.write})
        closeIt(*end);
    launched.m_error = error.read;
    launched.m_steps = steps.read;
    int why = launched.m_process < 0 ? errno : 0;
    if (launched.m_process > 0 && ::read(failed.read, &why, sizeof why) > 0)
        ::waitpid(launched.m_process, nullptr, 0);
    closeIt(failed.read);
    if (why != 0)
        return cannotStart(command.front(), why);
    return launched;
}

Launched::Launched(Launched&& other) noexcept
    : m_isGivenUp(std::move(other.m_isGivenUp)), m_process(std::exchange(other.m_process, -1)),
      m_error(std::exchange(other.m_error, -1)), m_steps(std::exchange(other.m_steps, -1)),
      m_status(other.m_status)
{
}

Launched::~Launched()
{
    closeIt(m_error);
    closeIt(m_steps);
}

/// All that have ended: what lost its parent is a child of this process.
void Launched::reap()
{
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended == m_process)
            m_status = status;
    }
}

bool Launched::pass(int& descriptor, int to, const std::function<void(std::string_view)>& tell)
{
    std::array<char, 65536> bytes{};
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (count <= 0) { // a terminal that nobody holds any more is an error, a pipe an end
        closeIt(descriptor);
        return false;
    }
    const std::string_view read(bytes.data(), static_cast<std::size_t>(count));
    if (to >= 0)
        writeAll(to, read, m_isGivenUp);
    tell(read);
    return true;
}

bool Launched::wait(int milliseconds, const std::function<void(std::string_view)>& toError,
                    const std::function<void(std::string_view)>& toSteps)
{
    if (isResized.exchange(false) && m_error >= 0)
        copySize(m_error);
    std::array<pollfd, 2> some{{{m_error, POLLIN, 0}, {m_steps, POLLIN, 0}}};
    const int ready = ::poll(some.data(), some.size(), milliseconds);
    bool hasRead = false;
    if (ready > 0 && some[0].revents != 0)
        hasRead = pass(m_error, STDERR_FILENO, toError);
    if (ready > 0 && some[1].revents != 0)
        hasRead = pass(m_steps, -1, toSteps) || hasRead;
    reap();
    return hasRead;
}

std::vector<int> Launched::signalsReceived() const
{
    const bool isApart = ::getpgid(m_process) != ::getpgrp(); // its terminal's keys don't reach it
    std::vector<int> signals;
    for (std::size_t i = 0; i < PassedOn.size(); ++i) {
        const int keys = sentByTerminal.at(i).exchange(0);
        if (sentHere.at(i).exchange(0) > 0 || (isApart && keys > 0))
            signals.push_back(PassedOn.at(i));
    }
    return signals;
}

bool Launched::wasAskedToEnd()
{
    return isAskedToEnd;
}

bool Launched::isInterruptIgnored()
{
    return ignoresInterrupts;
}

void Launched::signalAll(int signal) const
{
    if (!m_status)
        ::kill(m_process, signal);
    for (const pid_t process : ProcessTree::members()) {
        if (process != m_process)
            ::kill(process, signal);
    }
}

} // namespace outlay::core
