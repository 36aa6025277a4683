// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/commands/experiment_file.h"

#include "core/base/file.h"
#include "core/experiment/cost_analysis.h"
#include "core/experiment/patch.h"
#include "core/experiment/setting.h"
#include "gui/session/price_book_file.h"
#include "pricing/report/known_assumptions.h"
#include "pricing/report/known_names.h"
#include "pricing/report/make_report.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace outlay::gui {

using core::Result;

namespace {

/// What was said of the file stays; what was said of the design is said of the changed one.
void renewWarnings(core::ExperimentReading& reading, const core::Experiment& changed)
{
    const auto before = core::warningsOf(reading.experiment);
    std::erase_if(reading.warnings, [&](const std::string& warning) {
        return std::find(before.begin(), before.end(), warning) != before.end();
    });
    for (std::string& warning : core::warningsOf(changed))
        reading.warnings.push_back(std::move(warning));
}

} // namespace

Result<core::Experiment> openExperiment(const std::string& file,
                                        const std::vector<std::string>& assignments,
                                        const Streams& streams)
{
    auto reading = core::loadAnyExperiment(file);
    if (!reading)
        return core::failureOf(reading);
    const auto patch = core::settingsPatch(assignments, "--set");
    if (!patch)
        return core::failureOf(patch);
    auto changed = core::edited(reading->experiment, *patch);
    if (!changed && changed.error().code == core::ErrorCode::Usage)
        return changed;
    if (!changed)
        return tl::unexpected<core::Error>(changed.error().in(file + " with --set"));
    renewWarnings(*reading, *changed);
    for (std::string& sentence : pricing::unknownAssumptions(*changed))
        reading->warnings.push_back(std::move(sentence));
    warn(streams, file, reading->warnings);
    return changed;
}

Result<pricing::Report> reportOn(const std::string& file, const core::Experiment& experiment,
                                 const pricing::Catalogs& catalogs)
{
    for (const auto& sound :
         {pricing::checkNames(experiment, catalogs), pricing::checkAssumptions(experiment)}) {
        if (!sound)
            return tl::unexpected<core::Error>(sound.error().in(file));
    }
    return pricing::makeReport(experiment, catalogs);
}

Result<ReportNow> reportNowOn(const std::string& file, const core::Experiment& experiment)
{
    auto catalogs = loadCatalogsNow();
    if (!catalogs)
        return core::failureOf(catalogs);
    auto report = reportOn(file, experiment, *catalogs);
    if (!report)
        return core::failureOf(report);
    return ReportNow{std::move(*catalogs), std::move(*report)};
}

Result<void> outcomeWith(const std::vector<core::Error>& errors, const Streams& streams)
{
    if (errors.empty())
        return {};
    for (std::size_t i = 0; i + 1 < errors.size(); ++i)
        streams.err << "outlay: " << errors[i].sentence() << '\n';
    return tl::unexpected<core::Error>(errors.back());
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
