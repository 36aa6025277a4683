// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and what else running programs say: workers, other machines, queues, a person's own training.
#include "core/launch/command_words.h"
#include "core/launch/queue.h"
#include "core/probe/assignment.h"
#include "core/probe/host_facts.h"
#include "core/probe/measurement.h"
#include "core/probe/message.h"
#include "core/program/program_message.h"
#include "core/program/progress_text.h"
#include "core/program/step_lines.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace outlay::fuzz {
namespace {

using namespace outlay::core;

/// What was accepted is the same when it is said again.
template <typename T, typename Write, typename Read>
void checkSaid(const T& value, const Write& write, const Read& read)
{
    const auto again = read(write(value));
    if (!again)
        fail("what was read can't be read again: " + again.error().sentence());
    if (!(*again == value))
        fail("saying it again changed it");
}

void feedMessage(const std::string& input)
{
    checkOutcome(readMessage(input), [](const Message& message) {
        checkSaid(
            message, [](const Message& m) { return toLine(m); }, readMessage);
        if (const auto* done = std::get_if<Done>(&message))
            checkOutcome(readMeasurement(done->measurement), [](const Measurement& m) {
                if (!readMeasurement(toJson(m)))
                    fail("a measurement can't be stored");
            });
    });
}

void feedJob(const std::string& input)
{
    checkOutcome(readJob(input), [](const Job& job) {
        checkSaid(
            job, [](const Job& j) { return toLine(j); }, readJob);
    });
    checkOutcome(readManifest(input), [](const std::vector<Assignment>& assignments) {
        for (const Assignment& assignment : assignments)
            checkSaid(
                assignment, [](const Assignment& a) { return toLine(a); }, readAssignment);
    });
}

void feedJobResult(const std::string& input)
{
    checkOutcome(readJobResult(input), [](const JobResult& result) {
        checkSaid(
            result, [](const JobResult& r) { return toLine(r); }, readJobResult);
    });
}

void feedHostFacts(const std::string& input)
{
    checkOutcome(readHostFacts(input), [](const HostFacts& facts) {
        checkSaid(
            facts, [](const HostFacts& f) { return toLine(f); }, readHostFacts);
    });
}

void feedProgramMessage(const std::string& input)
{
    checkOutcome(readProgramMessage(input), [](const ProgramMessage& message) {
        checkSaid(
            message, [](const ProgramMessage& m) { return lineOf(m); }, readProgramMessage);
    });
}

void checkMarks(const std::vector<StepMark>& marks)
{
    for (const StepMark& mark : marks) {
        if (!std::isfinite(mark.atS) || !std::isfinite(mark.steps) || mark.steps < 0 ||
            (mark.of && !std::isfinite(*mark.of)))
            fail("a mark is none");
    }
    const auto forecast = forecastOf(marks, marks.empty() ? std::nullopt : marks.back().of, 0);
    if (forecast && (!std::isfinite(forecast->wholeS) || forecast->lowS > forecast->highS))
        fail("a forecast is none");
}

/// As a pipe gives it: in pieces, and as time goes on.
template <typename Reader>
std::vector<StepMark> marksOf(const std::string& input)
{
    Reader reader;
    const std::size_t piece = 1 + input.size() % 61;
    for (std::size_t at = 0; at < input.size(); at += piece)
        reader.feed(std::string_view(input).substr(at, piece), 0.01 * static_cast<double>(at));
    return reader.marks();
}

void feedStepLines(const std::string& input)
{
    checkMarks(marksOf<StepLines>(input));
}

void feedProgressText(const std::string& input)
{
    checkMarks(marksOf<ProgressText>(input));
}

void feedQueue(const std::string& input)
{
    const std::vector<QueuedTask> tasks = readQueue(input);
    QueueTasks sweep(100, 7);
    sweep.setDone(static_cast<std::int64_t>(input.size() % 100));
    for (const std::int64_t task : sweep.toSubmit(tasks)) {
        if (task < 0 || task >= sweep.count())
            fail("a task is submitted that there isn't");
    }
    static_cast<void>(sweep.givenUp(tasks));
}

void feedProfile(const std::string& input)
{
    withJson(input, [](const Json& json) {
        checkOutcome(readProfile(json, "foreign"), [](const Profile& profile) {
            const LaunchSite site{.worker = "outlay-probe", .sockets = {}};
            const QueueTask task{.name = "sweep", .tasks = {1, 2, 3}, .manifest = "/m"};
            for (const Words& words :
                 {workerWords(profile, site, {"--json"}), submitWords(profile, site, task),
                  listWords(profile, site, "sweep"), cancelWords(profile, site, "sweep")}) {
                if (words.empty() || words.front().empty() || words.front().front() == '-')
                    fail("a command begins with no program");
            }
        });
    });
}

Job smallJob()
{
    Job job;
    job.model.design = MlpDesign{3, {4}, 2};
    return job;
}

Measurement smallMeasurement()
{
    Measurement m;
    m.model = smallJob().model;
    m.training.step = timingOf(std::vector<double>(20, 0.5), {});
    return m;
}

std::vector<std::string> messages()
{
    return {toLine(Hello{.protocol = 1, .build = "x", .device = "cpu"}),
            toLine(Progress{.done = 1, .total = 10, .phase = "training", .steps = 3}),
            toLine(Sample{.phase = "training", .seconds = {0.1, 0.2}}),
            toLine(TriedVariant{{.variant = "batch", .name = "batch 256", .unavailable = "no"}}),
            toLine(ProbeWarning{"slow"}),
            toLine(Done{toJson(smallMeasurement())}),
            toLine(ProbeError{"what", "remedy"}),
            toLine(Cancelled{}),
            toLine(Kept{"store/0", "\x01\x80"})};
}

std::vector<std::string> programMessages()
{
    return {lineOf(ProgramMoment{
                .seconds = 3, .source = "a progress bar", .doneSteps = 4, .stepS = 0.5}),
            lineOf(ProgramDone{toJson(smallMeasurement()), "exit 3"}),
            lineOf(ProgramFailed{"what", "remedy"})};
}

} // namespace

