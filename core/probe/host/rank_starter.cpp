// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/rank_starter.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/probe/host/file_wall.h"
#include "core/probe/host/walls.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr int MostRanks = 64;
// How an answer begins; the second one's problem or result is the rest of it.
constexpr char OwnNetwork = 'n';
constexpr char SharedNetwork = 's';
constexpr char Fine = '+';
constexpr char Problem = '-';
// What ranks say is a few numbers. It is theirs to write, whatever they were fed.
constexpr std::uint64_t LargestResult = 1U << 20U;

// In the process that starts the others, up to `lead`.

/// Empty where the worker ended before it had asked.
std::string readLine(int in)
{
    std::string line;
    char byte = 0;
    ssize_t got = 0;
    while ((got = ::read(in, &byte, 1)) == 1 || (got < 0 && errno == EINTR)) {
        if (got == 1 && byte == '\n')
            return line;
        if (got == 1)
            line += byte;
    }
    return {};
}

/// A new one has no interface that is up.
bool raiseLoopback()
{
    const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq request{};
    std::string_view("lo").copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_UP;
    const bool isUp = socket >= 0 && ::ioctl(socket, SIOCSIFFLAGS, &request) == 0;
    ::close(socket);
    return isUp;
}

bool enterOwnNetwork()
{
    return ::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 && raiseLoopback();
}

/// Nothing leads back from a network without a loopback: another process tries first.
bool canHaveOwnNetwork()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(enterOwnNetwork() ? 0 : 1);
    int status = 1;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

[[noreturn]] void becomeRank(const std::string& program, const std::string& folder, int rank,
                             int count, pid_t parent)
{
    std::vector<std::string> words{program,
                                   RankOption,
                                   folder,
                                   std::to_string(rank),
                                   std::to_string(count),
                                   std::to_string(parent)};
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    raiseFileWallOfRank(folder);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
}

class Ranks {
public:
    Ranks() = default;
    ~Ranks()
    {
        for (const pid_t rank : m_running)
            ::kill(rank, SIGKILL);
        for (const pid_t rank : m_running)
            ::waitpid(rank, nullptr, 0);
    }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] std::string start(const std::string& folder, int count)
    {
        const std::string program = ownProgram();
        const pid_t self = ::getpid();
        for (int rank = 0; rank < count; ++rank) {
            const pid_t child = ::fork();
            if (child == 0)
                becomeRank(program, folder, rank, count, self);
            if (child < 0)
                return "another process couldn't be started";
            m_running.push_back(child);
        }
        return {};
    }

    /// A problem as soon as one fails, else empty once all have ended, or the worker no longer wants them.
    [[nodiscard]] std::string await(int in)
    {
        constexpr int PaceMs = 10;
        while (!m_running.empty()) {
            pollfd worker{.fd = in, .events = POLLIN, .revents = 0};
            if (::poll(&worker, 1, PaceMs) > 0)
                return "nobody waits for them";
            bool areFine = true;
            std::erase_if(m_running, [&](pid_t rank) {
                int status = 0;
                if (::waitpid(rank, &status, WNOHANG) == 0)
                    return false;
                areFine = areFine && status == 0;
                return true;
            });
            if (!areFine)
                return "a process that trained with others failed";
        }
        return {};
    }

private:
    std::vector<pid_t> m_running;
};

/// What is said of them, without the first letter.
std::string run(int in, int count, const std::string& job, const std::string& folder)
{
    if (folder.empty())
        return Problem + std::string("there is no folder for temporary files");
    if (const auto saved = saveFile(folder + RankJobFile, job + "\n"); !saved)
        return Problem + saved.error().sentence();
    Ranks ranks;
    std::string problem = ranks.start(folder, count);
    if (problem.empty())
        problem = ranks.await(in);
    if (!problem.empty())
        return Problem + problem;
    // They can't open what a link leads to; who starts them could.
    std::error_code ignored;
    if (std::filesystem::is_symlink(folder + RankResultFile, ignored))
        return Problem + std::string("the result of the processes is no file");
    const auto result = loadFile(folder + RankResultFile, LargestResult);
    return result ? Fine + *result : Problem + result.error().sentence();
}

