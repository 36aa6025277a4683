// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/run_hours.h"

#include "core/base/units.h"
#include "pricing/report/assumption.h"
#include "pricing/report/plan_hours.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula PaidHoursFormula{"run.hours", "{0} h + {1} h to start"};
constexpr Formula SpotFormula{
    "run.hours.spot",
    "{0} h x (1 + {1} interruptions an hour x {2} h lost by each) + {3} h to start"};

constexpr Formula CommittedFormula{"run.hours.committed",
                                   "{0} h of a month, used or not, by {1} runs"};

constexpr double MinutesPerHour = 60;
/// Interruptions come in bursts: from none to this many times the rate.
constexpr double MostInterruptions = 4;

} // namespace

RunHours::RunHours(const Subject& subject)
    : m_startupHours(valueOf(subject, StartupMinutes) / MinutesPerHour),
      m_interruptionsPerHour(valueOf(subject, SpotInterruptionsPerHour)),
      m_lostHours(valueOf(subject, CheckpointMinutes) / 2 / MinutesPerHour + m_startupHours),
      m_committedHours(HoursInMonth / std::max(1.0, subject.experiment.training.runsPerMonth)),
      m_runs(std::max(1.0, subject.experiment.training.runsPerMonth))
{
}

HoursRange RunHours::range(const Quantity& run, Purchase purchase) const
{
    const double lost = purchase == Purchase::Spot ? m_interruptionsPerHour * m_lostHours : 0;
    const double least = isCommitment(purchase) ? m_committedHours : 0;
    return {std::max(least, run.value() / SecondsPerHour * (1 + lost) + m_startupHours),
            std::max(least, run.low() / SecondsPerHour + m_startupHours),
            std::max(least, run.high() / SecondsPerHour * (1 + MostInterruptions * lost) +
                                m_startupHours)};
}

bool RunHours::fillCommitment(const HoursRange& run) const
{
    constexpr double Most = 0.5;
    return run.value >= Most * m_committedHours;
}

Quantity RunHours::hours(const Quantity& run, Purchase purchase) const
{
    if (!run.isAvailable())
        return Quantity::unavailable(Unit::Hours, run.how().note);
    const HoursRange r = range(run, purchase);
    if (isCommitment(purchase) && r.value <= m_committedHours)
        return Quantity::within(
            r.value, r.low, r.high, Unit::Hours, Basis::Forecast,
            how(CommittedFormula, {HoursInMonth, m_runs}, run.how().sentence()));
    const double plain = run.value() / SecondsPerHour;
    return Quantity::within(
        r.value, r.low, r.high, Unit::Hours, Basis::Forecast,
        purchase == Purchase::Spot
            ? how(SpotFormula, {plain, m_interruptionsPerHour, m_lostHours, m_startupHours},
                  run.how().sentence())
            : how(PaidHoursFormula, {plain, m_startupHours}, run.how().sentence()));
}

} // namespace outlay::pricing
