// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/support.h"

namespace outlay::pricing {

using namespace outlay::core;

Support trainingSupport(const Subject& subject, const Option& option)
{
    const Device& device = subject.catalogs.devices().kinds()[option.forecast].device;
    if (device.kind == DeviceKind::Cpu)
        return Support::OwnMachine;
    const Spreads& spreads = subject.catalogs.calibration().spreads;
    const bool isRecurrent = subject.kinds.has<Recurrent>() || subject.kinds.has<GatedRecurrent>();
    const KindSpread& kind = isRecurrent ? spreads.recurrent : spreads.training;
    return Spreads::isFitted(kind, device.name, device.generation) ? Support::PublishedRuns
                                                                   : Support::None;
}

bool isOpenEnded(const Subject& subject, double usd, double highUsd)
{
    return highUsd > OpenEndTimes * usd && subject.experiment.plan.risk == Risk::Expected;
}

Support servingSupport(const Subject& subject, const Option& option)
{
    const DeviceKind kind = subject.catalogs.devices().kinds()[option.forecast].device.kind;
    const bool hasOwnKernels =
        kind == DeviceKind::Cpu && subject.servingOn(kind).engine == Engine::LlamaCpp;
    if (isOpenEnded(subject, option.usd.value, option.usd.high))
        return hasOwnKernels ? Support::NoneOpenEnd : Support::OpenEnd;
    return hasOwnKernels ? Support::None : Support::PublishedRuns;
}

} // namespace outlay::pricing
