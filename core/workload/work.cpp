// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/work.h"

#include "core/base/units.h"
#include "core/workload/parameters.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// How a layer sees a pass: the positions it computes, and those that it looks at.
struct View {
    double batch = 0;
    double tokens = 0;  // positions per sample
    double context = 0; // positions that self-attention looks at
    double rows = 0;    // positions in all samples
    double weightBytes = 0;
    double valueBytes = 0;
    const Pass* pass = nullptr;
};

View viewOf(Stream stream, const Pass& pass)
{
    View view{.batch = pass.batch,
              .weightBytes = pass.weightBytes,
              .valueBytes = pass.valueBytes,
              .pass = &pass};
    switch (stream) {
    case Stream::Tokens:
        view.tokens = pass.tokens;
        view.context = pass.context;
        break;
    case Stream::Memory:
        view.tokens = pass.memoryTokens;
        view.context = pass.memoryTokens;
        break;
    case Stream::Sample: view.tokens = 1; break;
    }
    view.rows = view.batch * view.tokens;
    return view;
}

/// Weights are read once in a pass, unless nothing runs.
double weightTraffic(const LayerSpec& spec, const View& v)
{
    return v.rows > 0 ? real(parametersOf(spec)) * v.weightBytes : 0;
}

// Below, "values" are counts of numbers; `Work` holds bytes, made by `inBytes`.
struct Counts {
    double flops = 0;
    double scoreFlops = 0;  // of these
    double moved = 0;       // values read and written, without weights
    double kept = 0;        // values
    double movedScores = 0; // values, of those moved
    double keptScores = 0;  // values, of those kept
    double transient = 0;   // values
    double launches = 0;
    double sequential = 0;
};

Counts counts(const Embedding& l, const View& v)
{
    const double values = v.rows * real(l.width);
    return {.moved = 2 * values, .kept = values, .launches = 1};
}

Counts counts(const RelativeBias& l, const View& v)
{
    const double values = real(l.heads) * v.tokens * v.context;
    return {.moved = 2 * values, .kept = values, .launches = 2};
}

/// Values per step and direction that LibTorch's layers keep, found by reading their operations:
/// an LSTM keeps four gates, the cell, its tanh, the state and the stacked output.
double keptPerStep(const Recurrent& l)
{
    const double hidden = real(l.hidden);
    const double output = real(l.output());
    switch (l.cell) {
    case Cell::Lstm: return 6 * hidden + 2 * output;
    case Cell::Gru: return 8.5 * hidden; // measured: between 8.2 and 9
    case Cell::Rnn: return 2 * hidden;
    }
    return 0;
}

double launchesPerStep(Cell cell)
{
    switch (cell) {
    case Cell::Lstm: return 11;
    case Cell::Gru: return 9;
    case Cell::Rnn: return 3;
    }
    return 0;
}

Counts counts(const Recurrent& l, const View& v)
{
    const double gates = real(gatesOf(l.cell)) * real(l.hidden);
    const double hidden = real(l.hidden);
    const double output = real(l.output());
    const double perRow = 2 * gates * (real(l.inputs) + output) + 2 * hidden * real(l.projection);
    const double ways = real(l.directions());
    // The input product writes the gates and the steps read and rewrite them; the recurrent matrix
    // is read in every step (its bytes beyond the first reading, in values).
    const double steps = v.rows * (real(l.inputs) + 4 * gates + 3 * hidden + output);
    const double matrix = gates * output + hidden * real(l.projection);
    const double rereads = std::max(0.0, v.tokens - 1) * matrix * v.weightBytes / v.valueBytes;
    return {.flops = ways * v.rows * perRow,
            .moved = ways * (steps + rereads),
            .kept = ways * v.rows * keptPerStep(l),
            .transient = ways * v.rows * gates,
            .launches = ways * (1 + v.tokens * launchesPerStep(l.cell)),
            .sequential = v.tokens * launchesPerStep(l.cell)};
}

