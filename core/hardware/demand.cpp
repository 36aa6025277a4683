// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/demand.h"

#include "core/base/units.h"
#include "core/hardware/kernels.h"
#include "core/workload/parameters.h"
#include "core/workload/trained.h"
#include "core/workload/weight_file.h"

#include <algorithm>
#include <utility>

namespace outlay::core {
namespace {

/// Moves the part that runs step by step out of the group's sums.
void splitRecurrence(KernelGroup& group, const Recurrent& l, const Pass& pass)
{
    const double ways = real(l.directions());
    const double matrix =
        real(gatesOf(l.cell) * l.hidden * l.output()) + real(l.hidden * l.projection);
    group.steps = group.rows / pass.batch;
    group.stepFlops = ways * 2 * pass.batch * matrix;
    group.stepBytes = ways * matrix * pass.weightBytes;
    group.flops = std::max(0.0, group.flops - group.steps * group.stepFlops);
    group.bytes = std::max(0.0, group.bytes - group.steps * group.stepBytes);
    if (group.steps > 0)
        group.stepLaunches = (group.launches - ways) / group.steps;
    group.launches = ways;
    group.stepShape = {.cell = l.cell,
                       .hidden = real(l.hidden),
                       .directions = ways,
                       .isProjected = l.projection > 0};
}

/// The gated RNN's products run over all positions at once; its states step by step, as plain kernels, or in chunks.
/// All launches are counted with the steps, as they were timed.
void splitRecurrence(KernelGroup& group, const GatedRecurrent& l, const Pass& pass)
{
    group.steps = group.rows / pass.batch;
    if (group.steps <= 0)
        return;
    const double ofStates = GatedStateOperations * group.rows * real(l.key * l.value);
    group.gated = GatedShape{.batch = pass.batch,
                             .positions = group.steps,
                             .key = real(l.key),
                             .value = real(l.value),
                             .valueBytes = pass.valueBytes};
    group.flops -= ofStates;
    group.bytes -= ofStates * pass.valueBytes;
    group.stepFlops = ofStates / group.steps;
    group.stepBytes = ofStates * pass.valueBytes / group.steps;
    group.stepLaunches = std::exchange(group.launches, 0) / group.steps;
    group.hasFusedSteps = false;
}

/// Moves attention's scores out of the group's sums.
void splitScores(KernelGroup& group, const Attention& l, const Pass& pass)
{
    const double queries = group.rows / pass.batch;
    double context = l.isCross ? pass.memoryContext : queries;
    if (!l.isCross && pass.context > context)
        context = pass.context;
    if (l.window > 0)
        context = std::min(context, real(l.window));
    group.bytes -= group.scoreBytes;
    group.flops -= group.scoreFlops;
    const double past = std::max(0.0, context - queries);
    const AttentionShape shape{.batch = pass.batch,
                               .queries = queries,
                               .past = past,
                               .heads = real(l.heads),
                               .headSize = pairWidth(l, pass.latents) / 2,
                               .window = real(l.window)};
    group.fusedFlops = l.isCausal ? std::min(group.scoreFlops, shape.flops()) : group.scoreFlops;
    group.scoreTiles = shape.tiles();
    // Few new positions don't share what they read; a prompt's are so many that it doesn't matter.
    constexpr double FewQueries = 64;
    const bool isMet = meetsLatent(l, pass.latents); // by all heads at once
    if (queries <= FewQueries && past > 0 && !isMet)
        group.repeatedBytes = pass.batch * past * pass.valueBytes *
                              real(l.queryWidth() - l.keyWidth() + l.mixedWidth() - l.valueWidth());
    if (isMet)
        group.latentBytes = pass.batch * context * real(l.latentWidth()) * pass.valueBytes;
}

KernelGroup groupOf(const Layer& layer, const Pass& pass)
{
    const Work work = workOf(layer, pass);
    KernelGroup group{.flops = work.flops,
                      .rows = rowsOf(layer.stream, pass),
                      .bytes = work.bytes - work.weights,
                      .weightBytes = work.weights,
                      .scoreFlops = work.scoreFlops,
                      .scoreBytes = work.scoreBytes,
                      .launches = work.launches,
                      .isInBlock = layer.block != 0};
    if (const auto* recurrent = std::get_if<Recurrent>(&layer.spec)) {
        group.bytes += std::exchange(group.weightBytes, 0); // most of them are the steps'
        splitRecurrence(group, *recurrent, pass);
    } else if (const auto* gated = std::get_if<GatedRecurrent>(&layer.spec)) {
        splitRecurrence(group, *gated, pass);
    } else if (const auto* attention = std::get_if<Attention>(&layer.spec)) {
        splitScores(group, *attention, pass);
    } else if (const auto* experts = std::get_if<Experts>(&layer.spec)) {
        // Each expert multiplies only the rows that were sent to it, all of them in one launch.
        group.rows *= real(experts->used) / std::max(1.0, expertsChosen(*experts, group.rows));
        group.isOfExperts = true;
        constexpr double Routing = 4;
        group.launches = Routing + workOf({{}, experts->expert, layer.stream}, pass).launches;
    }
    return group;
}

double widthOf(const LayerKinds& layers)
{
    for (const auto& [layer, count] : layers.kinds()) {
        if (const auto* attention = std::get_if<Attention>(&layer.spec))
            return real(attention->width);
        if (const auto* recurrent = std::get_if<Recurrent>(&layer.spec))
            return real(recurrent->output());
    }
    return 0;
}

/// Numbers of all keys and values of a token.
double keysOfToken(const LayerKinds& layers)
{
    double all = 0;
    for (const auto& [layer, count] : layers.kinds()) {
        if (const auto* attention = std::get_if<Attention>(&layer.spec))
            all += count * real(attention->keyWidth() + attention->valueWidth());
    }
    return all;
}

/// Bytes of a layer's weights, as they are kept.
double weightBytesOf(const LayerSpec& spec, const Trained& trained, const Training& training)
{
    if (training.method == Method::Full)
        return real(parametersOf(spec)) * bytesPerValue(training.precision);
    return frozenBytesOf(spec, trained, frozenBytes(training)) + TrainedBytes * trained.parameters;
}

/// Of a layer's parameters, what one expert each has: all but the router.
double partOfExperts(const Experts& layer)
{
    return real(layer.count * parametersOf(layer.expert)) / real(parametersOf(layer));
}

/// Of a layer or a block; and what of it belongs to one expert each.
struct Held {
    double all = 0;
    double experts = 0;
};

/// By kinds of layers.
void findNeighbours(const LayerKinds& layers, const std::vector<Held>& ofKinds, LayerSums& sums)
{
    std::vector<Held> blocks(1); // before the first
    std::int64_t block = 0;
    for (const LayerKinds::Place& place : layers.places()) {
        if (place.block == 0)
            continue;
        if (place.block != block)
            blocks.emplace_back();
        block = place.block;
        blocks.back().all += ofKinds[place.kind].all;
        blocks.back().experts += ofKinds[place.kind].experts;
    }
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        const double all = blocks[i - 1].all + blocks[i].all;
        const double experts = blocks[i - 1].experts + blocks[i].experts;
        sums.neighbours = std::max(sums.neighbours, all);
        sums.plainNeighbours = std::max(sums.plainNeighbours, all - experts);
        sums.expertNeighbours = std::max(sums.expertNeighbours, experts);
    }
}

/// What several devices may divide of the model, and whatever else is the same for every pass.
TrainingDemand sameInAllPasses(const LayerKinds& layers, const Training& training)
{
    TrainingDemand demand;
    const Pass onePass =
        trainingPass(1, real(training.sequence), bytesPerValue(training.precision));
    demand.hasTokens =
        std::any_of(layers.kinds().begin(), layers.kinds().end(),
                    [](const LayerCount& kind) { return kind.layer.stream != Stream::Sample; });
    demand.parameters = real(parametersOf(layers));
    demand.blocks = blockCount(layers);
    demand.blocksAgain = blocksAgain(layers, training);
    demand.width = widthOf(layers);
    const std::vector<Trained> trained = trainedOf(layers, training);
    std::vector<Held> trainedOfKinds;
    std::vector<Held> bytesOfKinds;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto& [layer, count] = layers.kinds()[i];
        const bool isInBlock = layer.block != 0;
        const double weights = weightBytesOf(layer.spec, trained[i], training);
        demand.trained.add(trained[i].parameters, count, isInBlock);
        demand.weightBytes.add(weights, count, isInBlock);
        trainedOfKinds.push_back({trained[i].parameters});
        bytesOfKinds.push_back({weights});
        if (const auto* experts = std::get_if<Experts>(&layer.spec); experts && isInBlock) {
            const double part = partOfExperts(*experts);
            trainedOfKinds.back().experts = part * trained[i].parameters;
            bytesOfKinds.back().experts = part * weights;
            demand.trained.experts += count * part * trained[i].parameters;
            demand.weightBytes.experts += count * part * weights;
            RoutedRows& routed = demand.routed;
            routed.used = (routed.layers * routed.used + count * real(experts->used)) /
                          (routed.layers + count);
            routed.layers += count;
            routed.bytes += count * rowsOf(layer.stream, onePass) * real(experts->expert.width) *
                            onePass.valueBytes;
        }
    }
    findNeighbours(layers, trainedOfKinds, demand.trained);
    findNeighbours(layers, bytesOfKinds, demand.weightBytes);
    demand.heads = layers.divisorOf(&Attention::heads);
    if (demand.routed.layers > 0) // those outside of blocks stay whole
        demand.experts = layers.divisorOf(&Experts::count);
    demand.keyBytes = real(training.sequence) * keysOfToken(layers) *
                      bytesPerValue(training.precision); // of a sample
    return demand;
}

