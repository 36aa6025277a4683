// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What programs, trackers and schedulers keep of a run.
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/program/metric_files.h"
#include "pricing/actual/readers.h"

#include <algorithm>
#include <map>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

std::optional<double> amount(std::string_view text)
{
    const auto number = numberIn(text);
    return number && *number >= 0 ? number : std::nullopt;
}

tl::unexpected<Error> noSuchRun(const RecordFilter& filter)
{
    return filter.run.empty()
               ? inputError("it has no run with a duration", "check that the run has ended")
               : inputError("it has no run " + inQuotes(filter.run),
                            "leave --run out for the last one");
}

std::vector<std::string_view> splitAt(std::string_view line, char divider)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(divider, at), line.size());
        parts.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

/// "1-02:03:04", "02:03:04", "03:04" as Slurm writes them.
std::optional<double> elapsedOf(std::string_view text)
{
    const std::size_t dash = text.find('-');
    double seconds = 0;
    if (dash != std::string_view::npos) {
        const auto days = amount(text.substr(0, dash));
        if (!days)
            return std::nullopt;
        seconds = *days * 24;
        text.remove_prefix(dash + 1);
    }
    const std::vector<std::string_view> parts = splitAt(text, ':');
    if (parts.size() < 2 || parts.size() > 3)
        return std::nullopt;
    if (parts.size() == 2)
        seconds *= 60;
    for (const std::string_view part : parts) {
        const auto number = amount(part);
        if (!number)
            return std::nullopt;
        seconds =
            seconds * (part.data() == parts.front().data() && parts.size() == 3 ? 1 : 60) + *number;
    }
    return seconds;
}

/// "1.25M" of joules, as Slurm shortens it.
std::optional<double> joulesOf(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    const std::map<char, double> units{{'K', 1e3}, {'M', 1e6}, {'G', 1e9}};
    const auto unit = units.find(text.back());
    if (unit != units.end())
        text.remove_suffix(1);
    const auto number = amount(text);
    return number && *number > 0 ? std::optional(*number * (unit != units.end() ? unit->second : 1))
                                 : std::nullopt;
}

/// Empty beyond the year 9999, of which nobody has a record.
std::string timeOf(double unixS)
{
    constexpr double Last = 253'402'300'799;
    return unixS >= 0 && unixS <= Last ? utcText(static_cast<std::int64_t>(unixS)) : std::string();
}

} // namespace

bool isCodeCarbon(const CsvReader& table)
{
    return table.hasColumn("duration") && table.hasColumn("emissions") &&
           table.hasColumn("energy_consumed");
}

Result<Record> readCodeCarbon(CsvReader& table, const RecordFilter& filter)
{
    std::optional<Record> found;
    while (table.next()) {
        if (!filter.run.empty() && table.field("run_id") != filter.run)
            continue;
        const auto seconds = amount(table.field("duration"));
        if (!seconds)
            continue;
        found = Record{.kind = "CodeCarbon",
                       .seconds = seconds,
                       .usd = {},
                       .kwh = amount(table.field("energy_consumed")),
                       .kgCo2e = amount(table.field("emissions")),
                       .began = std::string(table.field("timestamp")),
                       .rows = 1};
    }
    if (const auto whole = table.outcome(); !whole)
        return failureOf(whole);
    if (!found)
        return noSuchRun(filter);
    return *found;
}

bool isSlurm(std::string_view start)
{
    const std::string_view header = start.substr(0, start.find('\n'));
    return header.starts_with("JobID") && header.find("|") != std::string_view::npos &&
           header.find("Elapsed") != std::string_view::npos;
}

