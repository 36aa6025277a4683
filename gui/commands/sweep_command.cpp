// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/cost_analysis.h"
#include "core/experiment/sweep.h"
#include "core/probe/measurements.h"
#include "gui/commands/experiment_file.h"
#include "gui/commands/measuring.h"
#include "gui/commands/sweep_measuring.h"
#include "gui/session/price_book_file.h"
#include "gui/view/sweep_text.h"
#include "pricing/report/compare/sweep_table.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <unistd.h>

namespace outlay::gui {
namespace {

constexpr CommandOption VaryOption{"--vary", "POINTER=V1,V2,...",
                                   "the values of one setting; each combination is a point", true};
constexpr CommandOption SweepJsonOption{"--json", "", "the points with their figures as JSON"};
constexpr CommandOption MeasureOption{
    "--measure", "",
    "measure each point first, unless FILE holds a measurement of "
    "it: what was interrupted goes on"};
constexpr CommandOption SweepSecondsOption{"--seconds", "S",
                                           "time for each measurement (default: 10)"};
constexpr CommandOption CsvOption{"--csv", "", "the points as comma-separated values"};

core::Result<core::Sweep> sweepOf(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    std::vector<core::SweepAxis> axes;
    for (const std::string& text : arguments.values(VaryOption.name)) {
        auto axis = core::readAxis(text);
        if (!axis)
            return core::failureOf(axis);
        axes.push_back(std::move(*axis));
    }
    if (axes.empty())
        return core::usageError("`outlay sweep` needs something to vary",
                                "give --vary POINTER=V1,V2, as in /training/batch=16,32");
    auto reading = core::loadAnyExperiment(file);
    if (!reading)
        return core::failureOf(reading);
    // What is to be said of a design is said of each point.
    const auto ofDesign = core::warningsOf(reading->experiment);
    std::erase_if(reading->warnings, [&](const std::string& warning) {
        return std::find(ofDesign.begin(), ofDesign.end(), warning) != ofDesign.end();
    });
    warn(streams, file, reading->warnings);
    return core::Sweep::create(std::move(reading->experiment), std::move(axes));
}

core::Result<std::optional<Measuring>> measuringOf(const Arguments& arguments)
{
    for (const CommandOption& option : {OnOption, BudgetOption}) {
        if (arguments.has(option.name) && !arguments.has(MeasureOption.name))
            return core::usageError(std::string(option.name) + " is of measuring",
                                    "give --measure, too");
    }
    if (!arguments.has(MeasureOption.name))
        return std::optional<Measuring>();
    const auto seconds = probeSecondsOf(arguments.value(SweepSecondsOption.name).value_or("10"));
    if (!seconds)
        return core::failureOf(seconds);
    auto profiles = profilesOf(arguments);
    if (!profiles)
        return core::failureOf(profiles);
    std::optional<core::SweepBudget> budget;
    if (const auto text = arguments.value(BudgetOption.name)) {
        const auto read = core::readBudget(*text);
        if (!read)
            return core::failureOf(read);
        budget = *read;
    }
    return std::optional<Measuring>(
        {*seconds, arguments.files().front(), std::move(*profiles), budget});
}

/// A point's error names the file and what was set.
core::Error inFile(core::Error error, const std::string& file)
{
    if (error.code == core::ErrorCode::Input && error.file != file)
        error.file = file + (error.file.empty() ? "" : " " + error.file);
    return error;
}

void showProgress(std::size_t point, std::size_t count, const Streams& streams)
{
    if (::isatty(STDERR_FILENO) == 0)
        return;
    if (point < count)
        streams.err << "\r\x1b[K" << point + 1 << " of " << count << std::flush;
    else
        streams.err << "\r\x1b[K" << std::flush;
}

core::Result<pricing::SweepTable> tableOf(const core::Sweep& sweep, const std::string& file,
                                          const Arguments& arguments, const Streams& streams)
{
    const auto catalogs = loadCatalogsNow();
    if (!catalogs)
        return core::failureOf(catalogs);
    const auto measuring = measuringOf(arguments);
    if (!measuring)
        return core::failureOf(measuring);
    pricing::SweepTable table{sweep.axes(), {}, {}};
    // All are measured before the first Report: each of them sees the same measurements.
    std::optional<core::Experiment> measured;
    if (*measuring) {
        const auto all = measureAll(sweep, **measuring, streams, table.errors);
        if (!all)
            return core::failureOf(all);
        measured = *all;
    }
    std::set<std::string> said; // of a design; once, however many points have it
    for (std::size_t point = 0; point < sweep.size(); ++point) {
        showProgress(point, sweep.size(), streams);
        auto experiment = sweep.at(point);
        if (!experiment) {
            table.errors.push_back(inFile(experiment.error(), file));
            continue;
        }
        for (const std::string& warning : core::warningsOf(*experiment)) {
            if (said.insert(warning).second)
                warn(streams, file, {warning});
        }
        if (measured)
            experiment->measurements = measured->measurements;
        const auto report = reportOn(file, *experiment, *catalogs);
        if (!report) {
            table.errors.push_back(report.error());
            continue;
        }
        table.rows.push_back({sweep.valuesAt(point), pricing::headlinesOf(*report, *catalogs)});
    }
    showProgress(sweep.size(), sweep.size(), streams);
    return table;
}

core::Result<void> runSweep(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    if (arguments.has(SweepJsonOption.name) && arguments.has(CsvOption.name))
        return core::usageError("both --json and --csv are given", "give one of them");
    const auto sweep = sweepOf(arguments, streams);
    if (!sweep)
        return tl::unexpected<core::Error>(inFile(sweep.error(), file));
    const auto table = tableOf(*sweep, file, arguments, streams);
    if (!table)
        return core::failureOf(table);
    if (arguments.has(SweepJsonOption.name))
        streams.out << core::writeJson(pricing::toJson(*table)) << '\n';
    else if (arguments.has(CsvOption.name))
        streams.out << pricing::csvOf(*table);
    else
        streams.out << makeSweepText(*table, commandLocale()).toStdString();
    return outcomeWith(table->errors, streams);
}

} // namespace

Command sweepCommand()
{
    return {
        {.name = "sweep",
         .synopsis =
             "FILE --vary POINTER=V1,V2,... [--vary ...] [--measure [--seconds S] [--on HOST,...] "
             "[--budget 90min|2h|5usd]] [--json|--csv]",
         .summary = "Makes a Report for each combination of some values.",
         .options = {VaryOption, MeasureOption, SweepSecondsOption, OnOption, BudgetOption,
                     SweepJsonOption, CsvOption},
         .leastFiles = 1,
         .mostFiles = 1},
        runSweep};
}

} // namespace outlay::gui
