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
struct RequestTime {
    double promptS = 0;
    double tokensS = 0;
    [[nodiscard]] double total() const { return promptS + tokensS; }
};

RequestTime timeHere(const Subject& subject, const HostMachine& machine,
                     const ServingDemand& demand)
{
    const RequestSeconds seconds =
        requestSecondsAt(demand, requestRatesHere(machine, demand, subject.catalogs.calibration()));
    return {seconds.prompt, demand.laterTokens * seconds.token};
}

/// Of requests one at a time, as the worker times them.
ServingDemand singleDemand(const Model& model, const LayerKinds& layers, Serving serving)
{
    serving.batch = 1;
    serving.engine = Engine::LibTorch;
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

/// Why requests as `m` timed them say nothing of others; nothing if they do.
std::optional<std::string> obstacle(const Subject& subject, const Measurement& m)
{
    const ServingPrecision then = m.servingSettings.precision;
    const ServingPrecision precision = subject.experiment.serving.precision;
    if (!attainableHere(m.machine, subject.catalogs.calibration()).isKnown())
        return "the design has changed since it was measured, and the machine's rates weren't; "
               "`outlay probe` measures again";
    if (then != precision && m.askedServing.precision == precision)
        return "the worker can't serve in this precision here, and measured in another; fp32 and "
               "bf16 can be measured";
    if (then != precision)
        return "measured in another precision, which can't be scaled; `outlay probe` measures "
               "again";
    return std::nullopt;
}

/// Requests that were timed, beside those that are asked about.
struct TimedRequests {
    MeasurementPtr measured;
    double measuredMs = 0; // as timed
    RequestTime then;      // by the roofline of that machine: as timed
    RequestTime now;       // as asked

    /// The largest change of the prompt, of the tokens after it, and of both.
    [[nodiscard]] double folds() const
    {
        const auto between = [](double a, double b) {
            return a > 0 && b > 0 ? std::abs(std::log(a / b)) : 0;
        };
        return std::max({between(then.promptS, now.promptS), between(then.tokensS, now.tokensS),
                         between(then.total(), now.total())});
    }
};

TimedRequests timedBeside(const Subject& subject, const MeasurementPtr& m, const ServingDemand& now)
{
    const ServingDemand then = singleDemand(m->model, expand(m->model), m->servingSettings);
    return {m, medianMs(*m, then.laterTokens), timeHere(subject, m->machine, then),
            timeHere(subject, m->machine, now)};
}

/// Those with the fewest folds to what is asked about, the newest of equals.
std::optional<TimedRequests> nearestOf(const Subject& subject,
                                       const std::vector<MeasurementPtr>& timed)
{
    std::optional<TimedRequests> nearest;
    if (timed.empty())
        return nearest;
    const ServingDemand now =
        singleDemand(subject.experiment.model, subject.kinds, subject.experiment.serving);
    for (const MeasurementPtr& m : timed) {
        if (obstacle(subject, *m))
            continue;
        const TimedRequests candidate = timedBeside(subject, m, now);
        if (candidate.then.total() > 0 && candidate.now.total() > 0 &&
            (!nearest || candidate.folds() <= nearest->folds()))
            nearest = candidate;
    }
    return nearest;
}

/// From the nearest; why not, from the newest.
Quantity scaledLatency(const Subject& subject, const std::vector<MeasurementPtr>& timed)
{
    const auto nearest = nearestOf(subject, timed);
    if (!nearest)
        return Quantity::unavailable(
            Unit::Milliseconds,
            obstacle(subject, *timed.back()).value_or("the measurement timed no requests"));
    const double ratio = nearest->now.total() / nearest->then.total();
    const double spread =
        scaledSpread(nearest->folds(), subject.catalogs.calibration().spreads.scaled) * (1 + Again);
    const double value = nearest->measuredMs * ratio;
    return Quantity::within(
        value, value / spread, value * spread, Unit::Milliseconds, Basis::Forecast,
        how(ScaledFormula, {nearest->measuredMs, ratio}, measuredNote(*nearest->measured)));
}

/// Prompts and later tokens of so many at once, each as it was measured; none where either wasn't.
std::optional<double> answersPerS(const InferenceMeasurement& i, std::int64_t batch, double later)
{
    const auto prompts =
        std::find_if(i.throughput.begin(), i.throughput.end(),
                     [&](const BatchThroughput& row) { return row.batch == batch; });
    const auto tokens =
        std::find_if(i.together.begin(), i.together.end(),
                     [&](const TokensTogether& row) { return row.requests == batch; });
    if (prompts == i.throughput.end() || tokens == i.together.end() || prompts->samplesPerS <= 0 ||
        tokens->tokensPerS <= 0)
        return std::nullopt;
    return 1 / (1 / prompts->samplesPerS + later / tokens->tokensPerS);
}

Quantity throughputOf(const Subject& subject, const MeasurementPtr& m, const Quantity& latencyMs)
{
    const std::int64_t batch = batchOf(subject.experiment.serving);
    const double later = subject.serving.laterTokens;
    if (m != nullptr && later > 0 && batch > 1) {
        if (const auto perS = answersPerS(m->inference, batch, later))
            return Quantity::within(
                *perS, *perS * (1 - Again), *perS * (1 + Again), Unit::SamplesPerSecond,
                Basis::Measured,
                how(CurveFormula, {*perS, static_cast<double>(batch)}, measuredNote(*m)));
    }
    if (m != nullptr && later <= 0) {
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

/// What requests tell of the code holds wherever they were timed: just these here or elsewhere, or else the nearest.
/// They tell nothing of an engine that isn't PyTorch on accelerators; on processors its
/// kernels are all engines', and what an engine takes beside them is scaled with them.
Correction correctionOn(const Subject& subject, bool isOnProcessors)
{
    if (!isOnProcessors && !isPyTorch(subject.serving.engine))
        return {};
    std::vector<MeasurementPtr> timed;
    const auto all = subject.experiment.measurements.all().withRequests();
    for (const MeasurementPtr& m : all) {
        if (isProcessor(m->machine) == isOnProcessors && !obstacle(subject, *m))
            timed.push_back(m);
    }
    MeasurementPtr exact = subject.measured.ofRequest(subject.asked());
    if (std::find(timed.begin(), timed.end(), exact) == timed.end())
        exact = Measured(timed).ofRequest(subject.asked());
    const auto nearest = exact != nullptr ? nearestOf(subject, {exact}) : nearestOf(subject, timed);
    if (!nearest)
        return {};
    return correctionOver(subject.catalogs.calibration().spreads.scaled,
                          {.measuredS = nearest->measuredMs / MillisPerS,
                           .attainableS = nearest->then.total(),
                           .folds = nearest->folds()},
                          *nearest->measured, "a request");
}

/// What it takes longer than the median belongs to the machine and the code: a changed design keeps it.
std::optional<double> measuredTail(const Subject& subject, const MeasurementPtr& exact,
                                   const std::vector<MeasurementPtr>& timed)
{
    constexpr std::int64_t Fewest = 20; // of which one is slower
    const auto nearest = exact == nullptr ? nearestOf(subject, timed) : std::nullopt;
    const MeasurementPtr m = nearest ? nearest->measured : exact;
    if (m == nullptr || m->inference.p50Ms <= 0 || m->inference.count < Fewest)
        return std::nullopt;
    return std::max(1.0, m->inference.p95Ms / m->inference.p50Ms);
}

/// After the prompt: one that checks guesses makes several tokens.
double laterPassesOf(const ServingDemand& demand)
{
    return demand.laterTokens / (demand.checked ? std::max(1.0, demand.checked->made) : 1);
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
    const auto timed = subject.measured.withRequests();
    if (exact == nullptr && !timed.empty())
        here.latencyMs = scaledLatency(subject, timed);
    const auto tail = measuredTail(subject, exact, timed);
    const double later = laterPassesOf(subject.serving);
    here.tails = {.pass = tail.value_or(valueOf(subject, P95OverMedian)),
                  .passes = std::max(1.0, later)};
    const double ofAnswer = here.tails.ofAnswer(1, later); // as if all its passes were alike
    here.p95Ms =
        (here.latencyMs * ofAnswer)
            .because(how(TailFormula, {here.latencyMs.value(), ofAnswer},
                         tail ? "as measured over passes" : std::string(P95OverMedian.source)));
    here.throughputPerS = throughputOf(subject, exact, here.latencyMs);
    here.corrections = {correctionOn(subject, true), correctionOn(subject, false)};
    return here;
}

} // namespace outlay::pricing
