// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/host_facts.h"

#include "core/base/text.h"

namespace outlay::core {
namespace {

void describeFacts(FieldVisitor& v, HostFacts& f)
{
    v.integer(Field{"protocol", "protocol version", 0, 0, Presence::Required}, f.protocol);
    v.text(Field{"build", "the worker", 0, 0, Presence::Required}, f.build);
    v.text({"device", "device"}, f.device);
    v.texts({"missing_walls", "what the worker isn't kept from"}, f.missingWalls);
}

Result<HostFacts> factsIn(const Json& json)
{
    HostFacts facts;
    FieldReader reader(json, "");
    if (reader.outcome())
        describeFacts(reader, facts);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    const Json* machine = json.find("machine");
    if (machine == nullptr)
        return inputError("it says nothing of its machine", "use workers of one version");
    FieldReader machineReader(*machine, "/machine");
    if (machineReader.outcome())
        describe(machineReader, facts.machine);
    if (const auto outcome = machineReader.outcome(); !outcome)
        return failureOf(outcome);
    return facts;
}

} // namespace

std::string toLine(const HostFacts& facts)
{
    HostFacts copy = facts;
    FieldWriter writer;
    describeFacts(writer, copy);
    Json json = writer.take();
    json.set("machine", fieldsOf(facts.machine));
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<HostFacts> readHostFacts(std::string_view text)
{
    std::optional<Result<HostFacts>> last;
    for (const std::string& line : split(text, '\n')) {
        const auto json = readJson(line);
        if (json && json->asObject() != nullptr)
            last = factsIn(*json);
    }
    if (!last)
        return inputError("no worker answers", "give the path of outlay-probe in the profile");
    return std::move(*last);
}

} // namespace outlay::core
