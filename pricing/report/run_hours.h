// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The hours of a machine that a training run takes: the run, its start, what spot adds; and those that are paid.
#pragma once

#include "pricing/report/subject.h"

namespace outlay::pricing {

struct HoursRange {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// Of hours or money, what the plan goes by.
template <typename Range>
[[nodiscard]] constexpr double judged(const Range& range, core::Risk risk)
{
    return risk == core::Risk::Cautious ? range.high : range.value;
}

[[nodiscard]] inline double judged(const core::Quantity& figure, core::Risk risk)
{
    return risk == core::Risk::Cautious ? figure.high() : figure.value();
}

[[nodiscard]] constexpr bool isCommitment(core::Purchase purchase)
{
    return purchase == core::Purchase::Reserved1y || purchase == core::Purchase::Reserved3y;
}

/// What is paid for all hours isn't stopped.
[[nodiscard]] inline core::Running runningOf(const core::Plan& plan, core::Purchase purchase)
{
    return plan.running == core::Running::WithTraffic && isCommitment(purchase)
               ? core::Running::Always
               : plan.running;
}

class RunHours {
public:
    RunHours() = default;
    explicit RunHours(const Subject& subject);

    /// Of each run, before its first step.
    [[nodiscard]] double startupHours() const { return m_startupHours; }
    /// By the clock, on so many machines, each of which may be taken back. Without words, for loops over all offers; `run`
    /// is available.
    [[nodiscard]] HoursRange range(const core::Quantity& run, core::Purchase purchase,
                                   std::int64_t machines) const;
    /// The same as a figure that says what is in it.
    [[nodiscard]] core::Quantity hours(const core::Quantity& run, core::Purchase purchase,
                                       std::int64_t machines) const;
    /// Hours of machines that are paid for a run that takes so many: of a commitment all of its month, shared by the runs.
    [[nodiscard]] HoursRange paid(const HoursRange& taken, core::Purchase purchase,
                                  std::int64_t machines) const;
    [[nodiscard]] core::Quantity paid(const core::Quantity& taken, core::Purchase purchase,
                                      std::int64_t machines) const;
    /// Whether the runs use most of what a commitment pays for.
    [[nodiscard]] bool fillCommitment(const HoursRange& taken) const;

private:
    double m_startupHours = 0;
    double m_interruptionsPerHour = 0;
    double m_lostHours = 0; // by each interruption
    double m_runs = 0;      // a month
};

} // namespace outlay::pricing
