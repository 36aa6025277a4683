// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/measurement.h"

#include "core/base/text.h"
#include "core/workload/parameters.h"

#include <algorithm>

namespace outlay::core {

OUTLAY_VALUE_DEFAULTED(Measurement);
bool Measurement::operator==(const Measurement&) const = default;

void describe(FieldVisitor& v, Timing& t)
{
    v.number({"median_s", "median"}, t.medianS);
    v.number({"low_s", "lower end of the median's interval"}, t.lowS);
    v.number({"high_s", "upper end of the median's interval"}, t.highS);
    v.number({"mean_s", "mean, its extreme twentieths moved to their neighbours"}, t.meanS);
    v.number({"spread", "relative spread"}, t.spread);
    v.integer({"count", "number of timings"}, t.count);
    v.choice(Field{"verdict", "verdict"}, t.verdict, VerdictNames);
}

void describe(FieldVisitor& v, TimedRange& r)
{
    v.number({"low", "lower end of the 80 % interval"}, r.low);
    v.number({"high", "upper end of the 80 % interval"}, r.high);
    v.integer({"count", "number of timings"}, r.count);
}

void describe(FieldVisitor& v, BatchThroughput& t)
{
    v.integer({"batch", "batch"}, t.batch);
    v.number({"samples_per_s", "samples in a second"}, t.samplesPerS);
    v.object({"range", "where the rate lies"}, t.range);
}

void describe(FieldVisitor& v, TokensTogether& t)
{
    v.integer({"requests", "requests whose tokens are made together"}, t.requests);
    v.number({"tokens_per_s", "tokens of all of them in a second"}, t.tokensPerS);
    v.object({"range", "where the rate lies"}, t.range);
}

void describe(FieldVisitor& v, TrainingMeasurement& t)
{
    v.number({"waiting", "share by which wall time exceeds processor time"}, t.disturbance.waiting);
    v.number({"drift", "share by which bursts of steps differ"}, t.disturbance.drift);
    v.number({"build_s", "time to build"}, t.buildS);
    v.number({"warm_up_s", "time to warm up"}, t.warmUpS);
    v.number({"forward_share", "share of the forward pass"}, t.forwardShare);
    v.number({"backward_share", "share of the backward pass"}, t.backwardShare);
    v.number({"optimizer_share", "share of the optimizer"}, t.optimizerShare);
    v.number({"samples_per_s", "samples in a second"}, t.samplesPerS);
    v.number({"tokens_per_s", "tokens in a second"}, t.tokensPerS);
    v.number({"flops_per_s", "FLOPs in a second"}, t.flopsPerS);
    v.number({"peak_bytes", "peak memory of the process"}, t.peakBytes);
    v.number({"training_peak_bytes", "peak memory over the process before the model"},
             t.trainingPeakBytes);
}

void describe(FieldVisitor& v, InferenceMeasurement& i)
{
    v.number({"p50_ms", "median latency"}, i.p50Ms);
    v.number({"p95_ms", "latency of 95 %"}, i.p95Ms);
    v.number({"p99_ms", "latency of 99 %"}, i.p99Ms);
    v.integer({"count", "number of timings"}, i.count);
    v.list({"throughput", "throughput over batches"}, i.throughput);
    v.number({"first_token_ms", "time to the first token"}, i.firstTokenMs);
    v.number({"token_ms", "time of one more token"}, i.tokenMs);
    v.list({"together", "tokens over requests that are answered at once"}, i.together);
    v.object({"p50_range", "where the median latency lies, in ms"}, i.p50Range);
    v.object({"p95_range", "where the latency of 95 % lies, in ms"}, i.p95Range);
    v.object({"p99_range", "where the latency of 99 % lies, in ms"}, i.p99Range);
    v.object({"first_token_range", "where the time to the first token lies, in ms"},
             i.firstTokenRange);
    v.object({"token_range", "where the time of one more token lies, in ms"}, i.tokenRange);
}

void describe(FieldVisitor& v, LayerTime& t)
{
    v.text({"name", "name of the layer"}, t.name);
    v.number({"forward_s", "forward pass"}, t.forwardS);
    v.number({"backward_s", "backward pass"}, t.backwardS);
}

void describe(FieldVisitor& v, EnergyMeasurement& e)
{
    v.text({"source", "counter"}, e.source);
    v.number({"seconds", "time that was counted"}, e.seconds);
    v.number({"idle_w", "power while nothing runs"}, e.idleWatts);
    v.number({"training_w", "power while steps run"}, e.trainingWatts);
    v.number({"joules_per_step", "energy of a step"}, e.joulesPerStep);
}

void describe(FieldVisitor& v, PartMeasurement& p)
{
    v.integer({"fewer_layers", "layers of the smaller part"}, p.fewerLayers);
    v.integer({"more_layers", "layers of the larger part"}, p.moreLayers);
    v.integer({"layers", "layers of the design"}, p.layers);
    v.number({"layer_s", "time of one more layer"}, p.layerS);
}

void describe(FieldVisitor& v, Measurement& m)
{
    v.integer({"version", "version of the measurement", 1, 1 << 20}, m.version);
    v.text({"worker", "the worker that made it"}, m.worker);
    v.text({"created", "time of the measurement"}, m.created);
    v.text({"host", "the host that it was made on, as its profile is called"}, m.host);
    v.number({"host_hour_usd", "price of an hour of that host in dollars", 0, 1e5}, m.hostHourUsd);
    v.integer({"threads", "number of threads"}, m.threads);
    v.number({"seconds", "time that it took"}, m.seconds);
    v.text({"cancelled_in", "phase that it was cancelled in"}, m.cancelledIn);
    v.texts({"findings", "findings"}, m.findings);
    v.list({"layers", "time of each layer"}, m.layers);
    v.list({"variants", "other ways to run it"}, m.variants);
    v.object({"energy", "energy"}, m.energy);
    v.object({"part", "the parts that were measured"}, m.part);
    v.object({"processes", "several processes"}, m.processes);
    v.object({"program", "the program that was run"}, m.program);
    v.list({"lengths", "sequences of other lengths"}, m.lengths);
}

namespace {

template <typename Part>
Result<void> readTyped(const Json& json, const char* key, Part& part, std::string_view pointer = {})
{
    const Json* found = json.find(key);
    if (found == nullptr)
        return inputError("the measurement has no `" + std::string(key) + "`", "measure again",
                          childPointer(pointer, key));
    FieldReader reader(*found, childPointer(pointer, key));
    if (reader.outcome())
        describe(reader, part);
    return reader.outcome();
}

/// Each twentieth, from the fastest to the slowest; of few, each of them.
std::vector<double> quantilesOf(std::vector<double> seconds)
{
    constexpr std::size_t Parts = 20;
    std::vector<double> quantiles;
    if (seconds.empty())
        return quantiles;
    std::sort(seconds.begin(), seconds.end());
    const std::size_t parts = std::min(Parts, seconds.size() - 1);
    for (std::size_t i = 0; i <= parts; ++i)
        quantiles.push_back(
            percentileOfSorted(seconds, static_cast<double>(i) /
                                            static_cast<double>(std::max<std::size_t>(1, parts))));
    return quantiles;
}

Json numbers(const std::vector<double>& values)
{
    Json array = Json::array();
    for (const double value : values)
        array.append(value);
    return array;
}

/// Nothing where they aren't all numbers: older measurements have none.
std::vector<double> numbersIn(const Json* json)
{
    std::vector<double> values;
    const Json::Array* array = json == nullptr ? nullptr : json->asArray();
    for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
        if (!(*array)[i].isNumber())
            return {};
        values.push_back((*array)[i].number());
    }
    return values;
}

Result<void> readFigures(const Json& json, Measurement& m)
{
    if (const auto part = readTyped(json, "machine", m.machine); !part)
        return part;
    if (const auto part = readTyped(json, "training", m.training); !part)
        return part;
    const Json& training = *json.find("training");
    if (const auto part = readTyped(training, "step", m.training.step, "/training"); !part)
        return part;
    if (const auto part =
            readTyped(training, "step_processor", m.training.stepProcessor, "/training");
        !part)
        return part;
    m.training.step.quantilesS = numbersIn(training.find("step")->find("quantiles_s"));
    m.training.stepProcessor.quantilesS =
        numbersIn(training.find("step_processor")->find("quantiles_s"));
    return readTyped(json, "inference", m.inference);
}

/// What was asked for is what was run, where an older worker didn't say.
template <typename Settings>
Result<void> readAsked(const Json& json, const char* key, const Settings& run, Settings& asked)
{
    const Json* found = json.find(key);
    if (found == nullptr || found->isNull()) {
        asked = run;
        return {};
    }
    return readTyped(json, key, asked);
}

/// What was measured.
Result<void> readSettings(const Json& json, Measurement& m)
{
    const Json* model = json.find("model");
    if (model == nullptr)
        return inputError("the measurement has no `model`", "measure again", "/model");
    auto design = readCheckedModel(*model, "/model");
    if (!design)
        return failureOf(design);
    m.model = std::move(design->model);
    if (const auto part = readTyped(json, "training_settings", m.trainingSettings); !part)
        return part;
    if (const auto part = readTyped(json, "serving_settings", m.servingSettings); !part)
        return part;
    if (const auto part = readAsked(json, "asked_training", m.trainingSettings, m.askedTraining);
        !part)
        return part;
    return readAsked(json, "asked_serving", m.servingSettings, m.askedServing);
}

} // namespace

