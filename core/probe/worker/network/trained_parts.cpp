// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/trained_parts.h"

#include <algorithm>

namespace outlay::worker {
namespace {

using namespace outlay::core;

std::string_view lastPartOf(std::string_view name)
{
    return name.substr(name.rfind('.') + 1); // npos + 1 is 0
}

enum class Gradients { Stop, Flow };

void set(torch::nn::Module& module, Gradients gradients)
{
    for (torch::Tensor& parameter : module.parameters())
        parameter.set_requires_grad(gradients == Gradients::Flow);
}

bool isLogits(const LayerSpec& spec)
{
    const auto* dense = std::get_if<Dense>(&spec);
    return dense != nullptr && dense->use == DenseUse::Logits;
}

/// Beside each matrix of the piece that is asked for: experts have one of a name each.
void adapt(Piece& piece, const Training& training)
{
    const auto& targets = training.adapterTargets;
    for (const auto& named : piece.named_modules()) {
        auto* matrix = dynamic_cast<AdaptableImpl*>(named.value().get());
        const std::string_view part = lastPartOf(named.key());
        if (matrix == nullptr ||
            (!targets.empty() && std::find(targets.begin(), targets.end(), part) == targets.end()))
            continue;
        matrix->adapt(training.adapterRank);
        for (auto& parameter : matrix->named_parameters())
            parameter.value().set_requires_grad(parameter.key().starts_with("adapter_"));
    }
}

/// The last product; as many as there are layers where there is none.
std::size_t headOf(const Network& network)
{
    const auto& layers = network.layers();
    for (std::size_t i = layers.size(); i-- > 0;) {
        if (std::holds_alternative<Dense>(layers[i].spec) && layers[i].block == 0)
            return i;
    }
    return layers.size();
}

/// Beside adapters. A head that shares its matrix with a table has that trained.
bool isTrainedWhole(const Network& network, std::size_t i, std::size_t head,
                    const Training& training)
{
    const auto names = [&](std::string_view layer) {
        const auto& all = training.trainedWhole;
        return std::find(all.begin(), all.end(), layer) != all.end();
    };
    const LayerSpec& spec = network.layers()[i].spec;
    if (std::holds_alternative<Norm>(spec))
        return names("norm");
    const auto* output =
        head < network.layers().size() ? &std::get<Dense>(network.layers()[head].spec) : nullptr;
    if (const auto* table = std::get_if<Embedding>(&spec)) {
        const bool isShared = output != nullptr && output->tied && table->rows == output->outputs;
        return names("embedding") || (isShared && names("output"));
    }
    return i == head && names("output");
}

} // namespace

void setTrained(Network& network, const Training& training)
{
    if (training.method == Method::Full)
        return;
    set(network, Gradients::Stop);
    if (training.method == Method::Head) {
        if (const std::size_t head = headOf(network); head < network.pieces().size())
            set(*network.pieces()[head], Gradients::Flow);
        return;
    }
    const std::size_t last = headOf(network);
    for (std::size_t i = 0; i < network.pieces().size(); ++i) {
        if (isTrainedWhole(network, i, last, training))
            set(*network.pieces()[i], Gradients::Flow);
        else if (!isLogits(network.layers()[i].spec))
            adapt(*network.pieces()[i], training);
    }
}

std::vector<torch::Tensor> trainedParameters(const Network& network)
{
    std::vector<torch::Tensor> trained;
    for (const torch::Tensor& parameter : network.parameters()) {
        if (parameter.requires_grad())
            trained.push_back(parameter);
    }
    return trained;
}

} // namespace outlay::worker
