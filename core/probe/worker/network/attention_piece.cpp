// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/attention_piece.h"

#include <cmath>
#include <limits>
#include <torch/version.h>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

// From 2.1 on there is one kernel for all of attention.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)

constexpr bool HasFused = true;

Tensor fusedAttention(const Tensor& query, const Tensor& key, const Tensor& value, double dropout,
                      bool isOrdered)
{
    return at::scaled_dot_product_attention(query, key, value, {}, dropout, isOrdered);
}

#else

constexpr bool HasFused = false;

Tensor fusedAttention(const Tensor&, const Tensor&, const Tensor&, double, bool)
{
    throw std::logic_error("this LibTorch has no fused attention");
}

#endif

constexpr double NormEpsilon = 1e-6;

class AttentionPiece final : public Piece {
public:
    AttentionPiece(const Attention& spec, const PieceContext& context)
        : m_spec(spec), m_context(context)
    {
        const Biases inner =
            biasesWhere(spec.biases == AttentionBiases::Qkv || spec.biases == AttentionBiases::All);
        const Biases outer = biasesWhere(spec.biases == AttentionBiases::Output ||
                                         spec.biases == AttentionBiases::All);
        makeQueries(inner);
        makeKeys(inner);
        m_output = register_module("output", Adaptable(spec.mixedWidth(), spec.width, outer));
        if (spec.sinks)
            m_sinks = zeros("sinks", spec.heads);
        if (spec.qkNorm == QkNorm::None)
            return;
        const bool isOfAll = spec.qkNorm == QkNorm::RmsOfAll;
        m_queryScale = ones("query_scale", isOfAll ? spec.queryWidth() : spec.headSize);
        m_keyScale = ones("key_scale", isOfAll ? spec.keyWidth() : spec.headSize);
        if (spec.qkNorm == QkNorm::Layer) {
            m_queryBias = zeros("query_bias", spec.headSize);
            m_keyBias = zeros("key_bias", spec.headSize);
        }
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        Tensor query = normedHeads(queries(x, flow), m_queryScale, m_queryBias);
        auto [key, value] = m_spec.isLatent() ? latentKeys(x, flow) : keysAndValues(x, flow);
        if (isRotary())
            query = withPlaces(query, flow.offset);
        const std::int64_t repeats = m_spec.heads / m_spec.kvHeads;
        if (repeats > 1) {
            key = key.repeat_interleave(repeats, 1);
            value = value.repeat_interleave(repeats, 1);
        }
        const Tensor mixed =
            isFused(query, key, flow) ? fused(query, key, value) : plain(query, key, value, flow);
        const Tensor output = product(mixed.transpose(1, 2).flatten(2), m_output, flow);
        return m_spec.dropout ? torch::dropout(output, m_context.dropout, is_training()) : output;
    }

private:
    void makeQueries(Biases biases)
    {
        const std::int64_t rank = m_spec.queryRank;
        if (rank > 0) {
            m_queryDown = register_module("query_down", Adaptable(m_spec.width, rank, biases));
            m_rankScale = ones("rank_scale", rank);
        }
        m_query =
            register_module("query", Adaptable(rank > 0 ? rank : m_spec.width, m_spec.queryWidth(),
                                               rank > 0 ? Biases::None : biases));
    }

    void makeKeys(Biases biases)
    {
        if (m_spec.isLatent()) {
            m_latent =
                register_module("latent", Adaptable(m_spec.memory, m_spec.latentWidth(), biases));
            m_latentScale = ones("latent_scale", m_spec.latent);
            m_keyValue = register_module(
                "key_value", Adaptable(m_spec.latent, m_spec.fromLatent(), Biases::None));
            return;
        }
        m_key = register_module("key", Adaptable(m_spec.memory, m_spec.keyWidth(), biases));
        m_value = register_module("value", Adaptable(m_spec.memory, m_spec.valueWidth(), biases));
    }

    [[nodiscard]] bool isRotary() const
    {
        return m_context.place == PieceContext::Place::Rotary && !m_spec.isCross;
    }

    Tensor queries(const Tensor& x, Flow& flow)
    {
        if (m_queryDown.is_empty())
            return product(x, m_query, flow);
        return product(rms(product(x, m_queryDown, flow), m_rankScale), m_query, flow);
    }

