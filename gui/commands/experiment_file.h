// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that show figures share: an experiment from a file, or from a cost analysis.
#pragma once

#include "core/experiment/experiment.h"
#include "gui/commands/command.h"
#include "pricing/report/report.h"

#include <QLocale>

namespace outlay::gui {

/// Changed as the assignments of `--set` say; warnings go to `err`.
[[nodiscard]] core::Result<core::Experiment> openExperiment(
    const std::string& file, const std::vector<std::string>& assignments, const Streams& streams);

/// An error that names the file where the experiment names a place or an offer that nobody knows.
[[nodiscard]] core::Result<pricing::Report> reportOn(const std::string& file,
                                                     const core::Experiment& experiment,
                                                     const pricing::Catalogs& catalogs);

/// As of today on this machine, with what it was made from.
struct ReportNow {
    pricing::Catalogs catalogs;
    pricing::Report report;
};
[[nodiscard]] core::Result<ReportNow> reportNowOn(const std::string& file,
                                                  const core::Experiment& experiment);

/// What can't be done of several things doesn't hide the others: the last error, after the others have been told.
[[nodiscard]] core::Result<void> outcomeWith(const std::vector<core::Error>& errors,
                                             const Streams& streams);

/// Makes the folder if need be.
[[nodiscard]] core::Result<void> makeFolder(const std::string& folder);

struct OutputText {
    std::string name;
    std::string content;
};
/// Writes all of them into the folder, which is made if need be, and names each on `out`.
[[nodiscard]] core::Result<void> saveAll(const std::string& folder,
                                         const std::vector<OutputText>& files,
                                         const Streams& streams);

/// What the command line speaks.
[[nodiscard]] QLocale commandLocale();

} // namespace outlay::gui
