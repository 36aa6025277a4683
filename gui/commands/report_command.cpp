// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "gui/commands/experiment_file.h"
#include "gui/price_book_file.h"
#include "pricing/export/export.h"
#include "pricing/report/make_report.h"

#include <algorithm>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr Option OutOption{"--out", "DIR", "where the files go; made if need be"};
constexpr Option TimeOption{"--training-time", "SECONDS",
                            "time of one training run on this machine, instead of a measured one"};
constexpr Option FormatOption{"--format", "NAME,...",
                              "json, csv, md, focus, emissions, boamps (default: json)"};
constexpr std::array<std::string_view, 3> Pictures{"png", "svg", "pdf"};

using Formats = std::vector<const pricing::ExportFormat*>;

core::Result<const pricing::ExportFormat*> formatOf(const std::string& name)
{
    std::vector<std::string_view> names;
    for (const pricing::ExportFormat& format : pricing::exportFormats()) {
        if (format.name == name)
            return &format;
        names.push_back(format.name);
    }
    const std::string all = core::joined(names, ", ");
    if (std::find(Pictures.begin(), Pictures.end(), name) != Pictures.end())
        return core::usageError("this version draws no pictures, so it can't write " + name,
                                "give --format with any of " + all);
    const auto near = core::nearest(name, names);
    return core::usageError("there is no format '" + core::printable(name, 40) + "'",
                            near ? "did you mean " + std::string(*near) + "?"
                                 : "give any of " + all);
}

core::Result<Formats> formatsOf(const Arguments& arguments)
{
    Formats formats;
    for (const std::string& name :
         core::split(arguments.value(FormatOption.name).value_or("json"), ',')) {
        const auto format = formatOf(name);
        if (!format)
            return core::failureOf(format);
        if (std::find(formats.begin(), formats.end(), *format) == formats.end())
            formats.push_back(*format);
    }
    return formats;
}

core::Result<void> setTrainingTime(const Arguments& arguments, core::Experiment& experiment)
{
    const auto text = arguments.value(TimeOption.name);
    if (!text)
        return {};
    const auto seconds = core::numberIn(*text);
    constexpr double Most = 1e12;
    if (!seconds || *seconds <= 0 || *seconds > Most)
        return core::usageError("--training-time is '" + core::printable(*text, 40) + "'",
                                "give a number of seconds above 0");
    experiment.assumptions.set("training_seconds", core::Json(*seconds));
    return {};
}

/// Everything is made before anything is written.
core::Result<std::vector<OutputText>> filesOf(const Formats& formats,
                                              const pricing::ExportInput& input)
{
    std::vector<OutputText> files;
    for (const pricing::ExportFormat* format : formats) {
        auto text = format->write(input);
        if (!text)
            return core::failureOf(text);
        files.push_back({std::string(format->file), std::move(*text)});
    }
    return files;
}

core::Result<void> run(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto folder = arguments.value(OutOption.name);
    if (!folder)
        return core::usageError("`outlay report` needs a folder", "give --out DIR");
    const auto formats = formatsOf(arguments);
    if (!formats)
        return core::failureOf(formats);
    auto experiment = openExperiment(file, {}, streams);
    if (!experiment)
        return core::failureOf(experiment);
    if (const auto set = setTrainingTime(arguments, *experiment); !set)
        return core::failureOf(set);
    const auto catalogs = loadCatalogsNow();
    if (!catalogs)
        return core::failureOf(catalogs);
    const pricing::Report report = pricing::makeReport(*experiment, *catalogs);
    const auto files = filesOf(*formats, {*experiment, report, *catalogs, nowUtc()});
    if (!files)
        return tl::unexpected<core::Error>(files.error().in(file));
    if (const auto saved = saveAll(*folder, *files, streams); !saved)
        return core::failureOf(saved);
    for (const OutputText& written : *files) {
        if (written.name == "focus.csv")
            warn(streams, written.name, pricing::leftOutOfFocus(report));
    }
    if (!arguments.has(FormatOption.name))
        streams.err << "outlay: cost_dashboard.png and cost_comparison.png were not written; this "
                       "version draws no pictures.\n";
    return {};
}

} // namespace

Command reportCommand()
{
    return {{.name = "report",
             .synopsis = "FILE --out DIR [--training-time SECONDS] [--format NAME,...]",
             .summary = "Writes the Report into files for people, spreadsheets and other programs.",
             .options = {OutOption, TimeOption, FormatOption},
             .leastFiles = 1,
             .mostFiles = 1},
            run};
}

} // namespace outlay::gui