std::vector<Target> lineTargets()
{
    const Assignment assignment{smallJob(), "build", "now"};
    return {
        {"message", feedMessage, {}, messages(), {"\"type\"", "\"done\"", "\"sample\""}},
        {"job",
         feedJob,
         {},
         {toLine(smallJob()), toLine(assignment), toLine(assignment) + toLine(assignment)},
         {"\"mlp\"", "\"variants\"", "\"cuda\""}},
        {"job-result",
         feedJobResult,
         {},
         {toLine(JobResult{"0123456789abcdef", JobFailure{"what", "remedy"}}),
          toLine(JobResult{"0123456789abcdef", toJson(smallMeasurement())})},
         {"\"key\"", "\"failure\""}},
        {"host-facts",
         feedHostFacts,
         {},
         {"welcome\n" + toLine(HostFacts{.protocol = 1, .build = "x", .device = "cpu"})},
         {"\"machine\"", "\"protocol\""}},
        {"program-message", feedProgramMessage, {}, programMessages(), {"\"type\"", "\"moment\""}},
        {"step-lines", feedStepLines, {}, {}, {"\"step\"", "\"of\"", "{\"step\": 7}\n"}},
        {"progress-bars", feedProgressText, {}, {}, {"\r", "/", "%", "Epoch 2/10", "7/9", "it/s"}},
        {"queue", feedQueue, {}, {}, {"PENDING", "RUNNING", "REQUEUE"}},
        {"profile", feedProfile, {}, {}, {"\"queue\"", "\"ssh\"", "\"-p\"", "\"{tasks}\""}}};
}

} // namespace outlay::fuzz
