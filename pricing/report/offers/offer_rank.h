// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which offers the plan allows, and in which order options come.
#pragma once

#include "pricing/report/option.h"
#include "pricing/report/run_hours.h"

#include <span>

namespace outlay::pricing {

/// The plan's providers, regions and software, looked up once; a region may carry its provider ("aws/us-east-1").
class Allowed {
public:
    Allowed(const core::Plan& plan, const PriceBook& book);

    [[nodiscard]] bool isAllowed(const OfferRow& row) const
    {
        return m_isStackAllowed[row.machine] && (m_isAnyPlace || isPlaceAllowed(row));
    }
    /// By provider and region alone: for a machine that somebody named.
    [[nodiscard]] bool isPlaceAllowed(const OfferRow& row) const;

private:
    enum class Regions : std::uint8_t { None, All, OfProviders };

    const core::Plan& m_plan;
    const PriceBook& m_book;
    bool m_isAnyPlace = false;
    std::vector<bool> m_isStackAllowed;    // by machine
    std::vector<bool> m_isProviderAllowed; // the same
    std::vector<Regions> m_regions;        // by region
};

/// How an option stands, the better first: the order of groups in the ranking.
enum class Standing : std::uint8_t { InTime, Late, MayFit, NotAllowed, TooSmall, Unknown };

/// Of a ranked list those that stand so.
[[nodiscard]] std::span<const Option> optionsOf(std::span<const Option> ranked, Standing standing);

/// What the job asks of one kind of machine.
struct JobOn {
    core::Fits fits = core::Fits::Unknown;
    bool hasTime = false;
    /// Hours that are paid for, of all instances where it takes several; on spot with its interruptions.
    HoursRange hours;
    HoursRange spotHours;
    HoursRange committedHours;
    bool fillsCommitment = true;
    double besidesUsd = 0; // whatever the machine costs: a load balancer before several instances
    bool meetsDeadline = true;
    bool meetsDeadlineOnSpot = true;
    std::optional<double> hostBytes; // of the machine's own memory, beside its devices
    double lateness = 0;             // what a run or a request takes, as compared with other kinds
    bool isTooLong = false;          // for a plan
    bool isTooLongOnSpot = false;
};

/// All offers, for the job on each of the kinds of `Catalogs::devices`. First what fits, is allowed and holds its deadline,
/// as `ranked()` orders it; then what misses the deadline, what may fit, what isn't allowed, what doesn't
/// fit, and what has no price or time.
[[nodiscard]] std::vector<Option> rankedOptions(const Subject& subject,
                                                std::span<const JobOn> jobs);

} // namespace outlay::pricing