    /// Whether one kernel does it: nothing but the order of the tokens may hide some from others.
    [[nodiscard]] bool isFused(const Tensor& query, const Tensor& key, const Flow& flow) const
    {
        if (!hasFusedAttention() || flow.form.plainAttention || m_spec.sinks)
            return false;
        if (m_spec.isCross)
            return true;
        const bool isPart = m_context.isCausal && query.size(2) > 1 && flow.offset > 0;
        const bool isWindowed = m_spec.window > 0 && m_spec.window < key.size(2);
        return !isPart && !isWindowed && !flow.distanceBias.defined() &&
               m_context.place != PieceContext::Place::Alibi;
    }

    [[nodiscard]] Tensor fused(const Tensor& query, const Tensor& key, const Tensor& value) const
    {
        const bool isOrdered = m_context.isCausal && !m_spec.isCross && query.size(2) > 1;
        const double dropout = m_spec.dropout && is_training() ? m_context.dropout : 0;
        return fusedAttention(query, key, value, dropout, isOrdered);
    }

    [[nodiscard]] Tensor plain(const Tensor& query, const Tensor& key, const Tensor& value,
                               const Flow& flow) const
    {
        const double scale = 1 / std::sqrt(static_cast<double>(m_spec.headSize));
        Tensor scores = torch::matmul(query * scale, key.transpose(2, 3));
        scores = masked(scores, flow);
        Tensor shares = sharesOf(scores);
        if (m_spec.dropout)
            shares = torch::dropout(shares, m_context.dropout, is_training());
        return torch::matmul(shares, value);
    }

    /// What is left for a head's sink is read of nothing.
    [[nodiscard]] Tensor sharesOf(const Tensor& scores) const
    {
        if (!m_spec.sinks)
            return torch::softmax(scores, -1);
        const Tensor sink =
            m_sinks.view({1, -1, 1, 1}).expand({scores.size(0), -1, scores.size(2), 1});
        return torch::softmax(torch::cat({scores, sink}, -1), -1).narrow(-1, 0, scores.size(3));
    }

    /// [batch, tokens, heads x size] -> [batch, heads, tokens, size]
    [[nodiscard]] static Tensor heads(const Tensor& x, std::int64_t size)
    {
        return x.view({x.size(0), x.size(1), -1, size}).transpose(1, 2);
    }

    [[nodiscard]] static Tensor rms(const Tensor& x, const Tensor& scale)
    {
        return x * torch::rsqrt(x.square().mean(-1, true) + NormEpsilon) * scale;
    }

    /// Where heads share a part of their keys, that part, which is last, tells places; else all of them do.
    [[nodiscard]] Tensor withPlaces(const Tensor& x, std::int64_t offset) const
    {
        const std::int64_t own = m_spec.sharedSize > 0 ? x.size(3) - m_spec.sharedSize : 0;
        if (own == 0)
            return rotated(x, offset);
        return torch::cat(
            {x.narrow(3, 0, own), rotated(x.narrow(3, own, m_spec.sharedSize), offset)}, 3);
    }

    /// Queries or keys, head by head.
    [[nodiscard]] Tensor normedHeads(const Tensor& x, const Tensor& scale, const Tensor& bias) const
    {
        const std::int64_t size = m_spec.headSize;
        switch (m_spec.qkNorm) {
        case QkNorm::None: break;
        case QkNorm::Rms: return rms(heads(x, size), scale);
        case QkNorm::Layer:
            return torch::layer_norm(heads(x, size), {size}, scale, bias, NormEpsilon);
        case QkNorm::RmsOfAll: return heads(rms(x, scale), size);
        }
        return heads(x, size);
    }

    /// What is kept of each position; keys and values of all of them are made of it anew.
    std::pair<Tensor, Tensor> latentKeys(const Tensor& x, Flow& flow)
    {
        const Tensor made = product(x, m_latent, flow);
        Tensor kept = rms(made.narrow(2, 0, m_spec.latent), m_latentScale);
        if (m_spec.sharedSize > 0) {
            Tensor shared = made.narrow(2, m_spec.latent, m_spec.sharedSize);
            if (isRotary())
                shared = rotated(shared.unsqueeze(1), flow.offset).squeeze(1);
            kept = torch::cat({kept, shared}, 2);
        }
        if (flow.states != nullptr) {
            auto& cached = (*flow.states)[this];
            if (!cached.empty())
                kept = torch::cat({cached[0], kept}, 1);
            cached = {kept};
        }
        const std::int64_t own = m_spec.headSize - m_spec.sharedSize;
        const Tensor both = heads(product(kept.narrow(2, 0, m_spec.latent), m_keyValue, flow),
                                  own + m_spec.valueHead());
        Tensor key = both.narrow(3, 0, own);
        if (m_spec.sharedSize > 0) {
            const Tensor shared = kept.narrow(2, m_spec.latent, m_spec.sharedSize).unsqueeze(1);
            key = torch::cat({key, shared.expand({-1, m_spec.heads, -1, -1})}, 3);
        }
        return {key, both.narrow(3, own, m_spec.valueHead())};
    }

