// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/call_wall.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

// Newer than some systems' headers; the numbers are those of all processors.
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif
#ifndef __NR_clone3
#define __NR_clone3 435
#endif

namespace outlay::worker {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t Processor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t Processor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t Processor = 0; // whose calls aren't known here
#endif

// Calls newer than some systems' headers; the numbers are those of all processors.
constexpr std::uint32_t PidfdSendSignal = 424;
constexpr std::uint32_t IoUringSetup = 425;
constexpr std::uint32_t IoUringEnter = 426;
constexpr std::uint32_t IoUringRegister = 427;
constexpr std::uint32_t OpenTree = 428;
constexpr std::uint32_t MoveMount = 429;
constexpr std::uint32_t FsOpen = 430;
constexpr std::uint32_t FsConfig = 431;
constexpr std::uint32_t FsMount = 432;
constexpr std::uint32_t FsPick = 433;
constexpr std::uint32_t PidfdOpen = 434;
constexpr std::uint32_t OpenAt2 = 437;
constexpr std::uint32_t PidfdGetFd = 438;
constexpr std::uint32_t ProcessMadvise = 440;
constexpr std::uint32_t MountSetAttr = 442;
constexpr std::uint32_t QuotactlFd = 443;
constexpr std::uint32_t FchmodAt2 = 452;
constexpr std::uint32_t SetXattrAt = 463;
constexpr std::uint32_t RemoveXattrAt = 466;
constexpr std::uint32_t OpenTreeAttr = 467;
constexpr std::uint32_t FileSetAttr = 469;

/// Calls that are always refused, by number.
constexpr std::uint32_t Refused[] = {
    // Programs and processes; threads go by `clone`.
    __NR_execve,
    __NR_execveat,
    __NR_unshare,
    __NR_setns,
    __NR_kill,
    __NR_tkill,
    __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_kcmp,
    __NR_personality,
    // Calls by another way, which no filter sees, and what listens to the whole machine.
    IoUringSetup,
    IoUringEnter,
    IoUringRegister,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_userfaultfd,
    __NR_fanotify_init,
    __NR_open_by_handle_at,
    // Who may do what with files, also those that Landlock leaves alone; an open one's mode may be set.
    __NR_fchmodat,
    FchmodAt2,
    __NR_fchown,
    __NR_fchownat,
    __NR_setxattr,
    __NR_lsetxattr,
    __NR_fsetxattr,
    __NR_removexattr,
    __NR_lremovexattr,
    __NR_fremovexattr,
    SetXattrAt,
    RemoveXattrAt,
    FileSetAttr,
    __NR_utimensat,
    __NR_truncate,
    __NR_mknodat,
    // Mounts, of the old kind and the new one.
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    OpenTree,
    MoveMount,
    FsOpen,
    FsConfig,
    FsMount,
    FsPick,
    MountSetAttr,
    OpenTreeAttr,
    __NR_swapon,
    __NR_swapoff,
    __NR_quotactl,
    QuotactlFd,
    __NR_acct,
    // Users, keys, and what processes of one user share.
    __NR_setuid,
    __NR_setgid,
    __NR_setreuid,
    __NR_setregid,
    __NR_setresuid,
    __NR_setresgid,
    __NR_setgroups,
    __NR_setfsuid,
    __NR_setfsgid,
    __NR_capset,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_shmget,
    __NR_shmat,
    __NR_shmctl,
    __NR_shmdt,
    __NR_semget,
    __NR_semop,
    __NR_semtimedop,
    __NR_semctl,
    __NR_msgget,
    __NR_msgsnd,
    __NR_msgrcv,
    __NR_msgctl,
    __NR_mq_open,
    __NR_mq_unlink,
    PidfdSendSignal,
    PidfdOpen,
    PidfdGetFd,
    ProcessMadvise,
    // The machine's.
    __NR_kexec_load,
#ifdef __NR_kexec_file_load
    __NR_kexec_file_load,
#endif
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_reboot,
    __NR_sethostname,
    __NR_setdomainname,
    __NR_settimeofday,
    __NR_clock_settime,
    __NR_clock_adjtime,
    __NR_adjtimex,
    __NR_syslog,
    __NR_vhangup,
#ifdef __x86_64__
    __NR_fork,
    __NR_vfork,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
    __NR_utime,
    __NR_utimes,
    __NR_futimesat,
    __NR_mknod,
    __NR_iopl,
    __NR_ioperm,
    __NR_modify_ldt,
#endif
};

/// Flags of `clone` that make a namespace.
constexpr std::uint32_t NewSpaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

class Filter {
public:
    Filter()
    {
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, Processor, 1, 0);
        refuse();
        load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
        constexpr std::uint32_t OfX32 = 0x40000000;
        add(BPF_JMP | BPF_JGE | BPF_K, OfX32, 0, 1);
        refuse();
#endif
    }

