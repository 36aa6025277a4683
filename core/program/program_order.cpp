// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_order.h"

#include "core/base/fields.h"
#include "core/program/live_line.h"
#include "core/program/program_measurement.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace outlay::core {
namespace {

constexpr double LongestS = 86400;

void describe(FieldVisitor& v, ProgramOrder& o)
{
    v.texts({.key = "command", .what = "program and its words", .presence = Presence::Required},
            o.command);
    v.text({"folder", "folder to run it in"}, o.folder);
    v.number({"seconds", "time until it is ended", 0.5, LongestS}, o.seconds);
    v.number({"steps", "steps until it is ended"}, o.steps);
    v.flag({"whole", "it runs to its end"}, o.isWhole);
    v.number({"of_steps", "steps of the whole run"}, o.ofSteps);
}

ProgramMessage failed(const Error& error)
{
    return ProgramFailed{error.what, error.remedy, {}};
}

ProgramMessage run(const ProgramOrder& order, const LiveLine& line)
{
    if (!order.folder.empty() && ::chdir(order.folder.c_str()) != 0)
        return ProgramFailed{"nothing can be run in " + order.folder + ": " + std::strerror(errno),
                             "name a folder that is there",
                             {}};
    const auto outcome = runProgram(line.toldHere({.command = order.command,
                                                   .seconds = order.seconds,
                                                   .steps = order.steps,
                                                   .isWhole = order.isWhole,
                                                   .ofSteps = order.ofSteps,
                                                   .tell = {},
                                                   .tellEveryS = {},
                                                   .isAskedToEnd = {}}));
    if (!outcome)
        return failed(outcome.error());
    const std::vector<std::string> findings = findingsOf(*outcome);
    if (!order.design && !outcome->forecast && !findings.empty())
        return ProgramFailed{findings.front(), {}, exitStatusOf(*outcome)};
    if (!order.design)
        return ProgramDone{Json::object(), failureIn(*outcome), exitStatusOf(*outcome)};
    return endOf(*outcome, order.command, *order.design);
}

} // namespace

std::string lineOf(const ProgramOrder& order)
{
    ProgramOrder copy = order;
    FieldWriter writer;
    describe(writer, copy);
    Json json = writer.take();
    if (order.design)
        json.set("design", *readJson(toLine(*order.design)));
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<ProgramOrder> readProgramOrder(std::string_view line)
{
    const auto json = readJson(line);
    if (!json)
        return failureOf(json);
    ProgramOrder order;
    FieldReader reader(*json, "");
    if (reader.outcome())
        describe(reader, order);
    if (reader.outcome() && order.command.empty())
        reader.fail("command", "there is no program to run", "name one after --");
    if (const auto read = reader.outcome(); !read)
        return failureOf(read);
    const Json* design = json->find("design");
    if (design == nullptr)
        return order;
    auto job = readJob(writeJson(*design, JsonStyle::Compact));
    if (!job)
        return failureOf(job);
    order.design = std::move(*job);
    return order;
}

int carryOutOrder(std::optional<double> leaseS)
{
    // The program is ended as by Ctrl+C, whatever a server there ignores.
    std::signal(SIGINT, SIG_DFL);
    LiveLine line(leaseS);
    const auto order = readProgramOrder(line.readLine());
    line.say(order ? run(*order, line) : failed(order.error()));
    return 0;
}

} // namespace outlay::core
