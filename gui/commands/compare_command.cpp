// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/person.h"
#include "gui/commands/experiment_file.h"
#include "gui/session/price_book_file.h"
#include "gui/view/compare_text.h"

#include <algorithm>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption CompareJsonOption{"--json", "", "the comparison as JSON"};
constexpr CommandOption CompareOutOption{"--out", "DIR",
                                         "write comparison.json, .csv and .md there as well"};
constexpr std::size_t MostFiles = 1000;

/// As it goes to others, and apart from those before it.
std::string storedName(const std::string& file, const std::vector<pricing::Compared>& before)
{
    const std::string name = core::withoutPerson(file);
    const auto isTaken = [&](const std::string& wanted) {
        return std::any_of(before.begin(), before.end(),
                           [&](const pricing::Compared& c) { return c.file == wanted; });
    };
    std::string stored = name;
    for (int number = 2; isTaken(stored); ++number)
        stored = name + " (" + std::to_string(number) + ")";
    return stored;
}

core::Result<void> write(const pricing::Comparison& comparison, const Arguments& arguments,
                         const Streams& streams)
{
    const std::string json = core::writeJson(pricing::toJson(comparison)) + "\n";
    if (const auto folder = arguments.value(CompareOutOption.name)) {
        const std::string markdown =
            makeComparisonMarkdown(comparison, commandLocale()).toStdString();
        return saveAll(*folder,
                       {{"comparison.json", json},
                        {"comparison.csv", pricing::csvOf(comparison)},
                        {"comparison.md", markdown}},
                       streams);
    }
    if (arguments.has(CompareJsonOption.name))
        streams.out << json;
    else
        streams.out << makeComparisonText(comparison, commandLocale()).toStdString();
    return {};
}

core::Result<void> runCompare(const Arguments& arguments, const Streams& streams)
{
    const auto catalogs = loadCatalogsNow();
    if (!catalogs)
        return core::failureOf(catalogs);
    std::vector<pricing::Compared> compared;
    std::vector<core::Error> errors;
    bool isFirstMissing = false;
    for (const std::string& file : arguments.files()) {
        auto experiment = openExperiment(file, {}, streams);
        if (!experiment) {
            errors.push_back(experiment.error());
            isFirstMissing = isFirstMissing || compared.empty();
            continue;
        }
        auto report = reportOn(file, *experiment, *catalogs);
        if (!report) {
            errors.push_back(report.error());
            isFirstMissing = isFirstMissing || compared.empty();
            continue;
        }
        compared.push_back(
            {storedName(file, compared), std::move(*experiment), std::move(*report)});
    }
    if (!compared.empty()) {
        if (isFirstMissing)
            streams.err << "outlay: the first file can't be read, so " << compared.front().file
                        << " is the baseline.\n";
        const auto written = write(pricing::compare(compared, *catalogs), arguments, streams);
        if (!written)
            return core::failureOf(written);
    }
    return outcomeWith(errors, streams);
}

} // namespace

Command compareCommand()
{
    return {{.name = "compare",
             .synopsis = "FILE FILE... [--json] [--out DIR]",
             .summary = "Puts experiments side by side; the first is the baseline.",
             .options = {CompareJsonOption, CompareOutOption},
             .leastFiles = 2,
             .mostFiles = MostFiles},
            runCompare};
}

} // namespace outlay::gui
