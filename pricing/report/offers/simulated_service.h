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
    bool keeps =
        false; // what is promised, or twice one's own time where that isn't kept even alone
};

struct SimulatedService {
    std::string why;                     // there is none
    std::string machine;                 // "aws g6.xlarge in us-east-1"
    std::size_t planned = 0;             // of the rows
    std::vector<SimulatedMachines> rows; // one fewer, if that is any, as planned, one more
    std::vector<core::ServiceSlice> day; // as planned
    core::Promises promises;
    bool isKeptAlone = true; // what is promised, by one request without others
    double requests = 0;     // that were simulated for the plan's number
    double days = 0;
    double machinesFormula = 0; // that the Report has

    [[nodiscard]] const SimulatedMachines& plan() const { return rows.at(planned); }
};

/// `machines`: in place of the Report's. Nothing where it is stopped.
[[nodiscard]] std::optional<SimulatedService> simulateService(
    const core::Experiment& experiment, const Catalogs& catalogs, const Report& report,
    std::optional<std::int64_t> machines = {}, const std::stop_token& stop = {});

[[nodiscard]] core::Json toJson(const SimulatedService& service);

} // namespace outlay::pricing
