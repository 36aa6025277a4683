// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A design as a LibTorch module, built from the list of layers that is counted on paper.
#pragma once

#include "core/model/model.h"
#include "core/probe/worker/network/pieces.h"

namespace outlay::worker {

/// What a pass reads: token numbers or values, for the encoder too where there is one.
struct Input {
    torch::Tensor values; // [batch, tokens] of numbers; [batch, tokens, width] or [batch, width]
    torch::Tensor memory; // [batch, tokens]; undefined without an encoder
};

class Network : public torch::nn::Module {
public:
    /// An error for designs of which only the number of weights is known.
    [[nodiscard]] static core::Result<void> check(const core::Model& model);
    [[nodiscard]] static core::Result<std::shared_ptr<Network>> create(const core::Model& model);
    /// With other layers in the places of the model's own.
    [[nodiscard]] static core::Result<std::shared_ptr<Network>> create(
        const core::Model& model, const std::vector<core::Layer>& layers);

    /// Logits or values; of an encoder without a head, its last states or its pooled output.
    virtual torch::Tensor forward(const Input& input) = 0;

    /// Goes on from `states` (empty at the start) after `offset` positions.
    virtual torch::Tensor step(const Input& input, States& states, std::int64_t offset) = 0;

    /// How passes are run from now on.
    void setForm(PassForm form) { m_form = std::move(form); }
    [[nodiscard]] const PassForm& form() const { return m_form; }

    /// The module of each layer, in the order of the list.
    [[nodiscard]] const std::vector<PiecePointer>& pieces() const { return m_pieces; }
    [[nodiscard]] const std::vector<core::Layer>& layers() const { return m_layers; }

    /// Random input of the shape that the design takes.
    [[nodiscard]] Input randomInput(std::int64_t batch, std::int64_t tokens) const;
    /// Random targets for an output of `forward`.
    [[nodiscard]] torch::Tensor randomTarget(const torch::Tensor& output) const;
    [[nodiscard]] torch::Tensor loss(const torch::Tensor& output,
                                     const torch::Tensor& target) const;

    /// Its outputs choose among the tokens that it reads.
    [[nodiscard]] bool saysTokens() const;
    /// Its outputs choose among classes; else they are values.
    [[nodiscard]] bool isClassifier() const { return m_isClassifier; }

    /// Parameters, and statistics where the paper counts them.
    [[nodiscard]] std::int64_t elementCount() const;

protected:
    Network(const core::Model& model, std::vector<core::Layer> layers);

    [[nodiscard]] const core::Model& model() const { return m_model; }
    /// Makes and registers the piece of a layer.
    PiecePointer addPiece(std::size_t index, const PieceContext& context);
    std::shared_ptr<EmbeddingPiece> embedding() const { return m_embedding; }

private:
    core::Model m_model;
    std::vector<core::Layer> m_layers;
    std::vector<PiecePointer> m_pieces;
    PassForm m_form;
    std::shared_ptr<EmbeddingPiece> m_embedding; // the first: what a tied output shares
    std::int64_t m_vocabulary = 0;               // 0: the input is values
    std::int64_t m_inputWidth = 0;
    bool m_isSequence = true;
    bool m_isClassifier = false;
    bool m_hasEncoder = false;
};

} // namespace outlay::worker
