// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/walls.h"

#include "core/base/text.h"
#include "core/probe/host/call_wall.h"
#include "core/probe/host/file_wall.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace outlay::worker {
namespace {

/// For who can't measure with them: `OUTLAY_WALLS=none`.
bool areUnwanted()
{
    const char* wish = std::getenv("OUTLAY_WALLS");
    return wish != nullptr && std::string_view(wish) == "none";
}

/// Never above what it is already.
void limit(__rlimit_resource_t resource, double most)
{
    rlimit now{};
    if (::getrlimit(resource, &now) != 0)
        return;
    now.rlim_max = static_cast<rlim_t>(std::min(static_cast<double>(now.rlim_max), most));
    now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
    ::setrlimit(resource, &now);
}

void limitFiles()
{
    constexpr double MostOpen = 1024;
    constexpr double LargestFile = 1U << 30U;
    limit(RLIMIT_CORE, 0); // it would hold what is measured
    limit(RLIMIT_NOFILE, MostOpen);
    limit(RLIMIT_FSIZE, LargestFile);
    std::signal(SIGXFSZ, SIG_IGN); // the write that fails says so
}

/// None for good, and of a superuser's only those that reach into the folders of others, which the wall around files
/// has the say over: with the rest it would look into other processes.
void dropPrivileges()
{
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> own{};
    if (::syscall(__NR_capget, &header, own.data()) != 0)
        return;
    constexpr std::uint32_t Kept = (1U << CAP_DAC_OVERRIDE) | (1U << CAP_DAC_READ_SEARCH);
    own[0] = {own[0].effective & Kept, own[0].permitted & Kept, 0};
    own[1] = {};
    ::syscall(__NR_capset, &header, own.data());
}

std::ptrdiff_t threadsNow()
{
    std::error_code ignored;
    return std::distance(std::filesystem::directory_iterator("/proc/self/task", ignored),
                         std::filesystem::directory_iterator());
}

/// Those of the matrix library begin when it is loaded. It ends them before a fork, and begins them anew when they are
/// needed: then with the walls of the thread that needs them.
void endIdleThreads()
{
    if (threadsNow() == 1)
        return;
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    if (child > 0)
        ::waitpid(child, nullptr, 0);
}

} // namespace

std::vector<std::string> raiseWalls(const Places& places)
{
    if (areUnwanted())
        return {"OUTLAY_WALLS is none: the worker isn't kept from other files and the network"};
    std::vector<std::string> missing;
    const auto note = [&](std::string sentence) {
        if (!sentence.empty())
            missing.push_back(std::move(sentence));
    };
    limitFiles();
    endIdleThreads();
    dropPrivileges();
    FileAccess access = systemFiles();
    access.readable.insert(access.readable.end(), places.read.begin(), places.read.end());
    access.writable.insert(access.writable.end(), places.write.begin(), places.write.end());
    access.runnable.clear();
    access.listens = places.reachesOthers;
    closeAllBut(places.descriptors); // also what was opened to find the home
    const std::string aroundFiles = raiseFileWall(access);
    note(aroundFiles);
    if (const auto others = threadsNow() - 1; others > 0)
        note("threads of a library were there before (" + std::to_string(others) +
             "): they aren't kept from other files");
    const bool hasDriver = ::access("/dev/nvidiactl", F_OK) == 0;
    const Sockets alone = hasDriver ? Sockets::Driver : Sockets::None;
    const std::string aroundCalls = raiseCallWall(places.reachesOthers ? Sockets::Tcp : alone);
    note(aroundCalls);
    if (aroundFiles.empty() && !aroundCalls.empty() && !guardsEmptying())
        note("this kernel's Landlock (before Linux 6.2) doesn't say who may empty files: those "
             "whose "
             "paths are known can be");
    return missing;
}

void raiseFileWallOfRank(const std::string& folder)
{
    if (areUnwanted())
        return;
    limitFiles();
    dropPrivileges();
    FileAccess access = systemFiles();
    access.writable.push_back(folder);
    access.listens = true;
    closeAllBut({});
    (void)raiseFileWall(access); // its worker has said what is missing
}

void raiseCallWallOfRank()
{
    if (!areUnwanted())
        (void)raiseCallWall(Sockets::Tcp);
}

void closeAllBut(std::vector<int> descriptors)
{
    constexpr long CloseRange = 436; // Linux 5.9; newer than some systems' headers
    constexpr unsigned Last = ~0U;
    std::sort(descriptors.begin(), descriptors.end());
    const auto isKept = [&](int number) {
        return number <= STDERR_FILENO ||
               std::binary_search(descriptors.begin(), descriptors.end(), number);
    };
    unsigned first = STDERR_FILENO + 1;
    bool isDone = true;
    for (const int kept : descriptors) {
        const auto number = static_cast<unsigned>(kept);
        if (number > first)
            isDone = ::syscall(CloseRange, first, number - 1, 0) == 0 && isDone;
        first = std::max(first, number + 1);
    }
    if (::syscall(CloseRange, first, Last, 0) == 0 && isDone)
        return;
    std::vector<int> open;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
        if (const auto number = core::numberIn(entry.path().filename().string()))
            open.push_back(static_cast<int>(*number));
    }
    for (const int number : open) { // the one that listed them is closed already
        if (!isKept(number))
            ::close(number);
    }
}

void limitTo(const core::Job& job)
{
    if (areUnwanted())
        return;
    constexpr double LeastSeconds = 12 * 3600; // few steps of a large design take hours
    constexpr double Times = 100;
    const double cores = std::max(1U, std::thread::hardware_concurrency());
    limit(RLIMIT_CPU, cores * (LeastSeconds + Times * job.seconds));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    // A driver reserves more than there is, and so do sanitizers. What is only reserved to be read isn't counted.
    constexpr double Share = 1.25;
    const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                          static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (job.device == core::ProbeDevice::Cpu)
        limit(RLIMIT_DATA, Share * memory);
#endif
}

} // namespace outlay::worker