Result<Record> readSlurm(std::string_view text, const RecordFilter& filter)
{
    std::vector<std::string_view> lines = splitAt(text, '\n');
    const std::vector<std::string_view> columns = splitAt(lines.front(), '|');
    const auto field = [&](const std::vector<std::string_view>& row, std::string_view name) {
        const auto at = std::find(columns.begin(), columns.end(), name) - columns.begin();
        const auto index = static_cast<std::size_t>(at);
        return index < row.size() && index < columns.size() ? row[index] : std::string_view();
    };
    std::optional<Record> found;
    double joules = 0;
    std::string job;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string_view> row = splitAt(lines[i], '|');
        const std::string id(field(row, "JobID"));
        const bool isStep = id.find('.') != std::string::npos;
        const std::string whole = id.substr(0, id.find('.'));
        if (id.empty() || (!filter.run.empty() && whole != filter.run))
            continue;
        // Steps lie in their job's time; energy is counted by the step.
        if (isStep && found && whole == job)
            joules = std::max(joules, joulesOf(field(row, "ConsumedEnergyRaw")).value_or(0));
        if (isStep)
            continue;
        const auto raw = amount(field(row, "ElapsedRaw"));
        const auto seconds = raw ? raw : elapsedOf(field(row, "Elapsed"));
        if (!seconds)
            continue;
        // What was put back into the queue ran several times under one number.
        const bool isAgain = found && whole == job;
        joules =
            std::max(isAgain ? joules : 0, joulesOf(field(row, "ConsumedEnergyRaw")).value_or(0));
        found = Record{.kind = "Slurm accounting",
                       .seconds = *seconds + (isAgain ? found->seconds.value_or(0) : 0),
                       .began = isAgain ? found->began : std::string(field(row, "Start")),
                       .rows = isAgain ? found->rows + 1 : 1};
        job = whole;
    }
    if (!found)
        return noSuchRun(filter);
    if (joules > 0)
        found->kwh = joules / JoulesPerKwh;
    return *found;
}

Result<Record> readJsonRecord(std::string_view text)
{
    const auto json = readJson(text);
    if (!json)
        return failureOf(json);
    const auto number = [](const Json& object, std::string_view key) {
        const Json* value = object.find(key);
        return value != nullptr && value->isNumber() && value->number() > 0
                   ? std::optional(value->number())
                   : std::nullopt;
    };
    if (const Json* log = json->find("log_history"); log != nullptr && log->asArray() != nullptr) {
        for (const Json& entry : *log->asArray()) {
            if (const auto seconds = number(entry, "train_runtime"))
                return Record{.kind = "Transformers' trainer state", .seconds = seconds, .rows = 1};
        }
        return inputError("its training has not ended: it has no train_runtime",
                          "give the state that is written at the end");
    }
    if (const auto seconds = number(*json, "_runtime"))
        return Record{.kind = "Weights & Biases' summary", .seconds = seconds, .rows = 1};
    return inputError("this is no record of a run that can be read",
                      "give trainer_state.json or wandb-summary.json");
}

bool isMlflow(std::string_view start)
{
    return start.find("\nstart_time:") != std::string_view::npos &&
           start.find("artifact_uri:") != std::string_view::npos;
}

Result<Record> readMlflow(std::string_view text)
{
    constexpr double MillisPerSecond = 1000;
    const auto millis = [&](std::string_view key) -> std::optional<double> {
        for (std::string_view line : splitAt(text, '\n')) {
            if (!line.starts_with(key))
                continue;
            line.remove_prefix(key.size());
            while (line.starts_with(' '))
                line.remove_prefix(1);
            return amount(line);
        }
        return std::nullopt;
    };
    const auto begin = millis("start_time:");
    const auto end = millis("end_time:");
    if (!begin || !end || *end <= *begin)
        return inputError("its run has not ended", "give the meta.yaml of a finished run");
    return Record{.kind = "MLflow run",
                  .seconds = (*end - *begin) / MillisPerSecond,
                  .began = timeOf(*begin / MillisPerSecond),
                  .rows = 1};
}

bool isEvents(std::string_view start)
{
    EventFile file;
    file.feed(start);
    return start.size() > 12 && start.substr(0, 8).find('\0') != std::string_view::npos &&
           !file.isBroken() && start.find("brain.Event:") != std::string_view::npos;
}

Result<Record> readEvents(const std::string& path)
{
    const auto bytes = loadFile(path);
    if (!bytes)
        return failureOf(bytes);
    EventFile file;
    file.feed(*bytes);
    const auto& steps = file.steps();
    if (steps.size() < 2)
        return inputError("it has fewer than two steps", "give the events of a finished run");
    const auto [first, last] =
        std::minmax_element(steps.begin(), steps.end(), [](const TimedStep& a, const TimedStep& b) {
            return a.atUnixS < b.atUnixS;
        });
    // Steps before the first record took as long as those behind it.
    const double seen = last->step - first->step;
    if (seen <= 0)
        return inputError("all of its records are of one step", "give the events of a whole run");
    return Record{.kind = "TensorBoard events",
                  .seconds = (last->atUnixS - first->atUnixS) * last->step / seen,
                  .began = timeOf(first->atUnixS),
                  .rows = steps.size()};
}

} // namespace outlay::pricing
