// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One offer as a place to train or to serve: what it would take there, and what is to be said of it.
#pragma once

#include "core/base/value.h"
#include "core/hardware/serving_forecast.h"
#include "pricing/prices_on.h"
#include "pricing/trust.h"

#include <cmath>

namespace outlay::pricing {

/// Compact, because there are thousands: words are made when one is looked at.
struct Option {
    std::uint32_t row = 0;      // of the price book
    std::uint32_t forecast = 0; // of the list beside it: one for each kind of machine
    UsdRange usd;               // the whole run; for serving, a month; only where `hasUsd`
    bool hasUsd = false;        // there is a price and a time
    core::Fits fits = core::Fits::Unknown;
    Trust trust = Trust::Fresh;
    bool isAllowed = true; // by the plan's providers, regions and software
    bool isWorthIt = true; // no commitment that is mostly paid for in vain
    bool meetsDeadline =
        true; // of the training; the latency of the serving; true where there is none
    bool isWithinBudget = true;
    float lateness = 0;     // what it takes, as compared with others
    bool isTooLong = false; // a training that nobody waits for, or answers
};

/// Whether one could buy it for this and rely on the figure: known to fit, allowed by the plan, with a time and
/// a price that isn't doubtful, and not for a term that is mostly paid for in vain or a run that
/// nobody waits for.
[[nodiscard]] inline bool isUsable(const Option& option)
{
    return option.hasUsd && std::isfinite(option.usd.value) && option.usd.value > 0 &&
           option.fits == core::Fits::Yes && option.isAllowed && option.isWorthIt &&
           option.trust != Trust::Doubtful && !option.isTooLong;
}
/// And it keeps what the plan promises: its deadline or latency, and its budget.
[[nodiscard]] bool keepsPlan(const Option& option);

/// What takes so many times as long as another is nearly as soon: a forecast hardly tells the two apart.
inline constexpr double Nearly = 1.25;

/// Nobody trains for days without accelerators: to name that as an answer would mislead.
[[nodiscard]] bool isPractical(const Machine& machine, double hours);

/// An option in words and figures, as it is shown and saved.
struct OptionText {
    Offer offer;
    core::Quantity hours;
    core::Quantity usd;
    core::Quantity kwh;
    core::Quantity workKwh; // of these, what the work draws
    core::Quantity idleKwh; // and what waiting for it does
    core::Quantity kgCo2e;
    core::Quantity memory;                    // bytes on one device
    std::optional<core::Quantity> hostMemory; // of each machine, where something waits there
    core::Quantity instances;                 // that hold the traffic, or train together
    std::string fits;                         // "yes", "no", "unknown"
    bool meetsDeadline = true;
    core::Layout layout;          // of a training, on all devices
    std::vector<std::string> why; // sentences
};

struct Recommendation {
    OUTLAY_VALUE(Recommendation);

    std::optional<Option> chosen;
    std::optional<OptionText> option;
    std::optional<OptionText> alternative;
    std::vector<std::string> reasons; // sentences; why nothing is recommended, if nothing is
    std::string risk;
};

} // namespace outlay::pricing
