// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_message.h"

#include "core/base/fields.h"
#include "core/base/text.h"

namespace outlay::core {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<ProgramMessage>> ProgramMessageTypes{
    "moment", "done", "failed"};

void describe(FieldVisitor& v, ProgramMoment& m)
{
    v.number({.key = "seconds", .what = "time", .presence = Presence::Required}, m.seconds);
    v.flag({"ending", "it is being ended"}, m.isEnding);
    v.text({"source", "what tells its steps"}, m.source);
    v.number({"done_steps", "steps done"}, m.doneSteps);
    v.number({"of_steps", "steps of the whole run"}, m.ofSteps);
    v.number({"step_s", "mean time of a step"}, m.stepS);
    v.number({"step_low_s", "lower end of the interval of its median"}, m.stepLowS);
    v.number({"step_high_s", "upper end of the interval of its median"}, m.stepHighS);
    v.text({"verdict", "how even its steps are"}, m.verdict);
    v.number({"paused_s", "time between steps"}, m.pausedS);
    v.integer({"pauses", "pauses between steps"}, m.pauses);
    v.number({"whole_s", "time of the whole run"}, m.wholeS);
    v.number({"low_s", "lower end of its 80 % interval"}, m.lowS);
    v.number({"high_s", "upper end of its 80 % interval"}, m.highS);
    v.number({"processor_s", "processor time"}, m.processorS);
    v.number({"peak_bytes", "peak memory of all its processes"}, m.peakBytes);
    v.integer({"processes", "processes at most at once"}, m.processes);
    v.number({"waiting_share", "share of the time in which its threads could run without a core"},
             m.waitingShare);
    v.number({"idle_share", "share of its time with no core at work for it"}, m.idleShare);
    v.text({"accelerator", "accelerator that it has opened"}, m.accelerator);
}

void describe(FieldVisitor& v, ProgramDone& m)
{
    v.text({"failure", "how the program failed"}, m.failure);
    v.integer({"status", "exit status of the program"}, m.status);
}

void describe(FieldVisitor& v, ProgramFailed& m)
{
    v.text({.key = "what", .what = "what is wrong", .presence = Presence::Required}, m.what);
    v.text({"remedy", "what to do"}, m.remedy);
    v.integer({"status", "exit status of the program"}, m.status);
}

tl::unexpected<Error> notUnderstood(std::string what)
{
    return inputError(std::move(what), "use programs of one version");
}

template <std::size_t... I>
std::optional<ProgramMessage> emptyOf(std::string_view type, std::index_sequence<I...>)
{
    std::optional<ProgramMessage> message;
    (void)((ProgramMessageTypes.at(I) == type && (message.emplace(std::in_place_index<I>), true)) ||
           ...);
    return message;
}

} // namespace

ProgramMoment momentOf(const ProgramOutcome& soFar)
{
    const TreeUsage& usage = soFar.usage;
    ProgramMoment m{.seconds = soFar.seconds,
                    .isEnding = soFar.wasEnded,
                    .processorS = usage.processorS,
                    .peakBytes = usage.peakBytes,
                    .processes = usage.processes,
                    .idleShare = idleShareOf(usage),
                    .accelerator = soFar.accelerator};
    if (const double ready = usage.processorS + usage.delayedS; ready > 0)
        m.waitingShare = usage.delayedS / ready;
    const auto& f = soFar.forecast;
    if (!f)
        return m;
    m.source = StepSourceNames.at(static_cast<std::size_t>(soFar.steps.source));
    m.doneSteps = f->doneSteps;
    m.ofSteps = f->ofSteps;
    m.stepS = f->step.meanS;
    m.stepLowS = f->step.lowS;
    m.stepHighS = f->step.highS;
    m.verdict = name(f->step.verdict);
    m.pausedS = f->pausedS;
    m.pauses = f->pauses;
    if (f->ofSteps) {
        m.wholeS = f->wholeS;
        m.lowS = f->lowS;
        m.highS = f->highS;
    }
    return m;
}

std::string lineOf(const ProgramMessage& message)
{
    ProgramMessage copy = message;
    FieldWriter writer;
    std::visit([&](auto& m) { describe(writer, m); }, copy);
    Json json = Json::object();
    json.set("type", Json(ProgramMessageTypes.at(message.index())));
    const Json fields = writer.take();
    for (const JsonMember& member : *fields.asObject())
        json.set(member.key, member.value);
    if (const auto* done = std::get_if<ProgramDone>(&message))
        json.set("measurement", done->measurement);
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<ProgramMessage> readProgramMessage(std::string_view line)
{
    const auto json = readJson(line);
    const Json* type = json ? json->find("type") : nullptr;
    auto message = type != nullptr && type->asString() != nullptr
                       ? emptyOf(*type->asString(),
                                 std::make_index_sequence<std::variant_size_v<ProgramMessage>>{})
                       : std::nullopt;
    if (!message)
        return notUnderstood("a line is no message of a program's run: '" + printable(line, 80) +
                             "'");
    FieldReader reader(*json, "");
    std::visit([&](auto& m) { describe(reader, m); }, *message);
    if (const auto read = reader.outcome(); !read)
        return failureOf(read);
    if (auto* done = std::get_if<ProgramDone>(&*message)) {
        const Json* measurement = json->find("measurement");
        if (measurement == nullptr || measurement->asObject() == nullptr)
            return notUnderstood("a program's run is done without a measurement");
        done->measurement = *measurement;
    }
    return std::move(*message);
}

} // namespace outlay::core
