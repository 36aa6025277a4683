// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Raises a worker's walls, tries what they should keep it from, and says of each whether it could.
//   wall_climber OWN_FOLDER HOME [free | no-landlock | no-seccomp]
#include "core/probe/host/walls.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

struct Attempt {
    const char* name;
    std::function<bool()> succeeds;
};

bool closes(int number)
{
    if (number >= 0)
        ::close(number);
    return number >= 0;
}

bool opens(const std::string& path, int flags)
{
    return closes(::open(path.c_str(), flags | O_CLOEXEC, 0600));
}

bool reads(const std::string& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char byte = 0;
    const bool isRead = file >= 0 && ::read(file, &byte, 1) >= 0;
    closes(file);
    return isRead;
}

bool lists(const std::string& path)
{
    DIR* folder = ::opendir(path.c_str());
    if (folder != nullptr)
        ::closedir(folder);
    return folder != nullptr;
}

bool makesSocket(int family, int type, int protocol = 0)
{
    return closes(::socket(family, type | SOCK_CLOEXEC, protocol));
}

bool makesPair(int type)
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return false;
    closes(ends[0]);
    return closes(ends[1]);
}

/// Where no process may be made, the program would take this one's place.
bool runsProgram()
{
    char* const words[] = {const_cast<char*>("true"), nullptr};
    const pid_t child = ::fork();
    if (child <= 0)
        ::execv("/bin/true", words);
    if (child == 0)
        ::_exit(1);
    int status = 1;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

bool makesProcess()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    return child > 0 && ::waitpid(child, nullptr, 0) == child;
}

/// In a process of its own where there may be one: this one stays where it is.
bool does(const std::function<bool()>& what)
{
    const pid_t child = ::fork();
    if (child < 0)
        return what();
    if (child == 0)
        ::_exit(what() ? 0 : 1);
    int status = 1;
    return ::waitpid(child, &status, 0) == child && status == 0;
}

bool readsMemoryOf(pid_t process)
{
    std::array<char, 8> bytes{};
    iovec here{bytes.data(), bytes.size()};
    iovec there{reinterpret_cast<void*>(&runsProgram), bytes.size()};
    return ::process_vm_readv(process, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
}

/// By the owner of an open file: who is told when there is something to read.
bool namesOwner(const std::function<bool(int file)>& name)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    const bool isNamed = name(ends[0]);
    closes(ends[0]);
    closes(ends[1]);
    return isNamed;
}

bool ownsByDevice(unsigned long command)
{
    return namesOwner([=](int file) {
        const int parent = ::getppid();
        // Pipes know none of them, and say so.
        return ::ioctl(file, command, &parent) == 0 || errno == ENOTTY;
    });
}

/// One that isn't there, which who may ask hears.
bool knowsMemory()
{
    return ::shmctl(-1, IPC_STAT, nullptr) == 0 || errno == EINVAL || errno == EFAULT;
}

bool joinsMemory()
{
    return ::shmat(-1, nullptr, 0) != reinterpret_cast<void*>(-1) || errno == EINVAL;
}

bool takesSemaphore()
{
    sembuf step{};
    return ::semop(-1, &step, 1) == 0 || errno == EINVAL;
}

bool deletesQueue()
{
    return ::mq_unlink("/outlay-none") == 0 || errno == ENOENT;
}

/// What it has already, so that nothing changes where it may.
bool schedules(pid_t process)
{
    cpu_set_t cores{};
    return ::sched_getaffinity(process, sizeof cores, &cores) == 0 &&
           ::sched_setaffinity(process, sizeof cores, &cores) == 0;
}

bool hurries(id_t process)
{
    return ::setpriority(PRIO_PROCESS, process, ::getpriority(PRIO_PROCESS, process)) == 0;
}

/// Left open by who started this.
bool readsInherited()
{
    constexpr int Number = 9;
    char byte = 0;
    return ::pread(Number, &byte, 1, 0) >= 0; // it may be empty by now
}

/// What `openat2` takes.
struct HowToOpen {
    std::uint64_t flags;
    std::uint64_t mode;
    std::uint64_t resolve;
};

