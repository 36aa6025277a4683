// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The gated RNN in LibTorch's operations as one would write it, step by step and better: what the engine
// is compared with. All read the same parameters and add to their gradients.
#pragma once

#include "core/probe/worker/network/torch.h"

namespace outlay::bench {

struct GatedLayer {
    torch::Tensor weight[4]; // query, key, gate, value
    torch::Tensor bias[4];
    torch::Tensor outputWeight;
    torch::Tensor outputBias;
};

struct GatedModel {
    torch::Tensor embedding;
    std::vector<GatedLayer> layers;
    torch::Tensor head;
    torch::Tensor headBias;

    /// In the order of the modules.
    explicit GatedModel(const std::vector<torch::Tensor>& parameters);
};

enum class Projections { Separate, Fused };

/// The states of all layers, [batch, key, value]; undefined at the start.
using GatedStates = std::vector<torch::Tensor>;

/// Step by step, the projections of each step in four products or in one: logits of every step.
torch::Tensor stepByStep(const GatedModel& model, Projections projections,
                         const torch::Tensor& tokens, GatedStates& states);

/// The projections of all steps at once, and the steps as one autograd function: the last layer's outputs.
torch::Tensor fusedRecurrence(const GatedModel& model, const torch::Tensor& tokens);

/// Forward and backward of the mean cross entropy of all rows, `batch` rows at a time: the loss.
double trainStepByStep(const GatedModel& model, Projections projections,
                       const torch::Tensor& tokens, const torch::Tensor& targets,
                       std::int64_t batch);
double trainFused(const GatedModel& model, const torch::Tensor& tokens,
                  const torch::Tensor& targets, std::int64_t batch);
/// Also the head and its loss in blocks of rows, whose gradients are taken at once.
double trainInBlocks(const GatedModel& model, const torch::Tensor& tokens,
                     const torch::Tensor& targets, std::int64_t batch);
/// Also with adjacent maps composed, whose gradients go back to the parameters at the end.
double trainComposed(const GatedModel& model, const torch::Tensor& tokens,
                     const torch::Tensor& targets, std::int64_t batch);

/// Greedy tokens: from the whole prefix each time, or with the states kept.
std::vector<std::int64_t> generateFromPrefix(const GatedModel& model, const torch::Tensor& prefix,
                                             std::int64_t count);
std::vector<std::int64_t> generateStepwise(const GatedModel& model, Projections projections,
                                           const torch::Tensor& prefix, std::int64_t count);

} // namespace outlay::bench
