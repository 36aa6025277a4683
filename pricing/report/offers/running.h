// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// When the machines of a service run: all hours that it is on, as requests ask for them, or until those of a day are done.
#pragma once

#include "pricing/report/offers/capacity.h"

namespace outlay::pricing {

/// A day's requests that are answered at once come evenly, and have the day for it; others as the plan says.
[[nodiscard]] core::Promises promisedIn(const core::Experiment& experiment);

/// Of the requests, how many would wait for a machine to start where machines run with the traffic.
[[nodiscard]] double coldShare(const Subject& subject);
inline constexpr double MostCold = 0.05; // as many as may be late

/// Whether all is assumed alike that tells what machines answer, and when they run.
[[nodiscard]] bool assumeAlike(const core::Experiment& a, const core::Experiment& b);

/// Whether machines of a service need as many hours of both: with other prices, or in another place.
[[nodiscard]] bool runsAlike(const core::Experiment& a, const core::Experiment& b);

class RunningHours {
public:
    explicit RunningHours(const Subject& subject);

    /// Adds what is paid by the hour for so much of the traffic; what then waits for a machine to start is in its times.
    void add(Capacity& capacity, const Traffic& traffic) const;

private:
    /// Of a month, where so many are needed at the peak.
    [[nodiscard]] double withTraffic(double instances, double perS) const;
    /// For those that run with the traffic; they are no busier than they run.
    void addStarts(Capacity& capacity, const Traffic& traffic) const;
    void addAtOnce(Capacity& capacity) const;

    core::Running m_running;
    double m_hoursPerMonth = 0; // that the service is on
    double m_daysPerMonth = 0;
    double m_requestsPerMonth = 0;
    double m_startS = 0;
    double m_waitS = 0;
    std::vector<double> m_rates; // through the day, over the mean
    double m_peak = 1;
    double m_meanPerS = 0;
};

} // namespace outlay::pricing
