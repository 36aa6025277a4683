// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/judge/risks.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/report/offers/chosen.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

using Risk = std::optional<RiskRow>;

std::string hoursText(const Quantity& hours)
{
    return hours.isAvailable() ? plainNumber(hours.value()) + " h" : "an unknown time";
}

/// Both recommended offers, as far as there are any.
std::vector<const OptionText*> chosenOf(const Report& report)
{
    std::vector<const OptionText*> all;
    for (const Recommendation* r : {&report.training.recommended, &report.serving.recommended}) {
        if (r->option)
            all.push_back(&*r->option);
    }
    return all;
}

std::string named(const Offer& offer)
{
    return offer.machine.provider + " " + offer.machine.instance + " in " + offer.region;
}

Risk spotRisk(const Subject& subject, const Report& report)
{
    for (const OptionText* option : chosenOf(report)) {
        if (option->offer.purchase != Purchase::Spot)
            continue;
        const bool isKept = subject.experiment.training.checkpointsKept > 0;
        return RiskRow{"interruption",
                       named(option->offer) + " is a spot machine for " + hoursText(option->hours) +
                           " and may be taken back" + (isKept ? "" : ", and no checkpoint is kept"),
                       isKept ? Level::Medium : Level::High,
                       "keep checkpoints, and let the run start again by itself"};
    }
    return std::nullopt;
}

Risk priceRisk(const Subject& subject, const Report& report)
{
    for (const OptionText* option : chosenOf(report)) {
        const PriceSource& source = option->offer.source;
        if (!source.doubt.empty())
            return RiskRow{"doubtful price", named(option->offer) + ": " + source.doubt,
                           Level::High, "ask the provider before you rely on it"};
        if (isStale(source.asOf, subject.catalogs.today()))
            return RiskRow{"stale price",
                           named(option->offer) + " has a price of " + source.asOf +
                               ", more than " + std::to_string(FreshDays) + " days old",
                           Level::Medium, "import a newer price file with `outlay prices import`"};
    }
    return std::nullopt;
}

Risk memoryRisk(const Subject& subject, const Report& report)
{
    for (const Recommendation* r : {&report.training.recommended, &report.serving.recommended}) {
        const MachineKind* machine = machineOf(subject.catalogs, *r);
        const auto bytes = machine != nullptr ? machine->memoryBytes() : std::nullopt;
        const auto& option = r->option;
        const double usable = bytes.value_or(0) * subject.catalogs.calibration().usableMemory;
        if (!bytes || !option || !option->memory.isAvailable() || option->memory.high() <= usable)
            continue;
        const bool isOver = option->memory.value() > usable;
        return RiskRow{
            "memory near the limit",
            named(option->offer) + " has " + plainNumber(usable / Giga) +
                " GB to use on a device, and the design needs " +
                plainNumber(option->memory.value() / Giga) + ", up to " +
                plainNumber(option->memory.high() / Giga) + " GB",
            isOver ? Level::High : Level::Medium,
            "try it with a short run first; a smaller batch or checkpointing needs less"};
    }
    return std::nullopt;
}

Risk unmeasuredRisk(const Subject& subject, const Report& report)
{
    if (report.training.here.basis() == Basis::Measured)
        return std::nullopt;
    const Quantity& usd = report.training.recommended.option
                              ? report.training.recommended.option->usd
                              : report.training.here;
    std::string width;
    if (usd.isAvailable() && usd.low() > 0)
        width = "; a run costs " + plainNumber(usd.low()) + " to " + plainNumber(usd.high()) +
                " USD on the recommended offer";
    return RiskRow{"not measured",
                   report.probe.isOfDesign && !report.probe.isHere
                       ? "it was measured on another machine only" + width
                   : subject.measured.isEmpty()
                       ? "no step of this design was measured" + width
                       : "the design has changed since it was measured" + width,
                   Level::Medium, "measure it with `outlay probe`"};
}

Risk fitRisk(const Subject& subject, const Report& report)
{
    const auto fits = [](const Option& option) { return option.fits == Fits::Yes; };
    const auto& options = report.training.options;
    if (options.empty() || std::any_of(options.begin(), options.end(), fits))
        return std::nullopt;
    return RiskRow{"fits nowhere",
                   "the training needs " + plainNumber(report.training.memory.value() / Giga) +
                       " GB, more than the devices of any machine of the book can divide",
                   Level::High,
                   recomputesAll(subject.experiment.training)
                       ? "take a smaller batch, or an optimizer that keeps less"
                       : "turn checkpointing on, of all blocks, or take a smaller batch"};
}

Risk deadlineRisk(const Subject& subject, const Report& report)
{
    const auto deadline = subject.experiment.plan.deadlineHours;
    const auto& option = report.training.recommended.option;
    if (!deadline || !option || !option->hours.isAvailable() || option->hours.high() <= *deadline)
        return std::nullopt;
    return RiskRow{"deadline",
                   "a run takes " + plainNumber(option->hours.value()) + " h, up to " +
                       plainNumber(option->hours.high()) + " h, of " + plainNumber(*deadline) +
                       " h",
                   option->hours.value() > *deadline ? Level::High : Level::Medium,
                   "take a faster offer, or leave more time"};
}

Risk budgetRisk(const Subject& subject, const Report& report)
{
    const auto budget = subject.experiment.plan.budgetUsd;
    const Quantity& total = report.month.total;
    if (!budget || !total.isAvailable() || total.high() <= *budget)
        return std::nullopt;
    return RiskRow{"budget",
                   "a month costs " + plainNumber(total.value()) + " USD, up to " +
                       plainNumber(total.high()) + ", of " + plainNumber(*budget) + " USD",
                   total.value() > *budget ? Level::High : Level::Medium,
                   "apply the recommendations, and set an alert below the budget"};
}

Risk providerRisk(const Subject& subject, const Report& report)
{
    const auto chosen = chosenOf(report);
    const auto& providers = subject.experiment.plan.providers;
    const auto isSame = [&](const OptionText* option) {
        return option->offer.machine.provider == chosen.front()->offer.machine.provider;
    };
    const bool isBound = providers.size() == 1;
    const bool isSplit = subject.experiment.plan.split.has_value();
    if (chosen.empty() || isSplit || !std::all_of(chosen.begin(), chosen.end(), isSame))
        return std::nullopt;
    return RiskRow{"single provider",
                   "everything runs on " + chosen.front()->offer.machine.provider +
                       (isBound ? ", the only one that the plan allows" : ""),
                   isBound ? Level::Medium : Level::Low,
                   "keep an alternative ready: see the recommended offer's"};
}

Risk gridRisk(const Subject& subject, const Report& report)
{
    if (!report.carbon.kgCo2e.isAvailable() || report.carbon.kgCo2e.basis() != Basis::Assumed ||
        subject.experiment.site.gridGramsPerKwh)
        return std::nullopt;
    return RiskRow{"unknown grid",
                   "emissions of a run lie between " + plainNumber(report.carbon.kgCo2e.low()) +
                       " and " + plainNumber(report.carbon.kgCo2e.high()) +
                       " kg, because parts of them are assumed",
                   Level::Low, "say in which country or region the machine is"};
}

} // namespace

void addRisks(const Subject& subject, Report& report)
{
    for (auto* risk : {fitRisk, memoryRisk, spotRisk, priceRisk, deadlineRisk, budgetRisk,
                       unmeasuredRisk, providerRisk, gridRisk}) {
        if (Risk row = risk(subject, report))
            report.risks.push_back(std::move(*row));
    }
}

} // namespace outlay::pricing
