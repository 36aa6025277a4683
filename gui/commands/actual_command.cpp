// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "gui/commands/experiment_file.h"
#include "gui/session/attach_run.h"
#include "gui/view/track_text.h"

#include <ostream>

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
    pricing::RecordFilter filter{text(RunOption), text(ResourceOption), text(TagOption),
                                 text(FromDayOption), text(ToDayOption)};
    if (const auto checked = checkDays(filter); !checked)
        return core::failureOf(checked);
    return filter;
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
    const auto now = reportNowOn(file, *experiment);
    if (!now)
        return core::failureOf(now);
    const auto actual =
        readActual({*from, *filter, arguments.has(HereOption.name)}, *experiment, now->report);
    if (!actual)
        return core::failureOf(actual);
    const auto attached = withActual(std::move(*experiment), *actual);
    if (!attached)
        return tl::unexpected<core::Error>(attached.error().in(file));
    if (const auto saved = core::saveExperiment(*attached, file); !saved)
        return core::failureOf(saved);
    streams.out << actualText(*actual, DisplayLocale{commandLocale()}).toStdString();
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
