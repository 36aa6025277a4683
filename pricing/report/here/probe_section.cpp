// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements that the figures are from, for whoever shows them.
#include "core/probe/margins.h"
#include "pricing/report/sections.h"

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula StepFormula{"probe.step", "mean of {0} steps; half of them took up to {1} s"};
constexpr Formula PeakFormula{"probe.memory",
                              "{0} B at the peak of a process that had {1} B before its model"};

Quantity stepOf(const MeasurementPtr& m)
{
    if (m == nullptr || m->training.step.meanS <= 0)
        return Quantity::unavailable(Unit::Seconds, "not measured on this machine yet; `outlay "
                                                    "probe` does it");
    const Timing& step = m->training.step;
    const Interval margins = runMargins(*m);
    return Quantity::within(step.meanS, step.meanS * margins.low, step.meanS * margins.high,
                            Unit::Seconds, m->part ? Basis::Forecast : Basis::Measured,
                            how(StepFormula, {static_cast<double>(step.count), step.medianS},
                                "on " + m->machine.processor + ", " + m->created));
}

} // namespace

Quantity memoryHere(const Subject& subject)
{
    const MeasurementPtr m = subject.measuredSteps();
    if (m == nullptr)
        return Quantity::unavailable(Unit::Bytes, "just these steps weren't measured here");
    if (m->part)
        return Quantity::unavailable(Unit::Bytes, "only parts of the design fitted here");
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
    probe.isCurrent = again != nullptr;
    probe.isHere = !here.isEmpty();
    probe.unread = subject.experiment.measurements.unread().size();
    for (const MeasurementPtr& m : {here.ofSteps(asked), again, here.newest(), all.newest()}) {
        if (probe.training == nullptr)
            probe.training = m;
    }
    probe.step = stepOf(probe.training);
    if (probe.training == nullptr)
        return;
    probe.serving = here.ofRequest(asked);
    if (probe.serving == nullptr)
        probe.serving = probe.training;
    const Measurement& shown = *probe.training;
    probe.variants =
        (probe.isHere ? here : all)
            .withVariants({shown.model, shown.trainingSettings, shown.servingSettings});
}

} // namespace outlay::pricing
