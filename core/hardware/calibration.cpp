// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/calibration.h"

#include "core/base/resources.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr std::string_view CalibrationFile = "calibration.json";

// Shares of nothing would make times infinite.
constexpr double LeastShare = 0.001;
constexpr double MostUs = 1e6;
constexpr double MostSpread = 1000;

Field share(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = LeastShare, .high = 1};
}

Field amount(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = 0, .high = MostUs};
}

Field factor(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = 1, .high = MostSpread};
}

} // namespace

const GenerationRates& Calibration::ratesOf(std::string_view generation) const
{
    const auto found = std::find_if(generations.begin(), generations.end(), [&](const auto& rates) {
        return rates.generation == generation;
    });
    return found == generations.end() ? generations.front() : *found;
}

void describe(FieldVisitor& v, GenerationRates& r)
{
    v.text({.key = "generation", .what = "generation", .presence = Presence::Required},
           r.generation);
    v.number(share("fp32", "attainable share of the fp32 rate"), r.fp32Share);
    v.number(share("tf32", "attainable share of the tf32 rate"), r.tf32Share);
    v.number(share("half", "attainable share of the 16-bit rate"), r.halfShare);
    v.number(share("memory", "attainable share of the bandwidth"), r.memoryShare);
    v.number(amount("launch_us", "time from kernel to kernel"), r.launchUs);
    v.number(amount("step_us", "time from step to step of a recurrence"), r.stepUs);
    v.number(amount("rows_to_half", "rows of a recurrent product to reach half of the share"),
             r.rowsToHalf);
    v.number(share("score_traffic", "traffic of attention's scores"), r.scoreTraffic);
    v.flag({.key = "fitted", .what = "fitted to published runs"}, r.isFitted);
}

void describe(FieldVisitor& v, Spreads& s)
{
    v.number(factor("matrix", "of matrix products"), s.matrix);
    v.number(factor("recurrent", "of recurrences"), s.recurrent);
    v.number(factor("decode", "of generated tokens"), s.decode);
    v.number(factor("per_doubling", "for each doubling of devices"), s.perDoubling);
    v.number(factor("unfitted", "without published runs"), s.unfitted);
    v.number(factor("whole_run", "more at the upper end of a whole run"), s.wholeRun);
    v.number(factor("scaled_base", "of a scaled measurement"), s.scaledBase);
    v.number(factor("scaled_per_fold", "for each e-fold of scaling"), s.scaledPerFold);
}

void describe(FieldVisitor& v, Calibration& c)
{
    v.text({.key = "how", .what = "how it was got", .presence = Presence::Required}, c.how);
    v.text({.key = "as_of", .what = "date", .presence = Presence::Required}, c.asOf);
    v.list({.key = "generations", .what = "generations", .presence = Presence::Required},
           c.generations);
    v.number(amount("rows_to_half", "rows to reach half of the share"), c.rowsToHalf);
    v.number(amount("width_to_half", "width to reach half of the share"), c.widthToHalf);
    v.number(share("cpu_size_share", "of these two on a CPU"), c.cpuSizeShare);
    v.number(share("recurrent_share", "share inside a recurrence"), c.recurrentShare);
    v.number(factor("cache_gain", "gain of a cache"), c.cacheGain);
    v.number(amount("step_overhead_ms", "overhead of a step"), c.stepOverheadMs);
    v.number(share("decode_launch_share", "launches when generating"), c.decodeLaunchShare);
    v.number(share("exposed_exchange", "exchange that nothing hides"), c.exposedExchange);
    v.number(share("link_share", "share of a link"), c.linkShare);
    v.number(amount("exchange_latency_us", "latency of an exchange"), c.exchangeLatencyUs);
    v.number(amount("network_gb_per_s", "network of a device"), c.networkGbPerS);
    v.number(amount("devices_per_node", "devices in a node"), c.devicesPerNode);
    v.number(amount("loss_per_doubling", "loss for each doubling"), c.lossPerDoubling);
    v.number(share("usable_memory", "usable share of the memory"), c.usableMemory);
    v.number(share("idle_share_of_tdp", "idle share of the power"), c.idleShareOfTdp);
    v.number(share("compute_power", "power while products run"), c.computePower);
    v.number(share("memory_power", "power while bytes move"), c.memoryPower);
    v.objects({.key = "spreads", .what = "spreads"},
              {ObjectList::Form::OneOrNull, [] { return std::size_t{1}; }, [](std::size_t) {},
               [&](std::size_t, FieldVisitor& inner) { describe(inner, c.spreads); }});
}

Result<Calibration> readCalibration(std::string_view text, std::string_view fileName)
{
    const auto json = readJson(text);
    if (!json)
        return tl::unexpected<Error>(json.error().in(fileName));
    Calibration result;
    FieldReader reader(*json, "");
    describe(reader, result);
    if (result.generations.empty())
        reader.fail("generations", "no generation is calibrated", "give at least one");
    if (const auto outcome = reader.outcome(); !outcome)
        return tl::unexpected<Error>(outcome.error().in(fileName));
    return result;
}

const Result<Calibration>& calibration()
{
    static const Result<Calibration> Read =
        readCalibration(resource(CalibrationFile), CalibrationFile);
    return Read;
}

} // namespace outlay::core
