// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/process_tree.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace outlay::core {
namespace {

namespace fs = std::filesystem;

std::string textOf(const std::string& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string folderOf(pid_t process)
{
    return "/proc/" + std::to_string(process);
}

/// Names of entries that are numbers: processes, or threads of one.
std::vector<pid_t> numbersIn(const std::string& folder)
{
    std::vector<pid_t> numbers;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const auto number = numberIn(at->path().filename().string());
        if (number && *number > 0)
            numbers.push_back(static_cast<pid_t>(*number));
    }
    return numbers;
}

/// Any thread may have started some.
std::vector<pid_t> childrenOf(pid_t process)
{
    std::vector<pid_t> children;
    for (const pid_t thread : numbersIn(folderOf(process) + "/task")) {
        std::ifstream file(folderOf(process) + "/task/" + std::to_string(thread) + "/children");
        for (pid_t child = 0; file >> child;)
            children.push_back(child);
    }
    return children;
}

// In what follows a process's name there, from 0: user and system time, threads, resident pages.
constexpr std::size_t User = 10;
constexpr std::size_t System = 11;
constexpr std::size_t Threads = 16;
constexpr std::size_t Resident = 20;

double ticksPerS()
{
    static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    return ticks;
}

/// What stands behind the name in parentheses, which may hold anything.
std::vector<double> statOf(pid_t process)
{
    const std::string text = textOf(folderOf(process) + "/stat");
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos)
        return {};
    std::istringstream words(text.substr(end + 1));
    std::string state;
    words >> state;
    std::vector<double> numbers;
    for (double number = 0; words >> number;)
        numbers.push_back(number);
    return numbers;
}

double delayOf(pid_t process)
{
    constexpr double PerNs = 1e-9;
    double seconds = 0;
    for (const pid_t thread : numbersIn(folderOf(process) + "/task")) {
        std::ifstream file(folderOf(process) + "/task/" + std::to_string(thread) + "/schedstat");
        double ran = 0;
        double waited = 0;
        if (file >> ran >> waited)
            seconds += waited * PerNs;
    }
    return seconds;
}

std::optional<double> valueIn(const std::string& lines, std::string_view name)
{
    const std::size_t at = lines.find(name);
    return at == std::string::npos
               ? std::nullopt
               : std::optional(std::strtod(lines.c_str() + at + name.size(), nullptr));
}

/// What several share counts once: each has its part of it. Slower to tell.
std::optional<double> partOfMemory(pid_t process)
{
    constexpr double Kibi = 1024;
    const auto kibi = valueIn(textOf(folderOf(process) + "/smaps_rollup"), "\nPss:");
    return kibi ? std::optional(*kibi * Kibi) : std::nullopt;
}

void add(std::optional<double>& sum, const std::optional<double>& more)
{
    if (more)
        sum = sum.value_or(0) + *more;
}

/// User and system time of all that was started here and has ended.
double processorOfEnded()
{
    constexpr double PerMicro = 1e-6;
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           PerMicro * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

} // namespace

std::optional<double> idleShareOf(const TreeUsage& usage)
{
    return usage.watchedS > 0 ? std::optional(usage.idleS / usage.watchedS) : std::nullopt;
}

ProcessTree::ProcessTree() : m_endedBeforeS(processorOfEnded()) {}

std::vector<pid_t> ProcessTree::members()
{
    std::vector<pid_t> found = childrenOf(::getpid());
    std::set<pid_t> known(found.begin(), found.end());
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const pid_t child : childrenOf(found[i])) {
            if (known.insert(child).second)
                found.push_back(child);
        }
    }
    return found;
}

void ProcessTree::look(double nowS)
{
    static const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    double resident = 0;
    std::int64_t threads = 0;
    std::int64_t processes = 0;
    m_alive = members();
    for (const pid_t process : m_alive) {
        const std::vector<double> stat = statOf(process);
        if (stat.size() <= Resident)
            continue;
        const std::string io = textOf(folderOf(process) + "/io");
        Counts& counts = m_counts[process];
        counts = {(stat[User] + stat[System]) / ticksPerS(), delayOf(process),
                  valueIn(io, "\nread_bytes:"), valueIn(io, "\nwrite_bytes:")};
        const auto part = m_alive.size() > 1 ? partOfMemory(process) : std::nullopt;
        resident += part.value_or(stat[Resident] * page);
        threads += static_cast<std::int64_t>(stat[Threads]);
        ++processes;
    }
    m_most.peakBytes = std::max(m_most.peakBytes, resident);
    m_most.threads = std::max(m_most.threads, threads);
    m_most.processes = std::max(m_most.processes, processes);
    noteIdle(nowS);
}

/// Where all of them together were less than one core at work, there was none for the rest.
void ProcessTree::noteIdle(double nowS)
{
    const TreeUsage all = usage();
    const double busyS = all.processorS + all.delayedS;
    const double pieceS = nowS - m_lookedS;
    m_most.watchedS += pieceS;
    m_most.idleS += std::clamp(pieceS - (busyS - m_busyS), 0.0, pieceS);
    m_lookedS = nowS;
    m_busyS = busyS;
}

TreeUsage ProcessTree::usage() const
{
    TreeUsage usage = m_most;
    for (const auto& [process, counts] : m_counts) {
        usage.processorS += counts.processorS;
        usage.delayedS += counts.delayedS;
        add(usage.readBytes, counts.readBytes);
        add(usage.writtenBytes, counts.writtenBytes);
    }
    const double ended = processorOfEnded() - m_endedBeforeS; // too short-lived to be looked at
    usage.processorS = std::max(usage.processorS, ended);
    return usage;
}

double ProcessTree::workS() const
{
    double ticks = 0;
    for (const pid_t process : m_alive) {
        const std::vector<double> stat = statOf(process);
        if (stat.size() > System)
            ticks += stat[User] + stat[System];
    }
    return ticks / ticksPerS();
}

std::vector<std::string> ProcessTree::openFiles(const std::vector<std::string_view>& parts)
{
    std::vector<std::string> files;
    for (const pid_t process : members()) {
        std::error_code error;
        const std::string folder = folderOf(process) + "/fd";
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            std::error_code unread;
            const std::string target = fs::read_symlink(at->path(), unread).string();
            const std::string name = fs::path(target).filename().string();
            const bool isOne = std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
                return name.find(part) != std::string::npos;
            });
            if (!unread && isOne)
                files.push_back(target);
        }
    }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

} // namespace outlay::core
