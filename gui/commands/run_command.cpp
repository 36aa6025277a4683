// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/program/live_line.h"
#include "core/program/program_measurement.h"
#include "gui/commands/experiment_file.h"
#include "gui/commands/interrupts.h"
#include "gui/commands/measuring.h"
#include "gui/commands/measuring_elsewhere.h"
#include "gui/commands/remote_run.h"
#include "gui/view/measurement_text.h"
#include "gui/view/program_text.h"

#include <cmath>
#include <ostream>

namespace outlay::gui {
namespace {

constexpr CommandOption SecondsOption{"--seconds", "S", "end it after that time (default: 90)"};
constexpr CommandOption StepsOption{"--steps", "N", "end it when that many steps are done"};
constexpr CommandOption WholeOption{"--whole", "", "let it run to its end"};
constexpr CommandOption OfOption{"--of", "N",
                                 "steps of the whole run, where the program doesn't say it"};
constexpr CommandOption RunJsonOption{"--json", "FILE",
                                      "write the measurement of the experiment as JSON"};

constexpr CommandOption RunOnOption{"--on", "HOST",
                                    "run it there instead of here (see `outlay hosts`)"};
constexpr CommandOption InOption{"--in", "FOLDER",
                                 "the folder there to run it in (default: where one arrives)"};

constexpr CommandOption LiveOption{"--live", "",
                                   "for other programs: what is known, every second as a line of "
                                   "JSON; the end of standard input ends the program"};

core::Result<std::optional<double>> stepsOf(const Arguments& arguments, const CommandOption& option)
{
    const auto text = arguments.value(option.name);
    if (!text)
        return std::optional<double>();
    const auto number = core::numberIn(*text);
    constexpr double Most = 1e12;
    if (!number || *number < 1 || *number > Most || *number != std::floor(*number))
        return core::usageError(std::string(option.name) + " is '" + core::printable(*text, 40) +
                                    "'",
                                "give a whole number of steps");
    return std::optional(*number);
}

core::Result<core::ProgramJob> jobOf(const Arguments& arguments)
{
    const auto seconds = probeSecondsOf(arguments.value(SecondsOption.name).value_or("90"));
    if (!seconds)
        return core::failureOf(seconds);
    const auto steps = stepsOf(arguments, StepsOption);
    if (!steps)
        return core::failureOf(steps);
    const auto of = stepsOf(arguments, OfOption);
    if (!of)
        return core::failureOf(of);
    const int ends = int{arguments.has(SecondsOption.name)} + int{arguments.has(StepsOption.name)} +
                     int{arguments.has(WholeOption.name)};
    if (ends > 1)
        return core::usageError("more than one end is given",
                                "give one of --seconds, --steps and --whole");
    return core::ProgramJob{.command = arguments.command(),
                            .seconds = *seconds,
                            .steps = *steps,
                            .isWhole = arguments.has(WholeOption.name),
                            .ofSteps = *of,
                            .tell = {},
                            .tellEveryS = {},
                            .isAskedToEnd = {}};
}

core::Result<void> store(const core::Json& measurement, const Arguments& arguments,
                         const core::Experiment& experiment)
{
    const std::string& file = arguments.files().front();
    if (const auto place = arguments.value(RunJsonOption.name)) {
        if (const auto saved = core::saveFile(*place, core::writeJson(measurement) + "\n"); !saved)
            return core::failureOf(saved);
    }
    return storeMeasurements(experiment, {measurement}, file,
                             arguments.value(StoreOption.name).value_or(file));
}

core::Result<void> storeFor(const core::ProgramOutcome& outcome, const Arguments& arguments,
                            const core::Experiment& experiment, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const core::Job design = core::jobOf(experiment);
    auto measured = core::measurementOf(outcome, arguments.command(), design);
    if (!measured)
        return tl::unexpected<core::Error>(
            core::Error{core::ErrorCode::Measurement,
                        outcome.forecast ? "nothing was stored: its steps are a guess"
                                         : "nothing was stored: too few of its steps were seen",
                        "see the notes above",
                        {},
                        file});
    if (const auto difference = core::differenceFrom(*measured, design)) {
        measured->findings.push_back(*difference);
        warn(streams, file, {*difference + "."});
    }
    return store(core::toJson(*measured), arguments, experiment);
}

/// Of a window, say, which shows it and keeps the measurement itself.
core::Result<int> runLive(core::ProgramJob job, const Arguments& arguments,
                          const core::Experiment& experiment)
{
    const core::LiveLine line;
    const auto outcome = core::runProgram(line.toldHere(std::move(job)));
    if (outcome)
        line.say(core::endOf(*outcome, arguments.command(), core::jobOf(experiment)));
    else
        line.say(core::ProgramFailed{outcome.error().what, outcome.error().remedy, {}});
    return 0;
}

core::ProgramOrder orderOf(const core::ProgramJob& job, const Arguments& arguments,
                           const core::Experiment& experiment)
{
    core::ProgramOrder order{.command = job.command,
                             .folder = arguments.value(InOption.name).value_or(""),
                             .seconds = job.seconds,
                             .steps = job.steps,
                             .isWhole = job.isWhole,
                             .ofSteps = job.ofSteps,
                             .design = {}};
    if (!arguments.files().empty())
        order.design = core::jobOf(experiment);
    return order;
}

core::Result<int> runElsewhere(const core::Profile& profile, const core::ProgramJob& job,
                               const Arguments& arguments, const core::Experiment& experiment,
                               const Streams& streams)
{
    const core::ProgramOrder order = orderOf(job, arguments, experiment);
    if (arguments.has(LiveOption.name))
        return runLiveOn(profile, order);
    const auto end = runProgramOn(profile, order, streams);
    if (!end)
        return core::failureOf(end);
    const bool hasExperiment = !arguments.files().empty();
    constexpr int ByCtrlC = 130;
    if (const auto* wrong = std::get_if<core::ProgramFailed>(&*end)) {
        core::Error error{
            core::ErrorCode::Measurement, wrong->what, wrong->remedy, {}, profile.name};
        const bool isOwn = wrong->status && (*wrong->status != 0 || !hasExperiment);
        if (!isOwn)
            return tl::unexpected<core::Error>(std::move(error));
        streams.err << "outlay: " << error.sentence() << '\n';
        return Interrupts::wasAsked() ? ByCtrlC : static_cast<int>(*wrong->status);
    }
    const auto& done = std::get<core::ProgramDone>(*end);
    if (!done.failure.empty())
        streams.err << "outlay: the program: " << done.failure << '\n';
    const int status = Interrupts::wasAsked() ? ByCtrlC : static_cast<int>(done.status);
    if (!hasExperiment)
        return status;
    streams.err << makeMeasurementText(*core::readMeasurement(done.measurement), commandLocale())
                       .toStdString();
    if (const auto stored = store(done.measurement, arguments, experiment); !stored)
        return core::failureOf(stored);
    return status;
}

/// At most one, which has no queue.
core::Result<std::optional<core::Profile>> hostOf(const Arguments& arguments)
{
    const auto profiles = profilesOf(arguments);
    if (!profiles)
        return core::failureOf(profiles);
    if (profiles->empty() && arguments.has(InOption.name))
        return core::usageError("--in names a folder of another machine",
                                "give the machine with --on, or go to the folder first");
    if (profiles->size() > 1)
        return core::usageError("a program runs on one machine", "name one host after --on");
    if (profiles->empty())
        return std::optional<core::Profile>();
    if (profiles->front().kind == core::ProfileKind::Local)
        return core::usageError("'" + profiles->front().name + "' is this machine",
                                "leave out --on");
    if (profiles->front().kind == core::ProfileKind::Queue)
        return core::usageError("'" + profiles->front().name +
                                    "' is a queue, and a program is watched while it runs",
                                "name a host that ssh reaches, as a node that the queue gave you");
    return std::optional(profiles->front());
}

core::Result<int> runProgramOf(const Arguments& arguments, const Streams& streams)
{
    auto job = jobOf(arguments);
    if (!job)
        return core::failureOf(job);
    const auto host = hostOf(arguments);
    if (!host)
        return core::failureOf(host);
    core::Experiment experiment;
    const bool hasExperiment = !arguments.files().empty();
    if (arguments.has(LiveOption.name) &&
        (!hasExperiment || arguments.has(StoreOption.name) || arguments.has(RunJsonOption.name)))
        return core::usageError(
            "--live tells what is measured of an experiment, and stores nothing",
            "name the experiment before --, without -o and --json");
    if (!hasExperiment && (arguments.has(StoreOption.name) || arguments.has(RunJsonOption.name)))
        return core::usageError("there is no experiment to store a measurement in",
                                "name the one that stands for the program before --");
    if (hasExperiment) { // before the program has run for nothing
        auto reading = core::loadExperiment(arguments.files().front());
        if (!reading)
            return core::failureOf(reading);
        warn(streams, arguments.files().front(), reading->warnings);
        experiment = std::move(reading->experiment);
        if (const auto target = arguments.value(StoreOption.name)) {
            if (const auto saved = core::saveExperiment(experiment, *target); !saved)
                return core::failureOf(saved);
        }
    }
    if (*host)
        return runElsewhere(**host, *job, arguments, experiment, streams);
    if (arguments.has(LiveOption.name))
        return runLive(*job, arguments, experiment);
    const DisplayLocale locale{commandLocale()};
    job->tell = [&](const core::ProgramOutcome& soFar) {
        streams.err << "\noutlay: "
                    << programProgressText(soFar.seconds, soFar.forecast, locale).toStdString()
                    << '\n'
                    << std::flush;
    };
    streams.out.flush();
    streams.err << "outlay: " << programBeginText(*job, locale).toStdString() << '\n' << std::flush;
    const auto outcome = core::runProgram(*job);
    if (!outcome)
        return core::failureOf(outcome);
    streams.err << "\noutlay:\n"
                << programText(*outcome, *job, hasExperiment, locale).toStdString() << std::flush;
    const int status = core::exitStatusOf(*outcome);
    if (!hasExperiment)
        return status;
    if (const auto stored = storeFor(*outcome, arguments, experiment, streams); !stored) {
        if (status == 0)
            return core::failureOf(stored);
        streams.err << "outlay: " << stored.error().sentence()
                    << '\n'; // and the program's own failure
    }
    return status;
}

} // namespace

Command runCommand()
{
    return {
        .line =
            {.name = "run",
             .synopsis =
                 "[--seconds S | --steps N | --whole] [--of N] [-o FILE] [--json FILE] [--live] "
                 "[--on HOST [--in FOLDER]] [EXPERIMENT] -- PROGRAM...",
             .summary = "Runs your own training for a while and says how long all of it "
                        "takes; stores that in the experiment that stands for it.",
             .options = {SecondsOption, StepsOption, WholeOption, OfOption, StoreOption,
                         RunJsonOption, RunOnOption, InOption, LiveOption},
             .leastFiles = 0,
             .mostFiles = 1,
             .takesCommand = true},
        .runOther = runProgramOf};
}

} // namespace outlay::gui