void addTo(std::vector<KernelGroup>& groups, KernelGroup group, double count)
{
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const KernelGroup& known) {
        group.count = known.count;
        return group == known;
    });
    if (same != groups.end()) {
        same->count += count;
        return;
    }
    group.count = count;
    groups.push_back(group);
}

/// Two thin products beside a matrix, as frameworks run them: their input is cast, dropped in part, and the sum of
/// both results is made in steps of its own.
KernelGroup adapterGroup(const Linear& linear, const Layer& layer, const Training& t,
                         const Pass& pass, double again)
{
    constexpr double ReadOrWritten = 8; // times each of its inputs or outputs, half of them either
    constexpr double Launches = 6;
    const double rows = adapterRows(linear, layer.stream, pass);
    const double width = (real(linear.inputs) + real(linear.outputs)) / 2;
    return {.flops = adapterFlops(linear, t.adapterRank, rows),
            .rows = rows / real(linear.count),
            .bytes = ReadOrWritten * rows * width * pass.valueBytes,
            .weightBytes =
                real(linear.count) * adapterElements(linear, t.adapterRank) * pass.weightBytes,
            .launches = Launches,
            .isInBlock = layer.block != 0,
            .again = {again, 0, again, again, again}};
}

/// Rows that go into a matrix are read in 16 bits and written in 8, also turned; so are their gradients, for two products
/// on the way back.
double castBytes(const Layer& layer, const Pass& pass)
{
    constexpr double ReadAndWritten = 4;
    constexpr double OfProducts = 2.0 / 3;
    double values = 0;
    for (const Linear& linear : linearsOf(layer.spec))
        values +=
            adapterRows(linear, layer.stream, pass) * real(linear.inputs + linear.outputs) / 2;
    return ReadAndWritten * OfProducts * values;
}

