// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/run_hours.h"

#include "core/base/units.h"
#include "pricing/report/assumption.h"
#include "pricing/report/plan_hours.h"

#include <algorithm>
#include <cmath>

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
      m_runs(subject.experiment.training.runsPerMonth)
{
}

HoursRange RunHours::range(const Quantity& run, Purchase purchase) const
{
    const double lost = purchase == Purchase::Spot ? m_interruptionsPerHour * m_lostHours : 0;
    return {run.value() / SecondsPerHour * (1 + lost) + m_startupHours,
            run.low() / SecondsPerHour + m_startupHours,
            run.high() / SecondsPerHour * (1 + MostInterruptions * lost) + m_startupHours};
}

HoursRange RunHours::paid(const HoursRange& taken, Purchase purchase) const
{
    if (!isCommitment(purchase))
        return taken;
    // Of as many machines as the month's runs take.
    const auto shared = [&](double hours) {
        const double machines = std::max(1.0, std::ceil(m_runs * hours / HoursInMonth));
        return m_runs > 0 ? HoursInMonth * machines / m_runs : HoursInMonth;
    };
    return {shared(taken.value), shared(taken.low), shared(taken.high)};
}

Quantity RunHours::paid(const Quantity& taken, Purchase purchase) const
{
    if (!isCommitment(purchase) || !taken.isAvailable())
        return taken;
    const HoursRange r = paid({taken.value(), taken.low(), taken.high()}, purchase);
    return Quantity::within(
        r.value, r.low, r.high, Unit::Hours, Basis::Forecast,
        how(CommittedFormula, {r.value * m_runs, m_runs}, taken.how().sentence()));
}

bool RunHours::fillCommitment(const HoursRange& taken) const
{
    constexpr double Most = 0.5;
    return m_runs * taken.value >= Most * HoursInMonth;
}

Quantity RunHours::hours(const Quantity& run, Purchase purchase) const
{
    if (!run.isAvailable())
        return Quantity::unavailable(Unit::Hours, run.how().note);
    const HoursRange r = range(run, purchase);
    const double plain = run.value() / SecondsPerHour;
    return Quantity::within(
        r.value, r.low, r.high, Unit::Hours, Basis::Forecast,
        purchase == Purchase::Spot
            ? how(SpotFormula, {plain, m_interruptionsPerHour, m_lostHours, m_startupHours},
                  run.how().sentence())
            : how(PaidHoursFormula, {plain, m_startupHours}, run.how().sentence()));
}

} // namespace outlay::pricing
