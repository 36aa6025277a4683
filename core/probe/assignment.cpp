// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/assignment.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <filesystem>

namespace outlay::core {
namespace {

constexpr const char* ResultEnding = ".json";
constexpr const char* FailureEnding = ".failed";

std::string textAt(const Json& json, std::string_view key)
{
    const Json* value = json.find(key);
    return value != nullptr && value->asString() != nullptr ? *value->asString() : std::string();
}

Result<void> makeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error)
        return tl::unexpected<Error>(Error{ErrorCode::Input,
                                           "the folder can't be made (" + error.message() + ")",
                                           "check its path, its permissions and the free space",
                                           {},
                                           path});
    return {};
}

} // namespace

std::string toLine(const Assignment& assignment)
{
    Json json = *readJson(toLine(assignment.job));
    json.set("build", Json(assignment.build));
    if (!assignment.occasion.empty())
        json.set("occasion", Json(assignment.occasion));
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<Assignment> readAssignment(std::string_view line)
{
    auto job = readJob(line);
    if (!job)
        return failureOf(job);
    const auto json = readJson(line);
    return Assignment{.job = std::move(*job),
                      .build = textAt(*json, "build"),
                      .occasion = textAt(*json, "occasion")};
}

std::string resultKey(const Assignment& assignment)
{
    return shortHash(toLine(assignment));
}

std::string toLine(const JobResult& result)
{
    Json json = Json::object();
    json.set("result", Json(result.key));
    if (const auto* failure = std::get_if<JobFailure>(&result.outcome)) {
        Json said = Json::object();
        said.set("what", Json(failure->what));
        said.set("remedy", Json(failure->remedy));
        json.set("failed", std::move(said));
    } else {
        json.set("measurement", std::get<Json>(result.outcome));
    }
    return writeJson(json, JsonStyle::Compact) + "\n";
}

Result<JobResult> readJobResult(std::string_view line)
{
    auto json = readJson(line);
    if (!json)
        return failureOf(json);
    JobResult result{.key = textAt(*json, "result"), .outcome = JobFailure{}};
    const Json* failed = json->find("failed");
    Json* measurement = json->find("measurement");
    if (result.key.empty() || (failed == nullptr) == (measurement == nullptr))
        return inputError("it is no result of a measurement", "use workers of one version");
    if (failed != nullptr)
        result.outcome = JobFailure{textAt(*failed, "what"), textAt(*failed, "remedy")};
    else
        result.outcome = std::move(*measurement);
    return result;
}

std::string ResultFolder::manifestPath(std::string_view manifest) const
{
    return m_path + "/" + shortHash(manifest) + ".manifest";
}

std::string ResultFolder::beatPath(const std::string& key) const
{
    return m_path + "/" + key + ".beat";
}

Result<void> ResultFolder::accept(std::string_view manifest) const
{
    const auto assignments = readManifest(manifest);
    if (!assignments)
        return failureOf(assignments);
    if (const auto made = makeFolder(m_path + "/logs"); !made)
        return made;
    std::error_code error;
    for (const Assignment& assignment : *assignments)
        std::filesystem::remove(m_path + "/" + resultKey(assignment) + FailureEnding, error);
    if (assignments->empty()) {
        // Whether one could be laid there was the question.
        const std::string trial = m_path + "/trial";
        const auto written = saveFile(trial, "x\n");
        std::filesystem::remove(trial, error);
        return written;
    }
    const auto published = publishFile(manifestPath(manifest), manifest);
    if (!published)
        return failureOf(published);
    return {};
}

std::optional<JobResult> ResultFolder::find(const std::string& key) const
{
    for (const char* ending : {ResultEnding, FailureEnding}) {
        const auto text = loadFile(m_path + "/" + key + ending);
        auto result = text ? readJobResult(*text) : Result<JobResult>(failureOf(text));
        if (result && result->key == key)
            return std::move(*result);
    }
    return std::nullopt;
}

Result<void> ResultFolder::publish(const JobResult& result) const
{
    if (const auto made = makeFolder(m_path); !made)
        return made;
    const std::string path = m_path + "/" + result.key;
    if (std::holds_alternative<JobFailure>(result.outcome))
        return saveFile(path + FailureEnding, toLine(result));
    const auto published = publishFile(path + ResultEnding, toLine(result));
    if (!published)
        return failureOf(published);
    return {};
}

Result<std::vector<Assignment>> readManifest(std::string_view text)
{
    std::vector<Assignment> assignments;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        auto assignment = readAssignment(text.substr(0, end));
        if (!assignment) {
            Error error = assignment.error();
            error.place = "line " + std::to_string(assignments.size() + 1) + " " + error.place;
            return tl::unexpected<Error>(std::move(error));
        }
        assignments.push_back(std::move(*assignment));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return assignments;
}

} // namespace outlay::core
