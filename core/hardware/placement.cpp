// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/placement.h"

#include "core/base/text.h"
#include "core/hardware/step.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr Formula IntensityFormula{"placement.intensity", "{0} FLOP / {1} B of a forward pass"};
constexpr Formula GpuShareFormula{"placement.share", "{0} s of {1} s of a step on the GPU"};
constexpr Formula GainFormula{"placement.batch_gain",
                              "samples/s at a batch of {0} over those at {1}"};
constexpr Formula SpeedFormula{"placement.speed_up", "{0} s on the CPU / {1} s on the GPU"};

// Below half, the GPU rents its units for nothing; twice as fast is less than its higher price buys.
constexpr double MuchOfStep = 0.5;
constexpr double LittleGain = 1.1;
constexpr double WorthIt = 2;
constexpr double ClearlyWorthIt = 5;

struct Shares {
    PassTime step;
    double flops = 0;
    double bytes = 0;
};

Shares sharesOf(const TrainingDemand& demand, const Attainable& on)
{
    Shares s;
    s.step = passAlone(demand, on).withHost();
    for (const KernelGroup& g : demand.forward) {
        s.flops += g.count * (g.flops + g.scoreFlops + g.steps * g.stepFlops);
        s.bytes += g.count * (g.bytes + g.weightBytes + g.scoreBytes + g.steps * g.stepBytes);
    }
    return s;
}

WorkloadClass classOf(const PassTime& time)
{
    const std::array parts{time.productS, time.movingS, time.recurrenceS, time.launchS};
    return static_cast<WorkloadClass>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

Quantity forecastOf(double value, Unit unit, How how)
{
    return Quantity::within(value, value, value, unit, Basis::Forecast, std::move(how));
}

Factor shareFactor(const char* id, const char* title, double seconds, double total)
{
    return {.id = id,
            .name = title,
            .value = forecastOf(total > 0 ? 100 * seconds / total : 0, Unit::Percent,
                                how(GpuShareFormula, {seconds, total}))};
}

std::vector<Factor> stepFactors(const Shares& shares)
{
    const PassTime& t = shares.step;
    const double total = t.total();
    Factor intensity{.id = "intensity",
                     .name = "FLOPs for each byte",
                     .value =
                         shares.bytes > 0
                             ? Quantity::exact(shares.flops / shares.bytes, Unit::One,
                                               how(IntensityFormula, {shares.flops, shares.bytes}))
                             : Quantity::unavailable(Unit::One, "nothing is moved"),
                     .why = "the more FLOPs on each byte, the more a GPU's units have to do"};
    Factor products = shareFactor("products", "time in matrix products", t.productS, total);
    products.leaning = t.productS > MuchOfStep * total ? Leaning::Gpu : Leaning::Neither;
    products.why = "matrix products are what a GPU is built for";
    Factor steps = shareFactor("sequential", "time in steps of a recurrence", t.recurrenceS, total);
    steps.leaning = t.recurrenceS > MuchOfStep * total ? Leaning::Cpu : Leaning::Neither;
    steps.why = "each time step waits for the one before, so most of a GPU's units wait too";
    Factor launches = shareFactor("launches", "time between kernels", t.launchS, total);
    launches.leaning = t.launchS > MuchOfStep * total ? Leaning::Cpu : Leaning::Neither;
    launches.why = "a GPU needs microseconds to start each operation, however small it is";
    return {intensity, products, steps, launches};
}

Factor batchFactor(const LayerKinds& layers, const Training& training, const Attainable& on)
{
    Training twice = training;
    twice.batch *= 2;
    const double once = stepSecondsOn(trainingDemand(layers, training), on);
    const double doubled = stepSecondsOn(trainingDemand(layers, twice), on);
    const double gain = doubled > 0 ? 2 * once / doubled : 1;
    return {.id = "batch",
            .name = "gain of twice the batch on the GPU",
            .value = forecastOf(gain, Unit::One,
                                how(GainFormula, {static_cast<double>(twice.batch),
                                                  static_cast<double>(training.batch)})),
            .leaning = gain < LittleGain ? Leaning::Gpu : Leaning::Neither,
            .why = gain < LittleGain ? "this batch already fills the GPU"
                                     : "this batch leaves the GPU partly idle; a larger one is "
                                       "nearly free there"};
}

std::string sentenceOf(const PlacementAdvice& advice, const Choice& choice, double speedUp)
{
    const std::string times = plainNumber(speedUp) + " times as fast as " + choice.cpu.name;
    const std::string what(name(advice.workload));
    switch (advice.recommended) {
    case Leaning::Gpu:
        return "Take the GPU: the step is " + what + ", and " + choice.gpu.name + " is forecast " +
               times + ".";
    case Leaning::Cpu:
        return "Stay on the CPU: the step is " + what + ", and " + choice.gpu.name +
               " is forecast only " + times + ".";
    case Leaning::Neither: break;
    }
    return "Either will do: the step is " + what + ", and " + choice.gpu.name + " is forecast " +
           times + "; the price decides.";
}

} // namespace

std::string_view name(WorkloadClass workload)
{
    constexpr std::array<std::string_view, 4> Names{
        "bound by matrix products", "bound by memory bandwidth",
        "bound by the steps of its recurrence", "bound by launching small kernels"};
    return Names.at(static_cast<std::size_t>(workload));
}

std::string_view asksOf(WorkloadClass workload)
{
    constexpr std::array<std::string_view, 4> Asks{
        "many FLOP/s in the training's precision: matrix units, and memory for a batch that fills "
        "them",
        "memory bandwidth rather than FLOP/s: HBM rather than GDDR",
        "fast single steps rather than a large chip: a small GPU or a CPU does nearly as well",
        "a fast host and large batches; the size of the GPU hardly matters"};
    return Asks.at(static_cast<std::size_t>(workload));
}

PlacementAdvice placementAdvice(const LayerKinds& layers, const Training& training,
                                const Choice& choice)
{
    const Calibration& c = choice.calibration;
    const TrainingDemand demand = trainingDemand(layers, training);
    const auto attainable = [&](const Device& device) { return attainableOf(device, training, c); };
    const Attainable gpu = attainable(choice.gpu);
    const Attainable cpu = attainable(choice.cpu);
    PlacementAdvice advice;
    if (!gpu.isKnown() || !cpu.isKnown()) {
        advice.sentence = "No advice: the rates of " +
                          (gpu.isKnown() ? choice.cpu.name : choice.gpu.name) + " are not known.";
        return advice;
    }
    const Shares shares = sharesOf(demand, gpu);
    advice.workload = classOf(shares.step);
    advice.factors = stepFactors(shares);
    advice.factors.push_back(batchFactor(layers, training, gpu));
    const double onCpu = stepSecondsOn(demand, cpu);
    const double onGpu = stepSecondsOn(demand, gpu);
    const double speedUp = onCpu / onGpu;
    const Leaning leaning = speedUp >= ClearlyWorthIt ? Leaning::Gpu
                            : speedUp < WorthIt       ? Leaning::Cpu
                                                      : Leaning::Neither;
    advice.factors.push_back(
        {.id = "speed_up",
         .name = "the GPU against the CPU",
         .value = forecastOf(speedUp, Unit::One, how(SpeedFormula, {onCpu, onGpu})),
         .leaning = leaning,
         .why = "how many times the GPU may cost before the CPU is cheaper"});
    advice.recommended = leaning;
    advice.sentence = sentenceOf(advice, choice, speedUp);
    return advice;
}

} // namespace outlay::core
