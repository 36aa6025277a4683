// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/gated_rnn_ways.h"

#include "core/probe/worker/network/gated_recurrence.h"

#include <functional>

namespace outlay::bench {
namespace {

using torch::Tensor;

/// Query, key, gate and value of one step or of all.
std::vector<Tensor> separate(const GatedLayer& layer, const Tensor& x)
{
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < 4; ++i) {
        const Tensor part = torch::linear(x, layer.weight[i], layer.bias[i]);
        parts.push_back(i == 1 || i == 2 ? torch::sigmoid(part) : part);
    }
    return parts;
}

/// Keys and gates through their sigmoid.
std::vector<Tensor> split(const Tensor& projections, const std::vector<std::int64_t>& sizes)
{
    auto parts = projections.split_with_sizes(sizes, -1);
    parts[1] = torch::sigmoid(parts[1]);
    parts[2] = torch::sigmoid(parts[2]);
    return parts;
}

/// The four maps as one.
struct FusedMap {
    Tensor weight;
    Tensor bias;
    std::vector<std::int64_t> sizes;

    explicit FusedMap(const GatedLayer& layer)
        : weight(torch::cat({layer.weight[0], layer.weight[1], layer.weight[2], layer.weight[3]})),
          bias(torch::cat({layer.bias[0], layer.bias[1], layer.bias[2], layer.bias[3]}))
    {
        for (const Tensor& part : layer.bias)
            sizes.push_back(part.numel());
    }

    [[nodiscard]] std::vector<Tensor> operator()(const Tensor& x) const
    {
        return split(torch::linear(x, weight, bias), sizes);
    }
};

/// Adjacent maps as one: first a table of what the first layer reads for each token, then a weight and a
/// bias for each layer but the first, then the head's.
std::vector<Tensor> composedMaps(const GatedModel& model)
{
    const FusedMap first(model.layers.front());
    std::vector<Tensor> maps{torch::cat(first(model.embedding), 1)};
    const auto compose = [&](const Tensor& weight, const Tensor& bias, const GatedLayer& under) {
        maps.push_back(weight.mm(under.outputWeight));
        maps.push_back(weight.mv(under.outputBias) + bias);
    };
    for (std::size_t i = 1; i < model.layers.size(); ++i) {
        const FusedMap map(model.layers[i]);
        compose(map.weight, map.bias, model.layers[i - 1]);
    }
    compose(model.head, model.headBias, model.layers.back());
    return maps;
}

Tensor recurrence(const std::vector<Tensor>& parts)
{
    Tensor state = torch::zeros({parts[0].size(0), parts[0].size(2), parts[3].size(2)},
                                parts[0].options().requires_grad(false));
    return worker::gatedRecurrence({parts[0], parts[1], parts[2], parts[3]}, state);
}

Tensor layerSteps(const GatedLayer& layer, Projections projections, const Tensor& x, Tensor& state)
{
    const FusedMap fused(layer);
    if (!state.defined())
        state =
            torch::zeros({x.size(0), layer.bias[0].numel(), layer.bias[3].numel()}, x.options());
    std::vector<Tensor> outputs;
    for (std::int64_t t = 0; t < x.size(1); ++t) {
        const Tensor step = x.select(1, t);
        const auto p = projections == Projections::Fused ? fused(step) : separate(layer, step);
        state = p[2].unsqueeze(2) * state + torch::bmm(p[1].unsqueeze(2), p[3].unsqueeze(1));
        const Tensor output = torch::bmm(p[0].unsqueeze(1), state).squeeze(1);
        outputs.push_back(torch::linear(output, layer.outputWeight, layer.outputBias));
    }
    return torch::stack(outputs, 1);
}

Tensor scaledLoss(const Tensor& logits, const Tensor& targets, double scale)
{
    return scale * torch::cross_entropy_loss(logits.flatten(0, 1), targets.flatten(), {},
                                             at::Reduction::Sum);
}

/// `part` with the tokens and targets of each batch; sums up what it returns.
double eachBatch(const Tensor& tokens, const Tensor& targets, std::int64_t batch,
                 const std::function<double(const Tensor&, const Tensor&)>& part)
{
    double loss = 0;
    for (std::int64_t first = 0; first < tokens.size(0); first += batch) {
        const std::int64_t count = std::min(batch, tokens.size(0) - first);
        loss += part(tokens.narrow(0, first, count), targets.narrow(0, first, count));
    }
    return loss;
}

double scaleOf(const Tensor& tokens)
{
    return 1.0 / static_cast<double>(tokens.numel());
}

void addGradient(const Tensor& parameter, const Tensor& gradient)
{
    if (parameter.grad().defined())
        parameter.grad().add_(gradient);
    else
        parameter.mutable_grad() = gradient;
}

/// Forward and backward of head and loss, block by block, and then of what gave `hidden`.
double lossInBlocks(const Tensor& head, const Tensor& headBias, const Tensor& hidden,
                    const Tensor& targets, double scale)
{
    constexpr std::int64_t Rows = 512;
    Tensor gradient;
    double loss = 0;
    {
        const torch::NoGradGuard guard;
        gradient = torch::empty_like(hidden);
        const Tensor weights = torch::zeros_like(head);
        const Tensor bias = torch::zeros_like(headBias);
        for (std::int64_t first = 0; first < hidden.size(0); first += Rows) {
            const std::int64_t rows = std::min(Rows, hidden.size(0) - first);
            const Tensor in = hidden.narrow(0, first, rows);
            const Tensor target = targets.narrow(0, first, rows).unsqueeze(1);
            Tensor shares = torch::softmax(torch::linear(in, head, headBias), 1);
            loss -= shares.gather(1, target).log().sum().item<double>();
            shares.scatter_add_(1, target, torch::full({rows, 1}, -1.0, shares.options()));
            weights.addmm_(shares.t(), in, 1, scale);
            bias.add_(shares.sum(0), scale);
            Tensor to = gradient.narrow(0, first, rows);
            torch::mm_out(to, shares, head);
        }
        gradient.mul_(scale);
        addGradient(head, weights);
        addGradient(headBias, bias);
    }
    hidden.backward(gradient);
    return loss * scale;
}

} // namespace