bool opensAnew(const std::string& path)
{
    constexpr long OpenAt2 = 437;
    const HowToOpen how{O_RDONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0600, 0};
    return closes(static_cast<int>(::syscall(OpenAt2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

bool growsTo(const std::string& path, off_t bytes)
{
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const bool isLarge = file >= 0 && ::ftruncate(file, bytes) == 0;
    closes(file);
    ::unlink(path.c_str());
    return isLarge;
}

bool startsThread()
{
    bool hasRun = false;
    std::thread([&] { hasRun = true; }).join();
    return hasRun;
}

/// As OpenMP starts those that stay on a core.
bool startsBoundThread()
{
    cpu_set_t cores{};
    pthread_attr_t wanted{};
    pthread_t thread{};
    constexpr auto Nothing = [](void* given) { return given; };
    ::sched_getaffinity(0, sizeof cores, &cores);
    ::pthread_attr_init(&wanted);
    ::pthread_attr_setaffinity_np(&wanted, sizeof cores, &cores);
    const bool isStarted = ::pthread_create(&thread, &wanted, Nothing, nullptr) == 0;
    ::pthread_attr_destroy(&wanted);
    return isStarted && ::pthread_join(thread, nullptr) == 0;
}

std::vector<Attempt> onTheNetwork()
{
    return {{"tcp", [] { return makesSocket(AF_INET, SOCK_STREAM); }},
            {"tcp of version 6", [] { return makesSocket(AF_INET6, SOCK_STREAM); }},
            {"udp", [] { return makesSocket(AF_INET, SOCK_DGRAM); }},
            {"netlink", [] { return makesSocket(AF_NETLINK, SOCK_RAW); }},
            {"a local socket", [] { return makesSocket(AF_UNIX, SOCK_STREAM); }},
            {"a pair for datagrams", [] { return makesPair(SOCK_DGRAM); }},
            {"a pair for streams", [] { return makesPair(SOCK_STREAM); }}};
}

std::vector<Attempt> onOtherFiles(const std::string& own, const std::string& home)
{
    const std::string secret = home + "/.ssh/id_ed25519";
    const std::string parent = "/proc/" + std::to_string(::getppid());
    return {{"read the home", [=] { return reads(secret); }},
            {"read by a link", [=] { return reads(own + "/link"); }},
            {"read on a thread",
             [=] {
                 bool isRead = false;
                 std::thread([&] { isRead = reads(secret); }).join();
                 return isRead;
             }},
            {"list the home", [=] { return lists(home); }},
            {"list temporary files", [=] { return lists("/tmp"); }},
            {"read users", [] { return reads("/etc/passwd"); }},
            {"read another's environment", [=] { return reads(parent + "/environ"); }},
            {"write in the home", [=] { return opens(home + "/new", O_WRONLY | O_CREAT); }},
            {"change in the home", [=] { return opens(secret, O_WRONLY); }},
            {"delete in the home", [=] { return ::unlink((home + "/old").c_str()) == 0; }},
            {"move into the home", [=] {
                 std::ofstream(own + "/moved") << 'x';
                 return ::rename((own + "/moved").c_str(), (home + "/moved").c_str()) == 0;
             }}};
}

std::vector<Attempt> byCalls(const std::string& own, const std::string& home)
{
    const std::string secret = home + "/.ssh/id_ed25519";
    return {
        {"run a program", runsProgram},
        {"make a process", makesProcess},
        {"signal another", [] { return ::kill(::getppid(), 0) == 0; }},
        {"read another's memory", [] { return readsMemoryOf(::getppid()); }},
        {"be traced", [] { return does([] { return ::ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }); }},
        {"make a namespace", [] { return does([] { return ::unshare(CLONE_NEWUSER) == 0; }); }},
        {"make a file the world's", [=] { return ::chmod(secret.c_str(), 0777) == 0; }},
        {"empty a file", [=] { return ::truncate(secret.c_str(), 0) == 0; }},
        {"empty a file as a reader",
         [=] { return opens(own + "/full", O_RDONLY | O_TRUNC | O_CREAT); }},
        {"empty a file as nobody",
         [=] { return opens(own + "/full", O_ACCMODE | O_TRUNC | O_CREAT); }},
        {"open a file as nobody", [=] { return opens(own + "/full", O_ACCMODE | O_CREAT); }},
        {"empty a file by the newest call", [=] { return opensAnew(own + "/full"); }},
        {"change its user", [] { return ::setuid(::getuid()) == 0; }},
        {"own a file for another",
         [] {
             return namesOwner([](int file) { return ::fcntl(file, F_SETOWN, ::getppid()) == 0; });
         }},
        {"own a file for any other",
         [] {
             return namesOwner([](int file) {
                 const f_owner_ex owner{F_OWNER_PID, ::getppid()};
                 return ::fcntl(file, F_SETOWN_EX, &owner) == 0;
             });
         }},
        {"choose a file's signal",
         [] { return namesOwner([](int file) { return ::fcntl(file, F_SETSIG, SIGKILL) == 0; }); }},
        {"be signalled by a file",
         [] { return namesOwner([](int file) { return ::fcntl(file, F_SETFL, O_ASYNC) == 0; }); }},
        {"own a device for another", [] { return ownsByDevice(0x8901); }},
        {"own a socket for another", [] { return ownsByDevice(0x8902); }},
        {"know of shared memory", knowsMemory},
        {"join shared memory", joinsMemory},
        {"take a semaphore", takesSemaphore},
        {"delete a queue", deletesQueue},
        {"move another to a core", [] { return schedules(::getppid()); }},
        {"slow another", [] { return hurries(static_cast<id_t>(::getppid())); }},
        {"slow a group",
         [] { return ::setpriority(PRIO_PGRP, 0, ::getpriority(PRIO_PGRP, 0)) == 0; }},
        {"have new privileges", [] { return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0; }},
        {"read what was left open", readsInherited},
        {"a file of 1 TB", [=] { return growsTo(own + "/large", off_t{1} << 40U); }}};
}

std::vector<Attempt> asItMay(const std::string& own)
{
    return {{"own file", [=] { return growsTo(own + "/small", 1 << 20U); }},
            {"own folder", [=] { return ::mkdir((own + "/in").c_str(), 0700) == 0 && lists(own); }},
            {"own name",
             [=] {
                 return opens(own + "/a", O_WRONLY | O_CREAT) &&
                        ::rename((own + "/a").c_str(), (own + "/in/b").c_str()) == 0 &&
                        ::link((own + "/in/b").c_str(), (own + "/in/c").c_str()) == 0;
             }},
            {"a thread", startsThread},
            {"a bound thread", startsBoundThread},
            {"nothing", [] { return opens("/dev/null", O_RDWR); }},
            {"own cores", [] { return schedules(0) && schedules(::getpid()); }},
            {"own priority", [] { return hurries(0); }},
            {"own memory", [] { return reads("/proc/self/status"); }},
            {"own peak", [] { return opens("/proc/self/clear_refs", O_WRONLY | O_TRUNC); }},
            {"the machine", [] { return reads("/proc/cpuinfo") && lists("/sys/devices"); }},
            {"a library", [] { return lists("/usr/lib"); }}};
}

/// As on a kernel that hasn't got this call.
void forget(std::uint32_t call)
{
    constexpr std::uint32_t Missing = SECCOMP_RET_ERRNO | ENOSYS;
    std::array<sock_filter, 4> lines{{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                                      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call},
                                      {BPF_RET | BPF_K, 0, 0, Missing},
                                      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
    const sock_fprog program{static_cast<unsigned short>(lines.size()), lines.data()};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc < 3)
        return 2;
    const std::string own = argv[1];
    const std::string home = argv[2];
    const std::string mode = argc > 3 ? argv[3] : "";
    constexpr std::uint32_t CreateRuleset = 444;
    if (mode == "no-landlock")
        forget(CreateRuleset);
    if (mode == "no-seccomp")
        forget(__NR_seccomp);
    if (mode != "free") {
        for (const std::string& sentence : outlay::worker::raiseWalls({.read = {}, .write = {own}}))
            std::cout << "missing: " << sentence << '\n';
    }
    for (const auto& attempts :
         {onTheNetwork(), onOtherFiles(own, home), byCalls(own, home), asItMay(own)}) {
        for (const Attempt& attempt : attempts)
            std::cout << attempt.name << ": " << (attempt.succeeds() ? "done" : "refused")
                      << std::endl;
    }
    // What looks for leaks at the end of a program would trace it.
    ::_exit(0);
}
