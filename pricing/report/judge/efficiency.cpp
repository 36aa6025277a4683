// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/assumption.h"
#include "pricing/report/judge/batching.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/sections.h"

#include "core/base/text.h"
#include "core/hardware/scaled_from.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula ComputeFormula{"efficiency.compute",
                                 "100 x {0} s of a step by the roofline of this shape / {1} s "
                                 "measured, on {2} threads of {3} FLOP/s and {4} B/s"};
constexpr Formula MemoryFormula{"efficiency.memory", "100 x {0} B used / {1} B there"};
constexpr Formula MoneyFormula{"efficiency.money", "100 x {0} USD cheapest / {1} USD chosen"};
constexpr Formula CarbonFormula{"efficiency.carbon", "100 x {0} kg cleanest / {1} kg as planned"};
constexpr Formula ScoreFormula{"efficiency", "mean of {0} parts, by their weights of {1} in all"};

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

/// 100 x best / chosen, both costs of some kind.
Quantity shareOf(const Quantity& best, const Quantity& chosen, const Formula& formula,
                 std::string note)
{
    if (!best.isAvailable() || !chosen.isAvailable())
        return noScore((best.isAvailable() ? chosen : best).how().sentence());
    if (chosen.value() <= 0)
        return noScore("the chosen one costs nothing");
    const double value = FullScore * best.value() / chosen.value();
    // Both move together: what widens one widens the other.
    return scoreOf(value, {value, value}, std::max(best.basis(), chosen.basis()),
                   how(formula, {best.value(), chosen.value()}, std::move(note)));
}

Quantity computeScore(const Subject& subject)
{
    const MeasurementPtr m = subject.measuredSteps();
    if (m == nullptr)
        return noScore("not measured here; `outlay probe` does it");
    const Calibration& calibration = subject.catalogs.calibration();
    Attainable on = attainableHere(m->machine, calibration);
    if (!on.isKnown())
        return noScore("the machine's rates were not measured; `outlay probe` does it");
    // The rates were measured on one thread; at best, more threads multiply what they compute.
    const auto threads = static_cast<double>(std::max<std::int64_t>(1, m->threads));
    on.flopsPerS *= threads;
    on.recurrentFlopsPerS *= threads;
    const double best = stepSecondsOn(subject.training, on, calibration);
    const Timing& step = m->training.step;
    return scoreOf(FullScore * best / step.meanS,
                   {FullScore * best / step.highS, FullScore * best / step.lowS}, Basis::Forecast,
                   how(ComputeFormula, {best, step.meanS, threads, on.flopsPerS, on.bytesPerS},
                       m->machine.processor));
}

Quantity memoryScore(const Subject& subject, const Report& report)
{
    const auto& option = report.training.recommended.option;
    if (!option)
        return noScore("no offer is chosen");
    const MachineKind* machine = machineOf(subject.catalogs, report.training.recommended);
    const auto bytes = machine != nullptr ? machine->memoryBytes() : std::nullopt;
    if (!bytes)
        return noScore("the memory of " + option->offer.machine.instance + " is not known");
    const Quantity& used = report.training.memory;
    if (!used.isAvailable())
        return noScore(used.how().note);
    return scoreOf(FullScore * used.value() / *bytes,
                   {FullScore * used.low() / *bytes, FullScore * used.high() / *bytes},
                   used.basis(),
                   how(MemoryFormula, {used.value(), *bytes}, option->offer.machine.instance));
}

Quantity rangeOf(const UsdRange& usd, Basis basis)
{
    return Quantity::within(usd.value, usd.low, usd.high, Unit::Usd, basis, {});
}

/// Against on-demand and spot: a reservation is no way to buy a single run.
Quantity moneyScore(const Subject& subject, const Report& report)
{
    const auto& chosen = report.training.recommended.option;
    if (!chosen || !chosen->usd.isAvailable())
        return noScore("no offer with a price is chosen");
    const std::vector<Option>& options = report.training.options;
    // Of one trust the cheapest comes first.
    const auto best = std::find_if(options.begin(), options.end(), [&](const Option& option) {
        const Purchase purchase = subject.catalogs.book().rows()[option.row].purchase;
        const bool isKind = purchase == Purchase::OnDemand || purchase == Purchase::Spot ||
                            purchase == chosen->offer.purchase;
        return isKind && isUsable(option) && option.meetsDeadline && option.trust == Trust::Fresh;
    });
    if (best == options.end())
        return noScore("no offer with a fresh price fits");
    const Offer offer =
        offerOf(subject.catalogs.book().table(), subject.catalogs.book().rows()[best->row]);
    return shareOf(rangeOf(best->usd, chosen->usd.basis()), chosen->usd, MoneyFormula,
                   offer.machine.provider + " " + offer.machine.instance + ", " + offer.region);
}

Quantity carbonScore(const Subject& subject, const Report& report)
{
    const auto& places = report.carbon.elsewhere; // cleanest first
    const auto best = std::find_if(places.begin(), places.end(), [&](const RegionCarbon& row) {
        return row.kg.isAvailable() && allowsRegion(subject.experiment.plan, row.region);
    });
    if (!report.carbon.kgCo2e.isAvailable())
        return noScore(report.carbon.kgCo2e.how().note);
    if (best == places.end())
        return noScore("no allowed region has a figure on this basis");
    return shareOf(best->kg, report.carbon.kgCo2e, CarbonFormula, best->region);
}

struct PartRow {
    const char* name;
    Assumption weight;
    const char* remedy;
};

// The weights are a choice; docs/efficiency.md says why these.
constexpr std::array<PartRow, 5> PartRows{{
    {"compute", ComputeWeight, "try the variants"},
    {"batching", BatchingWeight, "raise the batch"},
    {"memory", MemoryWeight, "take a smaller machine"},
    {"money", MoneyWeight, "take a cheaper offer"},
    {"carbon", CarbonWeight, "use a cleaner region"},
}};

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
    const std::array scores{computeScore(subject), batchingScore(subject, report),
                            memoryScore(subject, report), moneyScore(subject, report),
                            carbonScore(subject, report)};
    EfficiencyReport& efficiency = report.efficiency;
    for (std::size_t i = 0; i < PartRows.size(); ++i) {
        const PartRow& row = PartRows.at(i);
        const Quantity& score = scores.at(i);
        const bool isFull = score.isAvailable() && score.value() >= FullScore;
        efficiency.parts.push_back({.name = row.name,
                                    .score = score,
                                    .weight = valueOf(subject, row.weight),
                                    .why = score.how().sentence(),
                                    .remedy = isFull ? "" : row.remedy});
    }
    efficiency.score = meanOf(efficiency.parts);
    efficiency.band = bandOf(efficiency.score);
}

} // namespace outlay::pricing
