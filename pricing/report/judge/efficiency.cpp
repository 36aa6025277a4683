// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/assumption.h"
#include "pricing/report/judge/batching.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/sections.h"

#include "core/base/text.h"
#include "core/hardware/scaled_from.h"

#include <algorithm>
#include <set>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula ComputeFormula{"efficiency.compute",
                                 "100 x {0} s of a step by the roofline of this shape / {1} s "
                                 "measured, on {2} threads of {3} FLOP/s and {4} B/s"};
constexpr Formula MoneyFormula{"efficiency.money", "100 x {0} USD cheapest / {1} USD chosen"};
constexpr Formula CarbonFormula{"efficiency.carbon", "100 x {0} kg cleanest / {1} kg as planned"};
constexpr Formula ScoreFormula{"efficiency", "mean of {0} parts, by their weights of {1} in all"};

constexpr Formula VariantFormula{"efficiency.compute.with",
                                 "{0} of 100 / {1} of the time, measured"};
constexpr Formula BestFormula{"efficiency.with", "{0}: the best against itself"};
constexpr Formula UnknownFormula{"efficiency.unknown", "{0}, for it isn't known"};

constexpr double FullScore = 100;

Quantity noScore(Note reason)
{
    return Quantity::unavailable(Unit::Percent, std::move(reason));
}

Quantity scoreOf(double value, const Interval& interval, Basis basis, How how)
{
    const auto bounded = [](double v) { return std::clamp(v, 0.0, FullScore); };
    return Quantity::within(bounded(value), bounded(interval.low), bounded(interval.high),
                            Unit::Percent, basis, std::move(how));
}

EfficiencyPart unscored(Note reason)
{
    return {.score = noScore(std::move(reason))};
}

/// 100 x best / chosen, both costs of some kind; 100 once the best is taken.
EfficiencyPart shareOf(const Quantity& best, const Quantity& chosen, const Formula& formula,
                       std::string note)
{
    if (!best.isAvailable() || !chosen.isAvailable())
        return unscored((best.isAvailable() ? chosen : best).how().sentence());
    if (chosen.value() <= 0)
        return unscored("the chosen one costs nothing");
    const double value = FullScore * best.value() / chosen.value();
    const Basis basis = std::max(best.basis(), chosen.basis());
    // Both move together: what widens one widens the other.
    return {.score = scoreOf(value, {value, value}, basis,
                             how(formula, {best.value(), chosen.value()}, std::move(note))),
            .with =
                scoreOf(FullScore, {FullScore, FullScore}, basis, how(BestFormula, {FullScore}))};
}

/// The fastest way that was measured to train: what it would score, where it is faster at all.
void addFastest(const Report& report, EfficiencyPart& part)
{
    const VariantRow* fastest = nullptr;
    for (const VariantRow& row : report.variants) {
        const bool isOfTraining =
            row.subject ==
            VariantSubjectNames.at(static_cast<std::size_t>(VariantSubject::Training));
        if (isOfTraining && row.timeRatio.isAvailable() && row.timeRatio.value() > 0 &&
            (fastest == nullptr || row.timeRatio.value() < fastest->timeRatio.value()))
            fastest = &row;
    }
    if (fastest == nullptr) {
        part.remedy = "the variants";
        return;
    }
    const Quantity& ratio = fastest->timeRatio;
    if (ratio.value() >= 1)
        return;
    part.remedy = fastest->name.substr(0, fastest->name.find(" (")); // the rest is beside it
    part.with =
        scoreOf(part.score.value() / ratio.value(),
                {part.score.low() / ratio.high(), part.score.high() / ratio.low()}, Basis::Forecast,
                how(VariantFormula, {part.score.value(), ratio.value()}, fastest->name));
}

