// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/application/application.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "pricing/application/applied_machine.h"
#include "pricing/report/assumption.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula EfficiencyFormula{"application.efficiency", "{0} times as fast / {1} devices"};
constexpr Formula DeviceHoursFormula{"application.device_hours", "{0} h x {1} devices"};
constexpr Formula CoreHoursFormula{"application.core_hours", "{0} h x {1} cores"};
constexpr Formula UnitsFormula{"application.units", "{0} h x {1} an hour"};
constexpr Formula AskedFormula{"application.asked", "{0} x {1} runs x {2} with the reserve"};
constexpr Formula KeptFormula{"application.checkpoints", "{0} B x {1} kept x {2} runs"};
constexpr Formula DatasetFormula{"application.dataset", "{0} GB, as the experiment says"};

Quantity scaledBy(const Quantity& figure, double factor, Unit unit, How how)
{
    return product(figure, Quantity::exact(factor, Unit::One, {}), unit).because(std::move(how));
}

/// A number of things, as sure as the time that it is multiplied with.
Quantity scaledAs(const Quantity& sure, double factor)
{
    return Quantity::within(factor, factor, factor, Unit::One,
                            sure.isAvailable() ? sure.basis() : Basis::Exact, {});
}

/// Hours of a run to hours of what they are counted in.
ApplicationRow rowOf(const DevicesRow& row, const AppliedMachine& machine)
{
    const double counted = machine.counted(row.devices);
    const double units = machine.unitsPerHour(row.devices);
    const Quantity& run = row.step.runSeconds;
    ApplicationRow out{.devices = row.devices, .nodes = row.machines};
    out.hours = product(row.hours, scaledAs(run, 1), Unit::Hours).because(row.hours.how());
    out.speedUp = row.step.speedUp;
    out.efficiency = scaledBy(out.speedUp, PerCent / real(row.devices), Unit::Percent,
                              how(EfficiencyFormula, {out.speedUp.value(), real(row.devices)}));
    out.deviceHours =
        product(row.hours, scaledAs(run, counted), Unit::Hours)
            .because(how(machine.isProcessor() ? CoreHoursFormula : DeviceHoursFormula,
                         {row.hours.value(), counted}, row.hours.how().sentence()));
    out.units = product(row.hours, scaledAs(run, units), Unit::One)
                    .because(how(UnitsFormula, {row.hours.value(), units}));
    return out;
}

/// Of one run, for all of them with what is kept in reserve.
struct Scale {
    double runs = 1;
    double reserve = 1;

    [[nodiscard]] Quantity operator()(const Quantity& ofRun) const
    {
        return (ofRun * (runs * reserve))
            .because(how(AskedFormula, {ofRun.value(), runs, reserve}, ofRun.how().sentence()));
    }
};

/// The whole run by the measurement that is shown.
Quantity measuredRun(const Report& report)
{
    if (report.probe.isHere)
        return report.training.here;
    for (const HostRow& host : report.hosts) {
        if (host.measurement == report.probe.training)
            return host.run;
    }
    return Quantity::unavailable(Unit::Seconds, "it was measured on another machine");
}

MeasuredStep measuredOf(const Report& report)
{
    const ProbeReport& probe = report.probe;
    if (probe.training == nullptr || !probe.isOfDesign) {
        const Note why = probe.training == nullptr
                             ? "not measured; `outlay probe` or `outlay run` does it"
                             : "what was measured is another design, or in another batch";
        return {Quantity::unavailable(Unit::Seconds, why),
                Quantity::unavailable(Unit::Seconds, why),
                Quantity::unavailable(Unit::Hours, why),
                {}};
    }
    const Measurement& m = *probe.training;
    const std::int64_t threads = m.program ? m.program->threads : m.threads;
    MeasuredStep out{.step = probe.step, .run = measuredRun(report)};
    const bool isOnCores = isProcessor(m.machine);
    out.by = (m.program ? "the applicants' program on " : "outlay-probe on ") +
             (isOnCores ? m.machine.processor : m.machine.device) + ", " +
             (isOnCores ? plainNumber(real(threads)) + (threads == 1 ? " thread, " : " threads, ")
                        : std::string()) +
             m.created;
    out.coreHours =
        isOnCores
            ? scaledBy(out.run, real(threads) / SecondsPerHour, Unit::Hours,
                       how(CoreHoursFormula, {out.run.value() / SecondsPerHour, real(threads)}))
            : Quantity::unavailable(Unit::Hours, "an accelerator was measured, not processors");
    return out;
}

void addStorage(const Experiment& experiment, const Report& report, Application& out)
{
    const auto kept = real(experiment.training.checkpointsKept);
    const auto runs = real(out.runs);
    out.checkpoint = checkpointBytes(report.training);
    out.checkpoints = (out.checkpoint * (kept * runs))
                          .because(how(KeptFormula, {out.checkpoint.value(), kept, runs}));
    const bool isDefault =
        std::any_of(report.assumptions.begin(), report.assumptions.end(),
                    [](const auto& row) { return row.pointer == "/training/dataset_gb"; });
    const double gb = experiment.training.datasetGb;
    out.dataset =
        isDefault ? Quantity::unavailable(Unit::Bytes, "the experiment doesn't say how large it is "
                                                       "(/training/dataset_gb)")
                  : Quantity::exact(gb * Giga, Unit::Bytes, how(DatasetFormula, {gb}));
}

