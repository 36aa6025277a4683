// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/experiment_file.h"

#include "core/base/file.h"
#include "core/experiment/cost_analysis.h"
#include "core/experiment/setting.h"
#include "pricing/report/known_names.h"
#include "pricing/report/make_report.h"

#include <filesystem>
#include <ostream>

namespace outlay::gui {

using core::Result;

Result<core::Experiment> openExperiment(const std::string& file,
                                        const std::vector<std::string>& assignments,
                                        const Streams& streams)
{
    auto document = core::loadDocument(file);
    if (!document)
        return core::failureOf(document);
    for (const std::string& assignment : assignments) {
        const auto changed = core::changeSetting(document->json, "--set", assignment);
        if (!changed)
            return core::failureOf(changed);
    }
    auto reading = core::readExperiment(document->json);
    if (!reading)
        return tl::unexpected<core::Error>(
            reading.error().in(assignments.empty() ? file : file + " with --set"));
    warn(streams, file, document->warnings);
    warn(streams, file, reading->warnings);
    return std::move(reading->experiment);
}

Result<pricing::Report> reportOn(const std::string& file, const core::Experiment& experiment,
                                 const pricing::Catalogs& catalogs)
{
    if (const auto known = pricing::checkNames(experiment, catalogs); !known)
        return tl::unexpected<core::Error>(known.error().in(file));
    return pricing::makeReport(experiment, catalogs);
}

Result<void> makeFolder(const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error)
        return {};
    return tl::unexpected<core::Error>(
        core::Error{core::ErrorCode::Input,
                    "the folder can't be made (" + error.message() + ")",
                    "name another one with --out",
                    {},
                    folder});
}

Result<void> saveAll(const std::string& folder, const std::vector<OutputText>& files,
                     const Streams& streams)
{
    if (const auto made = makeFolder(folder); !made)
        return core::failureOf(made);
    for (const OutputText& file : files) {
        const std::string path = (std::filesystem::path(folder) / file.name).string();
        if (const auto saved = core::saveFile(path, file.content); !saved)
            return core::failureOf(saved);
        streams.out << path << '\n';
    }
    return {};
}

QLocale commandLocale()
{
    return {QLocale::English, QLocale::UnitedStates};
}

} // namespace outlay::gui
