// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/known_assumptions.h"

#include "core/base/text.h"
#include "core/carbon/carbon.h"
#include "core/experiment/assumption_keys.h"
#include "pricing/report/assumption.h"
#include "pricing/report/own_factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace outlay::pricing {
namespace {

using namespace core;

/// Assumptions without a default, which are numbers below `end`.
struct OpenAssumption {
    Assumption range;
    double end = std::numeric_limits<double>::infinity();
};
constexpr std::array OpenAssumptions{OpenAssumption{{.name = TrainingSecondsKey, .isAbove = true}},
                                     OpenAssumption{{.name = TrainingStartHourKey}, 24},
                                     OpenAssumption{{.name = OffsetUsdPerTonneKey}}};

/// And those that are words, of which some are any: the tariffs tell whether they know them.
struct WordAssumption {
    std::string_view name;
    std::span<const std::string_view> words;
};
constexpr std::array WordAssumptions{WordAssumption{ServingWayKey, ServingWayNames},
                                     WordAssumption{GridBasisKey, core::GridBasisNames},
                                     WordAssumption{StorageClassKey, {}},
                                     WordAssumption{TransferServiceKey, {}}};

Result<void> checkNumber(const core::Json& given, const OpenAssumption& allowed)
{
    if (isTaken(given, allowed.range) && given.number() < allowed.end)
        return {};
    const bool hasEnd = std::isfinite(allowed.end);
    return core::inputError("this is no number " + rangeOf(allowed.range) +
                                (hasEnd ? " to below " + core::plainNumber(allowed.end) : ""),
                            "change it, or take it out", assumptionAt(allowed.range.name));
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
        names.push_back(assumption.range.name);
    for (const WordAssumption& assumption : WordAssumptions)
        names.push_back(assumption.name);
    return names;
}

bool isIn(const std::vector<std::string_view>& known, std::string_view name)
{
    return std::find(known.begin(), known.end(), name) != known.end();
}

/// What one is nearly called as is a slip; others may be of a later version, or somebody's notes.
std::optional<std::string_view> meantBy(const std::string& name,
                                        const std::vector<std::string_view>& known)
{
    constexpr std::size_t MostSlips = 2;
    return core::nearest(name, known, MostSlips);
}

Result<void> checkSpelling(const std::string& name, const std::vector<std::string_view>& known)
{
    const auto meant = isIn(known, name) ? std::nullopt : meantBy(name, known);
    if (!meant)
        return {};
    return core::inputError("no assumption is called " + core::inQuotes(name),
                            "did you mean " + std::string(*meant) + "?", assumptionAt(name));
}

} // namespace

Result<void> checkAssumptions(const core::Experiment& experiment)
{
    const core::Json& given = experiment.assumptions;
    const auto check = [&](std::string_view name, const auto& checkValue) {
        const core::Json* value = given.find(name);
        return value == nullptr ? Result<void>() : checkValue(*value);
    };
    for (const Assumption& assumption : AllAssumptions) {
        auto outcome = check(assumption.name, [&](const core::Json& value) {
            return checkNumber(value, {.range = assumption});
        });
        if (!outcome)
            return outcome;
    }
    for (const OpenAssumption& assumption : OpenAssumptions) {
        auto outcome = check(assumption.range.name, [&](const core::Json& value) {
            return checkNumber(value, assumption);
        });
        if (!outcome)
            return outcome;
    }
    for (const WordAssumption& assumption : WordAssumptions) {
        auto outcome = check(assumption.name,
                             [&](const core::Json& value) { return checkWord(value, assumption); });
        if (!outcome)
            return outcome;
    }
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

std::vector<std::string> unknownAssumptions(const core::Experiment& experiment)
{
    const std::vector<std::string_view> known = assumptionNames();
    std::vector<std::string> sentences;
    for (const auto& [name, value] : *experiment.assumptions.asObject()) {
        if (value.isNumber() && !isIn(known, name) && !meantBy(name, known))
            sentences.push_back(assumptionAt(name) +
                                ": no assumption is called that, so it changes nothing; take it "
                                "out, or correct its name.");
    }
    return sentences;
}

} // namespace outlay::pricing
