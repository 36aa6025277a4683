// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/experiment/mixes.h"
#include "gui/commands/experiment_file.h"
#include "gui/session/price_book_file.h"
#include "gui/view/summary.h"
#include "pricing/date.h"

#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption SetOption{"--set", "POINTER=VALUE",
                                  "change the experiment first, as in /model/hidden=256", true};
constexpr CommandOption MixOption{"--mix", "NAME",
                                  "requests as somebody counted them: chat, retrieval or batch"};
constexpr CommandOption AsOfOption{"--as-of", "DATE",
                                   "the day that ages of prices count from (default: today)"};
constexpr CommandOption EstimateJsonOption{"--json", "", "the whole Report as JSON"};
constexpr CommandOption AllOption{
    "--all-offers", "", "with --json: every machine and way of buying, not only a shortlist"};

core::Result<void> runEstimate(const Arguments& arguments, const Streams& streams)
{
    auto experiment =
        openExperiment(arguments.files().front(), arguments.values(SetOption.name), streams);
    if (!experiment)
        return core::failureOf(experiment);
    if (const auto mix = arguments.value(MixOption.name)) {
        experiment = core::withMix(*experiment, *mix);
        if (!experiment)
            return core::failureOf(experiment);
    }
    const auto date = arguments.value(AsOfOption.name);
    if (date) {
        constexpr std::size_t WholeDate = 10;
        if (date->size() != WholeDate || !pricing::dayOf(*date))
            return core::usageError("--as-of is '" + core::printable(*date, 40) + "'",
                                    "give a day such as 2026-11-20");
    }
    const auto catalogs = date ? loadCatalogsOn(*date) : loadCatalogsNow();
    if (!catalogs)
        return core::failureOf(catalogs);
    const auto report = reportOn(arguments.files().front(), *experiment, *catalogs);
    if (!report)
        return core::failureOf(report);
    if (arguments.has(EstimateJsonOption.name))
        streams.out << core::writeJson(pricing::toJson(*report, *catalogs,
                                                       arguments.has(AllOption.name)
                                                           ? pricing::Listed::All
                                                           : pricing::Listed::Shortlist))
                    << '\n';
    else
        streams.out << makeSummary(*report, *catalogs, commandLocale()).toStdString();
    return {};
}

} // namespace

Command estimateCommand()
{
    return {
        {.name = "estimate",
         .synopsis =
             "FILE [--set POINTER=VALUE]... [--mix NAME] [--as-of DATE] [--json [--all-offers]]",
         .summary = "Says what a design needs and costs: parameters, work, memory, money, carbon.",
         .options = {SetOption, MixOption, AsOfOption, EstimateJsonOption, AllOption},
         .leastFiles = 1,
         .mostFiles = 1},
        runEstimate};
}

} // namespace outlay::gui
