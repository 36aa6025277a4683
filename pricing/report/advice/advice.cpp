// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/together.h"
#include "core/base/units.h"
#include "pricing/report/advice/trial.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::string_view BatchPointer = "/training/batch";
constexpr const char* ElsewhereNote =
    "it was measured here, and the plan pays for a machine elsewhere";

struct Weighed {
    const Rule* rule = nullptr;
    Proposal proposal;
    Saving saving;
    Enables enables = Enables::Nothing;
};

std::vector<Weighed> candidatesOf(const Situation& situation)
{
    std::vector<Weighed> all;
    const bool isTrained = situation.subject.experiment.training.runsPerMonth > 0;
    for (const auto& rules : {trainingRules(), memoryRules(), modelRules(), measuredRules(),
                              offerRules(), servingRules(), placeRules()}) {
        for (const Rule& rule : rules) {
            if (rule.concern == Concern::Runs && !isTrained)
                continue;
            for (Proposal& proposal : rule.propose(situation))
                all.push_back({.rule = &rule, .proposal = std::move(proposal)});
        }
    }
    return all;
}

/// What a proposal sets a number to; nothing if it leaves it.
std::optional<double> numberSetBy(const Proposal& proposal, std::string_view pointer)
{
    for (const Json& step : *proposal.patch.asArray()) {
        const Json* path = step.find("path");
        const Json* value = step.find("value");
        if (path != nullptr && value != nullptr && value->isNumber() &&
            path->asString() != nullptr && *path->asString() == pointer)
            return value->number();
    }
    return std::nullopt;
}

/// Whether the machine here says anything of the one that is planned: a processor doesn't of accelerators.
bool isOfPlannedKind(const Situation& s, const Measurement& m)
{
    const MachineKind* planned = machineOf(s.subject.catalogs, s.report.training.recommended);
    return planned == nullptr ||
           (planned->device.kind == DeviceKind::Cpu) == isProcessor(m.machine);
}

/// What the measured work takes: the runs here, or the requests that are served.
MeasuredWork workOf(const Situation& s, VariantSubject subject)
{
    const Report& report = s.report;
    if (subject == VariantSubject::Training) {
        const double runs = s.subject.experiment.training.runsPerMonth;
        if (report.training.recommended.option)
            return {.usd = Quantity::unavailable(Unit::Usd, ElsewhereNote),
                    .kgCo2e = Quantity::unavailable(Unit::KilogramsCo2e, ElsewhereNote),
                    .timeS = report.training.here};
        return {.usd = report.training.hereUsd * runs,
                .kgCo2e = report.training.hereKgCo2e.isAvailable()
                              ? report.training.hereKgCo2e * runs
                              : Quantity::unavailable(Unit::KilogramsCo2e,
                                                      "the energy here is not known"),
                .timeS = report.training.here};
    }
    const auto& items = report.month.items;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [](const MonthItem& item) { return item.item == "inference"; });
    const Quantity& latency = report.serving.latencyMs;
    return {
        .usd = found == items.end() ? Quantity::unavailable(Unit::Usd, "the service has no price")
                                    : found->usd,
        .kgCo2e = Quantity::unavailable(Unit::KilogramsCo2e,
                                        "the energy of the service was not measured"),
        .timeS = product(latency, Quantity::exact(1 / MillisPerS, Unit::One, {}), Unit::Seconds),
        .isRequest = true};
}

Saving measuredSavingOf(const Situation& s, const MeasuredRatio& measured, const Bill& before)
{
    const Quantity ratio = Quantity::within(measured.ratio, measured.low, measured.high, Unit::One,
                                            Basis::Measured, {});
    if (measured.isCounted) // the share is told, and no amount
        return measuredSaving(ratio, {.isRequest = true}, before);
    return measuredSaving(ratio, workOf(s, measured.subject), before);
}

/// A batch that was measured as slower is none to be advised, nor one further off; with accumulation it is
/// another matter.
bool isContradicted(const Situation& s, const Proposal& proposal)
{
    const auto batch = numberSetBy(proposal, BatchPointer);
    const MeasurementPtr m = s.subject.measured.withVariants(s.subject.asked());
    if (proposal.measured || !batch || numberSetBy(proposal, "/training/accumulation") ||
        m == nullptr || !isOfPlannedKind(s, *m))
        return false;
    const double now = real(s.subject.experiment.training.batch);
    return std::any_of(m->variants.begin(), m->variants.end(), [&](const VariantMeasurement& v) {
        const auto value = readJson(v.value);
        const bool isSlower = v.isMeasured() && v.pointer == BatchPointer && v.lowRatio > 1;
        return isSlower && value && value->isNumber() &&
               (value->number() - now) * (*batch - now) > 0 &&
               std::abs(value->number() - now) <= std::abs(*batch - now);
    });
}

