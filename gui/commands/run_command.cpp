// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/program/live_line.h"
#include "core/program/program_measurement.h"
#include "core/workload/training_work.h"
#include "gui/commands/experiment_file.h"
#include "gui/commands/measuring.h"
#include "gui/view/program_text.h"

#include <cmath>
#include <ostream>
#include <sys/wait.h>

namespace outlay::gui {
namespace {

constexpr CommandOption SecondsOption{"--seconds", "S", "end it after that time (default: 90)"};
constexpr CommandOption StepsOption{"--steps", "N", "end it when that many steps are done"};
constexpr CommandOption WholeOption{"--whole", "", "let it run to its end"};
constexpr CommandOption OfOption{"--of", "N",
                                 "steps of the whole run, where the program doesn't say it"};
constexpr CommandOption RunJsonOption{"--json", "FILE",
                                      "write the measurement of the experiment as JSON"};

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

/// As a shell has it.
int exitStatusOf(const core::ProgramOutcome& outcome)
{
    constexpr int BySignal = 128;
    if (outcome.wasEnded)
        return 0;
    return WIFSIGNALED(outcome.status) ? BySignal + WTERMSIG(outcome.status)
                                       : WEXITSTATUS(outcome.status);
}

/// The design's own count of steps is another thing where it stands for another program.
std::optional<std::string> differenceFrom(const core::Measurement& m,
                                          const core::Experiment& experiment)
{
    constexpr double Alike = 0.02;
    const double planned =
        core::trainingRun(core::LayerKinds(core::expand(experiment.model)), experiment.training)
            .steps;
    const double its = m.program->ofSteps.value_or(planned);
    if (std::abs(its - planned) <= Alike * planned)
        return std::nullopt;
    return "the program makes " + core::plainNumber(its) + " steps and the experiment " +
           core::plainNumber(planned) +
           ": give the experiment the program's batch, samples and epochs, or its figures "
           "elsewhere are of another run";
}

/// Of the design that stands for it; nothing where too few steps were seen.
std::optional<core::Measurement> measuredAs(const core::ProgramOutcome& outcome,
                                            const Arguments& arguments,
                                            const core::Experiment& experiment)
{
    auto measured = core::measurementOf(outcome, arguments.command(), core::jobOf(experiment));
    if (!measured)
        return std::nullopt;
    if (const auto difference = differenceFrom(*measured, experiment))
        measured->findings.push_back(*difference);
    return measured;
}

core::Result<void> storeFor(const core::ProgramOutcome& outcome, const Arguments& arguments,
                            const core::Experiment& experiment, const Streams& streams)
{
    const std::string& file = arguments.files().front();
    const auto measured = measuredAs(outcome, arguments, experiment);
    if (!measured)
        return tl::unexpected<core::Error>(
            core::Error{core::ErrorCode::Measurement,
                        "nothing was stored: too few steps of the program were seen",
                        "see the notes above",
                        {},
                        file});
    if (const auto difference = differenceFrom(*measured, experiment))
        warn(streams, file, {*difference + "."});
    const core::Json json = core::toJson(*measured);
    if (const auto place = arguments.value(RunJsonOption.name)) {
        if (const auto saved = core::saveFile(*place, core::writeJson(json) + "\n"); !saved)
            return core::failureOf(saved);
    }
    return storeMeasurement(experiment, json, file,
                            arguments.value(StoreOption.name).value_or(file));
}

/// How the program itself failed; empty where it did as it should.
std::string failureIn(const core::ProgramOutcome& outcome, const DisplayLocale& locale)
{
    const bool hasFailed = !outcome.wasEnded && !outcome.wasInterrupted && outcome.status != 0;
    return hasFailed ? programEndText(outcome, locale).toStdString() : std::string();
}

core::ProgramMessage endOf(const core::ProgramOutcome& outcome, const Arguments& arguments,
                           const core::Experiment& experiment, const DisplayLocale& locale)
{
    std::string failure = failureIn(outcome, locale);
    if (const auto measured = measuredAs(outcome, arguments, experiment))
        return core::ProgramDone{core::toJson(*measured), std::move(failure)};
    if (!failure.empty())
        return core::ProgramFailed{"the program: " + failure, "read what it printed"};
    const std::vector<std::string> findings = core::findingsOf(outcome);
    return core::ProgramFailed{"nothing was stored" + (findings.empty()
                                                           ? ", too few of its steps were seen"
                                                           : ": " + findings.front()),
                               {}};
}

/// Of a window, say, which shows it and keeps the measurement itself.
core::Result<int> runLive(core::ProgramJob job, const Arguments& arguments,
                          const core::Experiment& experiment)
{
    const DisplayLocale locale{commandLocale()};
    const core::LiveLine line;
    job.tell = [&](const core::ProgramOutcome& soFar) { line.say(core::momentOf(soFar)); };
    job.tellFirstS = 0;
    job.tellEveryS = 1;
    job.isAskedToEnd = [&] { return line.isClosed(); };
    const auto outcome = core::runProgram(job);
    if (outcome)
        line.say(endOf(*outcome, arguments, experiment, locale));
    else
        line.say(core::ProgramFailed{outcome.error().what, outcome.error().remedy});
    return 0;
}

core::Result<int> runProgramOf(const Arguments& arguments, const Streams& streams)
{
    auto job = jobOf(arguments);
    if (!job)
        return core::failureOf(job);
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
    streams.err << "\noutlay:\n" << programText(*outcome, *job, locale).toStdString() << std::flush;
    const int status = exitStatusOf(*outcome);
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
                 "[EXPERIMENT] -- PROGRAM...",
             .summary = "Runs your own training for a while and says how long all of it "
                        "takes; stores that in the experiment that stands for it.",
             .options = {SecondsOption, StepsOption, WholeOption, OfOption, StoreOption,
                         RunJsonOption, LiveOption},
             .leastFiles = 0,
             .mostFiles = 1,
             .takesCommand = true},
        .runOther = runProgramOf};
}

} // namespace outlay::gui
