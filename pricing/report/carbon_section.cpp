// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/assumption_keys.h"
#include "pricing/report/sections.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula CarbonRunsFormula{"carbon.month", "{0} kg a run x {1} runs + {2} kg for serving"};
constexpr Formula RunsOnlyFormula{"carbon.month.training", "{0} kg a run x {1} runs"};
constexpr Formula HourFormula{"carbon.start_hour", "{0} kg x {1} of the day's mean, from {2} h on"};

/// Where the energy of one run comes from, and which grid feeds it.
struct Run {
    Quantity kwh;
    Quantity hours;
    Site site;
    double accelerators = 0;
    double memoryGb = 0;
    double machines = 1; // of these each
};

/// On the offer that is planned; here where there is none, or where it isn't known what it draws.
Run runOf(const Subject& subject, const TrainingReport& training)
{
    const auto& option = training.recommended.option;
    if (option && option->kwh.isAvailable())
        return {.kwh = option->kwh,
                .hours = option->hours,
                .site = placeOf(option->offer),
                .accelerators = option->offer.machine.accelerators,
                .memoryGb = option->offer.machine.memoryGb.value_or(0),
                .machines = option->instances.value()};
    if (training.hereKwh.isAvailable())
        return {.kwh = training.hereKwh,
                .hours = product(training.here, Quantity::exact(1 / SecondsPerHour, Unit::One, {}),
                                 Unit::Hours),
                .site = subject.experiment.site,
                .memoryGb = subject.catalogs.here().memoryBytes / BytesPerGb};
    const std::string& why = (option ? option->kwh : training.hereKwh).how().note.text();
    const std::string reason =
        why.empty() ? "the energy of a run is neither measured nor forecast" : why;
    return {.kwh = Quantity::unavailable(Unit::KilowattHours, reason),
            .hours = Quantity::unavailable(Unit::Hours, reason),
            .site = subject.experiment.site};
}

/// `kg` of a run that starts at the hour of the assumption `training_start_hour`: the mean of the hours
/// that it takes; a day or more takes all of them.
Quantity fromStartHour(const Subject& subject, const Run& run, const Quantity& kg)
{
    constexpr double NotGiven = -1;
    const double start = subject.assumed(TrainingStartHourKey, NotGiven);
    if (start < 0 || start >= 24 || !kg.isAvailable() || !run.hours.isAvailable() ||
        kg.value() <= 0)
        return kg;
    const auto hours = byHour(subject.catalogs.carbon(), run.site, subject.gridBasis, kg);
    const auto count =
        static_cast<std::size_t>(std::clamp(std::ceil(run.hours.value()), 1.0, 24.0));
    Quantity sum = Quantity::exact(0, Unit::KilogramsCo2e, {});
    for (std::size_t i = 0; i < count; ++i)
        sum = sum + hours[(static_cast<std::size_t>(start) + i) % hours.size()].kg;
    const Quantity mean = sum * (1 / static_cast<double>(count));
    if (!mean.isAvailable())
        return kg;
    return mean.because(
        how(HourFormula, {kg.value(), mean.value() / kg.value(), start}, kg.how().sentence()));
}

/// What serving draws in a month. A function isn't paid for while it waits, and shares its machine then.
struct Served {
    Quantity kwh;
    std::string note;
};

Served servedBy(const Subject& subject, const OptionText& serving)
{
    if (subject.servedBy() == ServedBy::Function)
        return {serving.workKwh, "a function doesn't wait"};
    return {serving.kwh, serving.idleKwh.how().sentence() + " while waiting"};
}

/// Of all runs of a month, and of serving; where its energy isn't known, that is said.
Quantity monthOf(const Subject& subject, const Report& report, std::vector<std::string>& lacks)
{
    const double runs = subject.experiment.training.runsPerMonth;
    const Quantity training = report.carbon.kgCo2e * runs;
    const auto& serving = report.serving.recommended.option;
    if (subject.experiment.serving.requestsPerDay <= 0)
        return training.because(
            how(RunsOnlyFormula, {report.carbon.kgCo2e.value(), runs}, "nothing is served"));
    const bool isBought = subject.servedBy() == ServedBy::Api;
    if (isBought || !serving || !serving->kwh.isAvailable()) {
        lacks.emplace_back("serving");
        return training.because(
            how(RunsOnlyFormula, {report.carbon.kgCo2e.value(), runs},
                isBought ? "serving is not in it: nobody says what a hosted API draws"
                         : "serving is not in it: its energy is not known"));
    }
    const Served draws = servedBy(subject, *serving);
    const Quantity served =
        carbonOf(subject.catalogs.carbon(), placeOf(serving->offer), subject.gridBasis, draws.kwh);
    return (training + served)
        .because(how(CarbonRunsFormula, {report.carbon.kgCo2e.value(), runs, served.value()},
                     draws.note));
}

std::optional<double> offsetPrice(const Subject& subject)
{
    constexpr double NotGiven = -1;
    const double usd = subject.assumed(OffsetUsdPerTonneKey, NotGiven);
    return usd < 0 ? std::nullopt : std::optional(usd);
}

} // namespace

void addEmissions(const Subject& subject, Report& report)
{
    const CarbonCatalog& catalog = subject.catalogs.carbon();
    const Run run = runOf(subject, report.training);
    CarbonReport& carbon = report.carbon;
    carbon.kwh = run.kwh;
    carbon.kgCo2e =
        fromStartHour(subject, run, carbonOf(catalog, run.site, subject.gridBasis, run.kwh));
    carbon.place = run.site.region ? *run.site.region : run.site.country.value_or("");
    carbon.monthLacks.clear();
    carbon.monthKgCo2e = monthOf(subject, report, carbon.monthLacks);
}

void addCarbon(const Subject& subject, Report& report)
{
    addEmissions(subject, report);
    const CarbonCatalog& catalog = subject.catalogs.carbon();
    const Run run = runOf(subject, report.training);
    CarbonReport& carbon = report.carbon;
    carbon.gridBasis = GridBasisNames.at(static_cast<std::size_t>(subject.gridBasis));
    carbon.offsetUsd = offsetCost(catalog, carbon.kgCo2e, offsetPrice(subject));
    carbon.embodiedKgCo2e =
        embodiedCarbon(catalog, run.machines > 1 ? run.hours * run.machines : run.hours,
                       run.accelerators, run.memoryGb);
    carbon.equivalents = equivalentsOf(catalog, carbon.kgCo2e);
    if (!run.kwh.isAvailable())
        return; // nothing to compare places and hours by
    carbon.elsewhere = elsewhere(catalog, run.kwh, subject.gridBasis);
    carbon.hours = byHour(catalog, run.site, subject.gridBasis,
                          carbonOf(catalog, run.site, subject.gridBasis, run.kwh));
}

} // namespace outlay::pricing
