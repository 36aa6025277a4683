// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/here/serving_here.h"

#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "core/hardware/scaled_from.h"
#include "pricing/report/assumption.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula RequestPassFormula{"serving.here.pass",
                                     "median of {0} passes, 95 % within {1} ms"};
constexpr Formula TokensFormula{"serving.here.tokens",
                                "{0} ms to the first token + {1} x {2} ms; {3} passes were timed"};
constexpr Formula TailFormula{"serving.here.p95", "{0} ms x {1}"};
constexpr Formula CurveFormula{"serving.here.throughput", "{0} requests a second, {1} at once"};
constexpr Formula ScaledFormula{"serving.here.scaled",
                                "{0} ms measured x {1} by the ratio of roofline times"};
/// From one run of the same requests to the next.
constexpr double Again = 0.1;

double medianMs(const Measurement& m, double laterTokens)
{
    const InferenceMeasurement& i = m.inference;
    return laterTokens > 0 && i.firstTokenMs && i.tokenMs
               ? *i.firstTokenMs + laterTokens * *i.tokenMs
               : i.p50Ms;
}

/// Seconds of one request by the roofline.
double attainableS(const ServingDemand& demand, const Attainable& on)
{
    const double batch = static_cast<double>(std::max<std::int64_t>(demand.serving.batch, 1));
    return (forwardTime(demand.prompt, on).total() +
            demand.laterTokens * forwardTime(demand.token, on).total()) /
           batch;
}

/// Of requests one at a time, as they are timed.
ServingDemand singleDemand(const Model& model, const LayerKinds& layers, Serving serving)
{
    serving.batch = 1;
    return servingDemand(model, layers, serving);
}

std::string measuredNote(const Measurement& m)
{
    return "on " + m.machine.processor + ", " + m.created;
}

Quantity measuredLatency(const Subject& subject, const Measurement& m)
{
    const InferenceMeasurement& i = m.inference;
    const double later = subject.serving.laterTokens;
    const double value = medianMs(m, later);
    const bool isGenerated = later > 0 && i.firstTokenMs && i.tokenMs;
    return Quantity::within(
        value, value * (1 - Again), value * (1 + Again), Unit::Milliseconds, Basis::Measured,
        isGenerated
            ? how(TokensFormula, {*i.firstTokenMs, later, *i.tokenMs, static_cast<double>(i.count)},
                  measuredNote(m))
            : how(RequestPassFormula, {static_cast<double>(i.count), i.p95Ms}, measuredNote(m)));
}

Quantity scaledLatency(const Subject& subject, const Measurement& m)
{
    const Calibration& c = subject.catalogs.calibration();
    const Attainable on = attainableHere(m.machine, c);
    const Serving& then = m.servingSettings;
    const ServingPrecision precision = subject.experiment.serving.precision;
    if (!on.isKnown())
        return Quantity::unavailable(Unit::Milliseconds,
                                     "the design has changed since it was measured, and the "
                                     "machine's rates weren't; `outlay probe` measures again");
    if (then.precision != precision && m.askedServing.precision == precision)
        return Quantity::unavailable(Unit::Milliseconds,
                                     "the worker can't serve in this precision here, and measured "
                                     "in another; fp32 and bf16 can be measured");
    if (then.precision != precision)
        return Quantity::unavailable(Unit::Milliseconds,
                                     "measured in another precision, which can't be scaled; "
                                     "`outlay probe` measures again");
    const ServingDemand before = singleDemand(m.model, expand(m.model), then);
    const ServingDemand now =
        singleDemand(subject.experiment.model, subject.kinds, subject.experiment.serving);
    const double ratio = attainableS(now, on) / attainableS(before, on);
    const double measured = medianMs(m, before.laterTokens);
    const double folds = std::abs(std::log(ratio));
    const double factor = c.spreads.scaledBase * std::pow(c.spreads.scaledPerFold, folds);
    const double value = measured * ratio;
    return Quantity::within(value, value / factor, value * factor, Unit::Milliseconds,
                            Basis::Forecast,
                            how(ScaledFormula, {measured, ratio}, measuredNote(m)));
}

Quantity throughputOf(const Subject& subject, const MeasurementPtr& m, const Quantity& latencyMs)
{
    const std::int64_t batch = subject.experiment.serving.batch;
    if (m != nullptr && subject.serving.laterTokens <= 0) {
        for (const BatchThroughput& row : m->inference.throughput) {
            if (row.batch == batch && row.samplesPerS > 0)
                return Quantity::within(
                    row.samplesPerS, row.samplesPerS * (1 - Again), row.samplesPerS * (1 + Again),
                    Unit::SamplesPerSecond, Basis::Measured,
                    how(CurveFormula, {row.samplesPerS, static_cast<double>(batch)},
                        measuredNote(*m)));
        }
    }
    return serialRequestsPerS(latencyMs);
}

Correction correctionOf(const Subject& subject, const Measurement& m, double latencyMs)
{
    const Attainable on = attainableHere(m.machine, subject.catalogs.calibration());
    if (!on.isKnown())
        return {};
    const double attainable = attainableS(
        singleDemand(subject.experiment.model, subject.kinds, subject.experiment.serving), on);
    if (attainable <= 0 || latencyMs <= 0)
        return {};
    return correctionOver({latencyMs / MillisPerS, attainable}, m, "a request");
}

} // namespace

ServingHere servingHere(const Subject& subject)
{
    ServingHere here;
    here.latencyMs = Quantity::unavailable(
        Unit::Milliseconds, subject.experiment.measurements.isEmpty() || !subject.measured.isEmpty()
                                ? "not measured on this machine yet; `outlay probe` does it"
                                : "measured on another machine only; `outlay probe` does it here");
    const MeasurementPtr exact = subject.measured.ofRequest(subject.asked());
    if (exact != nullptr)
        here.latencyMs = measuredLatency(subject, *exact);
    const auto others = subject.measured.withRequests();
    for (auto m = others.rbegin(); m != others.rend() && !here.latencyMs.isAvailable(); ++m)
        here.latencyMs = scaledLatency(subject, **m);
    const bool hasTail = exact != nullptr && exact->inference.p50Ms > 0;
    here.p95OverMedian = hasTail ? std::max(1.0, exact->inference.p95Ms / exact->inference.p50Ms)
                                 : std::max(1.0, valueOf(subject, P95OverMedian));
    here.p95Ms =
        (here.latencyMs * here.p95OverMedian)
            .because(how(TailFormula, {here.latencyMs.value(), here.p95OverMedian},
                         hasTail ? "as measured over passes" : std::string(P95OverMedian.source)));
    here.throughputPerS = throughputOf(subject, exact, here.latencyMs);
    // What it tells of the code holds wherever it was measured.
    const MeasurementPtr seen =
        exact != nullptr ? exact : subject.experiment.measurements.all().ofRequest(subject.asked());
    if (seen != nullptr)
        here.correction = correctionOf(subject, *seen, measuredLatency(subject, *seen).value());
    return here;
}

} // namespace outlay::pricing
