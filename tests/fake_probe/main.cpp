// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that follows the protocol, or misbehaves as OUTLAY_FAKE_PROBE says. With arguments it is one that takes
// OUTLAY_FAKE_SECONDS for a job, and notes in OUTLAY_FAKE_STARTS each that it begins.
#include "core/probe/assignment.h"
#include "core/probe/host/meeting.h"
#include "core/probe/host/worker_main.h"
#include "core/probe/job.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"
#include "core/program/program_order.h"

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

/// Until a line says cancel or the input ends.
void waitForCancel()
{
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find("cancel") != std::string::npos)
            break;
    }
}

/// One variant where any is asked for.
Measurement measurementOf(const Job& job)
{
    Measurement m;
    m.machine.processor = "Test processor"; // as the tests' catalogs have it
    m.machine.cores = 8;
    m.model = job.model;
    m.trainingSettings = m.askedTraining = job.training;
    m.servingSettings = m.askedServing = job.serving;
    m.training.step = timingOf(std::vector<double>(20, 0.5), {});
    if (!job.variants.empty())
        m.variants.push_back({.variant = "batch", .name = "batch 256", .unavailable = "a fake"});
    return m;
}

void die(const std::string& mode)
{
    if (mode == "killed")
        std::raise(SIGKILL);
    if (mode == "segv") {
        std::signal(SIGSEGV, SIG_DFL); // a sanitizer would make an exit of it
        std::raise(SIGSEGV);
    }
    if (mode == "refuses to stop") {
        std::signal(SIGTERM, SIG_IGN);
        sleepForever();
    }
}

void talkNonsense(const std::string& mode)
{
    if (mode == "garbage")
        std::cout << "\xFF\xFE not a message\n";
    if (mode == "unknown type")
        std::cout << "{\"type\":\"dance\"}\n";
    if (mode == "no type")
        std::cout << "{\"dance\":1}\n";
    if (mode == "half a line")
        std::cout << "{\"type\":\"done\",\"measur";
    if (mode == "long line")
        std::cout << std::string(3U << 20U, 'x');
    if (mode == "no measurement")
        std::cout << "{\"type\":\"done\"}\n";
    std::cout << std::flush;
}

/// Where the step is the same, only the heart beats.
void progress(int steps, int times)
{
    for (int i = 0; i < times; ++i)
        std::cout << toLine(
            Progress{.done = 1.0 * steps, .total = 20, .phase = "training", .steps = steps});
    std::cout << std::flush;
}

void talkMuch(const std::string& mode)
{
    using namespace std::chrono_literals;
    if (mode == "flood")
        progress(1, 1'000'000);
    for (int i = 0; mode == "warnings" && i < 1'000; ++i)
        say(ProbeWarning{"warning " + std::to_string(i)});
    for (int i = 1; mode == "many" && i <= 12; ++i) { // but never many at once
        progress(i, 600);
        std::this_thread::sleep_for(300ms);
    }
    while (mode == "stands still") {
        progress(3, 1);
        std::this_thread::sleep_for(50ms);
    }
}

/// The last words, and the exit status.
int end(const std::string& mode, const Job& job)
{
    if (mode == "exit") {
        std::cerr << "something went wrong\n";
        return 3;
    }
    if (mode == "no memory") {
        say(ProbeError{"the machine has no memory left for this design", "choose a smaller batch"});
        return 4;
    }
    if (mode == "waits") {
        waitForCancel();
        say(Cancelled{});
        return 130;
    }
    if (mode == "keeps what it has") {
        Measurement partial = measurementOf(job);
        say(TriedVariant{partial.variants.empty() ? VariantMeasurement{}
                                                  : partial.variants.front()});
        waitForCancel();
        partial.cancelledIn = "variants: batch";
        say(Done{toJson(partial)});
        return 0;
    }
    for (const char* without : {"exit quietly", "half a line", "long line", "garbage"}) {
        if (mode == without)
            return 0;
    }
    if (mode == "spoils the file") // as somebody who is just editing it
        std::ofstream(std::getenv("OUTLAY_FAKE_FILE")) << "{\"format\": ";
    say(Done{toJson(measurementOf(job))});
    if (mode == "two ends")
        say(ProbeError{"too late", ""});
    if (mode == "lingers")
        sleepForever();
    return 0;
}

Hello helloOfFake()
{
    const char* mode = std::getenv("OUTLAY_FAKE_PROBE");
    const bool isOther = mode != nullptr && std::string_view(mode) == "version";
    return {.protocol = ProtocolVersion + (isOther ? 1 : 0), .build = "fake"};
}

double fakeSeconds()
{
    const char* given = std::getenv("OUTLAY_FAKE_SECONDS");
    return given == nullptr ? 0 : std::atof(given);
}

/// One line, whole, in a file that all workers append to.
void note(const Job& job)
{
    const char* path = std::getenv("OUTLAY_FAKE_STARTS");
    if (path == nullptr)
        return;
    const auto now =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    std::ofstream(path, std::ios::app)
        << std::to_string(job.training.batch) + " " + std::to_string(now) + "\n";
}

/// All that train together have told who they are, and nobody else.
bool meet(const Together& together, outlay::worker::Channel& channel, Measurement& measured)
{
    using namespace std::chrono_literals;
    outlay::worker::Meeting meeting(channel);
    meeting.tell("place/" + std::to_string(together.rank),
                 together.hosts.at(static_cast<std::size_t>(together.rank)) + std::string(1, '\0'));
    for (std::size_t rank = 0; rank < together.hosts.size(); ++rank) {
        const auto told = meeting.ask("place/" + std::to_string(rank), 60s);
        if (!told || *told != together.hosts[rank] + std::string(1, '\0'))
            return false;
    }
    measured.processes =
        ProcessesMeasurement{.processes = static_cast<std::int64_t>(together.hosts.size()),
                             .hosts = together.hosts,
                             .aloneStepS = 0.5,
                             .stepS = 0.6,
                             .exchangeS = 0.1};
    return true;
}

int sleepThrough(const Job& job, outlay::worker::Channel& channel)
{
    using namespace std::chrono_literals;
    note(job);
    const char* mode = std::getenv("OUTLAY_FAKE_PROBE");
    if (mode != nullptr && std::string_view(mode) == "no memory") {
        channel.send(ProbeError{"the machine has no memory left for this design", "choose less"});
        return 4;
    }
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration<double>(fakeSeconds());
    while (std::chrono::steady_clock::now() < end) {
        if (channel.stopToken().stop_requested()) {
            channel.send(Cancelled{});
            return 130;
        }
        channel.progress({.done = 1, .total = 2, .phase = "training", .steps = 1});
        std::this_thread::sleep_for(5ms);
    }
    Measurement measured = measurementOf(job);
    if (job.together && !meet(*job.together, channel, measured))
        return 130;
    channel.send(Done{toJson(measured)});
    return 0;
}

} // namespace

int main(int argc, char* argv[])
{
    if (argc > 1)
        ::_exit(outlay::worker::workerMain(argc, argv,
                                           {.build = "fake",
                                            .hello = helloOfFake,
                                            .run = sleepThrough,
                                            .prepare = [](char*[]) {},
                                            .runProgram = carryOutOrder}));
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
    die(mode);
    talkNonsense(mode);
    talkMuch(mode);
    return end(mode, *job);
}
