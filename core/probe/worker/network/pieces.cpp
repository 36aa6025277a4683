// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/pieces.h"

#include "core/probe/worker/network/attention_piece.h"
#include "core/probe/worker/network/gated_piece.h"
#include "core/probe/worker/network/recurrent_piece.h"

#include <cmath>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

constexpr double Epsilon = 1e-5;

class FeedForwardPiece final : public Piece {
public:
    FeedForwardPiece(const FeedForward& spec, double dropout) : m_dropout(dropout)
    {
        m_up = register_module("up", Adaptable(spec.width, spec.inner, biasesWhere(spec.biases)));
        if (spec.gated)
            m_gate = register_module("gate",
                                     Adaptable(spec.width, spec.inner, biasesWhere(spec.biases)));
        m_down =
            register_module("down", Adaptable(spec.inner, spec.width, biasesWhere(spec.biases)));
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        const Tensor up = product(x, m_up, flow);
        const Tensor inner =
            m_gate.is_empty() ? torch::gelu(up) : torch::silu(product(x, m_gate, flow)) * up;
        return torch::dropout(product(inner, m_down, flow), m_dropout, is_training());
    }

private:
    double m_dropout;
    Adaptable m_up{nullptr};
    Adaptable m_gate{nullptr};
    Adaptable m_down{nullptr};
};

/// A router picks `used` experts for each token; each expert sees the rows that chose it.
class ExpertsPiece final : public Piece {
public:
    ExpertsPiece(const Experts& spec, double dropout) : m_spec(spec)
    {
        m_router =
            register_module("router", Adaptable(spec.expert.width, spec.count,
                                                spec.expert.biases ? Biases::Zero : Biases::None));
        for (std::int64_t i = 0; i < spec.count; ++i)
            m_experts.push_back(
                register_module("expert" + std::to_string(i),
                                std::make_shared<FeedForwardPiece>(spec.expert, dropout)));
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        const Tensor rows = x.reshape({-1, x.size(-1)});
        const auto [scores, chosen] = product(rows, m_router, flow).topk(m_spec.used, -1);
        const Tensor shares = torch::softmax(scores, -1);
        Tensor out = torch::zeros_like(rows);
        for (std::int64_t i = 0; i < m_spec.count; ++i) {
            const auto places = torch::where(chosen == i);
            if (places[0].numel() == 0)
                continue;
            const Tensor result = m_experts[static_cast<std::size_t>(i)]->forward(
                rows.index_select(0, places[0]), flow);
            const Tensor share = shares.index({places[0], places[1]}).unsqueeze(1);
            out = out.index_add(0, places[0], result * share);
        }
        return out.reshape(x.sizes());
    }

private:
    Experts m_spec;
    Adaptable m_router{nullptr};
    std::vector<std::shared_ptr<FeedForwardPiece>> m_experts;
};

class NormPiece final : public Piece {
public:
    explicit NormPiece(const Norm& spec) : m_spec(spec)
    {
        if (spec.scale)
            m_scale = ones("scale", spec.width);
        if (spec.bias)
            m_bias = zeros("bias", spec.width);
        if (spec.kind == NormKind::Batch) {
            m_mean = torch::zeros({spec.width});
            m_variance = torch::ones({spec.width});
            if (spec.statistics > 0) {
                register_buffer("mean", m_mean);
                register_buffer("variance", m_variance);
            }
        }
    }

    Tensor compute(const Tensor& x, Flow&) override
    {
        if (m_spec.kind == NormKind::Layer)
            return torch::layer_norm(x, {m_spec.width}, m_scale, m_bias, Epsilon);
        if (m_spec.kind == NormKind::Rms) {
            Tensor y = x * torch::rsqrt(x.square().mean(-1, true) + Epsilon);
            if (m_scale.defined())
                y = y * m_scale;
            return m_bias.defined() ? y + m_bias : y;
        }
        const Tensor rows = x.reshape({-1, m_spec.width});
        constexpr double Momentum = 0.01;
        return torch::batch_norm(rows, m_scale, m_bias, m_mean.to(rows.scalar_type()),
                                 m_variance.to(rows.scalar_type()), is_training(), Momentum,
                                 Epsilon, false)
            .reshape(x.sizes());
    }

private:
    Norm m_spec;
    Tensor m_scale;
    Tensor m_bias;
    Tensor m_mean;
    Tensor m_variance;
};

/// A product of its own, or with the table of embeddings.
class DensePiece final : public Piece {
public:
    DensePiece(const Dense& spec, const std::shared_ptr<EmbeddingPiece>& embedding) : m_spec(spec)
    {
        if (!spec.tied) {
            m_own = register_module("dense", Adaptable(spec.inputs, spec.outputs,
                                                       spec.bias ? Biases::Zero : Biases::None));
            return;
        }
        m_table = embedding->table();
        if (spec.bias)
            m_bias = zeros("bias", spec.outputs);
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        const Tensor y = m_spec.tied ? product(x, m_table, m_bias, flow) : product(x, m_own, flow);
        return m_spec.activation ? torch::relu(y) : y;
    }

private:
    Dense m_spec;
    Adaptable m_own{nullptr};
    Tensor m_table;
    Tensor m_bias;
};

