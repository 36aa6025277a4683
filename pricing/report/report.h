// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The Report: everything that a person sees or a script reads of an experiment.
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/value.h"
#include "core/carbon/carbon.h"
#include "core/hardware/placement.h"
#include "core/probe/measurements.h"
#include "pricing/report/catalogs.h"
#include "pricing/report/correction.h"
#include "pricing/report/option.h"
#include "pricing/report/run_hours.h"
#include "pricing/report/scaling_report.h"
#include "pricing/report/served_by.h"

#include <optional>
#include <string>
#include <vector>

namespace outlay::pricing {

/// A layer in one forward pass over a training batch.
struct LayerRow {
    std::string name;
    std::string kind;
    std::int64_t parameters = 0;
    double flops = 0;
    double bytes = 0;
    std::optional<double>
        activationBytes; // nothing where a file says only how many weights there are
};

/// Memory of the weights in one precision.
struct WeightMemory {
    std::string precision;
    core::Quantity bytes;
};

struct ModelReport {
    std::string family;
    std::string convention;
    std::int64_t parameters = 0;
    double trainable = 0; // of these, or of adapters beside them
    std::string sizeClass;
    std::vector<WeightMemory> weights;
    std::vector<LayerRow> layers;
};

/// One accelerator that the plan asks about.
struct TrainingOn {
    std::string accelerator;
    std::int64_t count = 1;
    core::TrainingForecast forecast;
    core::Quantity kgCo2e;
};

/// The same machine by itself and in a managed service, for a training run.
struct ManagedRow {
    std::string service; // "ml.g4dn.xlarge"
    core::Quantity managedUsd;
    core::Quantity plainUsd;
    core::Quantity morePercent;
};

struct TrainingReport {
    OUTLAY_VALUE(TrainingReport);

    core::Method method = core::Method::Full;
    bool isQuantised = false;              // what isn't trained
    std::vector<std::string> trainedWhole; // layers beside the adapters
    double steps = 0;
    double samples = 0; // in an epoch
    bool isSamplesAssumed = false;
    bool hasTokens = true; // a sample is a sequence of them
    double flops = 0;
    double flopsPerStep = 0;
    core::Quantity here;          // seconds for the whole run on this machine
    core::Quantity hereProcessor; // seconds of processor time, which neighbours disturb less
    core::Quantity hereKwh;
    core::Quantity hereUsd;
    core::Quantity hereKgCo2e;
    core::Quantity parameters;
    core::Quantity trained; // bytes of those that training changes
    core::Quantity gradients;
    core::Quantity optimizer;
    core::Quantity activations;
    core::Quantity memory;
    core::Quantity memoryHere; // at its peak on this machine, measured
    Corrections
        corrections; // of the forecasts, by what was measured; none where those were taken as they were
    std::vector<core::TrainingForecast> forecasts; // one for each kind of machine of the book
    /// What was measured where it was, else what follows on paper.
    [[nodiscard]] const core::Quantity& bestMemory() const
    {
        return memoryHere.isAvailable() ? memoryHere : memory;
    }
    RunHours runHours;
    std::vector<Option> options; // ranked; those that don't fit or aren't allowed last
    std::vector<TrainingOn> on;
    Recommendation recommended;
    std::vector<ManagedRow> managed;
    core::PlacementAdvice placement; // CPU or GPU, with its factors
};

/// How many instances hold the traffic at its peak, and what a request then waits and takes.
struct Capacity {
    core::Quantity instances;
    core::Quantity p95Ms;
    core::Quantity firstTokenP95Ms; // where tokens are generated
    core::Quantity tokenP95Ms;      // of an answer's later ones on average; the same
    core::Quantity inFlight;        // on each, at the peak
    core::Quantity
        busySeconds; // of machines, for a request: those that are worked on together share them
    core::Quantity hours;      // of a month, of all that are paid by the hour
    double sustained = 1;      // of its speed, that a machine keeps up for hours
    bool holdsLatency = false; // and what else is promised
    bool holdsSurely = false;  // also at the upper ends
};

struct ServingOn {
    std::string accelerator;
    std::int64_t count = 1;
    core::ServingForecast forecast;
};

/// So much traffic on so many of the recommended instances.
struct ScalingRow {
    double requestsPerDay = 0;
    std::string instance;
    core::Quantity instances;
    bool needsLoadBalancer = false;
    core::Quantity p95Ms;
    core::Quantity usdPerMonth; // with the load balancer
    core::Quantity loadBalancerUsd;
};

/// Serverless, an instance, the edge: what a month of the experiment's traffic costs in each.
struct ServingWay {
    std::string name;
    core::Quantity usdPerMonth;
    core::Quantity usdPerMillion;
    std::string why;
    core::Quantity latencyMs; // of a request, where it isn't the recommended machine's
    core::Quantity p95Ms;     // the same
    double lateness = 0;      // how many times what is promised; of a function
    bool holdsLatency = true; // of 95 % of the requests
};

/// The same published weights, sold by the token.
struct HostedRow {
    std::string provider;
    std::string model;
    std::string weights;
    std::string checked; // the day on which somebody compared the price; empty: never
    Trust trust = Trust::Fresh;
    core::Quantity usdPerMonth; // of the experiment's traffic
    core::Quantity usdPerRequest;
};

/// Rent or buy tokens: from which traffic on a machine costs less.
struct HostedReport {
    std::vector<HostedRow> rows;   // believed ones first, then cheapest first
    std::string why;               // there are none
    core::Quantity crossingPerDay; // requests that one of the recommended machines costs as much as
    core::Quantity
        crossingShare; // of what it answers, percent: above 100 it is never the cheaper one