    void refuseCall(std::uint32_t call, int number = EPERM)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
        refuse(number);
    }
    /// Refused but for what `conditions` allow, which look at the arguments.
    template <typename Conditions>
    void refuseUnless(std::uint32_t call, const Conditions& conditions)
    {
        const std::size_t jump = m_lines.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 0);
        conditions();
        refuse();
        m_lines[jump].jf = static_cast<std::uint8_t>(m_lines.size() - jump - 1);
    }

    // In conditions.
    void loadArgument(std::size_t i)
    {
        // The lower half: numbers and flags have no more, and processors that aren't little-endian aren't known here.
        load(static_cast<std::uint32_t>(offsetof(seccomp_data, args) + i * sizeof(std::uint64_t)));
    }
    void keepOnly(std::uint32_t bits)
    {
        add(BPF_ALU | BPF_AND | BPF_K, bits);
    }
    void allowUnless(std::uint32_t value)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        allow();
    }
    void allowIf(std::uint32_t value)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        allow();
    }
    void refuseIf(std::uint32_t value)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        refuse();
    }
    void refuseUnlessIs(std::uint32_t value)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        refuse();
    }
    void refuseIfAny(std::uint32_t bits)
    {
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
        refuse();
    }
    void refuseIfNone(std::uint32_t bits)
    {
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
        refuse();
    }
    void allow()
    {
        add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    /// A socket of this kind (or two), where the family that is loaded is this one.
    void allowSocket(std::uint32_t family, std::uint32_t type,
                     std::initializer_list<std::uint32_t> protocols)
    {
        constexpr std::uint32_t Types = 0xf; // beside them are flags
        const std::size_t jump = m_lines.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, family, 0, 0);
        loadArgument(1);
        keepOnly(Types);
        add(BPF_JMP | BPF_JEQ | BPF_K, type, 1, 0);
        refuse();
        loadArgument(2);
        for (const std::uint32_t protocol : protocols)
            allowIf(protocol);
        refuse();
        m_lines[jump].jf = static_cast<std::uint8_t>(m_lines.size() - jump - 1);
    }

    /// Why not all threads have it; empty where they do.
    std::string install()
    {
        allow();
        const sock_fprog program{static_cast<unsigned short>(m_lines.size()), m_lines.data()};
        // Without the second flag kernels before 5.16 would slow the processor's guesses, and what is measured.
        constexpr unsigned long Flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
        long outcome = ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, Flags, &program);
        if (outcome < 0)
            outcome = ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                                &program);
        if (outcome > 0) // its id
            return "a thread couldn't take the filter of calls";
        if (outcome < 0)
            return std::string("this kernel has no seccomp filters (") + std::strerror(errno) + ")";
        return {};
    }

private:
    void add(std::uint32_t code, std::uint32_t value, std::uint8_t ifTrue = 0,
             std::uint8_t ifFalse = 0)
    {
        m_lines.push_back({static_cast<std::uint16_t>(code), ifTrue, ifFalse, value});
    }
    void load(std::uint32_t offset)
    {
        add(BPF_LD | BPF_W | BPF_ABS, offset);
    }
    void refuse(int number = EPERM)
    {
        add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(number));
    }

    std::vector<sock_filter> m_lines;
};

void addSockets(Filter& filter, Sockets sockets)
{
    filter.refuseUnless(__NR_socket, [&] {
        filter.loadArgument(0);
        if (sockets == Sockets::Driver)
            filter.allowSocket(AF_UNIX, SOCK_SEQPACKET, {0});
        if (sockets == Sockets::Tcp) {
            filter.allowSocket(AF_INET, SOCK_STREAM, {0, IPPROTO_TCP});
            filter.allowSocket(AF_NETLINK, SOCK_RAW, {0});
        }
    });
    // One of two may send datagrams to any other address; streams stay among the two.
    filter.refuseUnless(__NR_socketpair, [&] {
        filter.loadArgument(0);
        if (sockets == Sockets::Driver)
            filter.allowSocket(AF_UNIX, SOCK_STREAM, {0});
    });
}