/// By two Reports where there is a patch, with the time that the probe saw; else by its comparison alone. Whether it is
/// worth a line.
bool weigh(const Situation& s, Trials& trials, Weighed& candidate)
{
    const Proposal& proposal = candidate.proposal;
    if (isContradicted(s, proposal))
        return false;
    std::optional<Saving> measured =
        proposal.measured ? std::optional(measuredSavingOf(s, *proposal.measured, trials.before()))
                          : std::nullopt;
    if (proposal.patch.asArray()->empty()) {
        if (!measured || !isWorthwhile(*measured, trials.before()))
            return false;
        candidate.saving = *std::move(measured);
        return true;
    }
    const auto after = trials.after(proposal.patch);
    if (!after || breaksMore(trials.before(), *after))
        return false;
    candidate.enables = enabledBy(trials.before(), *after);
    Saving& saving = candidate.saving;
    saving = savingOf(trials.before(), *after);
    if (measured) { // what was timed knows better than what is scaled
        saving.timeS = measured->timeS;
        saving.timePercent = measured->timePercent;
        saving.isTimeOfRequest = measured->isTimeOfRequest;
    }
    return candidate.enables != Enables::Nothing || isWorthwhile(saving, trials.before());
}

Largest largestOf(const Weighed& candidate, const Bill& before)
{
    Largest largest = largestOf(candidate.saving, before);
    // What makes it hold at all comes before whatever makes it cheaper.
    if (candidate.enables != Enables::Nothing)
        largest.priority = Level::High;
    if (candidate.enables != Enables::Fit)
        largest.priority = std::min(largest.priority, candidate.proposal.most);
    return largest;
}

AdviceRow rowOf(Weighed& candidate, const Bill& before)
{
    const Largest largest = largestOf(candidate, before);
    Proposal& p = candidate.proposal;
    Saving& saving = candidate.saving;
    AdviceRow row{.id = std::string(candidate.rule->id),
                  .title = std::move(p.title),
                  .category = candidate.rule->category,
                  .priority = largest.priority,
                  .effort = candidate.rule->effort,
                  .savingUsd = std::move(saving.usd),
                  .savingPercent = std::move(saving.percent),
                  .savingKgCo2e = std::move(saving.kgCo2e),
                  .savingTimeS = std::move(saving.timeS),
                  .savingTimePercent = std::move(saving.timePercent),
                  .isTimeOfRequest = saving.isTimeOfRequest,
                  .most = largest.thing,
                  .share = largest.share,
                  .enables = candidate.enables,
                  .isReluctant = p.isReluctant,
                  .why = std::move(p.why),
                  .patch = std::move(p.patch),
                  .codeCpp = std::move(p.codeCpp),
                  .codePython = std::move(p.codePython)};
    return row;
}

/// Of several proposals of one rule, the one that saves most: of money where that is what each is told by, for emissions
/// alone count less than money and time.
std::vector<AdviceRow> bestOfEach(std::vector<Weighed>& candidates, const Bill& before)
{
    const auto weight = [&](const Weighed& candidate) {
        const Largest largest = largestOf(candidate, before);
        const double share = largest.thing == SavedThing::Money
                                 ? candidate.saving.percent.value() / PerCent
                                 : largest.share;
        return std::tuple(largest.priority, candidate.enables, largest.thing != SavedThing::Carbon,
                          share);
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
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
    // Another model may not answer as well, and a term binds: what does neither comes first. What saves as good as
    // nothing but emissions comes behind what saves money or time, too.
    const auto rank = [](const AdviceRow& row) {
        return std::tuple(row.priority, row.enables, row.category != AdviceCategory::Model,
                          !row.isReluctant, row.most != SavedThing::Carbon, row.share,
                          -static_cast<int>(row.effort));
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
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
    const Trials trials(subject, figures, offers);
    std::vector<std::uint8_t> isKept(candidates.size());
    std::atomic<std::size_t> next = 0;
    const auto weighSome = [&](Trials its) {
        for (std::size_t i = next++; i < candidates.size(); i = next++)
            isKept[i] = weigh(situation, its, candidates[i]) ? 1 : 0;
    };
    together([&] { weighSome(trials); }, [&] { weighSome(trials); });
    std::vector<Weighed> kept;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (isKept[i] != 0)
            kept.push_back(std::move(candidates[i]));
    }
    return bestOfEach(kept, trials.before());
}

} // namespace outlay::pricing