Timing timingOf(const std::vector<double>& seconds, const Disturbance& disturbance)
{
    constexpr double Twentieth = 0.05;
    const Interval interval = medianInterval(seconds);
    return {.medianS = median(seconds),
            .lowS = interval.low,
            .highS = interval.high,
            .meanS = winsorisedMean(seconds, Twentieth),
            .spread = relativeSpread(seconds),
            .count = static_cast<std::int64_t>(seconds.size()),
            .quantilesS = quantilesOf(seconds),
            .verdict = verdictOf(seconds, disturbance)};
}

TimedRate rateOf(const std::vector<double>& seconds, std::int64_t inPass)
{
    const auto all = static_cast<double>(inPass);
    const Interval around = medianInterval(seconds);
    return {all / median(seconds),
            {all / around.high, all / around.low, static_cast<std::int64_t>(seconds.size())}};
}

Json toJson(const Measurement& measurement)
{
    Json json = fieldsOf(measurement);
    json.set("machine", fieldsOf(measurement.machine));
    Json training = fieldsOf(measurement.training);
    const auto timing = [](const Timing& t) {
        Json fields = fieldsOf(t);
        fields.set("quantiles_s", numbers(t.quantilesS));
        return fields;
    };
    training.set("step", timing(measurement.training.step));
    training.set("step_processor", timing(measurement.training.stepProcessor));
    json.set("training", std::move(training));
    json.set("inference", fieldsOf(measurement.inference));
    json.set("model", fieldsOf(measurement.model));
    json.set("training_settings", fieldsOf(measurement.trainingSettings));
    json.set("serving_settings", fieldsOf(measurement.servingSettings));
    json.set("asked_training", fieldsOf(measurement.askedTraining));
    json.set("asked_serving", fieldsOf(measurement.askedServing));
    return json;
}

Result<Measurement> readMeasurement(const Json& json)
{
    // First: what else a newer one says may be said otherwise.
    const Json* version = json.find("version");
    if (version != nullptr && version->isNumber() && version->number() > MeasurementVersion)
        return inputError("the measurement has version " + plainNumber(version->number()) +
                              ", and this Outlay knows only up to " +
                              std::to_string(MeasurementVersion),
                          "open it with a newer Outlay", "/version");
    Measurement m;
    FieldReader reader(json, "");
    if (reader.outcome())
        describe(reader, m);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    if (const auto figures = readFigures(json, m); !figures)
        return failureOf(figures);
    if (const auto settings = readSettings(json, m); !settings)
        return failureOf(settings);
    return m;
}

} // namespace outlay::core
