// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/job.h"

#include "core/probe/variant.h"
#include "core/workload/parameters.h"

namespace outlay::core {
namespace {

/// More than that are no few machines of one's own.
constexpr std::int64_t MostHosts = 64;

void describeJob(FieldVisitor& v, Job& job)
{
    v.number({"seconds", "time that the measurement may take", 0.5, 86400}, job.seconds);
    v.choice(Field{"device", "device"}, job.device, ProbeDeviceNames);
    v.texts({"variants", "variants to try"}, job.variants);
    v.integer({"threads", "number of threads (0: the worker chooses)", 0, 4096}, job.threads);
    v.integer({"processes", "number of processes that also train together", 1, 64}, job.processes);
    v.object(Field{"together", "machines that train together"}, job.together);
    v.flag(Field{"lengths", "sequences of other lengths"}, job.lengths);
}

template <typename Part>
Result<void> readSettings(const Json& json, const char* key, Part& part)
{
    const Json* found = json.find(key);
    if (found == nullptr)
        return {};
    FieldReader reader(*found, childPointer("", key));
    if (reader.outcome())
        describe(reader, part);
    return reader.outcome();
}

Result<void> checkVersion(const Json& json)
{
    const Json* version = json.find("protocol");
    if (version == nullptr || *version != Json(ProtocolVersion)) {
        const std::string given =
            version != nullptr && version->isNumber() ? writeJson(*version) : std::string("none");
        return inputError("the job speaks protocol version " + given + ", and this worker " +
                              std::to_string(ProtocolVersion),
                          "use the outlay and the outlay-probe of one version", "/protocol");
    }
    return {};
}

} // namespace

void describe(FieldVisitor& v, Together& t)
{
    v.integer({"rank", "number of this machine", 0, MostHosts - 1}, t.rank);
    v.texts({"hosts", "machines that train together"}, t.hosts);
    v.text({"address", "address of this machine for the others"}, t.address);
}

std::string toLine(const Job& job)
{
    Job copy = job;
    FieldWriter writer;
    describeJob(writer, copy);
    Json json = Json::object();
    json.set("protocol", Json(ProtocolVersion));
    json.set("type", Json("job"));
    const Json fields = writer.take();
    for (const JsonMember& member : *fields.asObject())
        json.set(member.key, member.value);
    json.set("model", fieldsOf(job.model));
    json.set("training", fieldsOf(job.training));
    json.set("serving", fieldsOf(job.serving));
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<Job> readJob(std::string_view line)
{
    const auto json = readJson(line);
    if (!json)
        return failureOf(json);
    if (const auto version = checkVersion(*json); !version)
        return failureOf(version);
    Job job;
    FieldReader reader(*json, "");
    describeJob(reader, job);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    if (const auto variants = checkVariants(job.variants); !variants)
        return failureOf(variants);
    const Json* model = json->find("model");
    auto read = readCheckedModel(model == nullptr ? Json() : *model, "/model");
    if (!read)
        return failureOf(read);
    job.model = std::move(read->model);
    if (const auto outcome = readSettings(*json, "training", job.training); !outcome)
        return failureOf(outcome);
    if (const auto outcome = readSettings(*json, "serving", job.serving); !outcome)
        return failureOf(outcome);
    return job;
}

} // namespace outlay::core
