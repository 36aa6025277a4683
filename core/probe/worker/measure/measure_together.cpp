// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/measure/measure_together.h"

#include "core/base/text.h"
#include "core/probe/host/meeting.h"
#include "core/probe/worker/measure/group_member.h"
#include "core/probe/worker/measure/parts.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr std::string_view Phase = "together";

Error failed(const std::string& what, const std::string& remedy)
{
    return {ErrorCode::Measurement, what, remedy};
}

Result<void> checkPossible(const Bench& bench, const Together& together)
{
    constexpr const char* Without = "measure on each machine without --together";
    constexpr double Share = 0.8;
    const auto count = static_cast<std::int64_t>(together.hosts.size());
    if (count < 2 || together.rank >= count)
        return tl::unexpected<Error>(failed("a group of machines has a place too few", Without));
    if (!hasProcessGroups())
        return tl::unexpected<Error>(failed("this worker was built without Gloo", Without));
    if (!bench.device.is_cpu())
        return tl::unexpected<Error>(failed("machines train together on CPUs only", Without));
    if (!fitsHere(bench.job, Share)) // in what the one that was measured alone has left
        return tl::unexpected<Error>(
            failed("the design doesn't fit a second time in memory", Without));
    return {};
}

} // namespace

Result<ProcessesMeasurement> measureTogether(const Bench& bench, const Together& together,
                                             double stepS)
{
    if (const auto possible = checkPossible(bench, together); !possible)
        return failureOf(possible);
    bench.tick(Phase, 0);
    Meeting meeting(bench.channel);
    const auto count = static_cast<int>(together.hosts.size());
    const std::string address = together.address.empty() ? ownAddress() : together.address;
    try {
        const auto group = joinGroup({.rank = static_cast<int>(together.rank),
                                      .count = count,
                                      .meeting = &meeting,
                                      .address = address});
        ProcessesMeasurement m =
            measureMember(bench.job,
                          {.rank = static_cast<int>(together.rank),
                           .count = count,
                           .aloneStepS = stepS,
                           .tick = [&](std::int64_t step) { bench.tick(Phase, step); }},
                          *group);
        m.hosts = together.hosts;
        const auto fit = fitExchange(m.exchange, count);
        if (!fit || m.stepS <= 0)
            return tl::unexpected<Error>(
                failed("the exchanges between the machines make no sense", "measure again"));
        m.latencyS = fit->latencyS;
        m.bytesPerS = fit->bytesPerS;
        m.miss = fit->miss;
        return m;
    } catch (const std::exception& error) {
        return tl::unexpected<Error>(
            failed("the machines lost each other (at " + address + ": " +
                       printable(error.what(), 160) + ")",
                   "see that they reach each other by TCP, or name the address that others reach "
                   "this one by as \"environment\": [\"OUTLAY_ADDRESS=...\"] of its profile"));
    }
}

} // namespace outlay::worker
