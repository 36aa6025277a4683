// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/goal.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/assumption_keys.h"
#include "core/experiment/patch.h"
#include "core/workload/trained.h"
#include "pricing/report/make_report.h"

#include <algorithm>
#include <cmath>
#include <compare>

namespace outlay::pricing {
namespace {

using namespace core;

constexpr double UsualFineTuningEpochs = 3;
/// What moves less isn't worth a setting of its own.
constexpr double WorthIt = 0.01;

bool trains(Purpose purpose)
{
    return purpose != Purpose::Serve;
}

bool serves(Purpose purpose)
{
    return purpose == Purpose::Serve || purpose == Purpose::TrainAndServe;
}

/// Settings that go together; one of several ways to fill in one thing.
using Way = Json::Array;
/// The ways, without the one that leaves it as it is.
using Ways = std::vector<Way>;

template <typename Enum, std::size_t N>
Way choice(std::string_view pointer, const std::array<std::string_view, N>& names, Enum value)
{
    return {setting(pointer, Json(names.at(static_cast<std::size_t>(value))))};
}

/// Its results depend on which samples are seen together.
bool hasBatchNorm(const Model& model)
{
    const std::vector<Layer> layers = expand(model);
    return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
        const auto* norm = std::get_if<Norm>(&layer.spec);
        return norm != nullptr && norm->kind == NormKind::Batch;
    });
}

/// Samples of a step, and how many passes they take: as many as asked, or where learning may differ up to eight
/// times as many, beyond which it suffers in ways that nobody can foretell.
Ways batches(const Experiment& e, Tolerance tolerance)
{
    const Training& t = e.training;
    const std::int64_t all = t.batch * t.accumulation;
    const bool mayLearnOtherwise = tolerance == Tolerance::Learning;
    if ((!mayLearnOtherwise && hasBatchNorm(e.model)) || t.globalBatch)
        return {};
    Ways ways;
    const auto add = [&](std::int64_t samples) {
        for (const std::int64_t passes : {1, 2, 4, 8, 16}) {
            const bool isAsked = samples == all && passes == t.accumulation;
            if (samples % passes == 0 && !isAsked)
                ways.push_back({setting("/training/batch", Json(samples / passes)),
                                setting("/training/accumulation", Json(passes))});
        }
    };
    add(all);
    for (const std::int64_t times : {2, 4, 8}) {
        if (mayLearnOtherwise)
            add(all * times);
    }
    if (mayLearnOtherwise && all % 2 == 0)
        add(all / 2);
    return ways;
}

/// What may be filled in, one thing after the other.
std::vector<Ways> thingsFor(const Experiment& e, const Goal& goal)
{
    const Training& t = e.training;
    std::vector<Ways> things;
    if (trains(goal.purpose)) {
        if (!serves(goal.purpose)) // a service on machines that may be taken away is none
            things.push_back({choice("/plan/purchase", PurchaseNames, Purchase::Spot)});
        things.push_back({Way{setting("/training/checkpointing", Json(!t.checkpointing)),
                              setting("/training/recompute_every", Json(1)),
                              setting("/training/recomputed", Json(RecomputedNames.front()))}});
        things.push_back(batches(e, goal.tolerance));
    }
    if (serves(goal.purpose))
        things.push_back({{setting(assumptionAt(ServingWayKey), Json("serverless"))}});
    if (goal.tolerance == Tolerance::None)
        return things;
    const bool isWide = goal.tolerance == Tolerance::Learning;
    if (trains(goal.purpose)) {
        Training adapted = t;
        adapted.method = Method::Lora;
        adapted.adapterTargets.clear();
        adapted.trainedWhole.clear();
        if (isWide && goal.purpose == Purpose::FineTune && t.method == Method::Full &&
            checkTrained(e.model, adapted))
            things.push_back(
                {Way{setting("/training/method",
                             Json(MethodNames.at(static_cast<std::size_t>(Method::Lora)))),
                     setting("/training/adapter_targets", Json::array()),
                     setting("/training/trained_whole", Json::array())}});
        things.push_back({choice("/training/precision", PrecisionNames, Precision::Bf16)});
        if (isWide && (t.optimizer == Optimizer::Adam || t.optimizer == Optimizer::AdamW))
            things.push_back({choice("/training/optimizer", OptimizerNames, Optimizer::AdamW8bit)});
    }
    if (serves(goal.purpose)) {
        Ways precisions{
            choice("/serving/precision", ServingPrecisionNames, ServingPrecision::Bf16)};
        if (isWide)
            precisions.push_back(
                choice("/serving/precision", ServingPrecisionNames, ServingPrecision::Int8));
        things.push_back(std::move(precisions));
    }
    return things;
}

