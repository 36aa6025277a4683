// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/advice/trial.h"
#include "pricing/report/sections.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

struct Weighed {
    const Rule* rule = nullptr;
    Proposal proposal;
    Saving saving;
};

std::vector<Weighed> candidatesOf(const Situation& situation)
{
    std::vector<Weighed> all;
    for (const auto& rules : {trainingRules(), modelRules(), measuredRules(), offerRules(),
                              servingRules(), placeRules()}) {
        for (const Rule& rule : rules) {
            for (Proposal& proposal : rule.propose(situation))
                all.push_back({.rule = &rule, .proposal = std::move(proposal)});
        }
    }
    return all;
}

/// What the measured work costs a month: the runs here, or the requests that are served.
Saving measuredSavingOf(const Situation& s, const MeasuredRatio& measured)
{
    const Quantity ratio = Quantity::within(measured.ratio, measured.low, measured.high, Unit::One,
                                            Basis::Measured, {});
    const Report& report = s.report;
    if (measured.subject == VariantSubject::Training) {
        const double runs = s.subject.experiment.training.runsPerMonth;
        const Quantity kg =
            report.training.hereKgCo2e.isAvailable()
                ? report.training.hereKgCo2e * runs
                : Quantity::unavailable(Unit::KilogramsCo2e, "the energy here is not known");
        return measuredSaving(ratio, report.training.hereUsd * runs, kg);
    }
    const auto& items = report.month.items;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [](const MonthItem& item) { return item.item == "inference"; });
    const Quantity cost = found == items.end()
                              ? Quantity::unavailable(Unit::Usd, "the service has no price")
                              : found->usd;
    return measuredSaving(
        ratio, cost,
        Quantity::unavailable(Unit::KilogramsCo2e, "the energy of the service was not measured"));
}

/// By two Reports where the patch changes them; else by the probe's own comparison.
std::optional<Saving> savingFor(const Situation& s, Trials& trials, const Proposal& proposal)
{
    const bool isSet = !proposal.patch.asArray()->empty();
    if (isSet) {
        const auto after = trials.after(proposal.patch);
        if (!after)
            return std::nullopt;
        const Saving saving = savingOf(trials.before(), *after);
        const bool isEnabling = !trials.before().usd.isAvailable() && after->usd.isAvailable();
        if (isWorthwhile(saving, trials.before()) || isEnabling)
            return saving;
    }
    if (!proposal.measured)
        return std::nullopt;
    const Saving saving = measuredSavingOf(s, *proposal.measured);
    return isWorthwhile(saving, trials.before()) ? std::optional(saving) : std::nullopt;
}

double weightOf(const Saving& saving)
{
    if (saving.usd.isAvailable() && saving.usd.value() != 0)
        return saving.usd.value();
    return saving.percent.isAvailable() ? saving.percent.value() / 1e6 : 0;
}

AdviceRow rowOf(Weighed& candidate, const Bill& before)
{
    Proposal& p = candidate.proposal;
    AdviceRow row{.id = std::string(candidate.rule->id),
                  .title = std::move(p.title),
                  .category = candidate.rule->category,
                  .priority = priorityOf(candidate.saving, before),
                  .effort = candidate.rule->effort,
                  .savingUsd = std::move(candidate.saving.usd),
                  .savingPercent = std::move(candidate.saving.percent),
                  .savingKgCo2e = std::move(candidate.saving.kgCo2e),
                  .why = std::move(p.why),
                  .patch = std::move(p.patch),
                  .codeCpp = std::move(p.codeCpp),
                  .codePython = std::move(p.codePython)};
    // What makes a design fit at all comes before whatever makes it cheaper.
    if (!before.usd.isAvailable() && !row.savingUsd.isAvailable() &&
        !row.savingPercent.isAvailable() && !row.savingKgCo2e.isAvailable())
        row.priority = Level::High;
    return row;
}

/// Of several proposals of one rule, the one that saves most.
std::vector<AdviceRow> bestOfEach(std::vector<Weighed>& candidates, const Bill& before)
{
    std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
        return weightOf(a.saving) > weightOf(b.saving);
    });
    std::vector<AdviceRow> rows;
    for (Weighed& candidate : candidates) {
        const auto isSame = [&](const AdviceRow& row) { return row.id == candidate.rule->id; };
        const auto isSamePatch = [&](const AdviceRow& row) {
            return !row.patch.asArray()->empty() && row.patch == candidate.proposal.patch;
        };
        if (std::none_of(rows.begin(), rows.end(), isSame) &&
            std::none_of(rows.begin(), rows.end(), isSamePatch))
            rows.push_back(rowOf(candidate, before));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.priority > b.priority; });
    return rows;
}

} // namespace

std::vector<AdviceRow> adviceFor(const Subject& subject, const Report& figures)
{
    Experiment saved = subject.experiment;
    saved.measurements = {};
    const Situation situation{subject, figures, toJson(saved)};
    std::vector<Weighed> candidates = candidatesOf(situation);
    std::vector<std::uint32_t> offers;
    for (const Weighed& candidate : candidates) {
        if (candidate.proposal.offer)
            offers.push_back(*candidate.proposal.offer);
    }
    Trials trials(subject, figures, offers);
    std::vector<Weighed> kept;
    for (Weighed& candidate : candidates) {
        if (const auto saving = savingFor(situation, trials, candidate.proposal)) {
            candidate.saving = *saving;
            kept.push_back(std::move(candidate));
        }
    }
    return bestOfEach(kept, trials.before());
}

} // namespace outlay::pricing
