// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/transformer_network.h"

#include "core/probe/worker/network/checkpoint.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

/// Attention, cross-attention or feed-forward, with its norms before or after it.
struct Part {
    std::vector<PiecePointer> norms; // two: one before and one after
    PiecePointer piece;
    PiecePointer shared; // beside experts, weighed by the gate where there is one
    PiecePointer sharedGate;

    [[nodiscard]] Tensor forward(const Tensor& x, Flow& flow) const
    {
        const Tensor y = piece->forward(x, flow);
        if (shared == nullptr)
            return y;
        const Tensor beside = shared->forward(x, flow);
        return y + (sharedGate == nullptr ? beside
                                          : beside * torch::sigmoid(sharedGate->forward(x, flow)));
    }
};

struct Block {
    PiecePointer sharedNorm; // of a parallel block with one norm
    std::vector<Part> parts;
};

struct StackPieces {
    PiecePointer distances;
    std::vector<Block> blocks;
    PiecePointer finalNorm;
};

class TransformerNetwork final : public Network {
public:
    TransformerNetwork(const Model& model, const std::vector<Layer>& layerList)
        : Network(model, layerList), m_design(std::get<TransformerDesign>(model.design))
    {
        for (std::size_t i = 0; i < layers().size(); ++i)
            place(layers()[i], addPiece(i, contextOf(layers()[i])));
    }

    Tensor forward(const Input& input) override
    {
        Flow flow{.form = form()};
        return run(input, flow);
    }

    Tensor step(const Input& input, States& states, std::int64_t offset) override
    {
        Flow flow{.offset = offset, .states = &states, .form = form()};
        return run(input, flow);
    }

private:
    [[nodiscard]] PieceContext contextOf(const Layer& layer) const
    {
        PieceContext context;
        context.dropout = m_design.dropout;
        context.stream = layer.stream;
        context.isCausal = layer.stream == Stream::Tokens && !m_design.isEncoder();
        if (m_design.positionKind() == Positions::Rotary)
            context.place = PieceContext::Place::Rotary;
        if (m_design.positionKind() == Positions::Alibi)
            context.place = PieceContext::Place::Alibi;
        return context;
    }

    StackPieces& stackOf(const Layer& layer)
    {
        return layer.stream == Stream::Memory ? m_encoder : m_main;
    }

    /// Sorts a layer's piece to where it is used.
    void place(const Layer& layer, const PiecePointer& piece)
    {
        if (layer.block > 0)
            return placeInBlock(layer, piece);
        if (std::holds_alternative<RelativeBias>(layer.spec))
            stackOf(layer).distances = piece;
        else if (layer.name == "embedding norm")
            m_embeddingNorm = piece;
        else if (std::holds_alternative<Norm>(layer.spec))
            stackOf(layer).finalNorm = piece;
        else if (layer.name == "positions")
            m_positions = piece;
        else if (layer.name == "decoder positions")
            m_decoderPositions = piece;
        else if (layer.name == "token types")
            m_tokenTypes = piece;
        else if (layer.name == "embedding projection")
            m_projection = piece;
        else if (layer.name == "pooler")
            m_pooler = piece;
        else if (layer.name != "embedding")
            m_head.push_back(piece);
    }

    void placeInBlock(const Layer& layer, const PiecePointer& piece)
    {
        std::vector<Block>& blocks = stackOf(layer).blocks;
        if (layer.block != m_block) {
            m_block = layer.block;
            blocks.emplace_back();
            m_norms.clear();
        }
        Block& block = blocks.back();
        if (layer.name.ends_with(SharedExpertGate)) {
            block.parts.back().sharedGate = piece;
        } else if (layer.name.ends_with(SharedExpert)) {
            block.parts.back().shared = piece;
        } else if (!std::holds_alternative<Norm>(layer.spec)) {
            block.parts.push_back({.norms = std::move(m_norms), .piece = piece});
            m_norms.clear();
        } else if (m_design.normsPerBlock == 1) {
            block.sharedNorm = piece;
        } else {
            m_norms.push_back(piece);
        }
    }