/// How good a plan is: what it breaks, then what a run and a month of it come to.
struct Worth {
    int broken = 0;
    double usd = 0;

    [[nodiscard]] bool isBetterThan(const Worth& other) const
    {
        return broken != other.broken ? broken < other.broken : usd < (1 - WorthIt) * other.usd;
    }
};

} // namespace

int brokenPromises(const Report& report, Purpose purpose)
{
    constexpr int Nowhere = 100;
    constexpr int MayNotFit = 10;
    int broken = 0;
    const auto look = [&](const Recommendation& recommended, bool hasBudget) {
        if (!recommended.chosen) {
            broken += Nowhere;
            return;
        }
        const Option& o = *recommended.chosen;
        broken += o.fits == Fits::Yes ? 0 : MayNotFit;
        broken += o.meetsDeadline ? 0 : 1;
        broken += !hasBudget || o.isWithinBudget ? 0 : 1;
    };
    if (trains(purpose))
        look(report.training.recommended, true);
    if (serves(purpose) && report.serving.by == ServedBy::Machines)
        look(report.serving.recommended, false);
    if (serves(purpose) && report.serving.by != ServedBy::Machines) {
        const ServingWay* way = report.serving.wayTaken();
        const bool isPossible = way != nullptr && way->usdPerMonth.isAvailable();
        broken += !isPossible ? Nowhere : way->holdsLatency ? 0 : 1;
    }
    return broken;
}

namespace {

class Search {
public:
    Search(const Goal& goal, const Catalogs& catalogs) : m_goal(goal), m_catalogs(catalogs) {}

    [[nodiscard]] Worth worthOf(const Experiment& experiment) const
    {
        const Report costs = costsOf(experiment, m_catalogs);
        Worth worth{.broken = brokenPromises(costs, m_goal.purpose)};
        const Quantity& total = costs.month.total;
        worth.usd = total.isAvailable() ? total.value() : HUGE_VAL;
        return worth;
    }

    /// The best way to fill in each thing, with those before it filled in; twice, for they touch each other.
    [[nodiscard]] std::vector<Way> best(const Experiment& asked) const
    {
        const std::vector<Ways> things = thingsFor(asked, m_goal);
        std::vector<Way> taken(things.size());
        Worth worth = worthOf(asked);
        constexpr int Rounds = 2;
        for (int round = 0; round < Rounds; ++round) {
            for (std::size_t i = 0; i < things.size(); ++i) {
                for (const Way& way : things[i]) {
                    std::vector<Way> tried = taken;
                    tried[i] = way;
                    const auto experiment = patchedWith(asked, tried);
                    if (!experiment)
                        continue; // what doesn't go with the rest
                    const Worth its = worthOf(*experiment);
                    if (!its.isBetterThan(worth))
                        continue;
                    worth = its;
                    taken = std::move(tried);
                }
            }
        }
        std::erase_if(taken, [](const Way& way) { return way.empty(); });
        return taken;
    }

    [[nodiscard]] static Result<Experiment> patchedWith(const Experiment& asked,
                                                        const std::vector<Way>& ways)
    {
        Way patch;
        for (const Way& way : ways)
            patch.insert(patch.end(), way.begin(), way.end());
        return edited(asked, Json(std::move(patch)));
    }