/// The layers as they are trained, and what lies beside them.
std::vector<KernelGroup> trainingGroups(const LayerKinds& layers, const Training& t,
                                        const Pass& pass)
{
    const std::vector<Trained> trained = trainedOf(layers, t);
    const std::vector<RunAgain> again = runAgain(layers, t, trained, pass);
    const FrozenBytes frozen = frozenBytes(t);
    std::vector<KernelGroup> groups;
    groups.reserve(trained.size());
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto& [layer, count] = layers.kinds()[i];
        KernelGroup group = groupOf(layer, pass);
        group.productsBack = trained[i].productsBack();
        group.othersBack = trained[i].isReached ? 2 : 0;
        group.again = again[i];
        if (mayBeNarrow(layer, trained[i], t))
            group.castBytes = castBytes(layer, pass);
        if (!trained[i].isWhole && t.frozenWeights != FrozenWeights::Same &&
            !linearsOf(layer.spec).empty())
            group.remadeBytes = group.weightBytes * (1 + frozen.ofMatrices / pass.weightBytes);
        addTo(groups, group, count);
        for (const Linear& linear : trained[i].adapted)
            addTo(groups, adapterGroup(linear, layer, t, pass, again[i].others), count);
    }
    return groups;
}

} // namespace

void LayerSums::add(double value, double count, bool isInBlock)
{
    all += count * value;
    if (isInBlock)
        return;
    outside += count * value;
    end = std::max(end, value);
}

double wholeAgain(const TrainingDemand& demand)
{
    const bool isWhole = demand.training.recomputed == Recomputed::Blocks;
    return isWhole && demand.blocks > 0 ? demand.blocksAgain / demand.blocks : 0;
}

