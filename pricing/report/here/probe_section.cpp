// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements that the figures are from, for whoever shows them.
#include "core/probe/margins.h"
#include "pricing/report/sections.h"

#include <array>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula StepFormula{"probe.step", "mean of {0} steps; half of them took up to {1} s"};
constexpr Formula PeakFormula{"probe.memory",
                              "{0} B at the peak of a process that had {1} B before its model"};
constexpr Formula ResidentFormula{"probe.memory.program",
                                  "{0} B resident in {1} processes of the program at the worst "
                                  "moment that was looked at, libraries included"};

} // namespace

Quantity measuredStep(const MeasurementPtr& m)
{
    if (m == nullptr || m->training.step.meanS <= 0)
        return Quantity::unavailable(Unit::Seconds, m == nullptr
                                                        ? "not measured on this machine yet; "
                                                          "`outlay probe` does it"
                                                        : "the measurement timed no steps");
    const Timing& step = m->training.step;
    const Interval margins = runMargins(*m);
    return Quantity::within(step.meanS, step.meanS * margins.low, step.meanS * margins.high,
                            Unit::Seconds, m->part ? Basis::Forecast : Basis::Measured,
                            how(StepFormula, {static_cast<double>(step.count), step.medianS},
                                "on " + m->machine.processor + ", " + m->created));
}

Quantity memoryHere(const Subject& subject)
{
    const MeasurementPtr m = subject.measuredSteps();
    if (m == nullptr)
        return Quantity::unavailable(Unit::Bytes, "just these steps weren't measured here");
    if (m->part)
        return Quantity::unavailable(Unit::Bytes, "only parts of the design fitted here");
    if (m->program && m->program->peakBytes > 0) {
        const double bytes = m->program->peakBytes;
        return Quantity::within(bytes, bytes, bytes, Unit::Bytes, Basis::Measured,
                                how(ResidentFormula,
                                    {bytes, static_cast<double>(m->program->processes)},
                                    "on " + m->machine.processor + ", " + m->created));
    }
    const auto& peak = m->training.trainingPeakBytes;
    if (!peak || !m->training.peakBytes)
        return Quantity::unavailable(Unit::Bytes, "it can't be seen on this device");
    return Quantity::within(*peak, *peak, *peak, Unit::Bytes, Basis::Measured,
                            how(PeakFormula,
                                {*m->training.peakBytes, *m->training.peakBytes - *peak},
                                "on " + m->machine.processor + ", " + m->created));
}

void addProbe(const Subject& subject, Report& report)
{
    const Measured& here = subject.measured;
    const Measured& all = subject.experiment.measurements.all();
    const Asked asked = subject.asked();
    const MeasurementPtr again = here.answering(asked);
    ProbeReport& probe = report.probe;
    probe.unread = subject.experiment.measurements.unread().size();
    const std::array ofDesign{here.ofSteps(asked), again, all.ofSteps(asked), all.answering(asked)};
    for (const MeasurementPtr& m : ofDesign)
        probe.training = probe.training == nullptr ? m : probe.training;
    probe.isOfDesign = probe.training != nullptr;
    for (const MeasurementPtr& m : {here.newest(), all.newest()})
        probe.training = probe.training == nullptr ? m : probe.training;
    probe.step = measuredStep(probe.training);
    if (probe.training == nullptr)
        return;
    const Measurement& shown = *probe.training;
    probe.isHere = isSameMachine(shown.machine, subject.catalogs.here());
    probe.isCurrent = probe.isHere && again != nullptr;
    probe.serving = (probe.isHere ? here : all).ofRequest(asked);
    if (probe.serving == nullptr)
        probe.serving = probe.training;
    probe.variants =
        (probe.isHere ? here : all)
            .withVariants({shown.model, shown.trainingSettings, shown.servingSettings});
}

} // namespace outlay::pricing
