// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/here/here.h"

#include "core/base/text.h"
#include "core/experiment/assumption_keys.h"
#include "core/hardware/scaled_from.h"
#include "core/probe/margins.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula HereFormula{
    "training.here",
    "{0} steps x {1} s + {2} s for validation + {3} s to start; mean of {4} steps"};
constexpr Formula PartFormula{"training.here.part",
                              "{0} steps x {1} s + {2} s for validation + {3} s to start; a step "
                              "made of {4} pairs of smaller ones"};
constexpr Formula ProgramFormula{"training.here.program",
                                 "{0} of {1} steps of the program seen, {2} s each; {3} s before "
                                 "the first, {4} s in {5} pauses"};
constexpr Formula ProcessorFormula{"training.here.processor",
                                   "{0} steps x {1} s + {2} s for validation; mean of {3} steps"};

constexpr Formula GivenFormula{"training.here.given",
                               "{0} s, as given in /assumptions/training_seconds"};

/// Processor time knows no neighbours that wait.
constexpr double ProcessorMiss = 0.08;

/// A step, what validation takes beside, and how often.
struct Times {
    double steps = 0;
    double stepS = 0;
    double validationS = 0;

    [[nodiscard]] double total() const { return steps * stepS + validationS; }
};

Times timesOf(const Subject& subject, const TrainingMeasurement& measured, double stepS)
{
    const Training t = onDevices(subject.experiment.training, 1);
    const TrainingRun& run = subject.training.run;
    const auto perStep = static_cast<double>(t.batch * t.accumulation);
    const double forward = measured.forwardShare * stepS / perStep;
    return {run.steps, stepS, t.epochs * (run.samples - run.trainSamples) * forward};
}

std::string noteOf(const Measurement& m)
{
    const Verdict verdict = m.training.step.verdict;
    const std::string what(remedy(verdict));
    return std::string(name(verdict)) + (what.empty() ? "" : ": " + what) + "; on " +
           m.machine.processor + ", " + m.created;
}

/// The program itself knows how many steps it has, and how often it pauses: `times` as many, if the experiment makes so many
/// more than when the program ran for it.
Quantity runOf(const ProgramMeasurement& p, const Measurement& m, double times)
{
    const auto scaled = [&](double wholeS) { return p.startS + times * (wholeS - p.startS); };
    const bool isSame = std::abs(times - 1) < 1e-9;
    const std::string note =
        noteOf(m) + (isSame ? std::string()
                            : "; the experiment makes " + plainNumber(times) +
                                  " times as many steps as when the program ran");
    return Quantity::within(
        scaled(*p.wholeS), scaled(p.lowS.value_or(*p.wholeS)), scaled(p.highS.value_or(*p.wholeS)),
        Unit::Seconds, Basis::Measured,
        how(ProgramFormula,
            {p.doneSteps, p.ofSteps.value_or(p.doneSteps), m.training.step.meanS, p.startS,
             p.pausedS, static_cast<double>(p.pauses)},
            note));
}

/// Of the experiment now, over those of the program where it told them; none are more while the experiment is as it was.
double stepsSince(const Subject& subject, const Measurement& m)
{
    constexpr double Alike = 1e-9;
    const double now = subject.training.run.steps;
    const double then = trainingRun(subject.kinds, m.trainingSettings).steps;
    if (then <= 0 || std::abs(now - then) <= Alike * then)
        return 1;
    return now / m.program->ofSteps.value_or(then);
}

Quantity runOf(const Subject& subject, const Measurement& m)
{
    if (m.program && m.program->wholeS)
        return runOf(*m.program, m, stepsSince(subject, m));
    const Times times = timesOf(subject, m.training, m.training.step.meanS);
    const double start = m.training.buildS + m.training.warmUpS;
    const double value = times.total() + start;
    const Interval margins = runMargins(m);
    return Quantity::within(value, value * margins.low, value * margins.high, Unit::Seconds,
                            m.part ? Basis::Forecast : Basis::Measured,
                            how(m.part ? PartFormula : HereFormula,
                                {times.steps, times.stepS, times.validationS, start,
                                 static_cast<double>(m.training.step.count)},
                                noteOf(m)));
}

Quantity unavailableFor(const Subject& subject)
{
    const std::int64_t devices = subject.experiment.training.devices;
    if (devices > 1)
        return Quantity::unavailable(Unit::Seconds,
                                     "measurements here are of one device, and the training uses " +
                                         std::to_string(devices));
    if (const auto elsewhere = subject.experiment.measurements.all().ofSteps(subject.asked()))
        return Quantity::unavailable(Unit::Seconds, "measured on another machine (" +
                                                        elsewhere->machine.processor + ", " +
                                                        std::to_string(elsewhere->machine.cores) +
                                                        " cores); `outlay probe` does it here");
    return Quantity::unavailable(Unit::Seconds,
                                 "not measured on this machine yet; `outlay probe` does it");
}

} // namespace

Quantity trainingHere(const Subject& subject)
{
    if (const double given = subject.assumed(TrainingSecondsKey, 0); given > 0)
        return Quantity::within(given, given, given, Unit::Seconds, Basis::Assumed,
                                how(GivenFormula, {given}));
    if (subject.experiment.training.devices > 1 || subject.measured.isEmpty())
        return unavailableFor(subject);
    if (const MeasurementPtr measured = subject.measuredSteps())
        return runOf(subject, *measured);
    const Training& training = subject.experiment.training;
    const Calibration& calibration = subject.catalogs.calibration();
    const MeasurementPtr nearest =
        nearestMeasurement(subject.measured, subject.kinds, training, calibration);
    if (nearest != nullptr)
        return scaledTraining(*nearest, subject.kinds, training, calibration);
    return Quantity::unavailable(
        Unit::Seconds,
        "no measurement has the steps of this training or can be scaled to them: the design has "
        "changed since, or the worker can't run its precision or optimizer; `outlay probe` "
        "measures "
        "it again");
}

Quantity trainingAsMeasured(const Subject& subject, const Measurement& m)
{
    return subject.experiment.training.devices > 1 ? unavailableFor(subject) : runOf(subject, m);
}

Quantity trainingProcessorHere(const Subject& subject)
{
    const MeasurementPtr m = subject.measuredSteps();
    if (m == nullptr || subject.experiment.training.devices > 1)
        return Quantity::unavailable(Unit::Seconds, "just these steps weren't measured here");
    if (m->program)
        return Quantity::unavailable(Unit::Seconds,
                                     "the steps of a program are timed by the clock alone");
    const Timing& step = m->training.stepProcessor;
    const Times times = timesOf(subject, m->training, step.meanS);
    const double value = times.total();
    return Quantity::within(
        value, value * std::min(step.lowS / step.meanS, 1 - ProcessorMiss),
        value * std::max(step.highS / step.meanS, 1 + ProcessorMiss), Unit::Seconds,
        m->part ? Basis::Forecast : Basis::Measured,
        how(ProcessorFormula,
            {times.steps, times.stepS, times.validationS, static_cast<double>(step.count)},
            noteOf(*m)));
}

} // namespace outlay::pricing
