// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/calibration.h"

#include "core/base/resources.h"
#include "core/hardware/accelerator.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr std::string_view CalibrationFile = "calibration.json";

// Shares of nothing would make times infinite.
constexpr double LeastShare = 0.001;
constexpr double MostUs = 1e6;
constexpr double MostFactor = 1000;

Field share(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = LeastShare, .high = 1};
}

Field amount(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = 0, .high = MostUs};
}

/// That may be above one and below.
Field ratio(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = LeastShare, .high = MostFactor};
}

Field factor(std::string_view key, std::string_view what)
{
    return {.key = key, .what = what, .low = 1, .high = MostFactor};
}

/// A part that is always there.
template <typename T>
void part(FieldVisitor& v, std::string_view key, std::string_view what, T& value)
{
    v.objects({.key = key, .what = what},
              {ObjectList::Form::OneOrNull, [] { return std::size_t{1}; }, [](std::size_t) {},
               [&](std::size_t, FieldVisitor& inner) { describe(inner, value); }});
}

template <typename T>
const T& namedOrFirst(const std::vector<T>& all, std::string T::*name, std::string_view wanted)
{
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const T& one) { return one.*name == wanted; });
    return found == all.end() ? all.front() : *found;
}

} // namespace

namespace {

bool isIn(const std::vector<std::string>& all, std::string_view one)
{
    return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

std::string seenAs(Engine engine, std::string_view device)
{
    return std::string(EngineNames.at(static_cast<std::size_t>(engine))) + " on " +
           std::string(device);
}

bool ProcessorSpread::hasSeen(std::string_view maker, Engine engine) const
{
    return isIn(makers, maker) && isIn(engines, EngineNames.at(static_cast<std::size_t>(engine)));
}

double Spreads::of(const KindSpread& kind, const AskedDevice& device)
{
    if (isSeen(kind, device.name))
        return kind.seen;
    if (!isIn(kind.makers, device.maker))
        return kind.foreign;
    return isFitted(kind, device.name, device.generation) ? kind.unseen : kind.unfitted;
}

bool Spreads::isSeen(const KindSpread& kind, std::string_view device)
{
    return isIn(kind.devices, device);
}

bool Spreads::isFitted(const KindSpread& kind, std::string_view device, std::string_view generation)
{
    return isIn(kind.devices, device) || isIn(kind.generations, generation);
}

double RunShares::of(Software software) const
{
    switch (software) {
    case Software::Tuned: return tuned;
    case Software::Ordinary: break;
    case Software::Naive: return naive;
    }
    return ordinary;
}

const LibraryRates& RecurrentRates::ratesOf(std::string_view library) const
{
    return namedOrFirst(libraries, &LibraryRates::name, library);
}

const GenerationRates& Calibration::ratesOf(std::string_view generation) const
{
    return namedOrFirst(generations, &GenerationRates::generation, generation);
}

const EngineRates& Calibration::ratesOf(Engine engine, std::string_view device) const
{
    const std::string_view name = EngineNames.at(static_cast<std::size_t>(engine));
    const EngineRates* found = &engines.front();
    for (const EngineRates& rates : engines) {
        if (rates.engine != name)
            continue;
        if (rates.device == device)
            return rates;
        if (rates.device.empty())
            found = &rates;
    }
    return *found;
}

const EngineRates& Calibration::ratesNear(Engine engine, const Device& device) const
{
    const EngineRates& found = ratesOf(engine, device.name);
    if (!found.device.empty())
        return found;
    const auto measuredOn = [&](const std::string& generation) -> const EngineRates* {
        const auto near = std::find_if(engines.begin(), engines.end(), [&](const auto& rates) {
            return rates.engine == found.engine && !rates.device.empty() &&
                   rates.generation == generation;
        });
        return near == engines.end() ? nullptr : &*near;
    };
    const EngineRates* near = measuredOn(device.generation);
    if (near == nullptr)
        near = measuredOn(ratesOf(device.generation).servesLike);
    return near == nullptr ? found : *near;
}

const ExchangeRates& Calibration::ratesOfLink(double gbPerS) const
{
    return gbPerS > WidestBusGbPerS ? kernels.links : kernels.buses;
}

void describe(FieldVisitor& v, ProductRates& r)
{
    v.number(share("share", "attainable share of the peak"), r.share);
    v.number(amount("rows_to_half", "rows to reach half of the share"), r.rowsToHalf);
    v.number(amount("columns_to_half", "columns to reach half of the share"), r.columnsToHalf);
    v.number(amount("inner_to_half", "inner terms to reach half of the share"), r.innerToHalf);
    v.number(amount("results_to_half", "thousands of results to reach half of the share"),
             r.resultsToHalf);
    v.number(share("memory", "attainable share of the bandwidth"), r.memoryShare);
    v.number(amount("launch_us", "time from kernel to kernel"), r.launchUs);
}

void describe(FieldVisitor& v, PromptRates& r)
{
    v.number(share("share", "attainable share of the peak"), r.share);
    v.number(amount("tiles_to_half", "tiles to reach half of the share"), r.tilesToHalf);
    v.number(amount("launch_us", "time of a call"), r.launchUs);
    v.number(share("scores", "share of the scores' bytes that is moved"), r.scores);
}

void describe(FieldVisitor& v, ChunkRates& r)
{
    v.number(ratio("share", "of the peak in 32 bits"), r.share);
    v.number(share("memory", "attainable share of the bandwidth"), r.memoryShare);
    v.number(amount("chunk_us", "time of a chunk of a sequence"), r.chunkUs);
    v.number(amount("call_us", "time of a call"), r.callUs);
    v.number(share("step_memory", "the same of states that one position reads and writes"),
             r.stepMemoryShare);
    v.number(amount("step_us", "time of a call for one position"), r.stepUs);
}

void describe(FieldVisitor& v, CacheRates& r)
{
    v.number(ratio("fits", "of the cache, what stays there"), r.fits);
    v.number(amount("unit_bytes", "bytes that a unit reads of it in a cycle"), r.unitBytes);
}

void describe(FieldVisitor& v, ExchangeRates& r)
{
    v.number(amount("latency_us", "latency of an exchange"), r.latencyUs);
    v.number(amount("device_us", "for each device but one"), r.deviceUs);
    v.number(share("share", "attainable share of a link"), r.share);
    v.number(amount("settle_us", "of a message of 1 MB until it fills the link"), r.settleUs);
    v.number(share("settle_power", "power of the size of a message in it"), r.settlePower);
}

void describe(FieldVisitor& v, StepRates& r)
{
    v.number(share("share", "attainable share of the peak"), r.share);
    v.number(amount("rows_to_half", "rows to reach half of the share"), r.rowsToHalf);
    v.number(amount("width_to_half", "width to reach half of the share"), r.widthToHalf);
    v.number(amount("step_us", "time from step to step"), r.stepUs);
}

void describe(FieldVisitor& v, KernelRates& r)
{
    part(v, "fp32", "products in fp32", r.fp32);
    part(v, "tf32", "products in tf32", r.tf32);
    part(v, "half", "products in 16 bits", r.half);
    part(v, "fp8", "products in fp8", r.fp8);
    part(v, "prompts", "attention over a prompt", r.prompts);
    part(v, "chunks", "a gated recurrence in chunks", r.chunks);
    part(v, "cache", "a device's last cache", r.cache);
    part(v, "links", "exchange over links", r.links);
    part(v, "buses", "exchange over PCIe", r.buses);
    v.number(amount("cache_call_us", "time of attention over a cache"), r.cacheCallUs);
    v.number(amount("ridge", "FLOP a byte from which the rows hold"), r.ridge);
    v.number(share("token_rows", "of the rows where one position is read"), r.tokenRows);
}

void describe(FieldVisitor& v, LibraryRates& r)
{
    v.text({.key = "library", .what = "library", .presence = Presence::Required}, r.name);
    part(v, "steps", "steps in fp32", r.steps);
    part(v, "half_steps", "steps in 16 bits", r.halfSteps);
    v.flag({.key = "pads_rows", .what = "rows are filled up to whole tiles"}, r.padsRows);
    v.flag({.key = "has_choice", .what = "LibTorch's choice of kernels was timed"}, r.hasChoice);
}

void describe(FieldVisitor& v, ResidentRates& r)
{
    v.number(amount("step_us", "a step whose weights lie in registers"), r.stepUs);
    v.number(amount("weights_us", "more for each 65,536 weights"), r.weightsUs);
    v.number(amount("megaflop_us", "more for each MFLOP"), r.megaflopUs);
    v.number(amount("crowded_megaflop_us", "the same above 100,000 weights"), r.crowdedMegaflopUs);
}

void describe(FieldVisitor& v, ChosenRates& r)
{
    part(v, "tf32_steps", "steps in TF32", r.tf32Steps);
    v.number(factor("backward_step", "of a launched step, on the way back"), r.backwardStep);
    v.number(amount("call_us", "time of a pass through a layer"), r.callUs);
    v.number(amount("bf16_call_us", "the same in bf16"), r.bf16CallUs);
    v.number(amount("backward_call_us", "of the way back"), r.backwardCallUs);
    part(v, "small", "kernels that hold a small state's weights", r.small);
    part(v, "small_backward", "the same, back", r.smallBackward);
    part(v, "wide", "kernels that hold weights in fp16", r.wide);
    part(v, "wide_backward", "the same, back", r.wideBackward);
}

void describe(FieldVisitor& v, RecurrentRates& r)
{
    v.number(share("memory", "attainable share of the bandwidth"), r.memoryShare);
    v.number(share("fp32_gradient", "share of the peak for the weights' gradient"), r.fp32Gradient);
    v.number(share("half_gradient", "the same in 16 bits"), r.halfGradient);
    v.number(amount("call_us", "time of a pass through a layer"), r.callUs);
    v.number(amount("layout_passes", "passes over its weights in each"), r.layoutPasses);
    v.list({.key = "libraries", .what = "libraries", .presence = Presence::Required}, r.libraries);
    part(v, "chosen", "kernels that LibTorch chooses among", r.chosen);
}

void describe(FieldVisitor& v, TrainingRates& r)
{
    v.number(amount("host_us", "time of the processor for a launch"), r.hostUs);
    v.number(ratio("traffic", "of the bytes of the layers"), r.traffic);
    v.number(ratio("compiled_traffic", "the same of a compiled model"), r.compiledTraffic);
    v.number(ratio("compiled_launches", "of the launches of a compiled model"), r.compiledLaunches);
    v.number(ratio("plain_scores", "of the bytes of attention's scores"), r.plainScores);
    v.number(ratio("fused_scores", "the same where they are kept"), r.fusedScores);
    v.number(ratio("fused_backward", "of attention's time forward where they are kept"),
             r.fusedBackward);
    v.number(amount("step_overhead_ms", "overhead of a step"), r.stepOverheadMs);
    v.number(ratio("update_traffic", "of the bytes of an update"), r.updateTraffic);
    v.number(amount("quantised_launches", "launches of a layer with quantised matrices"),
             r.quantisedLaunches);
    v.number(amount("routed_layer_ms", "time of the processor for a layer with divided experts"),
             r.routedLayerMs);
    v.number(amount("sharded_block_ms", "time of the processor for a block with sharded weights"),
             r.shardedBlockMs);
    v.number(ratio("narrow_products", "of what units for 8 bits are faster"), r.narrowProducts);
    v.number(amount("uneven_block_ms", "time that a block waits for the lengths of its samples"),
             r.unevenBlockMs);
}

void describe(FieldVisitor& v, RunShares& r)
{
    v.number(share("tuned", "of tuned software"), r.tuned);
    v.number(share("ordinary", "of ordinary software"), r.ordinary);
    v.number(share("naive", "of naive software"), r.naive);
}

void describe(FieldVisitor& v, EngineRates& r)
{
    v.text({.key = "engine", .what = "engine", .presence = Presence::Required}, r.engine);
    v.text({.key = "device", .what = "device"}, r.device);
    v.text({.key = "generation", .what = "generation"}, r.generation);
    v.number(amount("host_us", "time of the processor for a launch"), r.hostUs);
    v.number(ratio("launches", "of the launches of the layers"), r.launches);
    v.number(ratio("traffic", "of the bytes of the layers"), r.traffic);
    v.number(ratio("scores", "of the bytes of attention's scores"), r.scores);
    v.number(amount("repeats", "of caches that heads have in common, which each reads anew"),
             r.repeats);
    v.number(ratio("prompts", "of the kernels' share of the peak in prompts"), r.prompts);
    v.number(ratio("tokens", "of the kernels' share of the peak in tokens"), r.tokens);
    v.number(ratio("memory", "of the kernels' share of the bandwidth"), r.memory);
    v.number(amount("overhead_ms", "overhead of a pass"), r.overheadMs);
    v.number(amount("sequence_us", "overhead of each sequence"), r.sequenceUs);
    v.number(amount("exchange_us", "latency of an exchange"), r.exchangeUs);
    v.number(amount("spread", "factor of the interval of its tokens, where it was measured"),
             r.spread);
}

void describe(FieldVisitor& v, GenerationRates& r)
{
    v.text({.key = "generation", .what = "generation", .presence = Presence::Required},
           r.generation);
    v.text({.key = "serves_like", .what = "generation with such memory"}, r.servesLike);
    v.number(ratio("products", "of the kernels' share of the peak"), r.products);
    v.number(ratio("full_products", "of the kernels' share of the peak in fp32"), r.fullProducts);
    v.number(amount("full_watts", "for each TFLOP/s in fp32 that is reached in full"), r.fullWatts);
    v.number(amount("half_watts", "for each TFLOP/s in 16 bits that is reached in full"),
             r.halfWatts);
    v.number(ratio("trained", "of what kernels reach in training in 16 bits"), r.trained);
    v.number(ratio("any_attention", "of attention's kernel, by one that runs on any GPU"),
             r.anyAttention);
    v.number(amount("unit_gb_per_s", "that a unit reads at most for single positions"),
             r.unitGbPerS);
    v.number(amount("trained_spread", "factor of the interval of training, where it is wider"),
             r.trainedSpread);
    v.number(amount("pass_spread", "factor of the interval of passes, where it is wider"),
             r.passSpread);
    v.number(amount("recurrent_spread", "factor of the interval of recurrences, where it is wider"),
             r.recurrentSpread);
    v.number(ratio("served", "of what engines reach"), r.served);
    v.number(ratio("served_prompts", "of engines' products in prompts"), r.servedPrompts);
    v.text({.key = "library", .what = "library of recurrent layers"}, r.recurrences);
    v.flag({.key = "fused_attention", .what = "fused attention in 16 bits"}, r.hasFusedAttention);
    v.flag({.key = "holds_half", .what = "fp16 weights of a recurrence in registers"}, r.holdsHalf);
}

void describe(FieldVisitor& v, ProcessorSteps& r)
{
    v.number(share("share", "of the products"), r.share);
    v.number(amount("rows_to_half", "rows to reach half of it"), r.rowsToHalf);
    v.number(ratio("memory", "of the bandwidth"), r.memory);
    v.number(amount("launch_us", "launch of an operation"), r.launchUs);
}

void describe(FieldVisitor& v, ProcessorTraining& r)
{
    v.number(factor("traffic", "of the bytes that the layers count"), r.traffic);
    v.number(amount("launch_us", "launch of an operation"), r.launchUs);
    v.number(ratio("step_share", "of the products, in steps of a recurrence"), r.stepShare);
    v.number(amount("step_rows_to_half", "rows of a step that reach half of it"), r.stepRowsToHalf);
    v.number(ratio("step_memory", "of the bandwidth, where steps reread a matrix"), r.stepMemory);
    v.number(amount("gradient_passes", "passes over that matrix in each step back"),
             r.gradientPasses);
    v.number(amount("backward_launches", "launches of a step back for each forward"),
             r.backwardLaunches);
    v.number(ratio("gated_backward", "of a gated step back"), r.gatedBackward);
    v.number(ratio("update_traffic", "of the bytes of an update"), r.updateTraffic);
    v.number(amount("overhead_ms", "overhead of a step"), r.overheadMs);
    v.number(amount("page_us", "for a page that the system gives anew"), r.pageUs);
}

void describe(FieldVisitor& v, ProcessorRates& r)
{
    part(v, "products", "products", r.products);
    part(v, "steps", "steps of a recurrence", r.steps);
    part(v, "training", "training", r.training);
}

void describe(FieldVisitor& v, HostRates& r)
{
    v.number(
        share("bus_share", "attainable share of what joins a device with its machine's memory"),
        r.busShare);
    v.number(amount("update_gb_per_s", "what each virtual processor reads and writes in an update"),
             r.updateGbPerS);
    v.number(amount("usual_vcpus", "virtual processors beside a device, where nobody lists them"),
             r.usualVcpus);
    v.number(share("usable_memory", "usable share of a machine's memory"), r.usableMemory);
}

void describe(FieldVisitor& v, KindSpread& s)
{
    v.number(factor("seen", "on devices that were seen"), s.seen);
    v.number(factor("unseen", "on others"), s.unseen);
    v.number(factor("unfitted", "on others of an unseen generation"), s.unfitted);
    v.number(factor("foreign", "on those of other makers"), s.foreign);
    v.texts({.key = "devices", .what = "devices that were seen"}, s.devices);
    v.texts({.key = "generations", .what = "generations that were seen"}, s.generations);
    v.texts({.key = "makers", .what = "makers of whom several were"}, s.makers);
}

void describe(FieldVisitor& v, ProcessorSpread& s)
{
    v.number(factor("factor", "on processors that were seen"), s.factor);
    v.texts({.key = "makers", .what = "makers of whom several were"}, s.makers);
    v.texts({.key = "engines", .what = "engines that were measured"}, s.engines);
}

void describe(FieldVisitor& v, ScaledSpread& s)
{
    v.number(factor("base", "of a scaled measurement"), s.base);
    v.number(factor("per_fold", "for each e-fold of scaling"), s.perFold);
}

void describe(FieldVisitor& v, Spreads& s)
{
    part(v, "training", "of a training step", s.training);
    part(v, "recurrent", "of recurrences", s.recurrent);
    part(v, "pass", "of a pass", s.pass);
    part(v, "pass_on_processors", "of a pass on a processor", s.passOnProcessors);
    part(v, "prompt", "of first tokens", s.prompt);
    part(v, "token", "of generated tokens", s.token);
    v.number(factor("engine_unknown", "of a token of an unknown engine"), s.engineUnknown);
    v.number(factor("guessed_tokens", "more of a token where passes check guesses"),
             s.guessedTokens);
    v.number(factor("with_experts", "of the training of layers with experts"), s.withExperts);
    v.number(factor("gathered_adapters", "of adapters beside weights that devices divide"),
             s.gatheredAdapters);
    v.number(factor("uneven_quantised", "of those beside quantised weights, of uneven samples"),
             s.unevenQuantised);
    v.number(factor("in_fp8", "of training in 8 bits"), s.inFp8);
    v.number(factor("of_update", "of an update that a machine's processors make"), s.ofUpdate);
    v.number(factor("of_fetching", "of waiting for what comes from a machine's memory"),
             s.ofFetching);
    v.number(factor("per_doubling", "for each doubling of devices"), s.perDoubling);
    v.number(factor("whole_run", "more of a whole run"), s.wholeRun);
    part(v, "scaled", "of a scaled measurement", s.scaled);
    part(v, "scaled_on_processors", "of a scaled training on a processor", s.scaledOnProcessors);
}

void describe(FieldVisitor& v, Calibration& c)
{
    v.text({.key = "how", .what = "how it was got", .presence = Presence::Required}, c.how);
    v.text({.key = "as_of", .what = "date", .presence = Presence::Required}, c.asOf);
    part(v, "kernels", "kernels on accelerators", c.kernels);
    part(v, "recurrent", "recurrent layers on accelerators", c.recurrent);
    part(v, "processors", "processors", c.processors);
    v.list({.key = "generations", .what = "generations", .presence = Presence::Required},
           c.generations);
    part(v, "training", "what frameworks add", c.training);
    part(v, "host", "the machine around accelerators", c.host);
    part(v, "runs", "the part of a run that its steps take", c.runs);
    v.list({.key = "engines", .what = "engines", .presence = Presence::Required}, c.engines);
    v.number(share("exposed_exchange", "exchange that nothing hides"), c.exposedExchange);
    v.number(amount("unlisted_gb_per_s", "what joins devices where nobody lists it"),
             c.unlistedGbPerS);
    v.number(share("network_share", "attainable share of the network"), c.networkShare);
    v.number(share("routed_share", "attainable share of the network for what goes to experts"),
             c.routedShare);
    v.number(amount("network_latency_us", "latency of an exchange over it"), c.networkLatencyUs);
    v.number(amount("shared_layer", "more work for each doubling of devices that share a layer"),
             c.sharedLayer);
    v.number(amount("check_ms", "of an engine for a pass that checks guessed tokens"), c.checkMs);
    v.number(amount("guess_ms", "of an engine for each token that is guessed"), c.guessMs);
    v.number(amount("loss_per_doubling", "loss for each doubling"), c.lossPerDoubling);
    v.number(share("usable_memory", "usable share of the memory"), c.usableMemory);
    v.number(share("idle_share_of_tdp", "idle share of the power"), c.idleShareOfTdp);
    v.number(share("compute_power", "power while products run"), c.computePower);
    v.number(share("memory_power", "power while bytes move"), c.memoryPower);
    part(v, "spreads", "spreads", c.spreads);
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
    if (result.recurrent.libraries.empty())
        reader.fail("recurrent", "no library of recurrent layers is calibrated",
                    "give at least one");
    if (result.engines.empty())
        reader.fail("engines", "no engine is calibrated", "give at least one");
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