Counts counts(const GatedRecurrent& l, const View& v)
{
    const double key = real(l.key);
    const double value = real(l.value);
    const double output = real(l.output);
    const double state = key * value;
    const double projections = 2 * real(l.inputs) * (3 * key + value) + 2 * value * output;
    constexpr double LaunchesPerStep = 10; // four projections, two sigmoids, gate, outer, read, out
    const double ofState = GatedStateOperations * state;
    return {.flops = v.rows * (projections + ofState),
            .moved = v.rows * (4 * real(l.inputs) + 6 * key + 4 * value + output + ofState),
            .kept = v.rows * (3 * key + 2 * value + output + state),
            .transient = v.batch * 2 * state,
            .launches = v.tokens * LaunchesPerStep,
            .sequential = v.tokens * LaunchesPerStep};
}

/// Of the products that make queries, keys and values, and lead back to the stream.
double projectionFlops(const Attention& l, double rows, double kvRows)
{
    const double width = real(l.width);
    const double rank = real(l.queryRank);
    const double query =
        l.queryRank > 0 ? rank * (width + real(l.queryWidth())) : width * real(l.queryWidth());
    const double memory =
        real(l.memory) * real(l.isLatent() ? l.latentWidth() : l.keyWidth() + l.valueWidth());
    const double made = real(l.latent) * real(l.fromLatent());
    return 2 * rows * (query + width * real(l.mixedWidth())) + 2 * kvRows * (memory + made);
}

/// What a latent takes beside keys and values: norms, and queries and results as wide as itself where it is met.
double latentMoved(const Attention& l, const View& v, bool isMet)
{
    const double norms = 4.0 * real(l.queryRank + (l.isLatent() ? l.latentWidth() : 0));
    return v.rows * (norms + (isMet ? 4.0 * real(l.heads * l.latent) : 0));
}

Counts counts(const Attention& l, const View& v)
{
    const double width = real(l.width);
    const double keys = real(l.keyWidth() + l.valueWidth());
    const double queries = real(l.queryWidth() + l.mixedWidth());
    const double kvRows = l.isCross ? v.batch * v.pass->memoryTokens : v.rows;
    double context = l.isCross ? v.pass->memoryContext : v.context;
    if (l.window > 0)
        context = std::min(context, real(l.window));
    const Latents latents = v.pass->latents;
    const bool drops = l.dropout && v.pass->drops;
    const bool isMet = meetsLatent(l, latents);
    const double scores = v.batch * real(l.heads) * v.tokens * context;
    const double products = 2 * scores * pairWidth(l, latents);
    // Keys and values of those before.
    const double again = l.isLatent() && latents == Latents::Remade
                             ? v.batch * std::max(0.0, context - v.tokens)
                             : 0;
    const double projections =
        projectionFlops(l, v.rows, kvRows) + 2 * again * real(l.latent) * real(l.fromLatent());
    // Made, taken and made by softmax, taken; dropout takes and makes them once more.
    const double movedScores = (drops ? 6 : 4) * scores;
    // The residual sum is here too.
    const double moved = v.rows * (5 * width + 2 * queries) +
                         kvRows * (2 * real(l.memory) + (isMet ? 0 : keys)) + again * keys +
                         v.batch * context * (isMet ? real(l.latentWidth()) : keys) + movedScores +
                         latentMoved(l, v, isMet);
    // Scaled queries, keys, values and the mixed values; with dropout also its masks.
    const double keptScores = (drops ? 3 : 1) * scores;
    const double kept = v.rows * (queries + (drops ? width : 0) + 2 * real(l.queryRank)) +
                        kvRows * (keys + 2 * real(l.latent)) + keptScores;
    const double normed =
        l.qkNorm == QkNorm::None ? 0 : v.rows * real(l.queryWidth()) + kvRows * real(l.keyWidth());
    const double ofRanks = (l.queryRank > 0 ? 2 : 0) + (l.isLatent() ? 3 : 0);
    return {.flops = projections + products,
            .scoreFlops = products,
            .moved = moved + 2 * normed,
            .kept = kept + 2 * normed,
            .movedScores = movedScores,
            .keptScores = keptScores,
            .transient = 2 * scores,
            .launches = v.rows > 0 ? (drops ? 12.0 : 10.0) +
                                         (l.qkNorm != QkNorm::None ? 2.0 : 0.0) + ofRanks
                                   : 0};
}

