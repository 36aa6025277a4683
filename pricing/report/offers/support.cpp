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
    constexpr double Several = 4;
    return highUsd > Several * usd && subject.experiment.plan.risk == Risk::Expected;
}

Support servingSupport(const Subject& subject, const Option& option)
{
    const DeviceKind kind = subject.catalogs.devices().kinds()[option.forecast].device.kind;
    const bool hasOwnKernels =
        kind == DeviceKind::Cpu && subject.servingOn(kind).engine == Engine::LlamaCpp;
    if (hasOwnKernels)
        return Support::None;
    return isOpenEnded(subject, option.usd.value, option.usd.high) ? Support::OpenEnd
                                                                   : Support::PublishedRuns;
}

} // namespace outlay::pricing
