// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that follows the protocol, or misbehaves as OUTLAY_FAKE_PROBE says.
#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>
#include <unistd.h>

using namespace outlay::core;

namespace {

void say(const Message& message)
{
    std::cout << toLine(message) << std::flush;
}

[[noreturn]] void sleepForever()
{
    while (true)
        ::pause();
}

/// Beats until a line says cancel or the input ends.
void beatUntilCancelled()
{
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find("cancel") != std::string::npos)
            break;
    }
    say(Cancelled{});
}

/// One variant where any is asked for.
Json measurement(const Job& job)
{
    Measurement m;
    m.machine.processor = "fake";
    m.training.step = timingOf(std::vector<double>(20, 0.5), {});
    if (!job.variants.empty())
        m.variants.push_back({.variant = "batch", .name = "batch 256", .unavailable = "a fake"});
    return toJson(m);
}

} // namespace

int main()
{
    const char* given = std::getenv("OUTLAY_FAKE_PROBE");
    const std::string mode = given == nullptr ? "done" : given;
    std::string line;
    std::getline(std::cin, line);
    if (mode == "silent")
        sleepForever();
    if (mode == "version") {
        say(Hello{.protocol = ProtocolVersion + 1, .build = "fake"});
        sleepForever();
    }
    say(Hello{.protocol = ProtocolVersion, .build = "fake"});
    const auto job = readJob(line);
    if (!job) {
        say(ProbeError{job.error().what, job.error().remedy});
        return 2;
    }
    say(Progress{.done = 1, .total = 10, .phase = "training", .steps = 3});
    if (mode == "killed")
        std::raise(SIGKILL);
    if (mode == "segv") {
        std::signal(SIGSEGV, SIG_DFL); // a sanitizer would make an exit of it
        std::raise(SIGSEGV);
    }
    if (mode == "exit") {
        std::cerr << "something went wrong\n";
        return 3;
    }
    if (mode == "exit quietly")
        return 0;
    if (mode == "garbage")
        std::cout << "\xFF\xFE not a message\n" << std::flush;
    if (mode == "unknown type")
        std::cout << "{\"type\":\"dance\"}\n" << std::flush;
    if (mode == "no type")
        std::cout << "{\"dance\":1}\n" << std::flush;
    if (mode == "half a line")
        std::cout << "{\"type\":\"done\",\"measur" << std::flush;
    if (mode == "long line")
        std::cout << std::string(3U << 20U, 'x') << std::flush;
    if (mode == "flood") {
        for (int i = 0; i < 1'000'000; ++i)
            std::cout << toLine(Progress{.done = 1, .total = 10, .phase = "flood"});
        std::cout << std::flush;
    }
    if (mode == "warnings") {
        for (int i = 0; i < 1'000; ++i)
            say(ProbeWarning{"warning " + std::to_string(i)});
    }
    if (mode == "many") { // but never many at once
        for (int i = 0; i < 12; ++i) {
            for (int j = 0; j < 600; ++j)
                std::cout << toLine(Progress{.done = 1.0 + i, .total = 20, .phase = "training"});
            std::cout << std::flush;
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
        }
    }
    if (mode == "stands still") {
        while (true) {
            say(Progress{.done = 1, .total = 10, .phase = "training", .steps = 3});
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
    if (mode == "no memory") {
        say(ProbeError{"the machine has no memory left for this design", "choose a smaller batch"});
        return 4;
    }
    if (mode == "spoils the file") { // as somebody who is just editing it
        std::ofstream(std::getenv("OUTLAY_FAKE_FILE")) << "{\"format\": ";
    }
    if (mode == "no measurement")
        std::cout << "{\"type\":\"done\"}\n" << std::flush;
    if (mode == "two ends") {
        say(Done{measurement(*job)});
        say(ProbeError{"too late", ""});
        return 0;
    }
    if (mode == "lingers") {
        say(Done{measurement(*job)});
        sleepForever();
    }
    if (mode == "waits") {
        beatUntilCancelled();
        return 130;
    }
    if (mode == "refuses to stop") {
        std::signal(SIGTERM, SIG_IGN);
        sleepForever();
    }
    if (mode == "half a line" || mode == "long line" || mode == "garbage")
        return 0;
    say(Done{measurement(*job)});
    return 0;
}
