// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/experiment/experiment.h"
#include "core/probe/measurement.h"
#include "gui/commands/experiment_file.h"
#include "gui/commands/measuring.h"
#include "gui/commands/measuring_elsewhere.h"
#include "gui/commands/output_file.h"
#include "gui/commands/whole_number.h"
#include "gui/view/measurement_text.h"

#include <ostream>
#include <sstream>

namespace outlay::gui {
namespace {

constexpr CommandOption ProbeSecondsOption{"--seconds", "S",
                                           "time that the measurement may take (default: 10)"};
constexpr CommandOption DeviceOption{"--device", "cpu|cuda", "where to measure (default: cpu)"};
constexpr CommandOption VariantsOption{
    "--variants", "all|none|NAME,...",
    "other ways to run it, each timed in turns against the plain way (default: none)"};
constexpr CommandOption ProcessesOption{
    "--processes", "N", "also train in N processes at once, one thread each (default: 1)"};
constexpr CommandOption LengthsOption{
    "--lengths", "",
    "also run sequences of 64 to 16,384 tokens, and the twin with the other kind of layer"};
constexpr CommandOption TogetherOption{
    "--together", "", "with --on: on these hosts at once, which then train together"};
constexpr CommandOption ProbeJsonOption{"--json", "", "print the measurement as JSON"};

core::Result<core::ProbeDevice> deviceOf(const Arguments& arguments)
{
    const std::string name = arguments.value(DeviceOption.name).value_or("cpu");
    for (std::size_t i = 0; i < core::ProbeDeviceNames.size(); ++i) {
        if (core::ProbeDeviceNames.at(i) == name)
            return static_cast<core::ProbeDevice>(i);
    }
    return core::usageError("there is no device '" + core::printable(name, 40) + "'",
                            "give cpu or cuda");
}

core::Result<std::vector<std::string>> variantsOf(const Arguments& arguments)
{
    const std::string text = arguments.value(VariantsOption.name).value_or("none");
    std::vector<std::string> names;
    std::istringstream words(text);
    for (std::string name; text != "none" && std::getline(words, name, ',');)
        names.push_back(name);
    if (const auto known = core::checkVariants(names); !known)
        return core::usageError(known.error().what, known.error().remedy);
    return names;
}

constexpr std::int64_t MostProcesses = 64;

core::Result<core::Job> jobFrom(const core::Experiment& experiment, const Arguments& arguments)
{
    const auto seconds = probeSecondsOf(arguments.value(ProbeSecondsOption.name).value_or("10"));
    if (!seconds)
        return core::failureOf(seconds);
    const auto device = deviceOf(arguments);
    if (!device)
        return core::failureOf(device);
    const auto variants = variantsOf(arguments);
    if (!variants)
        return core::failureOf(variants);
    const auto processes = wholeNumberOf(arguments, ProcessesOption, MostProcesses);
    if (!processes)
        return core::failureOf(processes);
    core::Job job = core::jobOf(experiment);
    job.seconds = *seconds;
    job.device = *device;
    job.variants = *variants;
    job.processes = processes->value_or(1);
    job.lengths = arguments.has(LengthsOption.name);
    return job;
}

core::Result<core::Json> measureOn(const core::Profile& profile, const core::Job& job,
                                   const std::string& file, const Streams& streams)
{
    std::optional<core::Json> made;
    std::optional<core::Error> refused;
    const auto done = measureElsewhere(
        {profile}, {job}, Reuse::None, Joining::Apart,
        {.store = [&](const std::vector<core::Json>& measurements) -> core::Result<void> {
             made = measurements.back();
             return {};
         },
         .fail = [&](std::size_t, const core::Error& error) { refused = error; },
         .isSpent = {}},
        streams);
    if (made)
        return *made;
    if (!done)
        return core::failureOf(done);
    if (!refused)
        return tl::unexpected<core::Error>(cancelledError("nothing was stored"));
    return tl::unexpected<core::Error>(refused->in(file));
}

/// Stores it and tells it. What was measured is told, stored or not: on a full disk nothing else is left of it.
core::Result<void> keep(const core::Experiment& experiment, const core::Json& measurement,
                        const std::string& from, const std::string& target,
                        const Arguments& arguments, const Streams& streams)
{
    auto stored = storeMeasurements(experiment, {measurement}, from, target);
    if (arguments.has(ProbeJsonOption.name))
        streams.out << core::writeJson(measurement) << '\n';
    else
        streams.out << makeMeasurementText(*core::readMeasurement(measurement),
                                           QLocale(QLocale::English, QLocale::UnitedStates))
                           .toStdString();
    if (stored && !core::cancelledIn(measurement).empty())
        return tl::unexpected<core::Error>(
            cancelledError("what was measured until then is stored in " + target));
    return stored;
}

/// On each of the hosts; one that can't is one more error, and the others go on.
core::Result<void> probeElsewhere(const core::Experiment& experiment, const core::Job& job,
                                  const std::vector<core::Profile>& profiles,
                                  const Arguments& arguments, const Streams& streams)
{
    std::vector<core::Error> errors;
    const std::string& file = arguments.files().front();
    const std::string target = arguments.value(StoreOption.name).value_or(file);
    std::string from = file;
    for (const core::Profile& profile : profiles) {
        const auto measurement = measureOn(profile, job, file, streams);
        if (!measurement && measurement.error().code == core::ErrorCode::Cancelled)
            return core::failureOf(measurement);
        if (!measurement) {
            errors.push_back(measurement.error());
            continue;
        }
        const auto stored = keep(experiment, *measurement, from, target, arguments, streams);
        if (!stored)
            return stored;
        from = target; // a copy holds what was measured before, too
    }
    return outcomeWith(errors, streams);
}

/// On all at once, which then train together.
core::Result<void> probeTogether(const core::Experiment& experiment, const core::Job& job,
                                 const std::vector<core::Profile>& profiles,
                                 const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const std::string target = arguments.value(StoreOption.name).value_or(file);
    std::string from = file;
    std::vector<core::Error> errors;
    const auto done = measureElsewhere(
        profiles, std::vector<core::Job>(profiles.size(), job), Reuse::None, Joining::Together,
        {.store = [&](const std::vector<core::Json>& measurements) -> core::Result<void> {
             for (const core::Json& measurement : measurements) {
                 const auto kept = keep(experiment, measurement, from, target, arguments, streams);
                 const bool isStored = kept || kept.error().code == core::ErrorCode::Cancelled;
                 if (!isStored)
                     return kept;
                 from = target; // a copy holds what was measured before, too
             }
             return {};
         },
         .fail = [&](std::size_t, const core::Error& error) { errors.push_back(error); },
         .isSpent = {}},
        streams);
    // Who was ended because of another isn't the reason.
    return errors.empty() ? done : outcomeWith(errors, streams);
}

core::Result<void> runProbe(const Arguments& arguments, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    auto reading = core::loadExperiment(file);
    if (!reading)
        return core::failureOf(reading);
    warn(streams, file, reading->warnings);
    const core::Experiment& experiment = reading->experiment;
    const auto job = jobFrom(experiment, arguments);
    if (!job)
        return core::failureOf(job);
    const auto profiles = profilesOf(arguments);
    if (!profiles)
        return core::failureOf(profiles);
    if (arguments.has(TogetherOption.name) && job->device != core::ProbeDevice::Cpu)
        return core::usageError("machines train together on processors only", "leave out --device");
    if (arguments.has(TogetherOption.name) && job->processes > 1)
        return core::usageError("--together trains on several machines, --processes on each alone",
                                "give one of the two");
    if (arguments.has(TogetherOption.name))
        return probeTogether(experiment, *job, *profiles, arguments, streams);
    if (!profiles->empty())
        return probeElsewhere(experiment, *job, *profiles, arguments, streams);
    const auto measurement = measureNow(*job, file, streams);
    if (!measurement)
        return core::failureOf(measurement);
    return keep(experiment, *measurement, file, arguments.value(StoreOption.name).value_or(file),
                arguments, streams);
}

} // namespace

Command probeCommand()
{
    return {{.name = "probe",
             .synopsis =
                 "FILE [--seconds S] [--variants all|none|NAME,...] [--device cpu|cuda] "
                 "[--processes N] [--lengths] [--on HOST,... [--together]] [-o FILE] [--json]",
             .summary = "Measures a design, on this machine or on another, and stores the "
                        "measurement in its experiment.",
             .options = {ProbeSecondsOption, VariantsOption, DeviceOption, ProcessesOption,
                         LengthsOption, OnOption, TogetherOption, StoreOption, ProbeJsonOption},
             .leastFiles = 1,
             .mostFiles = 1},
            runProbe};
}

} // namespace outlay::gui
