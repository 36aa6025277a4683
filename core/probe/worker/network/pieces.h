// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// One LibTorch module for each kind of layer in the list, holding what the paper counts.
#pragma once

#include "core/model/layer.h"
#include "core/probe/worker/network/adaptable.h"
#include "core/probe/worker/network/pass_form.h"

#include "core/probe/worker/network/torch.h"
#include <unordered_map>

namespace outlay::worker {

/// What layers remember from one generated token to the next: keys and values, or states.
using States = std::unordered_map<const torch::nn::Module*, std::vector<torch::Tensor>>;

/// What flows beside the activations of one pass.
struct Flow {
    torch::Tensor memory;       // the encoder's output, for cross-attention
    torch::Tensor distanceBias; // of this stack: [1, heads, queries, keys]
    std::int64_t offset = 0;    // positions before the first query
    States* states = nullptr;   // null: nothing is remembered
    PassForm form;
};

/// x weight^T + bias, as the flow's form wants it.
[[nodiscard]] torch::Tensor product(const torch::Tensor& x, const torch::Tensor& weight,
                                    const torch::Tensor& bias, const Flow& flow);
/// With its adapter, where it has one and the form doesn't say that it was merged.
[[nodiscard]] torch::Tensor product(const torch::Tensor& x, const Adaptable& matrix,
                                    const Flow& flow);

class Piece : public torch::nn::Module {
public:
    torch::Tensor forward(const torch::Tensor& x, Flow& flow);

protected:
    virtual torch::Tensor compute(const torch::Tensor& x, Flow& flow) = 0;

    torch::Tensor weight(const char* name, torch::IntArrayRef sizes);
    torch::Tensor zeros(const char* name, std::int64_t size);
    torch::Tensor ones(const char* name, std::int64_t size);
};

using PiecePointer = std::shared_ptr<Piece>;

struct PieceContext {
    double dropout = 0;
    bool isCausal = false;
    core::Stream stream = core::Stream::Tokens;
    enum class Place { None, Rotary, Alibi } place = Place::None;
};

class EmbeddingPiece final : public Piece {
public:
    explicit EmbeddingPiece(const core::Embedding& spec);
    [[nodiscard]] const torch::Tensor& table() const { return m_table; }

protected:
    torch::Tensor compute(const torch::Tensor& ids, Flow& flow) override;

private:
    torch::Tensor m_table;
};

/// T5's: from the distance between query and key, a bias for each head.
class RelativeBiasPiece final : public Piece {
public:
    RelativeBiasPiece(const core::RelativeBias& spec, bool isCausal);

protected:
    /// Sets `flow.distanceBias` for the queries of `x`, and hands `x` on.
    torch::Tensor compute(const torch::Tensor& x, Flow& flow) override;

private:
    torch::Tensor m_table;
    bool m_isCausal;
};

/// The piece of any other layer; a tied dense layer gets the embedding that it shares.
[[nodiscard]] PiecePointer makePiece(const core::Layer& layer, const PieceContext& context,
                                     const std::shared_ptr<EmbeddingPiece>& embedding);

} // namespace outlay::worker
