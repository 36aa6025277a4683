// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/compare/budget.h"

#include "core/base/text.h"

namespace outlay::pricing {
namespace {

using namespace core;

bool isOutside(const Limit& limit, double value)
{
    return (limit.most && value > *limit.most) || (limit.least && value < *limit.least);
}

Result<void> checkFormat(const Json& json)
{
    const Json* format = json.find("format");
    if (format == nullptr || *format != Json(BudgetFormat))
        return inputError("this is not a budget", "give `\"format\": \"outlay-budget\"`",
                          "/format");
    const Json* version = json.find("version");
    if (version == nullptr || !version->isNumber() || version->number() != 1)
        return inputError("the version of the budget is not 1", "give `\"version\": 1`",
                          "/version");
    return {};
}

Result<void> checkLimit(const Limit& limit, const std::string& place)
{
    if (!limit.pointer.starts_with('/'))
        return inputError(inQuotes(limit.pointer) + " is not a JSON pointer",
                          "write it with slashes, as in /training/here_usd", place + "/pointer");
    if (!limit.least && !limit.most)
        return inputError("the limit has neither `min` nor `max`", "give one of them", place);
    if (limit.least && limit.most && *limit.least > *limit.most)
        return inputError("`min` " + plainNumber(*limit.least) + " is above `max` " +
                              plainNumber(*limit.most),
                          "no value can keep it; exchange them", place);
    return {};
}

/// Where a section is empty it is null as a whole, and what would be in it is unavailable.
bool isInsideNull(const Json& report, std::string pointer)
{
    while (!pointer.empty()) {
        if (const Json* found = valueAt(report, pointer))
            return found->isNull();
        pointer.erase(pointer.rfind('/'));
    }
    return false;
}

LimitOutcome unavailable(const Limit& limit, const Json* figure)
{
    const Json* how = figure == nullptr ? nullptr : figure->find("how");
    const bool isSaid = how != nullptr && how->asString() != nullptr && !how->asString()->empty();
    return {limit,
            LimitState::Unavailable,
            {},
            {},
            isSaid ? *how->asString() : "nothing is known of it"};
}

LimitOutcome outcomeOf(const Limit& limit, double value, const Json& figure)
{
    LimitOutcome outcome{limit, LimitState::Kept, value, {}, {}};
    const auto endIsOutside = [&](const char* end) {
        const Json* found = figure.find(end);
        return found != nullptr && found->isNumber() && isOutside(limit, found->number());
    };
    if (isOutside(limit, value))
        outcome.state = LimitState::Exceeded;
    else if (endIsOutside("low") || endIsOutside("high"))
        outcome.state = LimitState::Close;
    if (const Json* unit = figure.find("unit"); unit != nullptr && unit->asString() != nullptr)
        outcome.unit = *unit->asString() == "1" ? "" : *unit->asString();
    return outcome;
}

} // namespace

void describe(FieldVisitor& v, Limit& limit)
{
    v.text({.key = "pointer", .what = "pointer into the Report", .presence = Presence::Required},
           limit.pointer);
    v.number({"min", "least value"}, limit.least);
    v.number({"max", "greatest value"}, limit.most);
}

bool isExceeded(LimitState state)
{
    return state == LimitState::Exceeded || state == LimitState::Unavailable;
}

Result<Budget> readBudget(const Json& json)
{
    FieldReader reader(json, "");
    if (const auto isObject = reader.outcome(); !isObject)
        return failureOf(isObject);
    if (const auto format = checkFormat(json); !format)
        return failureOf(format);
    Budget budget;
    reader.list({.key = "limits", .what = "limits", .presence = Presence::Required}, budget.limits);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    if (budget.limits.empty())
        return inputError("the budget has no limits", "add one", "/limits");
    for (std::size_t i = 0; i < budget.limits.size(); ++i) {
        const auto sound = checkLimit(budget.limits[i], childPointer("/limits", i));
        if (!sound)
            return failureOf(sound);
    }
    return budget;
}

Result<std::vector<LimitOutcome>> checkLimits(const Budget& budget, const Json& report)
{
    std::vector<LimitOutcome> outcomes;
    for (std::size_t i = 0; i < budget.limits.size(); ++i) {
        const Limit& limit = budget.limits[i];
        const Json* found = valueAt(report, limit.pointer);
        const Json* value =
            found != nullptr && found->find("value") != nullptr ? found->find("value") : found;
        const std::string place = childPointer("/limits", i) + "/pointer";
        if (value == nullptr && !isInsideNull(report, limit.pointer))
            return inputError("the Report has nothing at '" + printable(limit.pointer, 80) + "'",
                              "`outlay estimate FILE --json` shows what there is", place);
        if (value == nullptr || value->isNull())
            outcomes.push_back(unavailable(limit, found));
        else if (value->isNumber())
            outcomes.push_back(outcomeOf(limit, value->number(), *found));
        else
            return inputError(inQuotes(limit.pointer) + " is " + std::string(value->typeName()) +
                                  ", not a figure",
                              "point to a number", place);
    }
    return outcomes;
}

} // namespace outlay::pricing
