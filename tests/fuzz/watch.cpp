// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/watch.h"

#include "tests/support/own_new.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <malloc.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

std::atomic<std::size_t> living = 0;
std::atomic<std::size_t> most = 0;
std::atomic<int> notReading = 0;

} // namespace

static void* grantedBlock(std::size_t bytes)
{
    void* block = std::malloc(bytes > 0 ? bytes : 1);
    if (block == nullptr)
        return nullptr;
    const std::size_t now = living += ::malloc_usable_size(block);
    if (notReading == 0 && now > most)
        most = now; // of readers, which have one thread
    return block;
}

static void releaseBlock(void* block)
{
    living -= ::malloc_usable_size(block);
    std::free(block);
}

/// Of the sanitizers, where the program has them.
extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace outlay::fuzz {
namespace {

std::string keptPath;
const std::string* current = nullptr;
std::size_t livingBefore = 0;
double processorBefore = 0;

double processorSeconds()
{
    constexpr double Nanosecond = 1e-9;
    struct timespec now {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + Nanosecond * static_cast<double>(now.tv_nsec);
}

void say(const char* text)
{
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

/// In a handler of signals too.
void keepInput()
{
    if (current == nullptr)
        return;
    const int file = ::open(keptPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    [[maybe_unused]] const ssize_t written = ::write(file, current->data(), current->size());
    ::close(file);
    say("fuzz: the input is kept in ");
    say(keptPath.c_str());
    say("\n");
    current = nullptr;
}

void crashed(int signal)
{
    say(signal == SIGPROF ? "fuzz: it hangs\n" : "fuzz: it crashes\n");
    keepInput();
    ::_exit(1);
}

void setTimer(double seconds)
{
    constexpr double MicrosPerSecond = 1e6;
    const auto whole = static_cast<time_t>(seconds);
    const auto micros =
        static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * MicrosPerSecond);
    const struct itimerval timer {
        {0, 0}, { whole, micros }
    };
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

} // namespace

void watchFor(const std::string& target)
{
    keptPath = "fuzz_" + target + ".input";
    // The end of the stack is a crash as well, and is told on another one.
    static std::array<char, 65536> stack;
    const stack_t other{stack.data(), 0, stack.size()};
    ::sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_handler = crashed;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(SIGPROF, &action, nullptr);
    if (__sanitizer_set_death_callback != nullptr) {
        __sanitizer_set_death_callback(keepInput);
        return;
    }
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(signal, &action, nullptr);
}

void beginInput(const std::string& input)
{
    current = &input;
    livingBefore = living;
    most = livingBefore;
    processorBefore = processorSeconds();
    setTimer(LongestSeconds);
}

Spent endInput()
{
    setTimer(0);
    const Spent spent{processorSeconds() - processorBefore, most - livingBefore};
    const std::size_t size = current->size();
    if (spent.bytes > LeastBytes && spent.bytes / MostTimes > size)
        fail("it took " + std::to_string(spent.bytes) + " bytes of memory for " +
             std::to_string(size));
    current = nullptr;
    return spent;
}

NotReading::NotReading()
{
    ++notReading;
}

NotReading::~NotReading()
{
    --notReading;
}

std::size_t livingBytes()
{
    return living;
}

void fail(const std::string& why)
{
    say(("fuzz: " + why + "\n").c_str());
    keepInput();
    ::_exit(1);
}

} // namespace outlay::fuzz
