// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/provider.h"
#include "pricing/report/assumption.h"
#include "pricing/report/correction.h"
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/offers/recommend.h"
#include "pricing/report/offers/support.h"
#include "pricing/report/offers/training_machines.h"
#include "pricing/report/run_hours.h"
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr const char* NotAsked = "machines of this kind don't come into question";

constexpr Formula ManagedRunFormula{"training.managed", "{0} h x {1} USD an hour"};
constexpr Formula MoreFormula{"training.managed.more", "{0} USD / {1} USD - 1"};

TrainingForecast unknownTraining(const Subject& subject, const Note& why)
{
    TrainingForecast f = unavailableTraining(why);
    f.memory = subject.training.memory.total;
    return f;
}

Note burstableNote(const MachineKind& kind)
{
    return "a burstable machine keeps up " + plainNumber(PerCent * kind.sustained) +
           " % of its speed, and a run takes all of it";
}

std::vector<TrainingForecast> trainingForecasts(const Subject& subject,
                                                const std::vector<MachineKind>& kinds,
                                                const Corrections& corrections,
                                                const AskedKinds& asked)
{
    const TrainingMachines machines(subject, corrections);
    std::vector<TrainingForecast> forecasts;
    forecasts.reserve(kinds.size());
    std::vector<TimedPasses> timed(kinds.size()); // of twins in the first's place
    for (const MachineKind& kind : kinds) {
        if (!asked.isNeeded(forecasts.size())) {
            forecasts.push_back(unknownTraining(subject, NotAsked));
            continue;
        }
        if (kind.device.servesOnly) {
            forecasts.push_back(unknownTraining(
                subject, kind.device.name + " is made for serving and can't train"));
            forecasts.back().fits = Fits::No;
            forecasts.back().memory = Quantity::unavailable(Unit::Bytes, forecasts.back().note);
            continue;
        }
        const Note unknown = kind.sustained < 1 ? burstableNote(kind) : kind.unknown;
        if (!unknown.empty()) {
            forecasts.push_back(unknownTraining(subject, unknown));
            continue;
        }
        if (isTwin(kinds, forecasts.size())) {
            forecasts.push_back(forecasts[kind.twin]);
            // What can't be laid out there can't here.
            if (forecasts.back().memory.isAvailable())
                forecasts.back().fits =
                    fitsOn(forecasts.back().memory, devicesOf(subject, kind, 1));
        } else {
            forecasts.push_back(machines.on(kind, 1, timed[kind.twin]));
        }
    }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].networkGbPerS && asked.isAsked(i))
            forecasts[i] = machines.enough(kinds[i], forecasts[i], timed[kinds[i].twin]);
    }
    // Made for their twins alone.
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (asked.isNeeded(i) && !asked.isAsked(i))
            forecasts[i] = unknownTraining(subject, NotAsked);
    }
    return forecasts;
}

/// The run on each kind of machine.
std::vector<JobOn> jobsOf(const Subject& subject, const std::vector<TrainingForecast>& forecasts)
{
    const RunHours hours(subject);
    const std::optional<double>& deadline = subject.experiment.plan.deadlineHours;
    const auto judgedHours = [&](const HoursRange& h) {
        return judged(h, subject.experiment.plan.risk);
    };
    const auto meets = [&](const HoursRange& h) {
        return !deadline || judgedHours(h) <= *deadline;
    };
    const double longest = longestRunHours(subject);
    std::vector<JobOn> jobs;
    jobs.reserve(forecasts.size());
    for (const TrainingForecast& f : forecasts) {
        JobOn& job = jobs.emplace_back();
        job.fits = f.fits;
        if (f.hostMemory)
            job.hostBytes = f.hostMemory->value();
        job.hasTime = f.runSeconds.isAvailable();
        if (!job.hasTime)
            continue;
        const HoursRange taken = hours.range(f.runSeconds, Purchase::OnDemand, f.machines);
        const HoursRange onSpot = hours.range(f.runSeconds, Purchase::Spot, f.machines);
        job.lateness = f.runSeconds.value();
        job.hours = hours.paid(taken, Purchase::OnDemand, f.machines);
        job.spotHours = hours.paid(onSpot, Purchase::Spot, f.machines);
        job.committedHours = hours.paid(taken, Purchase::Reserved1y, f.machines);
        job.fillsCommitment = hours.fillCommitment(taken);
        job.meetsDeadline = meets(taken);
        job.meetsDeadlineOnSpot = meets(onSpot);
        job.isTooLong = judgedHours(taken) > longest;
        job.isTooLongOnSpot = judgedHours(onSpot) > longest;
    }
    return jobs;
}

TrainingOn trainingOn(const Subject& subject, const AcceleratorCount& asked,
                      const Corrections& corrections)
{
    const Catalogs& catalogs = subject.catalogs;
    TrainingOn on{.accelerator = asked.accelerator, .count = asked.count};
    const auto device = catalogs.hardware().device(asked.accelerator);
    if (device) {
        on.forecast = trainingForecast(
            subject.training, inUsualMachines(*device, asked.count, catalogs.calibration()));
        correct(on.forecast, corrections, *device);
    } else {
        on.forecast = unknownTraining(subject, device.error().sentence());
    }
    on.kgCo2e =
        carbonOf(catalogs.carbon(), subject.experiment.site, subject.gridBasis, on.forecast.kwh);
    return on;
}

