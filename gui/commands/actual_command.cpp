// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "gui/commands/experiment_file.h"
#include "gui/view/track_text.h"
#include "pricing/actual/record.h"
#include "pricing/date.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <QCryptographicHash>
#include <QFile>

namespace outlay::gui {
namespace {

constexpr CommandOption FromOption{"--from", "PATH", "what somebody kept of the run"};
constexpr CommandOption HereOption{"--here", "",
                                   "the run was on this machine (default: where it is planned)"};
constexpr CommandOption RunOption{"--run", "ID", "of several runs in it (default: the last one)"};
constexpr CommandOption ResourceOption{"--resource", "PART",
                                       "of a bill: what has that in its resource's name"};
constexpr CommandOption TagOption{"--tag", "KEY=VALUE", "of a bill: what has that tag"};
constexpr CommandOption FromDayOption{"--from-day", "DATE", "of a bill: from that day on"};
constexpr CommandOption ToDayOption{"--to-day", "DATE", "of a bill: up to that day"};

core::Result<pricing::RecordFilter> filterOf(const Arguments& arguments)
{
    const auto text = [&](const CommandOption& option) {
        return arguments.value(option.name).value_or("");
    };
    for (const CommandOption& option : {FromDayOption, ToDayOption}) {
        const std::string day = text(option);
        if (!day.empty() && !pricing::dayOf(day))
            return core::usageError("'" + core::printable(day, 60) + "' is no date",
                                    "give one such as 2026-11-20 after " +
                                        std::string(option.name));
    }
    return pricing::RecordFilter{text(RunOption), text(ResourceOption), text(TagOption),
                                 text(FromDayOption), text(ToDayOption)};
}

/// In pieces: a bill may be larger than the memory.
core::Result<std::string> hashOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file))
        return core::inputError("it can't be read", "check its permissions");
    return hash.result().toHex().toStdString();
}

core::Result<void> runActual(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto from = arguments.value(FromOption.name);
    if (!from)
        return core::usageError("`outlay actual` needs what somebody kept of the run",
                                "give --from PATH");
    const auto filter = filterOf(arguments);
    if (!filter)
        return core::failureOf(filter);
    auto experiment = openExperiment(file, {}, streams);
    if (!experiment)
        return core::failureOf(experiment);
    const auto record = pricing::readRecord(*from, *filter);
    if (!record)
        return core::failureOf(record);
    const auto hash = hashOf(*from);
    if (!hash)
        return core::failureOf(hash);
    const auto now = reportNowOn(file, *experiment);
    if (!now)
        return core::failureOf(now);
    pricing::Actual actual =
        pricing::actualOf(*record, now->report, arguments.has(HereOption.name));
    actual.file = std::filesystem::path(*from).filename().string();
    actual.sha256 = *hash;
    actual.attached = core::nowUtc();
    const auto before = pricing::actualsOf(experiment->actuals);
    const bool isKnown =
        std::any_of(before.begin(), before.end(), [&](const pricing::Actual& other) {
            return other.sha256 == actual.sha256 && other.seconds == actual.seconds &&
                   other.usd == actual.usd;
        });
    if (isKnown)
        return tl::unexpected<core::Error>(core::Error{core::ErrorCode::Input,
                                                       "the run is attached to it already",
                                                       "give another one with --run",
                                                       {},
                                                       file});
    experiment->actuals.append(pricing::toJson(actual));
    if (const auto saved = core::saveExperiment(*experiment, file); !saved)
        return core::failureOf(saved);
    streams.out << actualText(actual, DisplayLocale{commandLocale()}).toStdString();
    return {};
}

core::Result<void> runTrack(const Arguments& arguments, const Streams& streams)
{
    std::vector<TrackedRun> runs;
    std::vector<core::Error> errors;
    for (const std::string& file : arguments.files()) {
        const auto experiment = openExperiment(file, {}, streams);
        if (!experiment) {
            errors.push_back(experiment.error());
            continue;
        }
        for (pricing::Actual& actual : pricing::actualsOf(experiment->actuals))
            runs.push_back({QString::fromStdString(experiment->name), std::move(actual)});
    }
    streams.out << trackText(runs, DisplayLocale{commandLocale()}).toStdString();
    return outcomeWith(errors, streams);
}

} // namespace

Command actualCommand()
{
    return {.line = {.name = "actual",
                     .synopsis = "FILE --from PATH [--here] [--run ID] [--resource PART] "
                                 "[--tag KEY=VALUE] [--from-day DATE] [--to-day DATE]",
                     .summary = "Attaches what a run really took to its experiment, beside what is "
                                "forecast of it today.",
                     .options = {FromOption, HereOption, RunOption, ResourceOption, TagOption,
                                 FromDayOption, ToDayOption},
                     .leastFiles = 1,
                     .mostFiles = 1},
            .run = runActual};
}

Command trackCommand()
{
    constexpr std::size_t Most = 1000;
    return {.line = {.name = "track",
                     .synopsis = "FILE...",
                     .summary = "Says how well the forecasts of experiments did, by the runs that "
                                "are attached to them.",
                     .options = {},
                     .leastFiles = 1,
                     .mostFiles = Most},
            .run = runTrack};
}

} // namespace outlay::gui