/// Before its third version Landlock lets those who don't write empty a file, and its rights know no fourth way to
/// open one, which allows nothing but that.
void addOpening(Filter& filter)
{
    const auto add = [&](std::uint32_t call, std::size_t flags) {
        filter.refuseUnless(call, [&] {
            filter.loadArgument(flags);
            filter.keepOnly(O_ACCMODE | O_TRUNC);
            for (const int refused : {O_ACCMODE, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC})
                filter.refuseIf(static_cast<std::uint32_t>(refused));
            filter.allow();
        });
    };
    add(__NR_openat, 2);
#ifdef __x86_64__
    add(__NR_open, 1);
#endif
    // Its flags can't be seen.
    filter.refuseCall(OpenAt2, ENOSYS);
}

/// What is open may signal whoever is named as its owner, or is the foreground of a terminal.
void addOwnersOfFiles(Filter& filter)
{
    // Of headers that can't be had beside these.
    constexpr std::uint32_t SetOwner = 8;
    constexpr std::uint32_t SetSignal = 10;
    constexpr std::uint32_t SetAnyOwner = 15;
    filter.refuseUnless(__NR_fcntl, [&] {
        filter.loadArgument(1);
        for (const std::uint32_t command : {SetOwner, SetSignal, SetAnyOwner})
            filter.refuseIf(command);
        filter.allowUnless(F_SETFL);
        filter.loadArgument(2);
        filter.refuseIfAny(O_ASYNC);
        filter.allow();
    });
    constexpr std::uint32_t SetOwnerByDevice = 0x8901; // FIOSETOWN
    constexpr std::uint32_t SetOwnerBySocket = 0x8902; // SIOCSPGRP
    // Words put into a terminal would be a shell's.
    constexpr std::uint32_t ToLinux = 0x541c; // TIOCLINUX
    filter.refuseUnless(__NR_ioctl, [&] {
        filter.loadArgument(1);
        for (const std::uint32_t command :
             {SetOwnerByDevice, SetOwnerBySocket, static_cast<std::uint32_t>(FIOASYNC),
              static_cast<std::uint32_t>(TIOCSTI), ToLinux})
            filter.refuseIf(command);
        filter.allow();
    });
}

/// Whether OpenMP is told to keep its threads on cores: then it moves them by their numbers, which aren't known before,
/// and ends the program where it may not.
bool bindsThreads()
{
    for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
        if (std::getenv(name) != nullptr)
            return true;
    }
    return false;
}

void addProcesses(Filter& filter)
{
    const auto own = static_cast<std::uint32_t>(::getpid());
    filter.refuseUnless(__NR_clone, [&] {
        filter.loadArgument(0);
        filter.refuseIfNone(CLONE_THREAD);
        filter.refuseIfAny(NewSpaces);
        filter.allow();
    });
    // Its flags can't be seen; libraries take the older call then.
    filter.refuseCall(__NR_clone3, ENOSYS);
    filter.refuseUnless(__NR_tgkill, [&] { // `abort` ends this process by it
        filter.loadArgument(0);
        filter.allowIf(own);
    });
    const auto allowOwn = [&](std::uint32_t call) {
        filter.refuseUnless(call, [&] {
            filter.loadArgument(0);
            filter.allowIf(0);
            filter.allowIf(own);
        });
    };
    for (const std::uint32_t call : std::initializer_list<std::uint32_t>{
             __NR_prlimit64, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr,
             __NR_migrate_pages, __NR_move_pages})
        allowOwn(call);
    if (!bindsThreads())
        allowOwn(__NR_sched_setaffinity);
    // Of a process; a group's has others in it.
    constexpr std::uint32_t OfProcess = 1;
    const auto allowOwnOf = [&](std::uint32_t call, std::uint32_t kind) {
        filter.refuseUnless(call, [&] {
            filter.loadArgument(0);
            filter.refuseUnlessIs(kind);
            filter.loadArgument(1);
            filter.allowIf(0);
            filter.allowIf(own);
        });
    };
    allowOwnOf(__NR_setpriority, PRIO_PROCESS);
    allowOwnOf(__NR_ioprio_set, OfProcess);
}

} // namespace

std::string raiseCallWall(Sockets sockets)
{
    constexpr const char* Open = ": the worker isn't kept from the network and other programs";
    if (Processor == 0)
        return std::string("no filter is known for this processor") + Open;
    Filter filter;
    addProcesses(filter);
    addSockets(filter, sockets);
    addOpening(filter);
    addOwnersOfFiles(filter);
    for (const std::uint32_t call : Refused)
        filter.refuseCall(call);
    const std::string problem = filter.install();
    return problem.empty() ? problem : problem + Open;
}

} // namespace outlay::worker
