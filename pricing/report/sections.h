// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The sections of a Report, each made by a pure function in a file of its own, in this order: a later one
// may read what an earlier one made. Forecasts that the Report holds already aren't made again.
#pragma once

#include "pricing/report/report.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

void addTrainingHere(const Subject& subject, Report& report); // here_costs.cpp
void addTrainingOptions(const Subject& subject, Report& report,
                        const AskedKinds& asked = {}); // training_options.cpp
/// On the accelerators that the plan asks about, in a managed service, on processors or accelerators.
void addTrainingElsewhere(const Subject& subject, Report& report);
void addServing(const Subject& subject, Report& report); // serving_options.cpp
/// The recommended instance under less and more traffic.
void addScaling(const Subject& subject, Report& report);
void addMixing(const Subject& subject, Report& report);  // mixing_section.cpp
void addLengths(const Subject& subject, Report& report); // length_section.cpp
void addDevices(const Subject& subject, Report& report); // devices_section.cpp
void addLayouts(const Subject& subject, Report& report); // layouts_section.cpp
void addLadder(const Subject& subject, Report& report);  // ladder_section.cpp
void addMonth(const Subject& subject, Report& report);   // month.cpp
void addCarbon(const Subject& subject, Report& report);  // carbon_section.cpp
/// Of that section the energy and the emissions alone: what a comparison of two designs needs.
void addEmissions(const Subject& subject, Report& report);
void addEfficiency(const Subject& subject, Report& report); // efficiency.cpp
void addBenchmarks(const Subject& subject, Report& report); // benchmarks.cpp
void addVariants(const Subject& subject, Report& report);   // variants_section.cpp
void addProbe(const Subject& subject, Report& report);      // probe_section.cpp
void addHosts(const Subject& subject, Report& report);      // hosts_section.cpp
void addAlerts(const Subject& subject, Report& report);     // alerts.cpp

/// Each changes one thing of the experiment where that saves something, by the difference of two Reports or
/// by a measured ratio; pricing/report/advice/, one file or row a rule.
[[nodiscard]] std::vector<AdviceRow> adviceFor(const Subject& subject, const Report& figures);

/// Seconds of one step as it was measured, as money counts them.
[[nodiscard]] core::Quantity measuredStep(const core::MeasurementPtr& m); // probe_section.cpp

/// The measured peak of these steps.
[[nodiscard]] core::Quantity memoryHere(const Subject& subject); // probe_section.cpp

/// What a checkpoint holds to go on from: what is trained, and the optimizer's state.
[[nodiscard]] core::Quantity checkpointBytes(const TrainingReport& training); // month.cpp

/// Where an offer's machine stands, wherever the experiment's own site is.
[[nodiscard]] core::Site placeOf(const Offer& offer);

/// Hours of a month that the instances of the service are at work.
[[nodiscard]] core::Quantity busyHours(const ServingReport& serving, std::size_t kind);

/// Of a month, of all instances: those that they run, and all of a commitment's.
[[nodiscard]] core::Quantity paidHours(const ServingReport& serving, const Capacity& capacity,
                                       core::Purchase purchase);
/// The share of their paid hours in which an option's machines serve; nothing where it isn't known.
[[nodiscard]] std::optional<double> busyShare(const ServingReport& serving, const Option& option,
                                              core::Purchase purchase);
/// The same of the recommended ones.
[[nodiscard]] std::optional<double> busyShare(const ServingReport& serving);
/// Percent of its hours that a machine waits, where that is most of them: then a smaller one, or what is paid by
/// the request, is worth a look.
[[nodiscard]] std::optional<double> waitingPercent(double busyShare);

/// Words and figures for one option of the report's lists.
[[nodiscard]] OptionText trainingOptionText(const Report& report, const Catalogs& catalogs,
                                            const Option& option);
[[nodiscard]] OptionText servingOptionText(const Report& report, const Catalogs& catalogs,
                                           const Option& option);

} // namespace outlay::pricing
