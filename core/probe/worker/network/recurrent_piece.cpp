// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/recurrent_piece.h"

#include "core/probe/worker/network/checkpoint.h"
#include "core/probe/worker/network/fused_cell.h"

namespace outlay::worker {
namespace {

using namespace outlay::core;
using torch::Tensor;
using torch::autograd::tensor_list;

/// With one set of biases or none, the missing vectors are zeros that are no parameters.
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
        tensor_list state = startState(x, flow);
        const std::int64_t apart = flow.form.checkpointSteps;
        // A layer that reads from both ends has no stretch that ends before it begins.
        const bool isStretched = apart > 0 && !m_spec.bidirectional &&
                                 torch::GradMode::is_enabled() && flow.states == nullptr;
        const Tensor output = isStretched                          ? inStretches(x, state, apart)
                              : flow.form.cells == CellForm::Steps ? cellByCell(x, state)
                              : flow.form.cells == CellForm::Fused ? fused(x, state)
                                                                   : layer(x, state);
        if (flow.states != nullptr)
            (*flow.states)[this] = state;
        // The last state of each direction, side by side.
        return m_spec.returnsSequence ? output : state[0].transpose(0, 1).flatten(1);
    }

private:
    /// The whole sequence by LibTorch; `state` gets the last one.
    Tensor layer(const Tensor& x, tensor_list& state)
    {
        for (Tensor& tensor : m_weights) { // a vector that is no parameter follows the others
            if (!tensor.requires_grad())
                tensor = tensor.to(m_weights.front().options());
        }
        if (x.is_cuda())
            layWeightsTogether();
        const bool hasBiases = m_spec.biasSets > 0;
        // cuDNN keeps what the backward pass needs only in training, which changes nothing without dropout.
        const bool isKept = is_training() || torch::GradMode::is_enabled();
        if (m_spec.cell == Cell::Lstm) {
            auto [output, hidden, cell] = torch::lstm(x, state, m_weights, hasBiases, 1, 0.0,
                                                      isKept, m_spec.bidirectional, true);
            state = {hidden, cell};
            return output;
        }
        auto [output, hidden] = m_spec.cell == Cell::Gru
                                    ? torch::gru(x, state[0], m_weights, hasBiases, 1, 0.0, isKept,
                                                 m_spec.bidirectional, true)
                                    : torch::rnn_tanh(x, state[0], m_weights, hasBiases, 1, 0.0,
                                                      isKept, m_spec.bidirectional, true);
        state = {hidden};
        return output;
    }

    /// Where cuDNN reads them; it copies those that lie apart in every pass.
    void layWeightsTogether()
    {
        const void* place = m_weights.front().data_ptr();
        if (m_together == place || !torch::cudnn_is_acceptable(m_weights.front()))
            return;
        const auto count = static_cast<std::int64_t>(m_weights.size()) / m_spec.directions();
        const std::int64_t mode = m_spec.cell == Cell::Lstm ? 2 : m_spec.cell == Cell::Gru ? 3 : 1;
        const torch::NoGradGuard guard;
        torch::_cudnn_rnn_flatten_weight(m_weights, count, m_spec.inputs, mode, m_spec.hidden,
                                         m_spec.projection, 1, true, m_spec.bidirectional);
        m_together = m_weights.front().data_ptr();
    }

    struct Way : CellWeights {
        Tensor projection;
    };

    [[nodiscard]] Way wayOf(std::int64_t index) const
    {
        const std::size_t count =
            2 + (m_spec.biasSets > 0 ? 2U : 0U) + (m_spec.projection > 0 ? 1U : 0U);
        const std::size_t first = static_cast<std::size_t>(index) * count;
        Way way;
        way.input = m_weights[first];
        way.state = m_weights[first + 1];
        if (m_spec.biasSets > 0) {
            way.inputBias = m_weights[first + 2].to(way.input.options());
            way.stateBias = m_weights[first + 3].to(way.input.options());
        }
        if (m_spec.projection > 0)
            way.projection = m_weights[first + count - 1];
        return way;
    }