Counts counts(const FeedForward& l, const View& v)
{
    const double width = real(l.width);
    const double inner = real(l.inner);
    const double matrices = l.gated ? 3 : 2;
    const bool drops = l.dropout && v.pass->drops;
    const double keptInner = l.gated ? 4 : 2; // before and after the activation, gate, product
    return {.flops = 2 * v.rows * matrices * width * inner,
            .moved = v.rows * ((matrices + 3) * width + (2 * keptInner - 1) * inner),
            .kept = v.rows * (keptInner * inner + (drops ? width : 0)),
            .transient = (l.gated ? 2 : 1) * v.rows * inner, // gradients beside what is kept
            .launches = matrices + (l.gated ? 3.0 : 2.0) + (drops ? 1.0 : 0.0)};
}

Counts counts(const Experts& l, const View& v)
{
    View routed = v;
    routed.rows = v.rows * real(l.used);
    Counts c = counts(l.expert, routed);
    const double router = v.rows * real(l.count);
    c.flops += 2 * router * real(l.expert.width);
    c.moved += 3 * router + 4 * routed.rows * real(l.expert.width); // gather and weighted scatter
    c.kept += 2 * router + routed.rows * real(l.expert.width);
    const double touched = std::min(real(l.count), routed.rows);
    c.launches = 4 + touched * c.launches;
    return c;
}

Counts counts(const Norm& l, const View& v)
{
    const double values = v.rows * real(l.width);
    return {.moved = 2 * values, .kept = 2 * values, .launches = 1};
}

Counts counts(const Dense& l, const View& v)
{
    const double inputs = v.rows * real(l.inputs);
    const double outputs = v.rows * real(l.outputs);
    const bool isLogits = l.use == DenseUse::Logits;
    // Logits and their log-softmax are kept; running back, either two of them or one beside the
    // gradient of the matrix.
    const double matrix = real(l.inputs) * real(l.outputs);
    return {.flops = 2 * v.rows * real(l.inputs) * real(l.outputs),
            .moved =
                inputs + outputs + (l.activation ? 2 : 0) * outputs + (isLogits ? 2 : 0) * outputs,
            .kept = (isLogits ? 2 : 1) * outputs,
            .transient = isLogits ? std::max(2 * outputs, outputs + matrix) : outputs,
            .launches = l.activation || isLogits ? 2.0 : 1.0};
}

Counts counts(const Dropout& l, const View& v)
{
    if (!v.pass->drops)
        return {};
    const double values = v.rows * real(l.width);
    return {.moved = 4 * values, .kept = 2 * values, .launches = 2};
}

Counts counts(const Weights& l, const View& v)
{
    return {.flops = 2 * v.rows * real(l.matrixElements), .launches = 1};
}

/// Layers of which a pass does not read all weights.
double readWeights(const LayerSpec& spec, const View& v)
{
    if (const auto* table = std::get_if<Embedding>(&spec))
        return v.rows * real(table->width) * v.weightBytes;
    const auto bytesOf = [&](double given) { return given > 0 ? given : v.weightBytes; };
    if (const auto* dense = std::get_if<Dense>(&spec); dense != nullptr && v.rows > 0) {
        const double bytes =
            dense->use == DenseUse::Logits ? bytesOf(v.pass->outputBytes) : v.weightBytes;
        return (real(dense->inputs) + (dense->bias ? 1 : 0)) * real(dense->outputs) * bytes;
    }
    if (const auto* experts = std::get_if<Experts>(&spec)) {
        const double perExpert = real(parametersOf(experts->expert));
        return real(experts->count * experts->expert.width) * v.weightBytes +
               expertsChosen(*experts, v.rows) * perExpert * bytesOf(v.pass->expertBytes);
    }
    return weightTraffic(spec, v);
}

} // namespace

Work& Work::operator+=(const Work& other)
{
    flops += other.flops;
    scoreFlops += other.scoreFlops;
    bytes += other.bytes;
    scoreBytes += other.scoreBytes;
    weights += other.weights;
    kept += other.kept;
    keptScores += other.keptScores;
    transient = std::max(transient, other.transient);
    launches += other.launches;
    sequential += other.sequential;
    return *this;
}