EfficiencyPart computeScore(const Subject& subject, const Report& report)
{
    const MeasurementPtr m = subject.measuredSteps();
    if (m == nullptr)
        return unscored("not measured here; `outlay probe` does it");
    Attainable on = overlapping(attainableHere(m->machine, subject.catalogs.calibration()));
    if (!on.isKnown())
        return unscored("rates not measured here; `outlay probe` does it");
    // Where all threads together weren't measured, they multiply at best what one computes.
    const bool isWhole = m->machine.wholeFlopsPerSecond.has_value();
    const auto threads = isWhole ? 1.0 : static_cast<double>(std::max<std::int64_t>(1, m->threads));
    on.returnedS = 0; // a program that keeps its memory has none of it
    on.flopsPerS *= threads;
    on.steps.flopsPerS *= threads;
    on.steps.gradientFlopsPerS *= threads;
    const double best = stepSecondsOn(subject.training, on);
    const Timing& step = m->training.step;
    EfficiencyPart part{
        .score =
            scoreOf(FullScore * best / step.meanS,
                    {FullScore * best / step.highS, FullScore * best / step.lowS}, Basis::Forecast,
                    how(ComputeFormula, {best, step.meanS, threads, on.flopsPerS, on.bytesPerS},
                        m->machine.processor))};
    addFastest(report, part);
    return part;
}

Quantity rangeOf(const UsdRange& usd, Basis basis)
{
    return Quantity::within(usd.value, usd.low, usd.high, Unit::Usd, basis, {});
}

/// Against on-demand and spot: a reservation is no way to buy a single run.
EfficiencyPart moneyScore(const Subject& subject, const Report& report)
{
    const auto& chosen = report.training.recommended.option;
    if (!chosen || !chosen->usd.isAvailable())
        return unscored("no offer with a price is chosen");
    const std::vector<Option>& options = report.training.options;
    // Of one trust the cheapest comes first.
    const auto best = std::find_if(options.begin(), options.end(), [&](const Option& option) {
        const Purchase purchase = subject.catalogs.book().rows()[option.row].purchase;
        const bool isKind = purchase == Purchase::OnDemand || purchase == Purchase::Spot ||
                            purchase == chosen->offer.purchase;
        return isKind && isUsable(option) && option.meetsDeadline && option.trust == Trust::Fresh;
    });
    if (best == options.end())
        return unscored("no offer with a fresh price fits");
    const Offer offer =
        offerOf(subject.catalogs.book().table(), subject.catalogs.book().rows()[best->row]);
    EfficiencyPart part =
        shareOf(rangeOf(best->usd, chosen->usd.basis()), chosen->usd, MoneyFormula,
                offer.machine.provider + " " + offer.machine.instance + ", " + offer.region);
    const bool isSpot =
        offer.purchase == Purchase::Spot && chosen->offer.purchase != Purchase::Spot;
    const auto& its = report.training.recommended.chosen;
    const bool isSlower = its && best->lateness > its->lateness;
    part.remedy = isSpot ? "spot machines" : isSlower ? "a slower offer" : "a cheaper offer";
    return part;
}

/// Where the chosen machine could be had as well, in time; nothing where none is chosen.
std::optional<std::set<std::string>> placesOf(const Subject& subject, const Report& report)
{
    const Recommendation& recommended = report.training.recommended;
    if (!recommended.chosen)
        return std::nullopt;
    const PriceBook& book = subject.catalogs.book();
    const OfferRow& chosen = book.rows()[recommended.chosen->row];
    const auto idOf = [](const Offer& offer) { return placeOf(offer).region.value_or(""); };
    std::set<std::string> places{idOf(recommended.option->offer)};
    for (const Option& option : report.training.options) {
        const OfferRow& row = book.rows()[option.row];
        if (row.machine == chosen.machine && row.purchase == chosen.purchase && isUsable(option) &&
            option.meetsDeadline)
            places.insert(idOf(offerOf(book.table(), row)));
    }
    return places;
}

