// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/experiment/experiment.h"
#include "gui/commands/command.h"
#include "gui/view/summary.h"
#include "pricing/report/make_report.h"

#include <ostream>

namespace outlay::gui {
namespace {

constexpr Option SetOption{"--set", "POINTER=VALUE",
                           "change the experiment first, as in /model/hidden=256", true};
constexpr Option JsonOption{"--json", "", "the whole Report as JSON"};

/// A value as JSON, or else as a bare text.
core::Result<core::Json> readValue(const std::string& text)
{
    if (auto json = core::readJson(text))
        return json;
    if (!core::isUtf8(text))
        return core::usageError("--set: '" + core::printable(text, 60) + "' is not UTF-8",
                                "write the value in UTF-8");
    return core::Json(text);
}

core::Result<void> change(core::Json& document, const std::string& assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
        return core::usageError("--set: '" + core::printable(assignment, 60) + "' sets nothing",
                                "write --set POINTER=VALUE, as in /model/hidden=256");
    auto value = readValue(assignment.substr(equals + 1));
    if (!value)
        return core::failureOf(value);
    return core::setAt(document, assignment.substr(0, equals), std::move(*value));
}

core::Result<core::ExperimentReading> load(const std::string& file,
                                           const std::vector<std::string>& assignments)
{
    const auto text = core::loadFile(file);
    if (!text)
        return core::failureOf(text);
    auto json = core::readJson(*text);
    if (!json)
        return tl::unexpected<core::Error>(json.error().in(file));
    for (const std::string& assignment : assignments) {
        if (const auto changed = change(*json, assignment); !changed)
            return core::failureOf(changed);
    }
    auto reading = core::readExperiment(*json);
    if (!reading)
        return tl::unexpected<core::Error>(
            reading.error().in(assignments.empty() ? file : file + " with --set"));
    return reading;
}

core::Result<void> run(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto reading = load(file, arguments.values(SetOption.name));
    if (!reading)
        return core::failureOf(reading);
    warn(streams, file, reading->warnings);
    constexpr std::size_t DateLength = 10;
    const auto report = pricing::makeReport(reading->experiment, {nowUtc().substr(0, DateLength)});
    if (arguments.has(JsonOption.name))
        streams.out << core::writeJson(pricing::toJson(report)) << '\n';
    else
        streams.out
            << makeSummary(report, QLocale(QLocale::English, QLocale::UnitedStates)).toStdString();
    return {};
}

} // namespace

Command estimateCommand()
{
    return {{.name = "estimate",
             .synopsis = "FILE [--set POINTER=VALUE]... [--json]",
             .summary = "Says what a design needs: parameters, work and memory.",
             .options = {SetOption, JsonOption},
             .leastFiles = 1,
             .mostFiles = 1},
            run};
}

} // namespace outlay::gui
