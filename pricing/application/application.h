// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// An application for compute time, as centres ask for it: how much, and what shows that it is enough.
#pragma once

#include "core/experiment/experiment.h"
#include "pricing/application/centres.h"
#include "pricing/report/report.h"

namespace outlay::pricing {

inline constexpr std::int64_t MostRuns = 1'000'000;
inline constexpr std::int64_t MostDevices = 4096;
inline constexpr double MostReserve = 1000; // percent

struct ApplicationRequest {
    std::string centre; // its id; empty: on the machine that the experiment's plan comes to
    std::optional<std::int64_t> devices; // not given: as planned, or the fewest that hold it
    std::int64_t runs = 1;
    double reservePercent = 10; // for runs that fail or have to be done again

    bool operator==(const ApplicationRequest&) const = default;
};
[[nodiscard]] core::Result<void> check(const ApplicationRequest& request);

/// One run on so many devices.
struct ApplicationRow {
    std::int64_t devices = 1;
    std::int64_t nodes = 1;
    bool isAsked = false;
    core::Quantity hours; // by the clock
    core::Quantity speedUp;
    core::Quantity efficiency;  // of the devices, percent
    core::Quantity deviceHours; // or of cores
    core::Quantity units;       // that the centre charges
};

/// What was timed, where and by what.
struct MeasuredStep {
    core::Quantity step;      // seconds
    core::Quantity run;       // the whole training by it
    core::Quantity coreHours; // of that, where processors were measured
    std::string by; // "outlay-probe on AMD EPYC 7B13, 2 threads, 2026-11-20"; empty: nothing
};

/// What the application itself takes for granted.
struct ApplicationTerm {
    std::string what;
    std::string value;
    std::string source;
};

struct Application {
    std::string name;
    std::string model; // "transformer, 6,738,415,616 parameters, trained whole"
    std::string work;  // "35,200 steps over 100,000 samples"
    std::string place; // "LUMI-G (CSC for EuroHPC)"
    std::string device;
    std::string why;       // nothing can be asked for; else empty
    std::string hoursName; // "GPU-hours"
    std::string unit;      // what is asked for in: the same, or the centre's
    std::int64_t devices = 1;
    std::int64_t nodes = 1;
    std::int64_t runs = 1;
    double reservePercent = 0;
    core::Quantity asked;       // in the unit, for all runs with the reserve
    core::Quantity deviceHours; // the same in hours of devices
    core::Quantity hours;       // one run by the clock
    core::Quantity step;        // on these devices
    MeasuredStep measured;
    std::vector<ApplicationRow> rows;
    std::int64_t base =
        0; // devices of the first row that is available, which are as fast as their number
    core::Quantity memory; // bytes on one device
    double memoryGb = 0;   // that it has; 0: not known
    core::Fits fits = core::Fits::Unknown;
    core::Quantity checkpoint;  // bytes of one
    core::Quantity checkpoints; // of all that are kept, of all runs
    core::Quantity dataset;
    core::Quantity kwh; // of the devices, for all that is asked for
    core::Quantity kgCo2e;
    std::vector<ApplicationTerm> terms;
    std::vector<AssumptionRow> assumptions; // of the Report, those that these figures rest on
    std::string provenance;

    /// In another unit than hours of devices.
    [[nodiscard]] bool isCharged() const { return unit != hoursName; }
};

/// `report` is of the experiment. A centre that nobody knows is an error, and so are numbers out of range.
[[nodiscard]] core::Result<Application> makeApplication(const core::Experiment& experiment,
                                                        const Report& report,
                                                        const Catalogs& catalogs,
                                                        const ApplicationRequest& request);

/// Amounts that are forecast are shown with three digits: nobody knows more of them.
[[nodiscard]] double toThreeDigits(double value);

} // namespace outlay::pricing