    /// What each is good for: the plan without it. What the others have made superfluous leaves.
    [[nodiscard]] std::vector<ProposedChange> changes(const Experiment& asked,
                                                      std::vector<Way> ways) const
    {
        std::vector<ProposedChange> changes;
        for (std::size_t i = 0; i < ways.size();) {
            std::vector<Way> others = ways;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            const auto whole = patchedWith(asked, ways);
            const auto without = patchedWith(asked, others);
            const std::string why = whole && without ? reason(worthOf(*whole), worthOf(*without))
                                                     : std::string("the others need it");
            if (why.empty()) {
                ways = std::move(others);
                continue;
            }
            ProposedChange change{.patch = Json(ways[i]), .pointers = {}, .why = why};
            for (const Json& one : ways[i])
                change.pointers.push_back(*one.find("path")->asString());
            changes.push_back(std::move(change));
            ++i;
        }
        return changes;
    }

private:
    static std::string reason(const Worth& with, const Worth& without)
    {
        if (!with.isBetterThan(without))
            return {};
        if (with.broken < without.broken)
            return without.broken >= 10 ? "without it nothing known fits"
                                        : "without it a limit is broken";
        if (!std::isfinite(without.usd))
            return "without it the price isn't known";
        return plainNumber(std::round(PerCent * (1 - with.usd / without.usd))) +
               " % cheaper than without";
    }

    const Goal& m_goal;
    const Catalogs& m_catalogs;
};

Result<Experiment> askedBy(const Experiment& experiment, const Goal& goal)
{
    Json::Array patch;
    const auto set = [&](std::string_view pointer, Json value) {
        patch.push_back(setting(pointer, std::move(value)));
    };
    if (trains(goal.purpose)) {
        if (goal.samples) {
            set("/training/tokens", {});
            set("/training/samples", Json(*goal.samples));
        }
        if (goal.purpose == Purpose::FineTune)
            set("/training/epochs", Json(UsualFineTuningEpochs));
        set("/training/runs_per_month", Json(std::max(1.0, experiment.training.runsPerMonth)));
    } else {
        set("/training/runs_per_month", Json(0));
    }
    if (!serves(goal.purpose))
        set("/serving/requests_per_day", Json(0));
    else if (goal.requestsPerDay)
        set("/serving/requests_per_day", Json(*goal.requestsPerDay));
    const auto limit = [&](std::string_view pointer, const std::optional<double>& value) {
        set(pointer, value ? Json(*value) : Json());
    };
    limit("/plan/deadline_hours", goal.deadlineHours);
    limit("/plan/budget_usd", goal.budgetUsd);
    // What was chosen for another goal is chosen anew.
    limit("/plan/training_offer", std::nullopt);
    limit("/plan/serving_offer", std::nullopt);
    set("/plan/purchase", Json(PurchaseNames.at(static_cast<std::size_t>(Purchase::OnDemand))));
    set(assumptionAt(ServingWayKey), Json("instance"));
    const double requests = goal.requestsPerDay.value_or(experiment.serving.requestsPerDay);
    if (serves(goal.purpose) && !(requests > 0))
        return inputError("the design says nothing of how many requests are to be answered",
                          "give the requests a day");
    return edited(experiment, Json(std::move(patch)));
}

} // namespace

Result<GoalProposal> proposalFor(const Experiment& experiment, const Goal& goal,
                                 const Catalogs& catalogs)
{
    auto asked = askedBy(experiment, goal);
    if (!asked)
        return failureOf(asked);
    const Search search(goal, catalogs);
    GoalProposal proposal{
        .purpose = goal.purpose, .asked = std::move(*asked), .changes = {}, .experiment = {}};
    proposal.changes = search.changes(proposal.asked, search.best(proposal.asked));
    proposal.experiment = with(proposal, std::vector<bool>(proposal.changes.size(), true));
    return proposal;
}

Experiment with(const GoalProposal& proposal, const std::vector<bool>& wanted)
{
    Json::Array patch;
    for (std::size_t i = 0; i < proposal.changes.size(); ++i) {
        if (i < wanted.size() && wanted[i]) {
            for (const Json& one : *proposal.changes[i].patch.asArray())
                patch.push_back(one);
        }
    }
    auto experiment = edited(proposal.asked, Json(std::move(patch)));
    return experiment ? std::move(*experiment) : proposal.asked;
}

} // namespace outlay::pricing