    /// The cheapest that is believed; null where there is none.
    [[nodiscard]] const HostedRow* best() const;
};

struct ServingReport {
    OUTLAY_VALUE(ServingReport);

    double promptFlops = 0;
    double requestsPerMonth = 0;
    double requestsPerDay = 0;
    double hoursPerMonth = 0; // that the service is on
    ServedBy by = ServedBy::Machines;
    core::Quantity tokenFlops; // one generated token; unavailable where none is generated
    core::Quantity memory;
    core::Quantity latencyMs; // of a request here
    core::Quantity p95Ms;     // the same
    /// Of the recommended machines, where they serve; null where none do.
    [[nodiscard]] const Capacity* plannedCapacity() const;
    /// Where the plan has it served; here where that isn't known.
    [[nodiscard]] const core::Quantity& plannedP95Ms() const;
    core::Quantity throughputPerS;
    core::Quantity usdPerMillion;
    std::vector<core::ServingForecast> forecasts; // one for each kind of machine of the book
    std::vector<Capacity> capacities;             // beside them
    std::vector<Option> options;
    std::vector<ServingOn> on;
    Recommendation recommended;
    std::vector<ServingWay> ways;
    HostedReport hosted;
    std::vector<ScalingRow> scaling;

    [[nodiscard]] const ServingWay* way(std::string_view name) const; // null where there is none
    /// Where no machine of one's own serves; null where one does, or nothing is known of the way.
    [[nodiscard]] const ServingWay* wayTaken() const;
};

struct MonthItem {
    std::string item; // training, inference, storage, transfer, idle, ...
    core::Quantity usd;
};

struct EnvironmentRow {
    std::string name;
    std::string offer;
    double hours = 0; // of all its machines in a month
    core::Quantity usd;
    std::optional<core::OfferChoice> choice; // that the price is of
};

struct SplitRow {
    std::string provider;
    double percent = 0;
    core::Quantity usd;
};

struct MonthReport {
    std::vector<MonthItem> items;
    core::Quantity total;
    std::vector<std::string> lacking; // items that the total doesn't hold
    std::vector<EnvironmentRow> environments;
    std::vector<SplitRow> split;
};

struct EfficiencyPart {
    std::string name;     // compute, batching, money, carbon
    core::Quantity score; // 0 to 100; unavailable where it can't be known
    double weight = 0;
    std::string why;
    std::string remedy;  // "spot machines"; empty where nothing is known to raise it by much
    core::Quantity with; // the score once that is done; unavailable where nobody can say
};

struct EfficiencyReport {
    core::Quantity score;
    std::string band; // excellent, good, needs-improvement; empty without a score
    std::vector<EfficiencyPart> parts;
};

/// What this design uses of what there is, or takes of what is allowed.
struct Benchmark {
    std::string metric;
    core::Quantity value;
    core::Quantity reference;
    bool isLowerBetter = true;
    std::string source;
};

struct CarbonReport {
    core::Quantity
        kwh; // of one training run on the offer that is planned; here where there is none
    core::Quantity kgCo2e;
    std::string place; // whose grid that is: "aws/us-east-1", a country, or empty for here
    core::Quantity monthKgCo2e;
    std::vector<std::string> monthLacks; // "serving"
    core::Quantity offsetUsd;
    core::Quantity embodiedKgCo2e; // always apart
    std::string gridBasis;
    std::vector<core::Equivalent> equivalents;
    std::vector<core::RegionCarbon> elsewhere;
    std::vector<core::HourCarbon> hours;
};

enum class AdviceCategory { Training, Model, Inference, Deployment };
inline constexpr std::array<std::string_view, 4> AdviceCategoryNames{"training", "model",
                                                                     "inference", "deployment"};
enum class Level { Low, Medium, High };
inline constexpr std::array<std::string_view, 3> LevelNames{"low", "medium", "high"};

/// What a saving may be of: money and emissions of a month, or time on this machine.
enum class SavedThing : std::uint8_t { Money, Time, Carbon };

inline constexpr std::array<std::string_view, 3> SavedThingNames{"money", "time", "carbon"};

/// What a change makes hold that doesn't hold without it; what matters more comes later.
enum class Enables : std::uint8_t { Nothing, Budget, Latency, Deadline, Fit };

inline constexpr std::array<std::string_view, 5> EnablesNames{"nothing", "budget", "latency",
                                                              "deadline", "fit"};
/// What is said of the change; empty for nothing.
[[nodiscard]] constexpr std::string_view textOf(Enables enables)
{
    constexpr std::array<std::string_view, 5> Texts{"", "brings it within the budget",
                                                    "lets it answer in time", "lets it end in time",
                                                    "makes it possible at all"};
    return Texts.at(static_cast<std::size_t>(enables));
}

struct AdviceRow {
    std::string id;
    std::string title;
    AdviceCategory category = AdviceCategory::Training;
    Level priority = Level::Low;
    Level effort = Level::Low;
    core::Quantity savingUsd; // a month
    core::Quantity savingPercent;
    core::Quantity savingKgCo2e;
    core::Quantity
        savingTimeS; // of a run on this machine; of a request, where requests are what gets faster
    core::Quantity savingTimePercent;
    bool isTimeOfRequest = false;
    SavedThing most = SavedThing::Money; // what it saves the largest part of
    double share = 0;                    // and how large a part
    Enables enables = Enables::Nothing;  // comes before whatever it saves
    bool isReluctant = false;            // others of its priority come first
    std::string why;
    core::Json patch; // JSON Patch on the experiment
    std::string codeCpp;
    std::string codePython;
};

/// What the figures here are from; where nothing is of this design, the newest measurement there is.
struct ProbeReport {
    core::MeasurementPtr training; // null where nothing is measured
    core::MeasurementPtr serving;  // the same, unless its requests were others
    core::MeasurementPtr variants; // of the same steps; null where none were tried
    core::Quantity step;           // seconds of a step, as the money counts them
    bool isOfDesign = false;       // of what the experiment is now, wherever it was made
    bool isHere = false;           // made on this machine
    bool isCurrent = false;        // both: a probe would measure just this again
    std::size_t unread = 0;        // measurements that can't be read
};

/// A machine that was measured on: this one, or another.
struct HostRow {
    std::string name;                 // of its profile; empty for this machine
    core::MeasurementPtr measurement; // the newest of just these steps, else of anything
    bool isOfDesign = false;          // of just these steps
    core::Quantity step;
    core::Quantity run; // the whole training
    core::Quantity usd; // what that costs there
};

/// Another way to run the design, as the newest measurement of it found out.
struct VariantRow {
    std::string variant; // kind
    std::string what;    // that kind is
    std::string name;
    std::string subject;        // "training", "request", "generation"
    core::Quantity timeRatio;   // over the plain way's: below 1 is faster
    core::Quantity memoryRatio; // of the growth of the process
    std::optional<double> difference;
    std::string proof;
};

struct AlertRow {
    std::string name;
    core::Quantity threshold;
    core::Quantity projected;
    std::string state; // ok, near, exceeded, unknown; below, of a limit that is a floor
    std::string whatToDo;
};

struct RiskRow {
    std::string name;
    std::string why; // computed for this design
    Level level = Level::Low;
    std::string whatToDo;
};

/// A default that the Report relied on.
struct AssumptionRow {
    std::string pointer;
    core::Json value;
    std::string source;
};

struct Provenance {
    std::string method;      // version of the method
    std::string program;     // version of Outlay
    std::string date;        // the day that ages are counted from
    std::string measurement; // when and where the one that is used was made; empty without one
    std::vector<DataRow> data;
};

struct Report {
    OUTLAY_VALUE(Report);

    std::string name;
    core::Plan plan; // what the options were held against
    core::GridBasis gridBasis = core::GridBasis::Location;
    ModelReport model;
    TrainingReport training;
    ServingReport serving;
    ScalingReport scaling;
    MonthReport month;
    CarbonReport carbon;
    EfficiencyReport efficiency;
    std::vector<Benchmark> benchmarks;
    std::vector<AdviceRow> advice; // the first of them first
    // Of an experiment before: what takes longest comes a moment later.
    bool isGrowthOld = false; // `scaling`
    bool isAdviceOld = false;
    ProbeReport probe;
    std::vector<HostRow> hosts; // the fastest first; none unless another machine was measured on
    std::vector<VariantRow> variants;
    std::vector<AlertRow> alerts;
    std::vector<RiskRow> risks;
    std::vector<AssumptionRow> assumptions;
    Provenance provenance;
};

[[nodiscard]] core::Json toJson(const core::Quantity& figure);

/// What `/training/options` and `/serving/options` hold: what one would choose from, or all there is.
enum class Listed { Shortlist, All };
[[nodiscard]] core::Json toJson(const Report& report, const Catalogs& catalogs,
                                Listed listed = Listed::Shortlist);

} // namespace outlay::pricing