    Tensor embedded(const Tensor& ids, const PiecePointer& positions, Flow& flow)
    {
        Tensor x = embedding()->forward(ids, flow);
        const bool isTokensOnly = m_design.narrowEmbeddings == NarrowEmbeddings::Tokens;
        if (isTokensOnly && m_projection != nullptr)
            x = m_projection->forward(x, flow);
        if (positions != nullptr) {
            const Tensor at = torch::arange(flow.offset, flow.offset + ids.size(1), ids.options());
            // A design may be run on longer input than its table holds; its cost stays the same.
            x = x + positions->forward(at.remainder(m_design.positionRows()), flow);
        }
        if (m_tokenTypes != nullptr)
            x = x + m_tokenTypes->forward(torch::zeros_like(ids), flow);
        if (m_embeddingNorm != nullptr)
            x = m_embeddingNorm->forward(x, flow);
        x = torch::dropout(x, m_design.dropout, is_training());
        return !isTokensOnly && m_projection != nullptr ? m_projection->forward(x, flow) : x;
    }

    Tensor runPart(const Part& part, const Tensor& x, Flow& flow)
    {
        if (part.norms.size() == 2)
            return x + part.norms[1]->forward(part.forward(part.norms[0]->forward(x, flow), flow),
                                              flow);
        if (part.norms.empty())
            return x + part.forward(x, flow);
        const PiecePointer& norm = part.norms[0];
        switch (m_design.normPlace()) {
        case NormPosition::Before: break;
        case NormPosition::After: return norm->forward(x + part.forward(x, flow), flow);
        case NormPosition::Inside: return x + norm->forward(part.forward(x, flow), flow);
        }
        return x + part.forward(norm->forward(x, flow), flow);
    }

    Tensor runBlock(const Block& block, Tensor x, Flow& flow)
    {
        if (block.sharedNorm != nullptr || m_design.parallelBlocks) {
            const Tensor shared =
                block.sharedNorm != nullptr ? block.sharedNorm->forward(x, flow) : x;
            Tensor sum = x;
            for (const Part& part : block.parts) {
                Tensor y = part.norms.empty() ? shared : part.norms[0]->forward(x, flow);
                y = part.forward(y, flow);
                sum = sum + (part.norms.size() == 2 ? part.norms[1]->forward(y, flow) : y);
            }
            return sum;
        }
        for (const Part& part : block.parts)
            x = runPart(part, x, flow);
        return x;
    }

    Tensor runStack(const StackPieces& stack, Tensor x, Flow& flow)
    {
        flow.distanceBias = Tensor();
        if (stack.distances != nullptr)
            x = stack.distances->forward(x, flow);
        // The decoder's blocks are counted on from the encoder's.
        std::int64_t number = &stack == &m_main ? std::ssize(m_encoder.blocks) : 0;
        for (const Block& block : stack.blocks) {
            const PassPart part = [this, &block](const Tensor& in, Flow& inner) {
                return runBlock(block, in, inner);
            };
            x = flow.form.checkpoints(++number) ? checkpointed(part, x, flow) : part(x, flow);
        }
        return stack.finalNorm != nullptr ? stack.finalNorm->forward(x, flow) : x;
    }

    Tensor run(const Input& input, Flow& flow)
    {
        // After the first step the decoder finds the encoder's keys and values in its cache.
        const bool isEncoded = flow.states != nullptr && !flow.states->empty();
        if (m_design.hasEncoder() && !isEncoded) {
            Flow encoding{.form = flow.form};
            flow.memory =
                runStack(m_encoder, embedded(input.memory, m_positions, encoding), encoding);
        }
        const PiecePointer& positions = m_design.hasEncoder() ? m_decoderPositions : m_positions;
        Tensor x = runStack(m_main, embedded(input.values, positions, flow), flow);
        if (m_pooler != nullptr) {
            const Tensor pooled = torch::tanh(m_pooler->forward(x.select(1, 0), flow));
            if (m_head.empty())
                return pooled;
            // A head over all tokens beside a pooler: both belong to the loss.
            x = x + pooled.unsqueeze(1);
        }
        for (const PiecePointer& piece : m_head)
            x = piece->forward(x, flow);
        return x;
    }

    TransformerDesign m_design;
    StackPieces m_encoder;
    StackPieces m_main;
    PiecePointer m_positions;
    PiecePointer m_decoderPositions;
    PiecePointer m_tokenTypes;
    PiecePointer m_embeddingNorm;
    PiecePointer m_projection;
    PiecePointer m_pooler;
    std::vector<PiecePointer> m_head;
    std::vector<PiecePointer> m_norms; // of the part whose piece comes next
    std::int64_t m_block = 0;
};

} // namespace

std::shared_ptr<Network> makeTransformer(const Model& model, const std::vector<Layer>& layers)
{
    return std::make_shared<TransformerNetwork>(model, layers);
}

} // namespace outlay::worker
