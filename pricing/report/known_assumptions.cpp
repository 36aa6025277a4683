// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/known_assumptions.h"

#include "core/base/text.h"
#include "core/carbon/carbon.h"
#include "pricing/report/assumption.h"
#include "pricing/report/own_factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace outlay::pricing {
namespace {

using core::Result;

/// Assumptions without a default: numbers of which the last is the first that isn't allowed.
struct OpenAssumption {
    std::string_view name;
    double least = 0;
    double end = std::numeric_limits<double>::infinity();
};
constexpr std::array OpenAssumptions{OpenAssumption{"training_seconds"},
                                     OpenAssumption{"training_start_hour", 0, 24},
                                     OpenAssumption{"offset_usd_per_tonne"}};

/// And those that are words; none are listed where the catalogs have them.
struct WordAssumption {
    std::string_view name;
    std::span<const std::string_view> words;
};
constexpr std::array WordAssumptions{WordAssumption{"serving_way", ServingWayNames},
                                     WordAssumption{"grid_basis", core::GridBasisNames},
                                     WordAssumption{"storage_class", {}},
                                     WordAssumption{"transfer_service", {}}};

std::string assumptionAt(std::string_view name)
{
    return core::childPointer("/assumptions", name);
}

Result<void> checkNumber(const core::Json& given, const OpenAssumption& allowed)
{
    if (given.isNumber() && given.number() >= allowed.least && given.number() < allowed.end)
        return {};
    const bool hasEnd = std::isfinite(allowed.end);
    return core::inputError("this is no number from " + core::plainNumber(allowed.least) +
                                (hasEnd ? " to below " + core::plainNumber(allowed.end) : ""),
                            "change it, or take it out", assumptionAt(allowed.name));
}

Result<void> checkWord(const core::Json& given, const WordAssumption& allowed)
{
    const std::string* word = given.asString();
    const auto& words = allowed.words;
    const bool isAny = words.empty() || (word != nullptr && std::find(words.begin(), words.end(),
                                                                      *word) != words.end());
    if (word != nullptr && isAny)
        return {};
    const std::vector<std::string_view> known(words.begin(), words.end());
    return core::inputError(
        word == nullptr ? "this is no text" : "nothing is known of " + core::inQuotes(*word),
        known.empty() ? "change it, or take it out" : "give " + core::joined(known, " or "),
        assumptionAt(allowed.name));
}

Result<void> checkOwnFactor(const core::Experiment& experiment, RunPlace place)
{
    const std::string_view name = OwnFactorNames.at(static_cast<std::size_t>(place));
    if (experiment.assumptions.find(name) == nullptr || ownFactorOf(experiment, place))
        return {};
    return core::inputError("this is no factor of your own runs",
                            "give a number above 0, or its value, low and high in that order",
                            assumptionAt(name));
}

std::vector<std::string_view> assumptionNames()
{
    std::vector<std::string_view> names(OwnFactorNames.begin(), OwnFactorNames.end());
    for (const Assumption& assumption : AllAssumptions)
        names.push_back(assumption.name);
    for (const OpenAssumption& assumption : OpenAssumptions)
        names.push_back(assumption.name);
    for (const WordAssumption& assumption : WordAssumptions)
        names.push_back(assumption.name);
    return names;
}

/// One that is nearly called as one of ours is a slip; others may be of a later version, or somebody's notes.
Result<void> checkSpelling(const std::string& name, const std::vector<std::string_view>& known)
{
    if (std::find(known.begin(), known.end(), name) != known.end())
        return {};
    const auto near = core::nearest(name, known);
    if (!near)
        return {};
    return core::inputError("no assumption is called " + core::inQuotes(name),
                            "did you mean " + std::string(*near) + "?", assumptionAt(name));
}

} // namespace

Result<void> checkAssumptions(const core::Experiment& experiment)
{
    const core::Json& given = experiment.assumptions;
    const auto check = [&](const auto& all, const auto& checkOne) {
        for (const auto& assumption : all) {
            const core::Json* value = given.find(assumption.name);
            if (value == nullptr)
                continue;
            if (auto outcome = checkOne(*value, assumption); !outcome)
                return outcome;
        }
        return Result<void>();
    };
    if (auto outcome = check(AllAssumptions,
                             [](const core::Json& value, const Assumption& assumption) {
                                 return checkNumber(value, {assumption.name, assumption.least});
                             });
        !outcome)
        return outcome;
    if (auto outcome = check(OpenAssumptions, checkNumber); !outcome)
        return outcome;
    if (auto outcome = check(WordAssumptions, checkWord); !outcome)
        return outcome;
    for (const RunPlace place : {RunPlace::Planned, RunPlace::Here}) {
        if (auto outcome = checkOwnFactor(experiment, place); !outcome)
            return outcome;
    }
    const std::vector<std::string_view> known = assumptionNames();
    for (const auto& [name, value] : *given.asObject()) {
        if (auto outcome = checkSpelling(name, known); !outcome)
            return outcome;
    }
    return {};
}

} // namespace outlay::pricing
