// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The recommended machines through a simulated day, with one fewer and one more beside them: takes up to a second, so it
// is no part of a Report.
#pragma once

#include "core/service/simulation.h"
#include "pricing/report/report.h"

namespace outlay::pricing {

/// So many machines. Figures are of those who come near the peak.
struct SimulatedMachines {
    std::int64_t machines = 1;
    core::Quantity answerP95Ms;
    core::Quantity firstTokenP95Ms; // where tokens are generated
    core::Quantity tokenP95Ms;      // the same
    core::Quantity inFlight;        // on each
    core::Quantity busyPercent;     // of the hours that the service is on
    core::Quantity mostWaiting;     // for a place, on each
    core::Quantity usdPerMonth;
    /// A promise and what is held to: it, or twice one's own time where that isn't kept even alone. Of burstable machines
    /// also how busy they may be, in percent.
    struct Held {
        std::string_view what; // "answer", "first_token", "token", "busy"
        core::Quantity ms;
        double promisedMs = 0;
        double mostMs = 0;
    };
    std::vector<Held> held; // that there are
    /// As many as help: no further machine makes one alone faster. At the slow end of the forecast, too.
    [[nodiscard]] bool isEnough() const { return misses(&core::Quantity::value) == nullptr; }
    [[nodiscard]] bool isSurelyEnough() const { return misses(&core::Quantity::high) == nullptr; }
    /// What is promised, at that end.
    [[nodiscard]] bool keepsPromises(double (core::Quantity::*end)() const) const;
    /// The one that is missed most; null where all are kept.
    [[nodiscard]] const Held* misses(double (core::Quantity::*end)() const) const;
};

struct SimulatedService {
    std::string why;                     // there is none
    std::string machine;                 // "aws g6.xlarge in us-east-1"
    std::size_t planned = 0;             // of the rows
    std::vector<SimulatedMachines> rows; // one fewer, if that is any, as planned, one more
    std::vector<core::ServiceSlice> day; // as planned
    core::Promises promises;
    bool isKeptAlone = true; // what is promised, by one request without others
    bool isCautious = false; // the plan goes by the slow end
    double requests = 0;     // that were simulated for the plan's number
    double days = 0;

    [[nodiscard]] const SimulatedMachines& plan() const { return rows.at(planned); }
    /// As the plan wants it.
    [[nodiscard]] bool isEnough(const SimulatedMachines& row) const
    {
        return isCautious ? row.isSurelyEnough() : row.isEnough();
    }
};

/// `machines`: in place of the Report's. Nothing where it is stopped.
[[nodiscard]] std::optional<SimulatedService> simulateService(
    const core::Experiment& experiment, const Catalogs& catalogs, const Report& report,
    std::optional<std::int64_t> machines = {}, const std::stop_token& stop = {});

[[nodiscard]] core::Json toJson(const SimulatedService& service);

} // namespace outlay::pricing