/// Those that say something of a training run; what serving and money rest on is not asked for.
std::vector<AssumptionRow> assumptionsFor(const Report& report)
{
    constexpr std::array<std::string_view, 4> Others{"/training/runs_per_month",
                                                     "/training/dataset_gb", "/training/devices",
                                                     "/training/checkpoints_kept"};
    constexpr std::array<std::string_view, 2> Taken{NetworkGbPerS.name, "own_factor"};
    std::vector<AssumptionRow> rows;
    for (const AssumptionRow& row : report.assumptions) {
        const bool isOfTraining =
            row.pointer.starts_with("/training/") &&
            std::find(Others.begin(), Others.end(), row.pointer) == Others.end();
        const bool isTaken = std::any_of(Taken.begin(), Taken.end(), [&](std::string_view name) {
            return row.pointer.starts_with("/assumptions/") &&
                   row.pointer.find(name) != std::string::npos;
        });
        if (isOfTraining || isTaken || row.pointer.starts_with("/site/"))
            rows.push_back(row);
    }
    return rows;
}

void addTerms(const Experiment& experiment, const Report& report, const AppliedMachine& machine,
              Application& out)
{
    out.terms.push_back({"runs", plainNumber(real(out.runs)), "given by the applicants"});
    out.terms.push_back({"reserve", plainNumber(out.reservePercent) + " %",
                         "for runs that fail or are done again; given by the applicants"});
    out.terms.push_back(
        {"start of a run",
         plainNumber(SecondsPerMinute * report.training.runHours.startupHours()) + " min",
         "in the hours of each run; " + std::string(StartupMinutes.source)});
    out.terms.push_back({"checkpoints kept", plainNumber(real(experiment.training.checkpointsKept)),
                         "of each run, until all are done; /training/checkpoints_kept"});
    for (ApplicationTerm& term : machine.terms())
        out.terms.push_back(std::move(term));
}

void addDescription(const Report& report, Application& out)
{
    const TrainingReport& t = report.training;
    constexpr std::array<std::string_view, 3> Methods{"trained whole", "tuned by adapters (LoRA)",
                                                      "with its last layer trained"};
    out.name = report.name.empty() ? "Experiment" : printable(report.name);
    out.model = report.model.family + ", " + grouped(report.model.parameters) + " parameters, " +
                std::string(Methods.at(static_cast<std::size_t>(t.method)));
    out.work = plainNumber(t.steps) + " steps over " + grouped(std::llround(t.samples)) +
               " samples an epoch" + (t.isSamplesAssumed ? " (assumed)" : "");
    out.provenance = "Outlay " + report.provenance.program + ", method " +
                     report.provenance.method + ", " + report.provenance.date +
                     ". Intervals are of 80 %.";
}

void addAsked(const Subject& subject, const Report& report, const AppliedMachine& machine,
              Application& out)
{
    const Scale scale{real(out.runs), 1 + out.reservePercent / PerCent};
    for (const DevicesRow& row : machine.rows()) {
        out.rows.push_back(rowOf(row, machine));
        ApplicationRow& added = out.rows.back();
        if (out.base == 0 && added.speedUp.isAvailable())
            out.base = added.devices;
        if (row.devices != machine.asked())
            continue;
        added.isAsked = true;
        out.hours = added.hours;
        out.step = row.step.stepSeconds;
        out.asked = scale(added.units);
        out.deviceHours = scale(added.deviceHours);
        const TrainingForecast forecast = machine.forecast();
        out.memory = forecast.memory;
        out.fits = forecast.fits;
        out.kwh = scale(energyOf(machine.watts(forecast), row.step.runSeconds));
        out.kgCo2e = carbonOf(subject.catalogs.carbon(), machine.site(), report.gridBasis, out.kwh);
    }
}

} // namespace

double toThreeDigits(double value)
{
    constexpr double Digits = 3;
    if (value == 0 || !std::isfinite(value))
        return value;
    const double step = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - Digits);
    return step >= 1 ? std::round(value / step) * step : value;
}

Result<void> check(const ApplicationRequest& request)
{
    const auto isIn = [](std::int64_t number, std::int64_t most) {
        return number >= 1 && number <= most;
    };
    if (!isIn(request.runs, MostRuns))
        return usageError("the number of runs is out of range",
                          "give one from 1 to " + plainNumber(real(MostRuns)));
    if (request.devices && !isIn(*request.devices, MostDevices))
        return usageError("the number of devices is out of range",
                          "give one from 1 to " + plainNumber(real(MostDevices)));
    if (!(request.reservePercent >= 0 && request.reservePercent <= MostReserve))
        return usageError("the reserve is out of range",
                          "give percent from 0 to " + plainNumber(MostReserve));
    return {};
}

Result<Application> makeApplication(const Experiment& experiment, const Report& report,
                                    const Catalogs& catalogs, const ApplicationRequest& request)
{
    if (const auto sound = check(request); !sound)
        return failureOf(sound);
    const Subject subject = subjectOf(experiment, catalogs);
    const auto machine = AppliedMachine::create(subject, report, request);
    if (!machine)
        return failureOf(machine);
    Application out{.place = machine->place(),
                    .device = machine->deviceName(),
                    .why = machine->why(),
                    .hoursName = machine->hoursName(),
                    .unit = machine->unit(),
                    .devices = machine->asked(),
                    .nodes = machine->nodes(),
                    .runs = request.runs,
                    .reservePercent = request.reservePercent,
                    .measured = measuredOf(report),
                    .memoryGb = machine->memoryGb()};
    addDescription(report, out);
    addStorage(experiment, report, out);
    if (out.why.empty())
        addAsked(subject, report, *machine, out);
    for (Quantity* figure : {&out.asked, &out.deviceHours, &out.hours, &out.step, &out.memory,
                             &out.kwh, &out.kgCo2e}) {
        if (!figure->isAvailable() && figure->how().note.empty())
            *figure = Quantity::unavailable(figure->unit(), Note(out.why));
    }
    addTerms(experiment, report, *machine, out);
    out.assumptions = assumptionsFor(report);
    return out;
}

} // namespace outlay::pricing
