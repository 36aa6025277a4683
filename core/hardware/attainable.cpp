// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/attainable.h"

#include "core/base/units.h"

#include <algorithm>

namespace outlay::core {
namespace {

const ProductRates& productRates(const KernelRates& kernels, Arithmetic arithmetic)
{
    switch (arithmetic) {
    case Arithmetic::Fp32: return kernels.fp32;
    case Arithmetic::Tf32: return kernels.tf32;
    case Arithmetic::Half: return kernels.half;
    case Arithmetic::Fp8: return kernels.fp8;
    }
    return kernels.fp32;
}

bool isOfHalf(Arithmetic arithmetic)
{
    return arithmetic == Arithmetic::Half || arithmetic == Arithmetic::Fp8;
}

const StepRates& stepRates(Arithmetic arithmetic, const LibraryRates& rates,
                           const RecurrentRates& r)
{
    if (isOfHalf(arithmetic))
        return rates.halfSteps;
    return arithmetic == Arithmetic::Tf32 && rates.hasChoice ? r.chosen.tf32Steps : rates.steps;
}

ChosenSteps chosenOn(Arithmetic arithmetic, bool holdsHalf, const ChosenRates& rates)
{
    return {.numbers = isOfHalf(arithmetic) ? StepNumbers::Fp16 : StepNumbers::Fp32,
            .holdsHalf = holdsHalf,
            .rates = rates,
            .callS = rates.callUs * Micro,
            .backwardCallS = rates.backwardCallUs * Micro};
}

AttainableSteps stepsOn(const PeakRate& peak, double peakBytesPerS,
                        const GenerationRates& generation, const RecurrentRates& r)
{
    const LibraryRates& rates = r.ratesOf(generation.recurrences);
    const bool isHalf = isOfHalf(peak.arithmetic);
    const StepRates& steps = stepRates(peak.arithmetic, rates, r);
    AttainableSteps on;
    on.flopsPerS = peak.flopsPerS * steps.share;
    on.bytesPerS = peakBytesPerS * r.memoryShare;
    on.rowsToHalf = steps.rowsToHalf;
    on.widthToHalf = steps.widthToHalf;
    on.stepS = steps.stepUs * Micro;
    on.gradientFlopsPerS = peak.flopsPerS * (isHalf ? r.halfGradient : r.fp32Gradient);
    on.callS = r.callUs * Micro;
    // Where it chooses, LibTorch keeps the weights as cuDNN reads them.
    on.layoutPasses = rates.hasChoice ? 0 : r.layoutPasses;
    on.padsRows = rates.padsRows;
    if (rates.hasChoice)
        on.chosen = chosenOn(peak.arithmetic, generation.holdsHalf, r.chosen);
    return on;
}

void setBf16(AttainableSteps& steps, bool isBf16)
{
    if (!steps.chosen || !isBf16)
        return;
    steps.chosen->numbers = StepNumbers::Bf16;
    steps.chosen->callS = steps.chosen->rates.bf16CallUs * Micro;
}

/// Of the kernels' share of the peak.
double productsFactor(const GenerationRates& rates, Arithmetic arithmetic)
{
    return arithmetic == Arithmetic::Fp32 ? rates.fullProducts : rates.products;
}

/// Without what a framework adds, with such a factor of its kernels' share.
Attainable acceleratorOf(const PeakRate& peak, double peakBytesPerS, const GenerationRates& rates,
                         double reach, const Calibration& c)
{
    const ProductRates& products = productRates(c.kernels, peak.arithmetic);
    Attainable on;
    on.flopsPerS = peak.flopsPerS * products.share * reach;
    on.bytesPerS = peakBytesPerS * products.memoryShare;
    on.launchS = products.launchUs * Micro;
    on.products = products;
    if (peak.arithmetic == Arithmetic::Half && peakBytesPerS > 0)
        on.products.rowsToHalf *= std::min(1.0, peak.flopsPerS / peakBytesPerS / c.kernels.ridge);
    on.steps = stepsOn(peak, peakBytesPerS, rates, c.recurrent);
    return on;
}

/// With rates that are attainable as they are.
Attainable processorOf(double flopsPerS, double bytesPerS, const Calibration& c)
{
    const ProcessorRates& rates = c.processors;
    Attainable on;
    on.flopsPerS = flopsPerS;
    on.bytesPerS = bytesPerS;
    on.launchS = rates.products.launchUs * Micro;
    on.products = rates.products;
    on.steps = {.flopsPerS = flopsPerS * rates.steps.share,
                .bytesPerS = bytesPerS * rates.steps.memory,
                .rowsToHalf = rates.steps.rowsToHalf,
                .launchS = rates.steps.launchUs * Micro,
                .areFused = false};
    return on;
}

/// A framework that runs one operation after the other.
void addTraining(Attainable& on, const ProcessorTraining& rates)
{
    on.traffic = rates.traffic;
    on.launchS = rates.launchUs * Micro;
    on.steps.flopsPerS = on.flopsPerS * rates.stepShare;
    on.steps.rowsToHalf = rates.stepRowsToHalf;
    on.steps.bytesPerS = on.bytesPerS * rates.stepMemory;
    on.steps.launchS = on.launchS;
    on.steps.gradientFlopsPerS = on.steps.flopsPerS;
    on.steps.gradientPasses = rates.gradientPasses;
    on.steps.backwardLaunches = rates.backwardLaunches;
    on.steps.gatedBackward = rates.gatedBackward;
    on.updateTraffic = rates.updateTraffic;
    on.overheadS = rates.overheadMs / MillisPerS;
    constexpr double PageBytes = 4096;
    on.returnedS = rates.pageUs * Micro / PageBytes;
}

/// For each TFLOP/s. Numbers of 8 bits are taken to ask half as much as those of 16.
double wattsNeeded(const GenerationRates& rates, Arithmetic arithmetic)
{
    switch (arithmetic) {
    case Arithmetic::Fp32: return rates.fullWatts;
    case Arithmetic::Half: return rates.halfWatts;
    case Arithmetic::Fp8: return rates.halfWatts / 2;
    case Arithmetic::Tf32: break;
    }
    return 0;
}

/// Of products on a card with too little power for all that it lists.
double powerFactor(const Device& device, const PeakRate& peak, const GenerationRates& rates)
{
    const double needed = wattsNeeded(rates, peak.arithmetic);
    return device.tdpWatts && needed > 0
               ? std::min(1.0, *device.tdpWatts / (peak.flopsPerS / Tera) / needed)
               : 1;
}

Attainable plainOn(const Device& device, const PeakRate& peak, const Calibration& c)
{
    const double bytesPerS = device.memoryGbPerS.value_or(0) * Giga;
    if (device.kind != DeviceKind::Cpu) {
        const GenerationRates& rates = c.ratesOf(device.generation);
        Attainable on = acceleratorOf(peak, bytesPerS, rates, reachOf(device, peak, c), c);
        on.launchS *= latenciesOf(device);
        return on;
    }
    return processorOf(peak.flopsPerS * c.processors.products.share,
                       bytesPerS * c.processors.products.memoryShare, c);
}

/// With attained rates, as a device would reach that lists so much more.
Attainable acceleratorAt(const ReachedRates& reached, const Calibration& c)
{
    const GenerationRates& rates = c.generations.front();
    const ProductRates& products = productRates(c.kernels, reached.arithmetic);
    const double reach = productsFactor(rates, reached.arithmetic);
    const PeakRate listed{.flopsPerS = reached.flopsPerS / (products.share * reach),
                          .arithmetic = reached.arithmetic};
    Attainable on =
        acceleratorOf(listed, reached.bytesPerS / products.memoryShare, rates, reach, c);
    on.launchS *= reached.latencies;
    return on;
}

FusedAttention fusedAt(double flopsPerS, const PromptRates& rates)
{
    return {.flopsPerS = flopsPerS * rates.share,
            .tilesToHalf = rates.tilesToHalf,
            .callS = rates.launchUs * Micro};
}

/// As asked for, else where there is one kernel for it.
bool isFused(std::optional<AttentionKernel> asked, bool hasKernel)
{
    return asked ? *asked != AttentionKernel::Plain : hasKernel;
}

/// It stays in 16 bits where weights have 8.
FusedAttention fusedOn(const Device& device, const PeakRate& peak, const GenerationRates& rates,
                       const KernelRates& kernels)
{
    const double flopsPerS = peak.arithmetic == Arithmetic::Fp8
                                 ? peakRate(device, Precision::Fp16).flopsPerS
                                 : peak.flopsPerS;
    FusedAttention on =
        fusedAt(flopsPerS * productsFactor(rates, peak.arithmetic), kernels.prompts);
    on.callS *= latenciesOf(device);
    return on;
}

/// Kernels of a gated recurrence, which are written for GPUs. Products in 32 bits without faster units reach no more than
/// is listed.
std::optional<ChunkSpeed> chunksOn(const Device& device, Arithmetic arithmetic,
                                   const KernelRates& kernels)
{
    if (device.kind != DeviceKind::Gpu || !device.fp32Tflops || !device.memoryGbPerS)
        return std::nullopt;
    ChunkRates rates = kernels.chunks;
    if (arithmetic == Arithmetic::Fp32 && !device.tf32Tflops)
        rates.share = std::min(rates.share, 1.0);
    const double latencies = latenciesOf(device);
    ChunkSpeed speed =
        speedOf(rates, *device.fp32Tflops * Tera, *device.memoryGbPerS * Giga, latencies);
    if (device.units && device.cacheMb) // what went before left its results there
        speed.cache = speedOf(kernels.cache, *device.units, *device.cacheMb * Mega, latencies);
    return speed;
}

void addFramework(Attainable& on, const TrainingRates& rates, AttentionKernel attention,
                  bool isCompiled)
{
    on.stopsEarly = true;
    on.hostS = rates.hostUs * Micro;
    on.traffic = isCompiled ? rates.compiledTraffic : rates.traffic;
    on.castTraffic = isCompiled ? 1 : rates.traffic / rates.compiledTraffic;
    on.launches = isCompiled ? rates.compiledLaunches : 1;
    on.scoreTraffic = attention == AttentionKernel::Fused ? rates.fusedScores : rates.plainScores;
    on.overheadS = rates.stepOverheadMs / MillisPerS;
    on.updateTraffic = rates.updateTraffic;
}

/// Where it has units for them: of the same shapes as in 16 bits.
double narrowFlopsPerS(const Device& device, const PeakRate& half, const Attainable& on,
                       const Calibration& c)
{
    const PeakRate peak = peakRate(device, Precision::Fp8);
    if (peak.arithmetic != Arithmetic::Fp8 || half.flopsPerS <= 0)
        return 0;
    return on.flopsPerS * peak.flopsPerS / half.flopsPerS * c.training.narrowProducts;
}

/// Of all its products.
void scaleProducts(Attainable& on, double factor)
{
    on.flopsPerS *= factor;
    on.narrowFlopsPerS *= factor;
    if (on.attention)
        on.attention->flopsPerS *= factor;
}

/// Where it isn't said otherwise, in 16 bits.
bool fusesAttention(const Device& device, Arithmetic arithmetic,
                    std::optional<AttentionKernel> asked, const Calibration& c)
{
    const bool hasKernel = isOfHalf(arithmetic) && c.ratesOf(device.generation).hasFusedAttention;
    return device.kind != DeviceKind::Cpu && isFused(asked, hasKernel);
}

/// Of a pass, beside its kernels. Transformers' is what `generate` does between tokens: where none follows another it has
/// none.
double overheadSecondsOf(const EngineRates& engine, const ServingDemand& demand)
{
    const bool isOnePass = demand.engine == Engine::Transformers && demand.laterTokens <= 0;
    return (isOnePass ? 0 : engine.overheadMs / MillisPerS) +
           static_cast<double>(batchOf(demand.serving)) * engine.sequenceUs * Micro;
}

void addEngine(Attainable& on, const ServingDemand& demand, const EngineRates& engine)
{
    on.bytesPerS *= engine.memory;
    on.hostS = engine.hostUs * Micro;
    on.launches = engine.launches;
    on.traffic = engine.traffic;
    on.scoreTraffic = engine.scores;
    on.repeats = engine.repeats;
    on.overheadS = overheadSecondsOf(engine, demand);
}

/// Frameworks make 32 bits of 16 on processors before they multiply, or gain as little by instructions for them;
/// llama.cpp reads what it has.
bool isWidened(const ServingDemand& demand)
{
    const ServingPrecision precision = demand.serving.precision;
    const bool isHalf = precision == ServingPrecision::Bf16 || precision == ServingPrecision::Fp16;
    return isHalf && demand.engine != Engine::LlamaCpp;
}

/// It multiplies one row by weights of few bits in 8, which takes no longer than to read them: set on what was published of
/// an EPYC of 64 cores.
constexpr double RowsToHalfOfLlamaCpp = 2;

/// Processors were timed with LibTorch. What another engine does more on the processor beside an accelerator, it does
/// here, too, and nothing runs meanwhile.
RequestRates requestRatesOfProcessor(Attainable on, const ServingDemand& demand,
                                     const Calibration& c)
{
    const EngineRates& timed = c.ratesOf(Engine::LibTorch, {});
    const EngineRates& engine = c.ratesOf(demand.engine, {});
    const double moreS = std::max(0.0, engine.hostUs - timed.hostUs) * Micro;
    on.launchS += moreS;
    on.steps.launchS += moreS;
    on.overheadS =
        std::max(0.0, overheadSecondsOf(engine, demand) - overheadSecondsOf(timed, demand));
    if (demand.engine == Engine::LlamaCpp)
        on.products.rowsToHalf = std::min(on.products.rowsToHalf, RowsToHalfOfLlamaCpp);
    if (isWidened(demand)) {
        on.bytesPerS *= 0.5;
        on.steps.bytesPerS *= 0.5;
    }
    return {on, overlapping(on)};
}

/// Blocks of few bits are taken apart before llama.cpp multiplies a prompt by them.
double partOfProducts(const ServingDemand& demand)
{
    constexpr double OfFewBits = 0.77;
    const bool isApart =
        demand.engine == Engine::LlamaCpp && bytesPerWeight(demand.serving.precision) < 2;
    return isApart ? OfFewBits : 1;
}

/// Its products sum in 16 bits, but those of bf16, which have none such.
bool sumsInHalf(const ServingDemand& demand, Arithmetic arithmetic)
{
    return demand.engine == Engine::LlamaCpp && arithmetic == Arithmetic::Half &&
           demand.serving.precision != ServingPrecision::Bf16;
}

/// Of an accelerator with its engine.
RequestRates requestRatesFrom(const Attainable& on, const ServingDemand& demand,
                              const EngineRates& engine, const GenerationRates& generation,
                              const KernelRates& kernels)
{
    RequestRates rates{on, overlapping(on)};
    scaleProducts(rates.prompt, engine.prompts * generation.servedPrompts * partOfProducts(demand));
    scaleProducts(rates.token, engine.tokens);
    rates.token.products.rowsToHalf *= kernels.tokenRows;
    if (on.attention)
        rates.token.attention->callS *= kernels.cacheCallUs / kernels.prompts.launchUs;
    return rates;
}

} // namespace

double reachOf(const Device& device, const PeakRate& peak, const Calibration& c)
{
    const GenerationRates& rates = c.ratesOf(device.generation);
    return productsFactor(rates, peak.arithmetic) * powerFactor(device, peak, rates);
}

bool fusesAttention(const Device& device, const Training& training, const Calibration& c)
{
    return fusesAttention(device, peakRate(device, training.precision).arithmetic,
                          training.attention, c);
}

bool waitsForLengths(const Device& device, const Training& training, const Calibration& c)
{
    return !training.packed && device.kind != DeviceKind::Cpu &&
           fusesAttention(device, training, c);
}

Attainable attainableOf(const Device& device, const Training& training, const Calibration& c)
{
    const bool isNarrow = training.precision == Precision::Fp8;
    // All but products of blocks.
    const PeakRate peak = peakRate(device, isNarrow ? Precision::Bf16 : training.precision);
    Attainable on = plainOn(device, peak, c);
    if (device.kind == DeviceKind::Cpu) {
        addTraining(on, c.processors.training);
        return on;
    }
    if (isNarrow)
        on.narrowFlopsPerS = narrowFlopsPerS(device, peak, on, c);
    setBf16(on.steps, isNarrow || training.precision == Precision::Bf16);
    if (peak.arithmetic == Arithmetic::Half) {
        const double trained = c.ratesOf(device.generation).trained;
        scaleProducts(on, trained);
        on.bytesPerS *= trained;
    }
    const bool fuses = fusesAttention(device, training, c);
    addFramework(on, c.training, fuses ? AttentionKernel::Fused : AttentionKernel::Plain,
                 training.compiled);
    if (training.compiled)
        on.chunks = chunksOn(device, peak.arithmetic, c.kernels);
    on.remadeLaunches = c.training.quantisedLaunches;
    if (fuses) {
        const GenerationRates& generation = c.ratesOf(device.generation);
        on.attention = fusedOn(device, peak, generation, c.kernels);
        if (training.attention == AttentionKernel::Fused && isOfHalf(peak.arithmetic))
            on.attention->flopsPerS *= generation.anyAttention; // the bytes are the same
        on.attention->back = c.training.fusedBackward;
    }
    if (waitsForLengths(device, training, c))
        on.unevenBlockS = c.training.unevenBlockMs / MillisPerS;
    return on;
}

RequestRates requestRatesOf(const Device& device, const ServingDemand& demand, const Calibration& c)
{
    const PeakRate peak = peakRate(device, demand.serving.precision);
    Attainable on = plainOn(device, peak, c);
    if (device.kind == DeviceKind::Cpu)
        return requestRatesOfProcessor(on, demand, c);
    const GenerationRates& generation = c.ratesOf(device.generation);
    const EngineRates& engine = c.ratesNear(demand.engine, device);
    const bool isChosen = choosesAttention(demand.engine);
    const bool fuses = isChosen
                           ? fusesAttention(device, peak.arithmetic, demand.serving.attention, c)
                           : engine.fuses();
    if (fuses)
        on.attention = fusedOn(device, peak, generation, c.kernels);
    scaleProducts(on, generation.served);
    on.bytesPerS *= generation.served;
    if (demand.engine == Engine::TorchCompile)
        on.chunks = chunksOn(device, peak.arithmetic, c.kernels);
    setBf16(on.steps, demand.serving.precision == ServingPrecision::Bf16);
    if (on.steps.chosen) // nothing is kept for a way back
        on.steps.chosen->callS = on.steps.callS;
    addEngine(on, demand, engine);
    if (isChosen && fuses)
        on.scoreTraffic = c.kernels.prompts.scores;
    RequestRates rates = requestRatesFrom(on, demand, engine, generation, c.kernels);
    if (device.units && generation.unitGbPerS > 0)
        rates.token.bytesPerS =
            std::min(rates.token.bytesPerS, *device.units * generation.unitGbPerS * Giga);
    if (device.sumsAtHalfRate && sumsInHalf(demand, peak.arithmetic))
        scaleProducts(rates.prompt, 2);
    return rates;
}

Attainable overlapping(Attainable on)
{
    on.overlaps = true;
    return on;
}

Attainable attainableAt(const ReachedRates& rates, const Calibration& c)
{
    if (rates.isProcessor) {
        Attainable on = processorOf(rates.flopsPerS, rates.bytesPerS, c);
        addTraining(on, c.processors.training);
        return on;
    }
    Attainable on = acceleratorAt(rates, c);
    addFramework(on, c.training, AttentionKernel::Plain, false);
    return on;
}

RequestRates requestRatesAt(const ReachedRates& rates, const ServingDemand& demand,
                            const Calibration& c)
{
    if (rates.isProcessor)
        return requestRatesOfProcessor(processorOf(rates.flopsPerS, rates.bytesPerS, c), demand, c);
    Attainable on = acceleratorAt(rates, c);
    const EngineRates& engine = c.ratesOf(demand.engine);
    addEngine(on, demand, engine);
    // As LibTorch 2 runs it, where nobody says otherwise.
    if (choosesAttention(demand.engine) &&
        isFused(demand.serving.attention, isOfHalf(rates.arithmetic))) {
        const double listed = rates.flopsPerS / productRates(c.kernels, rates.arithmetic).share;
        on.attention = fusedAt(listed, c.kernels.prompts);
        on.attention->callS *= rates.latencies;
        on.scoreTraffic = c.kernels.prompts.scores;
    }
    return requestRatesFrom(on, demand, engine, c.generations.front(), c.kernels);
}

} // namespace outlay::core