Work Work::times(double count) const
{
    return {.flops = count * flops,
            .scoreFlops = count * scoreFlops,
            .bytes = count * bytes,
            .scoreBytes = count * scoreBytes,
            .weights = count * weights,
            .kept = count * kept,
            .keptScores = count * keptScores,
            .transient = transient,
            .launches = count * launches,
            .sequential = count * sequential};
}

double pairWidth(const Attention& layer, Latents latents)
{
    return real(meetsLatent(layer, latents) ? layer.latent + layer.latentWidth()
                                            : layer.headSize + layer.valueHead());
}

double cachedWidth(const Attention& layer, Latents latents)
{
    return real(layer.isLatent() && latents != Latents::Unpacked
                    ? layer.latentWidth()
                    : layer.keyWidth() + layer.valueWidth());
}

double expertsChosen(const Experts& layer, double rows)
{
    const double count = real(layer.count);
    const double missed = std::max(0.0, 1 - real(layer.used) / count);
    return count * (1 - std::pow(missed, rows));
}

double rowsOf(Stream stream, const Pass& pass)
{
    return viewOf(stream, pass).rows;
}

Work workOf(const Layer& layer, const Pass& pass)
{
    const View view = viewOf(layer.stream, pass);
    const Counts c = std::visit([&](const auto& spec) { return counts(spec, view); }, layer.spec);
    const double weights = readWeights(layer.spec, view);
    return {.flops = c.flops,
            .scoreFlops = c.scoreFlops,
            .bytes = c.moved * pass.valueBytes + weights,
            .scoreBytes = c.movedScores * pass.valueBytes,
            .weights = weights,
            .kept = c.kept * pass.valueBytes,
            .keptScores = c.keptScores * pass.valueBytes,
            .transient = c.transient * pass.valueBytes,
            .launches = view.rows > 0 ? c.launches : 0,
            .sequential = c.sequential};
}

Work workOf(const LayerKinds& layers, const Pass& pass)
{
    Work total;
    for (const auto& [layer, count] : layers.kinds())
        total += workOf(layer, pass).times(count);
    return total;
}

Pass trainingPass(double batch, double sequence, double valueBytes)
{
    return {.batch = batch,
            .tokens = sequence,
            .context = sequence,
            .memoryTokens = sequence,
            .memoryContext = sequence,
            .weightBytes = valueBytes,
            .valueBytes = valueBytes,
            .drops = true};
}

Pass promptPass(double batch, double tokens, double memoryTokens, double weightBytes)
{
    return {.batch = batch,
            .tokens = tokens,
            .context = tokens,
            .memoryTokens = memoryTokens,
            .memoryContext = memoryTokens,
            .weightBytes = weightBytes,
            .valueBytes =
                std::max(2.0, weightBytes)}; // int8 and int4 weights multiply 16-bit values
}

Pass tokenPass(double batch, double context, double memoryContext, double weightBytes)
{
    Pass pass = promptPass(batch, 1, 0, weightBytes);
    pass.latents = Latents::Met;
    pass.context = context;
    pass.memoryContext = memoryContext;
    return pass;
}

double stateBytes(const Layer& layer, double context, double memoryContext, double valueBytes,
                  Latents latents)
{
    double values = 0;
    if (const auto* attention = std::get_if<Attention>(&layer.spec)) {
        if (layer.stream != Stream::Tokens)
            return 0;
        double kept = attention->isCross ? memoryContext : context;
        if (attention->window > 0)
            kept = std::min(kept, real(attention->window));
        values = kept * cachedWidth(*attention, latents);
    } else if (const auto* recurrent = std::get_if<Recurrent>(&layer.spec)) {
        const double cell = recurrent->cell == Cell::Lstm ? real(recurrent->hidden) : 0;
        values = real(recurrent->directions()) * (real(recurrent->output()) + cell);
    } else if (const auto* gated = std::get_if<GatedRecurrent>(&layer.spec)) {
        values = real(gated->key) * real(gated->value);
    }
    return values * valueBytes;
}

double stateBytes(const LayerKinds& layers, double context, double memoryContext, double valueBytes,
                  Latents latents)
{
    double bytes = 0;
    for (const auto& [layer, count] : layers.kinds())
        bytes += count * stateBytes(layer, context, memoryContext, valueBytes, latents);
    return bytes;
}

} // namespace outlay::core
