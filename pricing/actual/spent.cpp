// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/actual/spent.h"

#include <algorithm>

namespace outlay::pricing {

using namespace outlay::core;

namespace {

struct SpentRow {
    std::string_view key;
    std::string_view unit;
};
/// In the order of TrackedThing.
constexpr std::array<SpentRow, TrackedThingNames.size()> SpentRows{
    {{"seconds", "s"}, {"usd", "USD"}, {"kwh", "kWh"}, {"kg_co2e", "kg CO2e"}}};

const std::string& whenOf(const Actual& actual)
{
    return actual.began.empty() ? actual.attached : actual.began;
}

Json figureOf(const std::vector<Actual>& runs, TrackedThing thing)
{
    double sum = 0;
    std::size_t silent = 0;
    for (const Actual& run : runs) {
        const auto found = foundOf(run, thing);
        sum += found.value_or(0);
        silent += found ? 0U : 1U;
    }
    const bool isKnown = !runs.empty() && silent == 0;
    Json figure = Json::object();
    figure.set("value", isKnown ? Json(sum) : Json());
    figure.set("unit", Json(SpentRows.at(static_cast<std::size_t>(thing)).unit));
    figure.set("how", Json(isKnown ? std::string("measured: what was attached of the runs")
                           : runs.empty()
                               ? std::string("no run is attached; `outlay actual FILE --from PATH` "
                                             "does it")
                               : "what was attached of " + std::to_string(silent) + " of " +
                                     std::to_string(runs.size()) + " runs doesn't say it"));
    return figure;
}

Json sectionOf(const std::vector<Actual>& runs)
{
    Json section = Json::object();
    for (std::size_t i = 0; i < SpentRows.size(); ++i)
        section.set(SpentRows.at(i).key, figureOf(runs, static_cast<TrackedThing>(i)));
    return section;
}

} // namespace

Json spentOf(const std::vector<Actual>& actuals)
{
    std::vector<Actual> last;
    const auto newest =
        std::max_element(actuals.begin(), actuals.end(),
                         [](const Actual& a, const Actual& b) { return whenOf(a) < whenOf(b); });
    if (newest != actuals.end())
        last.push_back(*newest);
    Json spent = Json::object();
    spent.set("runs", Json(static_cast<std::int64_t>(actuals.size())));
    spent.set("last", sectionOf(last));
    spent.set("total", sectionOf(actuals));
    return spent;
}

} // namespace outlay::pricing
