// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/experiment/assumption_keys.h"
#include "gui/commands/picture_files.h"
#include "gui/commands/whole_number.h"
#include "pricing/export/export.h"

#include <algorithm>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption ReportOutOption{"--out", "DIR", "where the files go; made if need be"};
constexpr CommandOption TimeOption{
    "--training-time", "SECONDS",
    "time of one training run on this machine, instead of a measured one"};
constexpr CommandOption FormatOption{
    "--format", "NAME,...",
    "png, svg, pdf, json, csv, md, application, focus, emissions, boamps (default: png,json)"};
constexpr CommandOption CentreOption{"--centre", "NAME",
                                     "the centre that an application is for, in its units"};
constexpr CommandOption DevicesOption{
    "--devices", "N", "its devices (default: as planned, or the fewest that hold the training)"};
constexpr CommandOption RunsOption{"--runs", "N", "its runs (default: 1)"};
constexpr CommandOption ReserveOption{"--reserve", "PERCENT",
                                      "its part for runs that fail (default: 10)"};
constexpr std::string_view ApplicationFormat = "application";

struct Formats {
    std::vector<PictureFormat> pictures;
    std::vector<const pricing::ExportFormat*> files;
};

template <typename T>
void addOnce(std::vector<T>& list, T one)
{
    if (std::find(list.begin(), list.end(), one) == list.end())
        list.push_back(one);
}

core::Result<void> addFormat(Formats& formats, const std::string& name)
{
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < PictureFormatNames.size(); ++i) {
        names.push_back(PictureFormatNames.at(i));
        if (names.back() == name)
            return addOnce(formats.pictures, static_cast<PictureFormat>(i)), core::Result<void>();
    }
    for (const pricing::ExportFormat& format : pricing::exportFormats()) {
        names.push_back(format.name);
        if (format.name == name)
            return addOnce(formats.files, &format), core::Result<void>();
    }
    const auto near = core::nearest(name, names);
    return core::usageError("there is no format '" + core::printable(name, 40) + "'",
                            near ? "did you mean " + std::string(*near) + "?"
                                 : "give any of " + core::joined(names, ", "));
}

core::Result<Formats> formatsOf(const Arguments& arguments)
{
    Formats formats;
    for (const std::string& name :
         core::split(arguments.value(FormatOption.name).value_or("png,json"), ',')) {
        if (const auto added = addFormat(formats, name); !added)
            return core::failureOf(added);
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
    experiment.assumptions.set(core::TrainingSecondsKey, core::Json(*seconds));
    return {};
}

bool hasApplication(const Formats& formats)
{
    return std::any_of(formats.files.begin(), formats.files.end(),
                       [](const auto* format) { return format->name == ApplicationFormat; });
}

core::Result<pricing::ApplicationRequest> applicationOf(const Arguments& arguments,
                                                        const Formats& formats)
{
    pricing::ApplicationRequest request;
    for (const CommandOption& option : {CentreOption, DevicesOption, RunsOption, ReserveOption}) {
        const auto text = arguments.value(option.name);
        if (!text)
            continue;
        if (!hasApplication(formats))
            return core::usageError(std::string(option.name) + " is of an application",
                                    "give --format application, too");
        if (option.name == CentreOption.name) {
            request.centre = *text;
        } else if (option.name == ReserveOption.name) {
            const auto percent = core::numberIn(*text);
            if (!percent)
                return core::usageError("--reserve is '" + core::printable(*text, 40) + "'",
                                        "give a number of percent");
            request.reservePercent = *percent;
        } else {
            const bool isOfRuns = option.name == RunsOption.name;
            const auto count = wholeNumberOf(arguments, option,
                                             isOfRuns ? pricing::MostRuns : pricing::MostDevices);
            if (!count)
                return core::failureOf(count);
            if (isOfRuns)
                request.runs = **count;
            else
                request.devices = *count;
        }
    }
    if (const auto sound = pricing::check(request); !sound)
        return core::failureOf(sound);
    return request;
}

/// Everything is made before anything is written.
core::Result<std::vector<OutputText>> filesOf(const Formats& formats, const PictureRequest& request,
                                              const pricing::ExportInput& input)
{
    std::vector<OutputText> texts;
    for (const pricing::ExportFormat* format : formats.files) {
        auto text = format->write(input);
        if (!text)
            return core::failureOf(text);
        texts.push_back({std::string(format->file), std::move(*text)});
    }
    std::optional<pricing::Application> application;
    if (hasApplication(formats)) {
        auto made = pricing::makeApplication(input.experiment, input.report, input.catalogs,
                                             input.application);
        if (!made)
            return core::failureOf(made);
        application = std::move(*made);
    }
    auto files = paintPictures(
        {.experiment = input.experiment, .report = input.report, .catalogs = &input.catalogs},
        request, {formats.pictures, application ? &*application : nullptr});
    if (files)
        files->insert(files->end(), std::make_move_iterator(texts.begin()),
                      std::make_move_iterator(texts.end()));
    return files;
}

core::Result<void> runReport(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto folder = arguments.value(ReportOutOption.name);
    if (!folder)
        return core::usageError("`outlay report` needs a folder", "give --out DIR");
    const auto formats = formatsOf(arguments);
    if (!formats)
        return core::failureOf(formats);
    const auto request = pictureRequestOf(arguments);
    if (!request)
        return core::failureOf(request);
    auto application = applicationOf(arguments, *formats);
    if (!application)
        return core::failureOf(application);
    auto experiment = openExperiment(file, {}, streams);
    if (!experiment)
        return core::failureOf(experiment);
    if (const auto set = setTrainingTime(arguments, *experiment); !set)
        return core::failureOf(set);
    const auto now = reportNowOn(file, *experiment);
    if (!now)
        return core::failureOf(now);
    const auto files =
        filesOf(*formats, *request,
                {*experiment, now->report, now->catalogs, core::nowUtc(), std::move(*application)});
    if (!files)
        return tl::unexpected<core::Error>(files.error().in(file));
    if (const auto saved = saveAll(*folder, *files, streams); !saved)
        return core::failureOf(saved);
    for (const OutputText& written : *files) {
        if (written.name == "focus.csv")
            warn(streams, written.name, pricing::leftOutOfFocus(now->report));
    }
    return {};
}

} // namespace

Command reportCommand()
{
    return {{.name = "report",
             .synopsis =
                 "FILE --out DIR [--training-time SECONDS] [--format NAME,...] [--size WxH] "
                 "[--scale N] [--theme light|dark] [--centre NAME] [--devices N] [--runs N] "
                 "[--reserve PERCENT]",
             .summary =
                 "Writes the Report as pictures and files for people, spreadsheets and programs.",
             .options = {ReportOutOption, TimeOption, FormatOption, SizeOption, ScaleOption,
                         ThemeOption, CentreOption, DevicesOption, RunsOption, ReserveOption},
             .leastFiles = 1,
             .mostFiles = 1},
            runReport};
}

} // namespace outlay::gui