GatedModel::GatedModel(const std::vector<Tensor>& parameters)
    : embedding(parameters.front()), head(parameters[parameters.size() - 2]),
      headBias(parameters.back())
{
    for (std::size_t at = 1; at + 2 < parameters.size(); at += 10) {
        GatedLayer layer;
        for (std::size_t i = 0; i < 4; ++i) {
            layer.weight[i] = parameters[at + 2 * i];
            layer.bias[i] = parameters[at + 2 * i + 1];
        }
        layer.outputWeight = parameters[at + 8];
        layer.outputBias = parameters[at + 9];
        layers.push_back(layer);
    }
}

Tensor stepByStep(const GatedModel& model, Projections projections, const Tensor& tokens,
                  GatedStates& states)
{
    states.resize(model.layers.size());
    Tensor x = torch::embedding(model.embedding, tokens);
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        x = layerSteps(model.layers[i], projections, x, states[i]);
    return torch::linear(x, model.head, model.headBias);
}

Tensor fusedRecurrence(const GatedModel& model, const Tensor& tokens)
{
    Tensor x = torch::embedding(model.embedding, tokens);
    for (const GatedLayer& layer : model.layers)
        x = torch::linear(recurrence(separate(layer, x)), layer.outputWeight, layer.outputBias);
    return x;
}

double trainStepByStep(const GatedModel& model, Projections projections, const Tensor& tokens,
                       const Tensor& targets, std::int64_t batch)
{
    return eachBatch(tokens, targets, batch, [&](const Tensor& in, const Tensor& out) {
        GatedStates states;
        const Tensor loss =
            scaledLoss(stepByStep(model, projections, in, states), out, scaleOf(tokens));
        loss.backward();
        return loss.item<double>();
    });
}

double trainFused(const GatedModel& model, const Tensor& tokens, const Tensor& targets,
                  std::int64_t batch)
{
    return eachBatch(tokens, targets, batch, [&](const Tensor& in, const Tensor& out) {
        const Tensor logits = torch::linear(fusedRecurrence(model, in), model.head, model.headBias);
        const Tensor loss = scaledLoss(logits, out, scaleOf(tokens));
        loss.backward();
        return loss.item<double>();
    });
}

double trainInBlocks(const GatedModel& model, const Tensor& tokens, const Tensor& targets,
                     std::int64_t batch)
{
    return eachBatch(tokens, targets, batch, [&](const Tensor& in, const Tensor& out) {
        return lossInBlocks(model.head, model.headBias, fusedRecurrence(model, in).flatten(0, 1),
                            out.flatten(), scaleOf(tokens));
    });
}

double trainComposed(const GatedModel& model, const Tensor& tokens, const Tensor& targets,
                     std::int64_t batch)
{
    const std::vector<Tensor> maps = composedMaps(model);
    const std::vector<std::int64_t> sizes = FusedMap(model.layers.front()).sizes;
    std::vector<Tensor> leaves;
    for (const Tensor& map : maps)
        leaves.push_back(map.detach().requires_grad_());
    const double loss = eachBatch(tokens, targets, batch, [&](const Tensor& in, const Tensor& out) {
        const Tensor rows = leaves[0].index_select(0, in.flatten());
        Tensor x =
            recurrence(rows.reshape({in.size(0), in.size(1), -1}).split_with_sizes(sizes, -1));
        for (std::size_t i = 1; i + 2 < leaves.size(); i += 2)
            x = recurrence(split(torch::linear(x, leaves[i], leaves[i + 1]), sizes));
        return lossInBlocks(leaves[leaves.size() - 2], leaves.back(), x.flatten(0, 1),
                            out.flatten(), scaleOf(tokens));
    });
    std::vector<Tensor> gradients;
    for (const Tensor& leaf : leaves)
        gradients.push_back(leaf.grad());
    torch::autograd::backward(maps, gradients);
    return loss;
}

std::vector<std::int64_t> generateFromPrefix(const GatedModel& model, const Tensor& prefix,
                                             std::int64_t count)
{
    const torch::NoGradGuard guard;
    Tensor tokens = prefix;
    std::vector<std::int64_t> made;
    for (std::int64_t i = 0; i < count; ++i) {
        GatedStates states;
        const Tensor logits = stepByStep(model, Projections::Separate, tokens, states);
        const Tensor token = logits.select(1, logits.size(1) - 1).argmax(1, true);
        made.push_back(token.item<std::int64_t>());
        tokens = torch::cat({tokens, token}, 1);
    }
    return made;
}

std::vector<std::int64_t> generateStepwise(const GatedModel& model, Projections projections,
                                           const Tensor& prefix, std::int64_t count)
{
    const torch::NoGradGuard guard;
    GatedStates states;
    Tensor tokens = prefix;
    std::vector<std::int64_t> made;
    for (std::int64_t i = 0; i < count; ++i) {
        const Tensor logits = stepByStep(model, projections, tokens, states);
        tokens = logits.select(1, logits.size(1) - 1).argmax(1, true);
        made.push_back(tokens.item<std::int64_t>());
    }
    return made;
}

} // namespace outlay::bench
