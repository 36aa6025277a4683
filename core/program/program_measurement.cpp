// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program_measurement.h"

#include "core/base/clock.h"
#include "core/base/person.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/workload/layer_kinds.h"
#include "core/workload/training_work.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/wait.h>

namespace outlay::core {
namespace {

/// To be told by, not to be run again: it goes where the experiment goes.
std::string joinedWords(const std::vector<std::string>& words)
{
    const std::vector<std::string> names = namesOfPerson();
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + printable(withoutPerson(word, names), 200);
    constexpr std::size_t Longest = 500;
    return line.substr(0, Longest);
}

ProgramMeasurement programOf(const ProgramOutcome& outcome, const std::vector<std::string>& command)
{
    const ProgramForecast& f = *outcome.forecast;
    const bool isWhole = outcome.isWhole();
    const bool isKnown = isWhole || f.ofSteps;
    const auto known = [&](double seconds) {
        return isWhole   ? std::optional(outcome.seconds)
               : isKnown ? std::optional(seconds)
                         : std::nullopt;
    };
    return {.command = joinedWords(command),
            .source =
                std::string(StepSourceNames.at(static_cast<std::size_t>(outcome.steps.source))),
            .isWhole = isWhole,
            .seconds = outcome.seconds,
            .doneSteps = f.doneSteps,
            .ofSteps = isWhole ? std::optional(f.doneSteps) : f.ofSteps,
            .startS = f.startS,
            .pausedS = f.pausedS,
            .pauses = f.pauses,
            .wholeS = known(f.wholeS),
            .lowS = known(f.lowS),
            .highS = known(f.highS),
            .processorS = outcome.usage.processorS,
            .idleShare = idleShareOf(outcome.usage),
            .peakBytes = outcome.usage.peakBytes,
            .readBytes = outcome.usage.readBytes,
            .writtenBytes = outcome.usage.writtenBytes,
            .processes = outcome.usage.processes,
            .threads = outcome.usage.threads};
}

TrainingMeasurement trainingOf(const ProgramOutcome& outcome, const Job& design)
{
    const ProgramForecast& f = *outcome.forecast;
    const TreeUsage& usage = outcome.usage;
    const Training alone = onDevices(design.training, 1);
    const double perStep = real(alone.batch) * real(alone.accumulation);
    const TrainingRun run = trainingRun(LayerKinds(expand(design.model)), design.training);
    TrainingMeasurement m;
    m.step = f.step;
    m.disturbance = f.disturbance;
    m.buildS = f.startS;
    m.warmUpS = f.warmUpS;
    m.samplesPerS = perStep / f.step.meanS;
    m.flopsPerS = run.flopsPerStep / f.step.meanS;
    m.peakBytes = usage.peakBytes;
    return m;
}

} // namespace

std::optional<Measurement> measurementOf(const ProgramOutcome& outcome,
                                         const std::vector<std::string>& command, const Job& design)
{
    if (!outcome.forecast || outcome.steps.source == StepSource::Load)
        return std::nullopt;
    Measurement m;
    m.created = nowUtc();
    m.machine = thisMachine();
    addState(m.machine);
    m.machine.device = outcome.accelerator.empty() ? "cpu" : outcome.accelerator;
    m.threads = outcome.usage.threads;
    m.seconds = outcome.seconds;
    m.training = trainingOf(outcome, design);
    m.program = programOf(outcome, command);
    m.findings = findingsOf(outcome);
    if (!outcome.energySource.empty() && outcome.seconds > 0)
        m.energy = EnergyMeasurement{.source = outcome.energySource,
                                     .seconds = outcome.seconds,
                                     .idleWatts = outcome.idleWatts,
                                     .trainingWatts = outcome.joules / outcome.seconds,
                                     .joulesPerStep = outcome.joules / outcome.seconds *
                                                      outcome.forecast->step.meanS};
    m.model = design.model;
    m.trainingSettings = design.training;
    m.askedTraining = design.training;
    m.servingSettings = design.serving;
    m.askedServing = design.serving;
    return m;
}

std::optional<std::string> differenceFrom(const Measurement& measured, const Job& design)
{
    constexpr double Alike = 0.02;
    const double planned = trainingRun(LayerKinds(expand(design.model)), design.training).steps;
    const double its = measured.program->ofSteps.value_or(planned);
    if (std::abs(its - planned) <= Alike * planned)
        return std::nullopt;
    return "the program makes " + plainNumber(its) + " steps and the experiment " +
           plainNumber(planned) +
           ": give the experiment the program's batch, samples and epochs, or its figures "
           "elsewhere are of another run";
}

std::string failureIn(const ProgramOutcome& outcome)
{
    if (outcome.wasEnded || outcome.wasInterrupted || outcome.status == 0)
        return {};
    if (WIFSIGNALED(outcome.status))
        return std::string("it was ended by a signal (") + ::strsignal(WTERMSIG(outcome.status)) +
               ")";
    return "it failed with exit status " + std::to_string(WEXITSTATUS(outcome.status));
}

ProgramMessage endOf(const ProgramOutcome& outcome, const std::vector<std::string>& command,
                     const Job& design)
{
    std::string failure = failureIn(outcome);
    if (auto measured = measurementOf(outcome, command, design)) {
        if (const auto difference = differenceFrom(*measured, design))
            measured->findings.push_back(*difference);
        return ProgramDone{toJson(*measured), std::move(failure), exitStatusOf(outcome)};
    }
    if (!failure.empty())
        return ProgramFailed{"the program: " + failure, "read what it printed",
                             exitStatusOf(outcome)};
    const std::vector<std::string> findings = findingsOf(outcome);
    return ProgramFailed{"nothing was stored" + (findings.empty()
                                                     ? ", too few of its steps were seen"
                                                     : ": " + findings.front()),
                         {},
                         exitStatusOf(outcome)};
}

std::vector<std::string> findingsOf(const ProgramOutcome& outcome)
{
    std::vector<std::string> findings;
    const auto& f = outcome.forecast;
    if (outcome.steps.isOfOneEpoch)
        findings.emplace_back("its bar begins again with each epoch, and nothing says how many "
                              "there are: give the steps of the whole run with --of");
    if (outcome.steps.leftOut > 0)
        findings.push_back(std::to_string(outcome.steps.leftOut) +
                           " lines on its descriptor were no steps, each further than the one "
                           "before: write {\"step\": 15, \"of\": 500}");
    if (f && outcome.steps.source == StepSource::Load)
        findings.emplace_back("nothing tells its steps: what repeats in its load may be one, or "
                              "some, so nothing of it is kept; let it show a progress bar on its "
                              "standard error, or call outlay_steps.py");
    const bool hasFailed = !outcome.wasEnded && outcome.status != 0;
    if (!f && !hasFailed)
        findings.emplace_back(
            outcome.steps.marks.empty()
                ? "no step of it was seen: let it show a progress bar on its standard error, write "
                  "TensorBoard events or MLflow metrics, or call outlay_steps.py"
                : "too few of its steps were seen: give it more time with --seconds");
    else if (f && f->isToldTooFew)
        findings.emplace_back(
            "more steps are done than --of says there are: give those of the whole "
            "run");
    else if (f && !f->ofSteps && outcome.wasEnded && !outcome.steps.isOfOneEpoch)
        findings.emplace_back("nothing says how many steps the whole run has: give them with --of");
    constexpr double Much = 0.2;
    constexpr double LongEnoughS = 5;
    const double idle = idleShareOf(outcome.usage).value_or(0);
    if (f && outcome.accelerator.empty() && idle > Much && outcome.usage.watchedS > LongEnoughS)
        findings.push_back("for " + std::to_string(std::lround(PerCent * idle)) +
                           " % of its time no core was at work for it: where it waits for data, "
                           "let more processes load them ahead, or keep them on a faster disk");
    if (outcome.leftBehind > 0)
        findings.push_back(std::to_string(outcome.leftBehind) +
                           " of its processes went on after it had ended, and were ended, too");
    return findings;
}

} // namespace outlay::core