std::string newFolder()
{
    std::error_code ignored;
    std::string name = std::filesystem::temp_directory_path(ignored) / "outlay-XXXXXX";
    return ::mkdtemp(name.data()) == nullptr ? std::string() : name;
}

void writeAll(int out, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(out, text.data(), text.size());
        if (written <= 0)
            return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

[[noreturn]] void lead(int in, int out, pid_t worker)
{
    // While it has nothing to do it may just go with the worker.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != worker)
        ::_exit(0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    closeAllBut({in, out});
    std::signal(SIGINT, SIG_IGN); // the worker is who is asked
    std::signal(SIGPIPE, SIG_IGN);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO); // the protocol's
    const auto count = numberIn(readLine(in));
    const std::string job = readLine(in);
    if (!count || *count < 2 || *count > MostRanks || job.empty())
        ::_exit(0);
    ::prctl(PR_SET_PDEATHSIG, 0); // it has to tidy up: the end of the pipe says the same
    const bool isApart = canHaveOwnNetwork() && enterOwnNetwork();
    const std::string folder = newFolder();
    const std::string said = run(in, static_cast<int>(*count), job, folder);
    std::error_code ignored;
    if (!folder.empty())
        std::filesystem::remove_all(folder, ignored);
    writeAll(out, (isApart ? OwnNetwork : SharedNetwork) + said);
    ::_exit(0);
}

std::unique_ptr<RankStarter>& kept()
{
    static std::unique_ptr<RankStarter> starter;
    return starter;
}

} // namespace

std::unique_ptr<RankStarter> RankStarter::create()
{
    std::array<int, 2> requests{};
    std::array<int, 2> answers{};
    if (::pipe2(requests.data(), O_CLOEXEC) != 0)
        return nullptr;
    if (::pipe2(answers.data(), O_CLOEXEC) != 0) {
        ::close(requests[0]);
        ::close(requests[1]);
        return nullptr;
    }
    const pid_t worker = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(requests[1]);
        ::close(answers[0]);
        lead(requests[0], answers[1], worker);
    }
    ::close(requests[0]);
    ::close(answers[1]);
    auto starter = std::unique_ptr<RankStarter>(new RankStarter(child, requests[1], answers[0]));
    return child > 0 ? std::move(starter) : nullptr;
}

RankStarter::~RankStarter()
{
    ::close(m_requests);
    ::close(m_answers);
    while (m_process > 0 && ::waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Result<void> RankStarter::start(int count, std::string_view job)
{
    const std::string text = std::to_string(count) + "\n" + std::string(job);
    if (::write(m_requests, text.data(), text.size()) == static_cast<ssize_t>(text.size()))
        return {};
    return tl::unexpected<Error>(Error{ErrorCode::Measurement,
                                       "other processes couldn't be started",
                                       "measure without several processes"});
}

bool RankStarter::hasAnswer(std::chrono::milliseconds most)
{
    pollfd watched{.fd = m_answers, .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, static_cast<int>(most.count())) <= 0)
        return false;
    std::array<char, 4096> bytes{};
    const ssize_t got = ::read(m_answers, bytes.data(), bytes.size());
    if (got > 0) {
        m_text.append(bytes.data(), static_cast<std::size_t>(got));
        if (m_text.size() <= LargestResult + 2)
            return false;
        m_answer.problem = "the process that starts others says too much";
        return true;
    }
    if (m_text.size() < 2) {
        m_answer.problem = "the process that starts others ended";
        return true;
    }
    m_answer.hasOwnNetwork = m_text[0] == OwnNetwork;
    (m_text[1] == Fine ? m_answer.result : m_answer.problem) = m_text.substr(2);
    return true;
}

void keepRankStarter(std::unique_ptr<RankStarter> starter)
{
    kept() = std::move(starter);
}

std::unique_ptr<RankStarter> takeRankStarter()
{
    return std::move(kept());
}

std::vector<int> descriptorsOfRankStarter()
{
    return kept() == nullptr ? std::vector<int>() : kept()->descriptors();
}

} // namespace outlay::worker
