// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/trained_parts.h"

#include "core/workload/trained.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;

std::string_view lastPartOf(std::string_view name)
{
    return name.substr(name.rfind('.') + 1); // npos + 1 is 0
}

/// All matrices of that name in a piece: experts have one each.
std::vector<AdaptableImpl*> matricesOf(Piece& piece, std::string_view part)
{
    std::vector<AdaptableImpl*> found;
    for (const auto& named : piece.named_modules()) {
        auto* matrix = dynamic_cast<AdaptableImpl*>(named.value().get());
        if (matrix != nullptr && lastPartOf(named.key()) == part)
            found.push_back(matrix);
    }
    return found;
}

void allow(torch::nn::Module& module, bool isTrained)
{
    for (torch::Tensor& parameter : module.parameters())
        parameter.set_requires_grad(isTrained);
}

void adapt(Piece& piece, const Trained& trained, std::int64_t rank)
{
    for (const Linear& linear : trained.adapted) {
        for (AdaptableImpl* matrix : matricesOf(piece, linear.part))
            matrix->adapt(rank);
    }
}

void allowAdapters(torch::nn::Module& module)
{
    for (auto& named : module.named_parameters()) {
        if (lastPartOf(named.key()).starts_with("adapter_"))
            named.value().set_requires_grad(true);
    }
}

} // namespace

void setTrained(Network& network, const Training& training)
{
    if (training.method == Method::Full)
        return;
    const LayerKinds layers(network.layers());
    const std::vector<Trained> trained = trainedOf(layers, training);
    allow(network, false);
    for (std::size_t i = 0; i < network.pieces().size(); ++i) {
        Piece& piece = *network.pieces()[i];
        const Trained& part = trained[layers.places()[i].kind];
        adapt(piece, part, training.adapterRank);
        if (part.isWhole)
            allow(piece, true);
    }
    allowAdapters(network);
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
