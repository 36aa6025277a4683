// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/gated_piece.h"

#include "core/probe/worker/network/checkpoint.h"
#include "core/probe/worker/network/gated_chunks.h"
#include "core/probe/worker/network/gated_recurrence.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;
using torch::autograd::tensor_list;

class GatedRecurrentPiece final : public Piece {
public:
    explicit GatedRecurrentPiece(const GatedRecurrent& spec) : m_spec(spec)
    {
        m_query = register_module("query", Adaptable(spec.inputs, spec.key, Biases::Random));
        m_key = register_module("key", Adaptable(spec.inputs, spec.key, Biases::Random));
        m_gate = register_module("gate", Adaptable(spec.inputs, spec.key, Biases::Random));
        m_value = register_module("value", Adaptable(spec.inputs, spec.value, Biases::Random));
        m_output = register_module("output", Adaptable(spec.value, spec.output, Biases::Random));
    }

    Tensor compute(const Tensor& x, Flow& flow) override
    {
        Tensor state = torch::zeros({x.size(0), m_spec.key, m_spec.value}, x.options());
        if (flow.states != nullptr && flow.states->contains(this))
            state = flow.states->at(this).front();
        const std::int64_t apart = flow.form.checkpointSteps;
        // The fused operation keeps few states by itself, and has no gradient of its first one.
        const bool isStretched =
            apart > 0 && flow.form.recurrence != Recurrence::Fused && torch::GradMode::is_enabled();
        const Tensor mixed =
            isStretched ? inStretches(x, state, flow, apart) : mixedOf(x, state, flow);
        if (flow.states != nullptr)
            (*flow.states)[this] = {state};
        return product(mixed, m_output, flow);
    }

private:
    /// What a step reads, before the sigmoids of key and gate.
    struct Projected {
        Tensor query;
        Tensor key;
        Tensor gate;
        Tensor value;
    };

    /// The four matrices under each other, and their biases, where the form wants one product.
    struct OneProduct {
        Tensor matrix;
        Tensor bias;
    };

    [[nodiscard]] OneProduct oneProduct(const Flow& flow) const
    {
        const Projections p = flow.form.projections;
        const bool isFour = p == Projections::Four || p == Projections::FourEachStep;
        // Int8 packs parameters, not what is made of them; adapters lie beside each.
        const auto isAdapted = [](const Adaptable& matrix) { return matrix->isAdapted(); };
        const std::array matrices{m_query, m_key, m_gate, m_value};
        if (isFour || flow.form.int8 != nullptr ||
            std::any_of(matrices.begin(), matrices.end(), isAdapted))
            return {};
        return {
            torch::cat({m_query->weight(), m_key->weight(), m_gate->weight(), m_value->weight()}),
            torch::cat({m_query->bias(), m_key->bias(), m_gate->bias(), m_value->bias()})};
    }

    [[nodiscard]] Projected project(const Tensor& x, const OneProduct& all, const Flow& flow) const
    {
        if (!all.matrix.defined())
            return {product(x, m_query, flow), product(x, m_key, flow), product(x, m_gate, flow),
                    product(x, m_value, flow)};
        const auto parts =
            product(x, all.matrix, all.bias, flow)
                .split_with_sizes({m_spec.key, m_spec.key, m_spec.key, m_spec.value}, -1);
        return {parts[0], parts[1], parts[2], parts[3]};
    }

    /// What the queries read from the state in each step; `state` gets the last one.
    Tensor mixedOf(const Tensor& x, Tensor& state, const Flow& flow) const
    {
        const Projections p = flow.form.projections;
        const OneProduct all = oneProduct(flow);
        if (p == Projections::FourEachStep || p == Projections::OneEachStep)
            return stepByStep(x.size(1), state, [&](std::int64_t t) {
                const Projected now = project(x.select(1, t), all, flow);
                return Projected{now.query, torch::sigmoid(now.key), torch::sigmoid(now.gate),
                                 now.value};
            });
        const Projected in = project(x, all, flow);
        const Tensor key = torch::sigmoid(in.key);
        if (flow.form.recurrence == Recurrence::Chunks)
            return gatedChunks({in.query, key, in.gate, in.value}, state);
        const Tensor gate = torch::sigmoid(in.gate);
        if (flow.form.recurrence == Recurrence::Fused)
            return gatedRecurrence({in.query, key, gate, in.value}, state);
        return stepByStep(x.size(1), state, [&](std::int64_t t) {
            return Projected{in.query.select(1, t), key.select(1, t), gate.select(1, t),
                             in.value.select(1, t)};
        });
    }

    template <typename InputOf>
    static Tensor stepByStep(std::int64_t steps, Tensor& state, const InputOf& inputOf)
    {
        std::vector<Tensor> outputs;
        for (std::int64_t t = 0; t < steps; ++t) {
            const Projected in = inputOf(t);
            const Tensor outer = torch::bmm(in.key.unsqueeze(2), in.value.unsqueeze(1));
            state = in.gate.unsqueeze(2) * state + outer;
            outputs.push_back(torch::bmm(in.query.unsqueeze(1), state).squeeze(1));
        }
        return torch::stack(outputs, 1);
    }

    /// Stretches of `apart` steps, of which the input and the first state are kept only.
    Tensor inStretches(const Tensor& x, Tensor& state, const Flow& flow, std::int64_t apart) const
    {
        const TensorPart stretch = [this, flow](const tensor_list& in) {
            Tensor inner = in[1];
            const Tensor mixed = mixedOf(in[0], inner, flow);
            return tensor_list{mixed, inner};
        };
        std::vector<Tensor> outputs;
        for (std::int64_t first = 0; first < x.size(1); first += apart) {
            const std::int64_t steps = std::min(apart, x.size(1) - first);
            tensor_list out = recomputed(stretch, {x.narrow(1, first, steps), state});
            outputs.push_back(out[0]);
            state = out[1];
        }
        return torch::cat(outputs, 1);
    }

    GatedRecurrent m_spec;
    Adaptable m_query{nullptr};
    Adaptable m_key{nullptr};
    Adaptable m_gate{nullptr};
    Adaptable m_value{nullptr};
    Adaptable m_output{nullptr};
};

} // namespace

PiecePointer makeGated(const GatedRecurrent& spec)
{
    return std::make_shared<GatedRecurrentPiece>(spec);
}

} // namespace outlay::worker
