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

constexpr Formula MachinesFormula{"run.hours.machines", "{0} machines x {1} h"};
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

HoursRange RunHours::range(const Quantity& run, Purchase purchase, std::int64_t machines) const
{
    // All wait for the one that is taken back.
    const double lost =
        purchase == Purchase::Spot ? real(machines) * m_interruptionsPerHour * m_lostHours : 0;
    return {run.value() / SecondsPerHour * (1 + lost) + m_startupHours,
            run.low() / SecondsPerHour + m_startupHours,
            run.high() / SecondsPerHour * (1 + MostInterruptions * lost) + m_startupHours};
}

HoursRange RunHours::paid(const HoursRange& taken, Purchase purchase, std::int64_t machines) const
{
    const double count = real(machines);
    if (!isCommitment(purchase))
        return {count * taken.value, count * taken.low, count * taken.high};
    // Of as many sets of them as the month's runs take.
    const auto shared = [&](double hours) {
        const double sets = std::max(1.0, std::ceil(m_runs * hours / HoursInMonth));
        return count * (m_runs > 0 ? HoursInMonth * sets / m_runs : HoursInMonth);
    };
    return {shared(taken.value), shared(taken.low), shared(taken.high)};
}

Quantity RunHours::paid(const Quantity& taken, Purchase purchase, std::int64_t machines) const
{
    if (!taken.isAvailable() || (!isCommitment(purchase) && machines == 1))
        return taken;
    const HoursRange r = paid({taken.value(), taken.low(), taken.high()}, purchase, machines);
    return Quantity::within(
        r.value, r.low, r.high, Unit::Hours, Basis::Forecast,
        isCommitment(purchase)
            ? how(CommittedFormula, {r.value * m_runs, m_runs}, taken.how().sentence())
            : how(MachinesFormula, {real(machines), taken.value()}, taken.how().sentence()));
}

bool RunHours::fillCommitment(const HoursRange& taken) const
{
    constexpr double Most = 0.5;
    return m_runs * taken.value >= Most * HoursInMonth;
}

Quantity RunHours::hours(const Quantity& run, Purchase purchase, std::int64_t machines) const
{
    if (!run.isAvailable())
        return Quantity::unavailable(Unit::Hours, run.how().note);
    const HoursRange r = range(run, purchase, machines);
    const double plain = run.value() / SecondsPerHour;
    return Quantity::within(
        r.value, r.low, r.high, Unit::Hours, Basis::Forecast,
        purchase == Purchase::Spot
            ? how(SpotFormula,
                  {plain, real(machines) * m_interruptionsPerHour, m_lostHours, m_startupHours},
                  run.how().sentence())
            : how(PaidHoursFormula, {plain, m_startupHours}, run.how().sentence()));
}

} // namespace outlay::pricing
