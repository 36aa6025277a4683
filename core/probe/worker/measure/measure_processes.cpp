// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/measure_processes.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/probe/worker/measure/parts.h"
#include "core/probe/worker/measure/process_group.h"
#include "core/probe/worker/measure/process_rank.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;

Error failed(const std::string& what)
{
    return {ErrorCode::Measurement, what, "measure without several processes"};
}

/// A folder that goes with this.
class Scratch {
public:
    Scratch()
    {
        std::error_code ignored;
        std::string name = (std::filesystem::temp_directory_path(ignored) / "outlay-XXXXXX");
        if (::mkdtemp(name.data()) != nullptr)
            m_path = name;
    }
    ~Scratch()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path; // empty: it couldn't be made
};

/// Processes that are killed and waited for, however this ends.
class Children {
public:
    Children() = default;
    ~Children()
    {
        for (const pid_t child : m_running)
            ::kill(child, SIGKILL);
        for (const pid_t child : m_running)
            ::waitpid(child, nullptr, 0);
    }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    [[nodiscard]] Result<void> start(std::vector<std::string> words)
    {
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions{};
        ::posix_spawn_file_actions_init(&actions);
        // Standard output is the protocol's.
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        pid_t child = 0;
        const int status =
            ::posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        if (status != 0)
            return tl::unexpected<Error>(
                failed(std::string("another process couldn't be started (") +
                       std::strerror(status) + ")"));
        m_running.push_back(child);
        return {};
    }

    /// Forgets those that have ended; false if one of them failed.
    bool reap()
    {
        bool areFine = true;
        std::erase_if(m_running, [&](pid_t child) {
            int status = 0;
            if (::waitpid(child, &status, WNOHANG) == 0)
                return false;
            areFine = areFine && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            return true;
        });
        return areFine;
    }

    [[nodiscard]] bool isEmpty() const { return m_running.empty(); }

private:
    std::vector<pid_t> m_running;
};

/// Of each process, for its steps.
double secondsFor(const Job& job)
{
    constexpr double Share = 0.3;
    constexpr double Least = 0.5;
    return std::max(Least, Share * job.seconds);
}

Result<void> checkPossible(const Bench& bench, int count)
{
    if (!hasProcessGroups())
        return tl::unexpected<Error>(failed("this worker was built without Gloo"));
    if (!bench.device.is_cpu())
        return tl::unexpected<Error>(failed("several processes are measured on a CPU only"));
    if (thisMachine().cores < count)
        return tl::unexpected<Error>(
            failed("this machine has fewer than " + std::to_string(count) + " cores"));
    constexpr double Share = 0.8;
    if (!fitsHere(bench.job, Share / count))
        return tl::unexpected<Error>(
            failed("the design doesn't fit " + std::to_string(count) + " times in memory"));
    return {};
}

Result<ProcessesMeasurement> readResult(const std::string& file, int count)
{
    const auto json = loadJson(file);
    if (!json)
        return failureOf(json);
    ProcessesMeasurement m;
    FieldReader reader(*json, "");
    if (reader.outcome())
        describe(reader, m);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    const auto fit = fitExchange(m.exchange, count);
    if (!fit || m.aloneStepS <= 0 || m.stepS <= 0)
        return tl::unexpected<Error>(failed("the exchanges between the processes make no sense"));
    m.latencyS = fit->latencyS;
    m.bytesPerS = fit->bytesPerS;
    m.miss = fit->miss;
    return m;
}

/// Until all have ended well.
Result<void> waitFor(const Bench& bench, Children& children, double seconds)
{
    const double end = wallClock() + seconds;
    while (!children.isEmpty()) {
        bench.tick("processes", 0);
        if (!children.reap())
            return tl::unexpected<Error>(failed("a process that trained with others failed"));
        if (wallClock() > end)
            return tl::unexpected<Error>(failed("the processes took too long"));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return {};
}

} // namespace

double processesSeconds(const Job& job)
{
    constexpr double ToLoad = 3;
    return job.processes < 2 ? 0 : ToLoad + secondsFor(job);
}

Result<ProcessesMeasurement> measureProcesses(const Bench& bench, const std::string& program,
                                              int count, double stepS)
{
    if (const auto possible = checkPossible(bench, count); !possible)
        return failureOf(possible);
    const Scratch scratch;
    Job job = bench.job;
    job.seconds = secondsFor(job);
    if (scratch.path().empty())
        return tl::unexpected<Error>(failed("there is no folder for temporary files"));
    if (const auto saved = saveFile(scratch.path() + RankJobFile, toLine(job)); !saved)
        return failureOf(saved);
    Children children;
    for (int rank = 0; rank < count; ++rank) {
        if (const auto started =
                children.start({program, "--process", scratch.path(), std::to_string(rank),
                                std::to_string(count), std::to_string(::getpid())});
            !started)
            return failureOf(started);
    }
    constexpr double ToLoad = 60;
    constexpr double Slower = 10;
    constexpr double FewestSteps = 12; // warm-up, alone and together
    const double patience = ToLoad + Slower * (job.seconds + FewestSteps * stepS);
    if (const auto ended = waitFor(bench, children, patience); !ended)
        return failureOf(ended);
    return readResult(scratch.path() + RankResultFile, count);
}

std::string ownProgram()
{
    std::error_code failure;
    return std::filesystem::read_symlink("/proc/self/exe", failure).string();
}

} // namespace outlay::worker