    /// One step of one direction, as the formulas have it: what is handed on, and the cell.
    [[nodiscard]] tensor_list step(const Way& way, const Tensor& x, const tensor_list& before) const
    {
        const Tensor ofInput = torch::linear(x, way.input, way.inputBias);
        const Tensor ofState = torch::linear(before[0], way.state, way.stateBias);
        if (m_spec.cell == Cell::Gru) {
            const auto in = ofInput.chunk(3, 1);
            const auto back = ofState.chunk(3, 1);
            const Tensor update = torch::sigmoid(in[1] + back[1]);
            const Tensor fresh = torch::tanh(in[2] + torch::sigmoid(in[0] + back[0]) * back[2]);
            return {fresh + update * (before[0] - fresh)};
        }
        if (m_spec.cell != Cell::Lstm)
            return {torch::tanh(ofInput + ofState)};
        const auto gates = (ofInput + ofState).chunk(4, 1);
        const Tensor cell =
            torch::sigmoid(gates[1]) * before[1] + torch::sigmoid(gates[0]) * torch::tanh(gates[2]);
        const Tensor hidden = torch::sigmoid(gates[3]) * torch::tanh(cell);
        const bool isProjected = way.projection.defined();
        return {isProjected ? torch::linear(hidden, way.projection) : hidden, cell};
    }

    [[nodiscard]] Tensor cellByCell(const Tensor& x, tensor_list& state) const
    {
        return eachWay(x, state, [this](const Way& way, const Tensor& sequence, tensor_list& now) {
            tensor_list handed;
            for (std::int64_t t = 0; t < sequence.size(1); ++t) {
                now = step(way, sequence.select(1, t), now);
                handed.push_back(now[0]);
            }
            return torch::stack(handed, 1);
        });
    }

    [[nodiscard]] Tensor fused(const Tensor& x, tensor_list& state) const
    {
        return eachWay(x, state, [this](const Way& way, const Tensor& sequence, tensor_list& now) {
            TORCH_CHECK(!way.projection.defined(), "a layer with a projection isn't fused");
            return fusedCell(m_spec.cell, way, sequence, now);
        });
    }

    /// `through(way, sequence, state)` for each direction: the second one reads from the end.
    template <typename Through>
    Tensor eachWay(const Tensor& x, tensor_list& state, const Through& through) const
    {
        tensor_list outputs;
        std::vector<tensor_list> last(state.size());
        for (std::int64_t index = 0; index < m_spec.directions(); ++index) {
            tensor_list now;
            for (const Tensor& tensor : state)
                now.push_back(tensor[index]);
            const Tensor output = through(wayOf(index), index == 0 ? x : x.flip(1), now);
            outputs.push_back(index == 0 ? output : output.flip(1));
            for (std::size_t i = 0; i < last.size(); ++i)
                last[i].push_back(now[i]);
        }
        for (std::size_t i = 0; i < last.size(); ++i)
            state[i] = torch::stack(last[i]);
        return outputs.size() == 1 ? outputs.front() : torch::cat(outputs, 2);
    }

    /// Stretches of `apart` steps, of which the input and the first state are kept only.
    Tensor inStretches(const Tensor& x, tensor_list& state, std::int64_t apart)
    {
        const TensorPart stretch = [this](const tensor_list& in) {
            tensor_list inner(in.begin() + 1, in.end());
            tensor_list out{layer(in[0], inner)};
            out.insert(out.end(), inner.begin(), inner.end());
            return out;
        };
        tensor_list outputs;
        for (std::int64_t first = 0; first < x.size(1); first += apart) {
            tensor_list in{x.narrow(1, first, std::min(apart, x.size(1) - first))};
            in.insert(in.end(), state.begin(), state.end());
            const tensor_list out = recomputed(stretch, in);
            outputs.push_back(out[0]);
            state.assign(out.begin() + 1, out.end());
        }
        return torch::cat(outputs, 1);
    }

    [[nodiscard]] tensor_list startState(const Tensor& x, const Flow& flow) const
    {
        if (flow.states != nullptr) {
            const auto found = flow.states->find(this);
            if (found != flow.states->end())
                return found->second;
        }
        const auto zeros = [&](std::int64_t size) {
            return torch::zeros({m_spec.directions(), x.size(0), size}, x.options());
        };
        tensor_list state{zeros(m_spec.output())};
        if (m_spec.cell == Cell::Lstm)
            state.push_back(zeros(m_spec.hidden));
        return state;
    }

    Recurrent m_spec;
    std::vector<Tensor> m_weights;
    const void* m_together = nullptr; // where they lie since the network was moved
};

} // namespace

PiecePointer makeRecurrent(const Recurrent& spec)
{
    return std::make_shared<RecurrentPiece>(spec);
}

} // namespace outlay::worker
