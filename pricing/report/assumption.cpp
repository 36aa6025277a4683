// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/assumption.h"

#include "core/base/units.h"

namespace outlay::pricing {

double valueOf(const Subject& subject, const Assumption& assumption)
{
    const double given = subject.assumed(assumption.name, assumption.byDefault);
    return given >= 0 ? given : assumption.byDefault;
}

double longestRunHours(const Subject& subject)
{
    constexpr double HoursADay = 24;
    return valueOf(subject, LongestRunDays) * HoursADay;
}

double runtimeBytesOn(const Subject& subject, const core::Device& device)
{
    return device.kind == core::DeviceKind::Cpu
               ? valueOf(subject, ServerlessRuntimeGb) * core::BytesPerGb
               : 0;
}

} // namespace outlay::pricing
