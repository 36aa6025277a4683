// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that machines work off in any order and at any time: what each result is called, and the folder that they lie
// in. Whether a job is done is asked of that folder alone.
#pragma once

#include "core/probe/job.h"

#include <optional>
#include <variant>

namespace outlay::core {

/// One line of a manifest: a job, and which worker's result of it is wanted.
struct Assignment {
    Job job;
    std::string build;    // of the worker
    std::string occasion; // empty: any result of this job will do; else that of just this time

    bool operator==(const Assignment&) const = default;
};

[[nodiscard]] std::string toLine(const Assignment& assignment);
[[nodiscard]] Result<Assignment> readAssignment(std::string_view line);

/// 16 hex digits: the same for the same job, worker and occasion, on every machine.
[[nodiscard]] std::string resultKey(const Assignment& assignment);

/// A job that ended without a measurement.
struct JobFailure {
    std::string what;
    std::string remedy;

    bool operator==(const JobFailure&) const = default;
};

struct JobResult {
    std::string key;
    std::variant<Json, JobFailure> outcome; // a measurement, as the worker sent it

    bool operator==(const JobResult&) const = default;
};

[[nodiscard]] std::string toLine(const JobResult& result);
[[nodiscard]] Result<JobResult> readJobResult(std::string_view line);

/// On a file system that all machines share.
class ResultFolder {
public:
    explicit ResultFolder(std::string path) : m_path(std::move(path)) {}

    /// The manifest of a sweep is there afterwards, once; what had failed of it may be tried again.
    [[nodiscard]] Result<void> accept(std::string_view manifest) const;
    [[nodiscard]] std::string manifestPath(std::string_view manifest) const;

    /// Of who works on it.
    [[nodiscard]] std::string beatPath(const std::string& key) const;

    /// Nothing while it hasn't ended. Half a result is never seen.
    [[nodiscard]] std::optional<JobResult> find(const std::string& key) const;
    /// The first measurement of a key stays; a failure gives way to one.
    [[nodiscard]] Result<void> publish(const JobResult& result) const;

private:
    std::string m_path;
};

/// Each line of it, read; an error names the line.
[[nodiscard]] Result<std::vector<Assignment>> readManifest(std::string_view text);

} // namespace outlay::core
