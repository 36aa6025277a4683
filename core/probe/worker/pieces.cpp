// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/pieces.h"

#include "core/probe/worker/attention_piece.h"
#include "core/probe/worker/gated_recurrence.h"

#include <cmath>

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;

constexpr double Epsilon = 1e-5;

/// LibTorch's own recurrent layer, so that its fused kernels run; with one bias set or none, the
/// missing vectors are zeros that are no parameters.
class RecurrentPiece final : public Piece {
public:
    explicit RecurrentPiece(const Recurrent& spec) : m_spec(spec)
    {
        const std::int64_t gates = gatesOf(spec.cell) * spec.hidden;
        for (std::int64_t way = 0; way < spec.directions(); ++way) {
            const std::string end = "_" + std::to_string(way);
            m_weights.push_back(weight(("input" + end).c_str(), {gates, spec.inputs}));
            m_weights.push_back(weight(("state" + end).c_str(), {gates, spec.output()}));
            for (std::int64_t set = 0; spec.biasSets > 0 && set < 2; ++set) {
                const std::string name = "bias" + std::to_string(set) + end;
                m_weights.push_back(set < spec.biasSets ? zeros(name.c_str(), gates)
                                                        : torch::zeros({gates}));
            }
            if (spec.projection > 0)
                m_weights.push_back(
                    weight(("projection" + end).c_str(), {spec.projection, spec.hidden}));
        }
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        std::vector<Tensor> state = startState(x, flow);
        const bool hasBiases = m_spec.biasSets > 0;
        Tensor output;
        if (m_spec.cell == Cell::Lstm) {
            auto [out, hidden, cell] = torch::lstm(x, state, m_weights, hasBiases, 1, 0.0,
                                                   is_training(), m_spec.bidirectional, true);
            output = out;
            state = {hidden, cell};
        } else {
            auto [out, hidden] = m_spec.cell == Cell::Gru
                                     ? torch::gru(x, state[0], m_weights, hasBiases, 1, 0.0,
                                                  is_training(), m_spec.bidirectional, true)
                                     : torch::rnn_tanh(x, state[0], m_weights, hasBiases, 1, 0.0,
                                                       is_training(), m_spec.bidirectional, true);
            output = out;
            state = {hidden};
        }
        if (flow.states != nullptr)
            (*flow.states)[this] = state;
        // The last state of each direction, side by side.
        return m_spec.returnsSequence ? output : state[0].transpose(0, 1).flatten(1);
    }

private:
    std::vector<Tensor> startState(const Tensor& x, const Flow& flow) const
    {
        if (flow.states != nullptr) {
            const auto found = flow.states->find(this);
            if (found != flow.states->end())
                return found->second;
        }
        const auto zeros = [&](std::int64_t size) {
            return torch::zeros({m_spec.directions(), x.size(0), size}, x.options());
        };
        std::vector<Tensor> state{zeros(m_spec.output())};
        if (m_spec.cell == Cell::Lstm)
            state.push_back(zeros(m_spec.hidden));
        return state;
    }

    Recurrent m_spec;
    std::vector<Tensor> m_weights;
};

