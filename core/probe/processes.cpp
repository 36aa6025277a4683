// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/processes.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// t = a + b x, where each (a + b x) / t should be one.
struct Line {
    double a = 0;
    double b = 0;
};

Line relativeLine(const std::vector<ExchangeTiming>& timings)
{
    double ww = 0;
    double wx = 0;
    double xx = 0;
    double w1 = 0;
    double x1 = 0;
    for (const ExchangeTiming& t : timings) {
        const double w = 1 / t.seconds;
        const double x = t.bytes / t.seconds;
        ww += w * w;
        wx += w * x;
        xx += x * x;
        w1 += w;
        x1 += x;
    }
    const double determinant = ww * xx - wx * wx;
    if (!(determinant > 0))
        return {};
    const Line line{(w1 * xx - x1 * wx) / determinant, (ww * x1 - wx * w1) / determinant};
    // A start never takes less than nothing; then only the slope is left to fit.
    return line.a >= 0 ? line : Line{0, x1 / xx};
}

} // namespace

std::optional<ExchangeFit> fitExchange(const std::vector<ExchangeTiming>& timings,
                                       std::int64_t processes)
{
    const auto isSound = [](const ExchangeTiming& t) {
        return std::isfinite(t.bytes) && t.bytes >= 0 && std::isfinite(t.seconds) && t.seconds > 0;
    };
    if (processes < 2 || timings.size() < 2 ||
        !std::all_of(timings.begin(), timings.end(), isSound))
        return std::nullopt;
    const Line line = relativeLine(timings);
    if (!(line.b > 0))
        return std::nullopt;
    const auto count = static_cast<double>(processes);
    ExchangeFit fit{.latencyS = line.a / std::log2(count),
                    .bytesPerS = 2 * (count - 1) / count / line.b};
    for (const ExchangeTiming& t : timings) {
        const double ratio = (line.a + line.b * t.bytes) / t.seconds;
        if (ratio > 0)
            fit.miss = std::max({fit.miss, ratio, 1 / ratio});
    }
    return fit;
}

void describe(FieldVisitor& v, ExchangeTiming& t)
{
    v.number({"bytes", "bytes"}, t.bytes);
    v.number({"seconds", "time"}, t.seconds);
}

void describe(FieldVisitor& v, ProcessesMeasurement& p)
{
    v.integer({"processes", "number of processes"}, p.processes);
    v.texts({"hosts", "machines of the processes"}, p.hosts);
    v.number({"alone_step_s", "step of one process"}, p.aloneStepS);
    v.number({"step_s", "step of all together"}, p.stepS);
    v.number({"exchange_s", "exchange in it"}, p.exchangeS);
    v.integer({"steps", "number of steps"}, p.steps);
    v.number({"latency_s", "start of an exchange"}, p.latencyS);
    v.number({"bytes_per_s", "bytes in a second of an exchange"}, p.bytesPerS);
    v.number({"miss", "factor by which the fit misses at most"}, p.miss);
    v.list({"exchange", "exchanges"}, p.exchange);
}

} // namespace outlay::core