class DropoutPiece final : public Piece {
public:
    explicit DropoutPiece(double share) : m_share(share) {}
    Tensor compute(const Tensor& x, Flow&) override
    {
        return torch::dropout(x, m_share, is_training());
    }

private:
    double m_share;
};

} // namespace

Tensor product(const Tensor& x, const Tensor& weight, const Tensor& bias, const Flow& flow)
{
    if (flow.form.int8 != nullptr)
        return flow.form.int8->product(x, weight, bias);
    return torch::linear(x, weight, bias);
}

Tensor product(const Tensor& x, const Adaptable& matrix, const Flow& flow)
{
    const Tensor y = product(x, matrix->weight(), matrix->bias(), flow);
    return matrix->isAdapted() && !flow.form.mergesAdapters ? y + matrix->added(x) : y;
}

Tensor Piece::forward(const Tensor& x, Flow& flow)
{
    if (flow.form.clock == nullptr)
        return compute(x, flow);
    return flow.form.clock->time(this, x, [&](const Tensor& own) { return compute(own, flow); });
}

Tensor Piece::weight(const char* name, torch::IntArrayRef sizes)
{
    const double bound = 1 / std::sqrt(static_cast<double>(sizes.back()));
    return register_parameter(name, torch::empty(sizes).uniform_(-bound, bound));
}

Tensor Piece::zeros(const char* name, std::int64_t size)
{
    return register_parameter(name, torch::zeros({size}));
}

Tensor Piece::ones(const char* name, std::int64_t size)
{
    return register_parameter(name, torch::ones({size}));
}

EmbeddingPiece::EmbeddingPiece(const Embedding& spec)
    : m_table(weight("table", {spec.rows, spec.width}))
{
}

Tensor EmbeddingPiece::compute(const Tensor& ids, Flow&)
{
    return torch::embedding(m_table, ids);
}

RelativeBiasPiece::RelativeBiasPiece(const RelativeBias& spec, bool isCausal)
    : m_table(weight("table", {spec.buckets, spec.heads})), m_isCausal(isCausal)
{
}

Tensor RelativeBiasPiece::compute(const Tensor& x, Flow& flow)
{
    // Near distances have a bucket each, far ones share buckets that widen with the logarithm.
    constexpr double Farthest = 128;
    const std::int64_t keys = flow.offset + x.size(1);
    const auto numbers = torch::TensorOptions(torch::kLong).device(x.device());
    const Tensor at = torch::arange(flow.offset, keys, numbers).unsqueeze(1);
    Tensor distance = at - torch::arange(keys, numbers).unsqueeze(0);
    std::int64_t buckets = m_table.size(0);
    Tensor bucket = torch::zeros_like(distance);
    if (m_isCausal) {
        distance = distance.clamp_min(0);
    } else {
        buckets = std::max<std::int64_t>(1, buckets / 2);
        bucket = (distance < 0).to(torch::kLong) * buckets;
        distance = distance.abs();
    }
    const std::int64_t near = std::max<std::int64_t>(1, buckets / 2);
    const Tensor far =
        near +
        ((distance.to(torch::kDouble) / static_cast<double>(near)).clamp_min(1).log() /
         std::log(Farthest / static_cast<double>(near)) * static_cast<double>(buckets - near))
            .to(torch::kLong);
    bucket = bucket + torch::where(distance < near, distance, far.clamp_max(buckets - 1));
    bucket = bucket.clamp_max(m_table.size(0) - 1);
    flow.distanceBias = torch::embedding(m_table, bucket).permute({2, 0, 1}).unsqueeze(0);
    return x;
}

PiecePointer makePiece(const Layer& layer, const PieceContext& context,
                       const std::shared_ptr<EmbeddingPiece>& embedding)
{
    struct Maker {
        const PieceContext& context;
        const std::shared_ptr<EmbeddingPiece>& embedding;

        PiecePointer operator()(const Embedding& s) const
        {
            return std::make_shared<EmbeddingPiece>(s);
        }
        PiecePointer operator()(const RelativeBias& s) const
        {
            return std::make_shared<RelativeBiasPiece>(s, context.isCausal);
        }
        PiecePointer operator()(const Recurrent& s) const { return makeRecurrent(s); }
        PiecePointer operator()(const GatedRecurrent& s) const { return makeGated(s); }
        PiecePointer operator()(const Attention& s) const { return makeAttention(s, context); }
        PiecePointer operator()(const FeedForward& s) const
        {
            return std::make_shared<FeedForwardPiece>(s, context.dropout);
        }
        PiecePointer operator()(const Experts& s) const
        {
            return std::make_shared<ExpertsPiece>(s, context.dropout);
        }
        PiecePointer operator()(const Norm& s) const { return std::make_shared<NormPiece>(s); }
        PiecePointer operator()(const Dense& s) const
        {
            return std::make_shared<DensePiece>(s, embedding);
        }
        PiecePointer operator()(const Dropout& s) const
        {
            return std::make_shared<DropoutPiece>(s.share);
        }
        PiecePointer operator()(const Weights&) const { return nullptr; }
    };
    return std::visit(Maker{context, embedding}, layer.spec);
}

} // namespace outlay::worker