/// state = diag(gate) state + key value^T; output = Wo (state^T query) + bo, step by step.
class GatedRecurrentPiece final : public Piece {
public:
    explicit GatedRecurrentPiece(const GatedRecurrent& spec) : m_spec(spec)
    {
        m_query = register_module("query", torch::nn::Linear(spec.inputs, spec.key));
        m_key = register_module("key", torch::nn::Linear(spec.inputs, spec.key));
        m_gate = register_module("gate", torch::nn::Linear(spec.inputs, spec.key));
        m_value = register_module("value", torch::nn::Linear(spec.inputs, spec.value));
        m_output = register_module("output", torch::nn::Linear(spec.value, spec.output));
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        const Tensor query = product(x, m_query, flow);
        const Tensor key = torch::sigmoid(product(x, m_key, flow));
        const Tensor gate = torch::sigmoid(product(x, m_gate, flow));
        const Tensor value = product(x, m_value, flow);
        Tensor state = torch::zeros({x.size(0), m_spec.key, m_spec.value}, x.options());
        if (flow.states != nullptr && flow.states->contains(this))
            state = flow.states->at(this).front();
        if (flow.form.fusesRecurrence) {
            if (flow.states != nullptr)
                (*flow.states)[this] = {state};
            const Tensor mixed = gatedRecurrence({query, key, gate, value}, state);
            return product(mixed, m_output, flow);
        }
        std::vector<Tensor> outputs;
        for (std::int64_t t = 0; t < x.size(1); ++t) {
            const Tensor outer =
                torch::bmm(key.select(1, t).unsqueeze(2), value.select(1, t).unsqueeze(1));
            state = gate.select(1, t).unsqueeze(2) * state + outer;
            outputs.push_back(torch::bmm(query.select(1, t).unsqueeze(1), state).squeeze(1));
        }
        if (flow.states != nullptr)
            (*flow.states)[this] = {state};
        return product(torch::stack(outputs, 1), m_output, flow);
    }

private:
    GatedRecurrent m_spec;
    torch::nn::Linear m_query{nullptr};
    torch::nn::Linear m_key{nullptr};
    torch::nn::Linear m_gate{nullptr};
    torch::nn::Linear m_value{nullptr};
    torch::nn::Linear m_output{nullptr};
};

torch::nn::Linear linear(std::int64_t inputs, std::int64_t outputs, bool bias)
{
    return torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs).bias(bias));
}

class FeedForwardPiece final : public Piece {
public:
    FeedForwardPiece(const FeedForward& spec, double dropout) : m_dropout(dropout)
    {
        m_up = register_module("up", linear(spec.width, spec.inner, spec.biases));
        if (spec.gated)
            m_gate = register_module("gate", linear(spec.width, spec.inner, spec.biases));
        m_down = register_module("down", linear(spec.inner, spec.width, spec.biases));
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
    torch::nn::Linear m_up{nullptr};
    torch::nn::Linear m_gate{nullptr};
    torch::nn::Linear m_down{nullptr};
};

/// A router picks `used` experts for each token; each expert sees the rows that chose it.
class ExpertsPiece final : public Piece {
public:
    ExpertsPiece(const Experts& spec, double dropout) : m_spec(spec)
    {
        m_router = register_module("router", linear(spec.expert.width, spec.count, false));
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
    torch::nn::Linear m_router{nullptr};
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
        return torch::batch_norm(rows, m_scale, m_bias, m_mean, m_variance, is_training(), Momentum,
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

class DensePiece final : public Piece {
public:
    DensePiece(const Dense& spec, const std::shared_ptr<EmbeddingPiece>& embedding)
        : m_spec(spec),
          m_weight(spec.tied ? embedding->table() : weight("weight", {spec.outputs, spec.inputs}))
    {
        if (spec.bias)
            m_bias = zeros("bias", spec.outputs);
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        const Tensor y = product(x, m_weight, m_bias, flow);
        return m_spec.activation ? torch::relu(y) : y;
    }

private:
    Dense m_spec;
    Tensor m_weight;
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

Tensor product(const Tensor& x, const torch::nn::Linear& linear, const Flow& flow)
{
    return product(x, linear->weight, linear->bias, flow);
}

Tensor Piece::forward(const Tensor& x, Flow& flow)
{
    if (flow.form.clock == nullptr)
        return compute(x, flow);
    return flow.form.clock->time(this, x, [&] { return compute(x, flow); });
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
    const Tensor at = torch::arange(flow.offset, keys, torch::kLong).unsqueeze(1);
    Tensor distance = at - torch::arange(keys, torch::kLong).unsqueeze(0);
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
    bucket = bucket.clamp_max(m_table.size(0) - 1).to(x.device());
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
        PiecePointer operator()(const Recurrent& s) const
        {
            return std::make_shared<RecurrentPiece>(s);
        }
        PiecePointer operator()(const GatedRecurrent& s) const
        {
            return std::make_shared<GatedRecurrentPiece>(s);
        }
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
