// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host/worker_main.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/size_limit.h"
#include "core/base/text.h"
#include "core/probe/assignment.h"
#include "core/probe/host/beat.h"
#include "core/probe/host/nvml.h"
#include "core/probe/host/rank_starter.h"
#include "core/probe/host/walls.h"
#include "core/probe/host/worker_arguments.h"
#include "core/probe/host_facts.h"
#include "core/probe/measurements.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr const char* About =
    "Measures one job of Outlay: a JSON line on standard input, or in FILE. Writes JSON lines to "
    "standard output. `outlay probe`, `outlay sweep` and the window start it, here or on another "
    "machine, where it needs nothing else of Outlay.";

/// The first line of standard input, byte by byte: what follows is for the listener.
std::string readFirstLine(std::optional<std::chrono::milliseconds> lease)
{
    std::string line;
    char byte = 0;
    while (line.size() < LongestLine && hasNews(STDIN_FILENO, lease) &&
           ::read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n')
        line += byte;
    return line;
}

std::string readAllInput()
{
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

int complain(const Error& error)
{
    std::cerr << "outlay-probe: " << error.sentence() << '\n';
    return exitStatus(error.code);
}

int outcomeOf(const Result<void>& result)
{
    return result ? 0 : complain(result.error());
}

int fail(Channel& channel, const Error& error)
{
    channel.send(
        ProbeError{(error.place.empty() ? "" : error.place + ": ") + error.what, error.remedy});
    return exitStatus(error.code);
}

/// Ends with whoever started it, even where that one is killed. It may have happened already.
void endWithParent(pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(128 + SIGKILL);
}

/// What it reads and writes is known by its arguments alone. Sentences on what couldn't be walled off.
std::vector<std::string> raiseWallsFor(const WorkerArguments& arguments,
                                       const WorkerProgram& program)
{
    if (!program.isWalled)
        return {};
    Places places;
    places.reachesOthers = arguments.together;
    places.descriptors = descriptorsOfRankStarter();
    for (const auto& file : {arguments.job, arguments.manifest}) {
        if (file)
            places.read.push_back(*file);
    }
    for (const auto& folder : {arguments.results, arguments.accept, arguments.collect}) {
        if (!folder)
            continue;
        std::error_code ignored; // who writes there says so
        if (folder != arguments.collect)
            std::filesystem::create_directories(*folder, ignored);
        places.write.push_back(*folder);
    }
    return raiseWalls(places);
}

void greet(Channel& channel, const WorkerProgram& program, const std::vector<std::string>& missing)
{
    channel.send(program.hello());
    for (const std::string& sentence : missing)
        channel.send(ProbeWarning{sentence});
}

/// A measurement that is whole is stored before it is said, so that nobody has to make it again.
Message published(const ResultFolder& folder, const std::string& key, Message message)
{
    JobResult result{.key = key, .outcome = JobFailure{}};
    if (auto* done = std::get_if<Done>(&message)) {
        if (!cancelledIn(done->measurement).empty())
            return message;
        done->measurement.set("created", Json(nowUtc())); // it may be read days later
        result.outcome = done->measurement;
    } else if (const auto* error = std::get_if<ProbeError>(&message)) {
        result.outcome = JobFailure{error->what, error->remedy};
    } else {
        return message;
    }
    const auto stored = folder.publish(result);
    if (stored || std::holds_alternative<JobFailure>(result.outcome))
        return message;
    return ProbeError{"the measurement was made, but its result can't be stored: " +
                          stored.error().sentence(),
                      "check the folder for results on that machine"};
}

/// Says what is known of a job already; whether it was.
bool isKnown(Channel& channel, const ResultFolder& folder, const std::string& key)
{
    const auto found = folder.find(key);
    if (!found || !std::holds_alternative<Json>(found->outcome))
        return false;
    channel.send(Done{std::get<Json>(found->outcome)});
    return true;
}

int runAssignment(const Assignment& assignment, bool reachesOthers, Channel& channel,
                  const WorkerProgram& program)
{
    if (assignment.build != program.build)
        return fail(channel, {.what = "the worker here is " + program.build + ", not " +
                                      printable(assignment.build, 200),
                              .remedy = "install one worker on all machines"});
    if (assignment.job.together && !reachesOthers)
        return fail(channel, {.what = "this worker may not reach other machines",
                              .remedy = "start it with --together"});
    if (program.isWalled)
        limitTo(assignment.job);
    return program.run(assignment.job, channel);
}

int measure(const Assignment& assignment, const WorkerArguments& arguments, Channel& channel,
            const WorkerProgram& program)
{
    if (!arguments.results)
        return runAssignment(assignment, arguments.together, channel, program);
    const ResultFolder folder(*arguments.results);
    const std::string key = resultKey(assignment);
    if (isKnown(channel, folder, key))
        return 0;
    const std::string beat = folder.beatPath(key);
    Beat::awaitSilence(beat, channel.stopToken());
    if (isKnown(channel, folder, key))
        return 0;
    channel.setEnding(
        [folder, key](Message message) { return published(folder, key, std::move(message)); });
    const Beat own(beat);
    return runAssignment(assignment, arguments.together, channel, program);
}

/// Somebody waits at the other end of standard input and output, or the job is in a file.
int serve(const WorkerArguments& arguments, const WorkerProgram& program,
          const std::vector<std::string>& missing)
{
    Channel channel(stdout);
    greet(channel, program, missing);
    std::optional<std::chrono::milliseconds> lease;
    if (arguments.leaseS)
        lease = std::chrono::milliseconds(static_cast<std::int64_t>(*arguments.leaseS * 1e3));
    const auto text =
        arguments.job ? loadFile(*arguments.job) : Result<std::string>(readFirstLine(lease));
    if (!text)
        return fail(channel, text.error());
    auto assignment = readAssignment(*text);
    if (!assignment)
        return fail(channel, assignment.error());
    if (assignment->build.empty())
        assignment->build = program.build; // who asks is content with any
    if (!arguments.job) {
        // Ctrl+C reaches every program of the terminal; who started this one says "cancel" then.
        std::signal(SIGINT, SIG_IGN);
        channel.listen(STDIN_FILENO, lease);
    }
    return measure(*assignment, arguments, channel, program);
}

/// One line of a manifest, in this process.
int doLine(const WorkerArguments& arguments, const WorkerProgram& program,
           const std::vector<std::string>& missing)
{
    const auto text = loadFile(*arguments.manifest);
    const auto manifest =
        text ? readManifest(*text) : Result<std::vector<Assignment>>(failureOf(text));
    if (!manifest)
        return complain(manifest.error().in(*arguments.manifest));
    const auto line = static_cast<std::size_t>(*arguments.line);
    if (line >= manifest->size())
        return 0; // the last task may have fewer
    Channel channel(stdout);
    greet(channel, program, missing);
    return measure((*manifest)[line], arguments, channel, program);
}

/// The lines of a task one after the other, each in a process of its own: what one leaves in memory is not measured
/// with the next.
int doTask(const WorkerArguments& arguments, char* argv[])
{
    int worst = 0;
    const std::int64_t first = *arguments.task * arguments.each;
    for (std::int64_t line = first; line < first + arguments.each; ++line) {
        const std::string number = std::to_string(line);
        const char* command[] = {
            argv[0],        "--manifest", arguments.manifest->c_str(), "--line",
            number.c_str(), "--results",  arguments.results->c_str(),  nullptr};
        const pid_t parent = ::getpid();
        const pid_t child = ::fork();
        if (child == 0) {
            endWithParent(parent);
            ::execv("/proc/self/exe", const_cast<char**>(command));
            ::_exit(127);
        }
        int status = 0;
        while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (child < 0 || status != 0)
            worst = exitStatus(ErrorCode::Measurement);
    }
    return worst;
}

int tellOfMachine(const WorkerProgram& program, std::vector<std::string> missing)
{
    const Hello hello = program.hello();
    HostFacts facts{.protocol = hello.protocol,
                    .build = hello.build,
                    .device = hello.device,
                    .machine = thisMachine(),
                    .missingWalls = std::move(missing)};
    facts.machine.device = deviceNameOf(hello.device);
    addState(facts.machine);
    std::cout << toLine(facts);
    return 0;
}

int collect(const std::string& path)
{
    const ResultFolder folder(path);
    for (std::string key; std::getline(std::cin, key);) {
        if (const auto result = folder.find(key))
            std::cout << toLine(*result);
    }
    return 0;
}

} // namespace

ManualPage workerManual()
{
    return {
        .name = "outlay-probe",
        .purpose = "measures the training and serving of a design for Outlay",
        .sections = {
            {.title = "SYNOPSIS",
             .text = "outlay-probe [--job FILE] [--results FOLDER] [--lease S]\n"
                     "outlay-probe --manifest FILE --task N [--each N] --results FOLDER"},
            {.title = "DESCRIPTION", .text = About},
            {.title = "OPTIONS",
             .terms = {{"--job FILE", "the job, instead of standard input"},
                       {"--results FOLDER",
                        "stores the measurement there, and measures nothing that is there"},
                       {"--lease S", "ends after so many seconds in which nobody says anything"},
                       {"--together", "may reach other machines by TCP, where a job trains with "
                                      "them"},
                       {"--manifest FILE", "a list of jobs, one a line"},
                       {"--task N", "does the N-th part of the list, counted from 0"},
                       {"--each N", "jobs of a part (default: 1)"},
                       {"--accept FOLDER", "stores the list on standard input in FOLDER"},
                       {"--collect FOLDER",
                        "prints the results in FOLDER whose keys are on standard input"},
                       {"--program", "runs the program that a line on standard input names, and "
                                     "says what it sees of it"},
                       {"--version", "says which worker this is"},
                       {"--machine", "says which machine it is on, as JSON"},
                       {"--help", "says what it does"},
                       {"--manual", "prints this page"}}},
            {.title = "SEE ALSO", .text = "outlay(1)"}}};
}

namespace {

int doAs(const WorkerArguments& arguments, char* argv[], const WorkerProgram& program)
{
    if (arguments.manual) {
        std::cout << manualText(workerManual());
        return 0;
    }
    if (arguments.help) {
        std::cout << "Usage: outlay-probe [--job FILE] [--results FOLDER] [--lease S]\n\n"
                  << About << '\n';
        return 0;
    }
    if (arguments.version) {
        std::cout << program.build << "\nprotocol " << ProtocolVersion << '\n';
        return 0;
    }
    if (arguments.program && program.runProgram != nullptr)
        return program.runProgram(arguments.leaseS);
    if (arguments.machine)
        return tellOfMachine(program, raiseWallsFor(arguments, program));
    if (arguments.accept || arguments.collect) {
        (void)raiseWallsFor(arguments, program);
        return arguments.collect
                   ? collect(*arguments.collect)
                   : outcomeOf(ResultFolder(*arguments.accept).accept(readAllInput()));
    }
    std::signal(SIGPIPE, SIG_IGN); // a write that fails says the same
    if (arguments.task)
        return doTask(arguments, argv);
    if (!arguments.job && !arguments.line)
        endWithParent(::getppid());
    program.prepare(argv);
    if (program.isWalled)
        keepRankStarter(RankStarter::create());
    const std::vector<std::string> missing = raiseWallsFor(arguments, program);
    return arguments.line ? doLine(arguments, program, missing)
                          : serve(arguments, program, missing);
}

} // namespace

int workerMain(int argc, char* argv[], const WorkerProgram& program)
{
    surviveSizeLimit();
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto arguments = readWorkerArguments(words);
    const int status = arguments ? doAs(*arguments, argv, program) : complain(arguments.error());
    std::cout.flush();
    std::fflush(stdout);
    return status;
}

} // namespace outlay::worker
