// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/assumption.h"

#include "core/base/text.h"
#include "core/base/units.h"

namespace outlay::pricing {

std::string rangeOf(const Assumption& assumption)
{
    return (assumption.isAbove ? "above " : "from ") + core::plainNumber(assumption.least);
}

bool isTaken(const core::Json& given, const Assumption& assumption)
{
    return given.isNumber() && (assumption.isAbove ? given.number() > assumption.least
                                                   : given.number() >= assumption.least);
}

double valueOf(const Subject& subject, const Assumption& assumption)
{
    const core::Json* given = subject.experiment.assumptions.find(assumption.name);
    return given != nullptr && isTaken(*given, assumption) ? given->number() : assumption.byDefault;
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
