// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/experiment_file.h"
#include "gui/commands/whole_number.h"
#include "gui/view/traffic_view.h"

#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption SimulateJsonOption{"--json", "",
                                           "all figures as JSON, with the day's course"};
constexpr CommandOption MachinesOption{
    "--machines", "N", "so many of the recommended machine, in place of the plan's"};

constexpr std::int64_t MostMachines = 1'000'000;

core::Result<void> runSimulate(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto machines = wholeNumberOf(arguments, MachinesOption, MostMachines);
    if (!machines)
        return core::failureOf(machines);
    const auto experiment = openExperiment(file, {}, streams);
    if (!experiment)
        return core::failureOf(experiment);
    const auto now = reportNowOn(file, *experiment);
    if (!now)
        return core::failureOf(now);
    const auto found = pricing::simulateService(*experiment, now->catalogs, now->report, *machines);
    if (arguments.has(SimulateJsonOption.name))
        streams.out << core::writeJson(pricing::toJson(*found)) << '\n';
    else
        streams.out << trafficText(*found, DisplayLocale{commandLocale()}).toStdString();
    return {};
}

} // namespace

Command simulateCommand()
{
    return {.line = {.name = "simulate",
                     .synopsis = "FILE [--machines N] [--json]",
                     .summary = "Sends a day of requests through the recommended machines, one by "
                                "one, and through one fewer and one more.",
                     .options = {MachinesOption, SimulateJsonOption},
                     .leastFiles = 1,
                     .mostFiles = 1},
            .run = runSimulate};
}

} // namespace outlay::gui
