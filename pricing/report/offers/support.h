// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the forecast of an offer rests on.
#pragma once

#include "pricing/report/option.h"
#include "pricing/report/subject.h"

namespace outlay::pricing {

/// `OpenEnd`: of a service that takes several times as many machines at the slow end as in the middle; `NoneOpenEnd`: and
/// no runs support that.
enum class Support : std::uint8_t { PublishedRuns, OwnMachine, None, OpenEnd, NoneOpenEnd };

/// What has as little gives way to what has more.
[[nodiscard]] constexpr bool isWeak(Support support)
{
    return support >= Support::None;
}

[[nodiscard]] constexpr bool hasOpenEnd(Support support)
{
    return support >= Support::OpenEnd;
}

/// So many times what is expected is no end of an interval that anything is held against.
inline constexpr double OpenEndTimes = 4;

/// Whether a service may cost several times as much at its slow end. A cautious plan goes by that itself.
[[nodiscard]] bool isOpenEnded(const Subject& subject, double usd, double highUsd);

/// Of a training. Processors have constants of their own, which what is measured here corrects.
[[nodiscard]] Support trainingSupport(const Subject& subject, const Option& option);
/// Of a service. llama.cpp has kernels of its own for processors, of which three published rows are known.
[[nodiscard]] Support servingSupport(const Subject& subject, const Option& option);

} // namespace outlay::pricing