/// Of the cheapest fitting machines, one for each instance that the managed service has.
void addManaged(const Subject& subject, Report& report)
{
    constexpr std::size_t Most = 5;
    const Catalogs& catalogs = subject.catalogs;
    const PriceBook& book = catalogs.book();
    std::vector<ManagedRow>& rows = report.training.managed;
    for (const Option& option : report.training.options) {
        const OfferRow& offer = book.rows()[option.row];
        const Machine& machine = book.machine(offer);
        if (rows.size() == Most || !option.hasUsd || option.fits != Fits::Yes)
            break;
        const auto& managed = provider(machine.provider).managed;
        if (!managed || offer.purchase != Purchase::OnDemand)
            continue;
        const std::string service = std::string(managed->prefix) + machine.instance;
        const auto isThere = [&](const ManagedRow& row) { return row.service == service; };
        if (std::any_of(rows.begin(), rows.end(), isThere))
            continue;
        const Quantity hour = catalogs.tariffs().cost(
            {TariffKind::Managed, machine.provider, service, book.region(offer)}, 1,
            catalogs.today(), book.drift());
        if (!hour.isAvailable())
            continue;
        const OptionText text = trainingOptionText(report, catalogs, option);
        ManagedRow row{.service = service, .plainUsd = text.usd};
        const Quantity hours = text.hours * text.instances.value();
        row.managedUsd =
            product(hours, hour, Unit::Usd)
                .because(how(ManagedRunFormula, {hours.value(), hour.value()}, hour.how().note));
        const double more = 100 * (row.managedUsd.value() / row.plainUsd.value() - 1);
        row.morePercent =
            Quantity::within(more, more, more, Unit::Percent, hour.basis(),
                             how(MoreFormula, {row.managedUsd.value(), row.plainUsd.value()}));
        rows.push_back(std::move(row));
    }
}

/// The cheapest machine with accelerators that holds the design, against the processors here.
void addPlacement(const Subject& subject, const MachineDevices& devices, Report& report)
{
    const Catalogs& catalogs = subject.catalogs;
    const Device* gpu = catalogs.hardware().find("T4");
    for (const Option& option : report.training.options) {
        const MachineKind& kind = devices.kinds()[option.forecast];
        if (option.fits == Fits::Yes && kind.device.kind == DeviceKind::Gpu) {
            gpu = &kind.device;
            break;
        }
    }
    constexpr std::int64_t UsualCores = 8;
    const std::int64_t cores = catalogs.here().cores > 0 ? catalogs.here().cores : UsualCores;
    const Device cpu =
        catalogs.hardware().processorsOf("", static_cast<double>(cores), std::nullopt);
    if (gpu != nullptr)
        report.training.placement = placementAdvice(subject.kinds, subject.experiment.training,
                                                    {*gpu, cpu, catalogs.calibration()});
}

/// All that fit are: the cheapest tells by how much, and what would help.
std::string tooLong(const Subject& subject, const OptionText& cheapest)
{
    constexpr double HoursADay = 24;
    return "Nothing ends in time: " + timesInstances(cheapest) + nameOf(cheapest.offer) +
           " takes " + plainNumber(std::round(cheapest.hours.value() / HoursADay)) +
           " days; with more than " + plainNumber(real(subject.experiment.plan.maxMachines)) +
           " machines, adapters or fewer tokens it may.";
}

} // namespace

void addTrainingOptions(const Subject& subject, Report& report, const AskedKinds& asked)
{
    const MachineDevices& devices = subject.catalogs.devices();
    TrainingReport& training = report.training;
    if (training.forecasts.empty()) {
        training.corrections = correctionsFrom(subject);
        training.forecasts =
            trainingForecasts(subject, devices.kinds(), training.corrections, asked);
    }
    training.runHours = RunHours(subject);
    training.options = rankedOptions(subject, jobsOf(subject, training.forecasts));
    training.recommended = recommend(
        subject,
        {training.options, subject.experiment.plan.trainingOffer, "/plan/training_offer", "the run",
         [&](const Option& option) { return trainingOptionText(report, subject.catalogs, option); },
         [&](const Option& option) { return trainingSupport(subject, option); },
         [&](const Option& option) {
             return tooLong(subject, trainingOptionText(report, subject.catalogs, option));
         },
         Patience(subject)});
}

void addTrainingElsewhere(const Subject& subject, Report& report)
{
    for (const AcceleratorCount& asked : subject.experiment.plan.forecastOn)
        report.training.on.push_back(trainingOn(subject, asked, report.training.corrections));
    addManaged(subject, report);
    addPlacement(subject, subject.catalogs.devices(), report);
}

} // namespace outlay::pricing