EfficiencyPart carbonScore(const Subject& subject, const Report& report)
{
    if (!report.carbon.kgCo2e.isAvailable())
        return unscored(report.carbon.kgCo2e.how().note);
    const auto possible = placesOf(subject, report);
    const auto& places = report.carbon.elsewhere; // cleanest first
    const auto best = std::find_if(places.begin(), places.end(), [&](const RegionCarbon& row) {
        return row.kg.isAvailable() && allowsRegion(subject.experiment.plan, row.region) &&
               (!possible || possible->contains(row.region));
    });
    if (best == places.end())
        return unscored("no allowed region has a figure on this basis");
    EfficiencyPart part = shareOf(best->kg, report.carbon.kgCo2e, CarbonFormula, best->region);
    part.remedy = "in " + (best->location.empty() ? best->region : best->location);
    return part;
}

struct PartRow {
    const char* name;
    Assumption weight;
};

// The weights are a choice; docs/efficiency.md says why these.
constexpr std::array<PartRow, 4> PartRows{{
    {"compute", ComputeWeight},
    {"batching", BatchingWeight},
    {"money", MoneyWeight},
    {"carbon", CarbonWeight},
}};

/// What gains next to nothing isn't worth a word.
void dropSmallRemedy(EfficiencyPart& part)
{
    constexpr double WorthDoing = 2;
    const bool isSmall =
        part.with.isAvailable() && part.with.value() < part.score.value() + WorthDoing;
    if (!part.score.isAvailable() || isSmall || part.remedy.empty()) {
        part.remedy.clear();
        part.with = noScore("nothing is known that would raise it by much");
    } else if (!part.with.isAvailable()) {
        part.with = noScore("nobody can say before it is tried");
    }
}

/// What isn't known earns nothing, and may be anything: not to know is never better than to know.
Quantity earnedBy(const EfficiencyPart& part)
{
    return part.score.isAvailable() ? part.score
                                    : Quantity::within(0, 0, FullScore, Unit::Percent,
                                                       Basis::Assumed, how(UnknownFormula, {0}));
}

/// The mean of the parts; what isn't known of them is named.
Quantity meanOf(const std::vector<EfficiencyPart>& parts)
{
    double weights = 0;
    double count = 0;
    double known = 0;
    Quantity total = Quantity::exact(0, Unit::Percent, {});
    std::string missing;
    for (const EfficiencyPart& part : parts) {
        if (part.weight <= 0)
            continue;
        if (!part.score.isAvailable())
            missing += (missing.empty() ? "not known, and counted as nothing: " : ", ") + part.name;
        known += part.score.isAvailable() ? 1 : 0;
        weights += part.weight;
        count += 1;
        total = total + earnedBy(part) * part.weight;
    }
    if (known <= 0)
        return noScore("no part of it can be known");
    return (total * (1 / weights)).because(how(ScoreFormula, {count, weights}, missing));
}

std::string bandOf(const Quantity& score)
{
    constexpr double Excellent = 80;
    constexpr double Good = 60;
    if (!score.isAvailable())
        return "";
    if (score.value() >= Excellent)
        return "excellent";
    return score.value() >= Good ? "good" : "needs-improvement";
}

} // namespace

void addEfficiency(const Subject& subject, Report& report)
{
    std::array parts{computeScore(subject, report), batchingScore(subject, report),
                     moneyScore(subject, report), carbonScore(subject, report)};
    EfficiencyReport& efficiency = report.efficiency;
    for (std::size_t i = 0; i < PartRows.size(); ++i) {
        EfficiencyPart& part = parts.at(i);
        part.name = PartRows.at(i).name;
        part.weight = valueOf(subject, PartRows.at(i).weight);
        part.why = part.score.how().sentence();
        dropSmallRemedy(part);
        efficiency.parts.push_back(std::move(part));
    }
    efficiency.score = meanOf(efficiency.parts);
    efficiency.band = bandOf(efficiency.score);
}

} // namespace outlay::pricing