std::vector<KernelGroup> kernelGroups(const LayerKinds& layers, const Pass& pass)
{
    std::vector<KernelGroup> groups;
    groups.reserve(layers.kinds().size());
    for (const auto& [layer, count] : layers.kinds())
        addTo(groups, groupOf(layer, pass), count);
    return groups;
}

namespace {

TrainingDemand demandOf(const TrainingDemand& same, const LayerKinds& layers,
                        const Training& training)
{
    const Pass pass = trainingPass(real(training.batch), real(training.sequence),
                                   bytesPerValue(training.precision));
    TrainingDemand demand = same;
    demand.keyBytes = same.keyBytes * real(training.batch);
    demand.routed.bytes = same.routed.bytes * real(training.batch);
    demand.forward = trainingGroups(layers, training, pass);
    demand.training = training;
    if (demand.experts == 0) // then it asks for nothing
        demand.training.expertParallel.reset();
    demand.run = trainingRun(layers, training);
    demand.memory = trainingMemory(layers, training);
    demand.returned = returnedBytes(layers, training, demand.memory);
    demand.onAccelerator = acceleratorActivations(layers, training);
    demand.batchRows = pass.batch;
    demand.flopsPerBatch = workOf(layers, pass).flops;
    demand.stepFlops = flopsOfBatch(layers, training);
    return demand;
}

} // namespace

TrainingDemand trainingDemand(const LayerKinds& layers, const Training& training)
{
    Training fewer = training;
    // No pass has more than a whole step.
    fewer.batch = std::min(fewer.batch, training.globalBatch.value_or(fewer.batch));
    const TrainingDemand same = sameInAllPasses(layers, training);
    TrainingDemand demand = demandOf(same, layers, fewer);
    while (training.globalBatch && fewer.batch > 1) {
        fewer.batch /= 2;
        demand.smaller.push_back(demandOf(same, layers, fewer));
    }
    return demand;
}

namespace {

CheckedTokens checkedTokens(std::vector<KernelGroup> pass, const Serving& serving,
                            std::int64_t guesses)
{
    constexpr double Doubt = 0.1; // of the share of guesses that hold, from text to text
    // An answer's last pass may make more than it lacks.
    const auto made = [&](double acceptance) {
        return std::min(madeByPass(guesses, acceptance), real(serving.outputTokens - 1));
    };
    return {.pass = std::move(pass),
            .guesses = real(guesses),
            .draftShare = serving.draftShare,
            .made = made(serving.acceptance),
            .madeAtLeast = made(std::max(0.0, serving.acceptance - Doubt))};
}

} // namespace

ServingDemand servingDemand(const Model& model, const LayerKinds& layers, const Serving& serving)
{
    const ServingWork work = servingWork(model, layers, serving);
    ServingDemand demand;
    demand.serving = serving;
    demand.engine = engineOf(model, serving);
    demand.isEngineKnown = serving.engine.has_value();
    demand.format = weightFormatOf(model, serving);
    demand.memory = work.memory;
    demand.stateBytes = work.stateBytes;
    demand.fixedStateBytes = work.fixedStateBytes;
    demand.hasLatents = work.latentWeightBytes > 0;
    // A latent belongs to all heads: devices that share its layer each have its weights, and divide requests.
    if (latentsOf(demand.engine) == Latents::Met && !worksInTurn(demand.engine))
        demand.wholeBytes = work.latentWeightBytes;
    demand.ownTokens = ownTokens(model, serving);
    demand.prompt = kernelGroups(layers, work.promptShape);
    if (generates(model) && serving.outputTokens > 1) {
        demand.token = kernelGroups(layers, work.tokenShape);
        demand.laterTokens = real(serving.outputTokens - 1); // the prompt yields the first
        if (work.checkShape)
            demand.checked = checkedTokens(kernelGroups(layers, *work.checkShape), serving,
                                           guessesOf(model, serving));
    }
    demand.blocks = blockCount(layers);
    demand.width = widthOf(layers);
    demand.heads = layers.divisorOf(&Attention::heads);
    return demand;
}

std::optional<ServingDemand> processorDemand(const Model& model, const LayerKinds& layers,
                                             const Serving& serving)
{
    const Engine engine = engineOnProcessors(model, layers, serving);
    if (engine == engineOf(model, serving))
        return std::nullopt;
    Serving there = serving;
    there.engine = engine;
    ServingDemand demand = servingDemand(model, layers, there);
    demand.serving.engine = serving.engine;
    demand.isEngineKnown = false;
    return demand;
}

} // namespace outlay::core
