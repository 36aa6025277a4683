// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "gui/commands/experiment_file.h"
#include "gui/view/budget_text.h"
#include "pricing/actual/spent.h"

#include <algorithm>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption BudgetOption{"--budget", "BUDGET.json", "the limits that are to be kept"};

core::Result<pricing::Budget> loadBudget(const std::string& path)
{
    const auto json = core::loadJson(path);
    if (!json)
        return core::failureOf(json);
    auto budget = pricing::readBudget(*json);
    if (!budget)
        return tl::unexpected<core::Error>(budget.error().in(path));
    return budget;
}

core::Result<void> verdictOn(const std::vector<pricing::LimitOutcome>& outcomes,
                             const std::string& file)
{
    const auto exceeded =
        std::count_if(outcomes.begin(), outcomes.end(), [](const pricing::LimitOutcome& one) {
            return pricing::isExceeded(one.state);
        });
    if (exceeded == 0)
        return {};
    return tl::unexpected<core::Error>(
        core::Error{core::ErrorCode::LimitExceeded,
                    std::to_string(exceeded) + " of " + std::to_string(outcomes.size()) +
                        (outcomes.size() == 1 ? " limit is exceeded" : " limits are exceeded"),
                    "change the design, or the budget",
                    {},
                    file});
}

core::Result<void> runCheck(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto path = arguments.value(BudgetOption.name);
    if (!path)
        return core::usageError("`outlay check` needs a budget", "give --budget BUDGET.json");
    const auto budget = loadBudget(*path);
    if (!budget)
        return core::failureOf(budget);
    const auto experiment = openExperiment(file, {}, streams);
    if (!experiment)
        return core::failureOf(experiment);
    const auto now = reportNowOn(file, *experiment);
    if (!now)
        return core::failureOf(now);
    core::Json figures = pricing::toJson(now->report, now->catalogs);
    figures.set("actual", pricing::spentOf(pricing::actualsOf(experiment->actuals)));
    const auto outcomes = pricing::checkLimits(*budget, figures);
    if (!outcomes)
        return tl::unexpected<core::Error>(outcomes.error().in(*path));
    for (const pricing::LimitOutcome& outcome : *outcomes)
        streams.out << makeLimitLine(outcome).toStdString() << '\n';
    return verdictOn(*outcomes, file);
}

} // namespace

Command checkCommand()
{
    return {{.name = "check",
             .synopsis = "FILE --budget BUDGET.json",
             .summary = "Holds an experiment against limits; exit status 3 when one is exceeded.",
             .options = {BudgetOption},
             .leastFiles = 1,
             .mostFiles = 1},
            runCheck};
}

} // namespace outlay::gui
