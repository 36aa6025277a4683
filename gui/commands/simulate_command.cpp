// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "gui/commands/experiment_file.h"
#include "gui/view/traffic_view.h"

#include <cmath>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption SimulateJsonOption{"--json", "",
                                           "all figures as JSON, with the day's course"};
constexpr CommandOption MachinesOption{
    "--machines", "N", "so many of the recommended machine, in place of the plan's"};

/// Of machines, where it is given.
core::Result<std::optional<std::int64_t>> numberOf(const Arguments& arguments)
{
    constexpr double Most = 1e6;
    const auto text = arguments.value(MachinesOption.name);
    if (!text)
        return std::nullopt;
    const auto number = core::numberIn(*text);
    if (!number || *number < 1 || *number > Most || *number != std::floor(*number))
        return core::usageError("--machines is '" + core::printable(*text, 40) + "'",
                                "give a whole number from 1 to 1000000");
    return static_cast<std::int64_t>(*number);
}

core::Result<void> runSimulate(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto machines = numberOf(arguments);
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