    std::pair<Tensor, Tensor> keysAndValues(const Tensor& x, Flow& flow)
    {
        if (m_spec.isCross && flow.states != nullptr && flow.states->contains(this)) {
            const auto& cached = flow.states->at(this);
            return {cached[0], cached[1]};
        }
        const Tensor& source = m_spec.isCross ? flow.memory : x;
        Tensor key = normedHeads(product(source, m_key, flow), m_keyScale, m_keyBias);
        Tensor value = heads(product(source, m_value, flow), m_spec.valueHead());
        if (isRotary())
            key = withPlaces(key, flow.offset);
        if (flow.states != nullptr) {
            auto& cached = (*flow.states)[this];
            if (!cached.empty()) {
                key = torch::cat({cached[0], key}, 2);
                value = torch::cat({cached[1], value}, 2);
            }
            cached = {key, value};
        }
        return {key, value};
    }

    /// Turns each pair of channels by an angle that grows with the position.
    [[nodiscard]] static Tensor rotated(const Tensor& x, std::int64_t offset)
    {
        constexpr double Base = 10000;
        const std::int64_t half = x.size(3) / 2;
        const Tensor channel = torch::arange(half, x.options());
        const Tensor speed = torch::exp(channel * (-std::log(Base) / static_cast<double>(half)));
        const Tensor place = torch::arange(offset, offset + x.size(2), x.options());
        const Tensor angle = place.unsqueeze(1) * speed;
        const Tensor cosine = torch::cos(angle);
        const Tensor sine = torch::sin(angle);
        const Tensor first = x.narrow(3, 0, half);
        const Tensor second = x.narrow(3, half, half);
        return torch::cat({first * cosine - second * sine, second * cosine + first * sine,
                           x.narrow(3, 2 * half, x.size(3) - 2 * half)},
                          3);
    }

    [[nodiscard]] Tensor masked(Tensor scores, const Flow& flow) const
    {
        if (m_spec.isCross)
            return scores;
        if (flow.distanceBias.defined())
            scores = scores + flow.distanceBias;
        const bool isAlibi = m_context.place == PieceContext::Place::Alibi;
        const bool needsMask = (m_context.isCausal && scores.size(2) > 1) || m_spec.window > 0;
        if (!isAlibi && !needsMask)
            return scores;
        const auto whole = torch::TensorOptions(torch::kLong).device(scores.device());
        const Tensor at =
            torch::arange(flow.offset, flow.offset + scores.size(2), whole).unsqueeze(1);
        const Tensor distance = at - torch::arange(scores.size(3), whole).unsqueeze(0);
        if (isAlibi) {
            const Tensor head = torch::arange(1, m_spec.heads + 1, scores.options());
            const Tensor slope = torch::pow(2.0, head * (-8.0 / static_cast<double>(m_spec.heads)));
            scores = scores - slope.view({1, -1, 1, 1}) * distance.abs();
        }
        if (!needsMask)
            return scores;
        Tensor hidden = torch::zeros_like(distance, torch::kBool);
        if (m_context.isCausal)
            hidden = hidden | (distance < 0);
        if (m_spec.window > 0)
            hidden = hidden | (distance.abs() >= m_spec.window);
        return scores.masked_fill(hidden, -std::numeric_limits<float>::infinity());
    }

    Attention m_spec;
    PieceContext m_context;
    Adaptable m_queryDown{nullptr};
    Adaptable m_query{nullptr};
    Adaptable m_latent{nullptr};
    Adaptable m_keyValue{nullptr};
    Adaptable m_key{nullptr};
    Adaptable m_value{nullptr};
    Adaptable m_output{nullptr};
    Tensor m_rankScale;
    Tensor m_latentScale;
    Tensor m_queryScale;
    Tensor m_keyScale;
    Tensor m_queryBias;
    Tensor m_keyBias;
    Tensor m_sinks;
};

} // namespace

bool hasFusedAttention()
{
    return HasFused;
}

PiecePointer makeAttention(const Attention& spec, const PieceContext& context)
{
    return std::make_shared<AttentionPiece>(spec, context);
}

} // namespace outlay::worker
