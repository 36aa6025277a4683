// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/trained_parts.h"

#include "core/workload/trained.h"

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

void trainHead(const Network& network)
{
    for (std::size_t i = network.layers().size(); i-- > 0;) {
        if (!std::holds_alternative<Dense>(network.layers()[i].spec))
            continue;
        set(*network.pieces()[i], Gradients::Flow);
        return;
    }
}

} // namespace

void setTrained(Network& network, const Training& training)
{
    if (training.method == Method::Full)
        return;
    set(network, Gradients::Stop);
    if (training.method == Method::Head) {
        trainHead(network);
        return;
    }
    const LayerKinds kinds(network.layers());
    const std::vector<Trained> trained = trainedOf(kinds, training);
    for (std::size_t i = 0; i < network.pieces().size(); ++i) {
        if (trained[kinds.places()[i].kind].isWhole)
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
