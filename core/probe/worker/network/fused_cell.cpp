// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/fused_cell.h"

#include "core/probe/engine/cell_kernels.h"
#include "core/probe/engine/gemm.h"

#include <ATen/Parallel.h>

namespace outlay::worker {
namespace {

using core::Cell;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// A tensor that isn't there has no elements: autograd's functions take no undefined ones.
bool isGiven(const Tensor& tensor)
{
    return tensor.defined() && tensor.numel() > 0;
}

/// What the passes read and write; all of it contiguous, samples first.
struct Tensors {
    Tensor x;
    Tensor inputWeight;
    Tensor stateWeight;
    Tensor bias;        // of the gates' sums
    Tensor stateBias;   // GRU: of the state's part
    Tensor hiddenFirst; // [batch, hidden]
    Tensor keptFirst;   // LSTM: the first cell
    Tensor gates;       // [batch, steps, gates]
    Tensor kept;        // LSTM: cells; GRU: the state's part of the fresh gate
    Tensor hidden;      // [batch, steps, hidden]
};

tensor_list listOf(const Tensors& t)
{
    return {t.x,           t.inputWeight, t.stateWeight, t.bias, t.stateBias,
            t.hiddenFirst, t.keptFirst,   t.gates,       t.kept, t.hidden};
}

Tensors tensorsOf(const tensor_list& list)
{
    return {list[0], list[1], list[2], list[3], list[4],
            list[5], list[6], list[7], list[8], list[9]};
}

struct Gradients {
    Tensor sums;    // before the gates, of the input's part
    Tensor ofState; // of the state's part: for a GRU another one
    Tensor later;   // of the first state, at the end
    Tensor laterCell;
};

template <typename Real>
class Passes {
public:
    Passes(Cell cell, const Tensors& t)
        : m_cell(cell), m_t(t), m_batch(t.x.size(0)), m_steps(t.x.size(1)), m_inputs(t.x.size(2)),
          m_hidden(t.stateWeight.size(1)), m_gates(t.stateWeight.size(0))
    {
    }

    void forward() const
    {
        multiply<Real>({m_batch * m_steps, m_gates, m_inputs}, {at(m_t.x), m_inputs},
                       {at(m_t.inputWeight), m_inputs, true}, Result::Set, at(m_t.gates), m_gates);
        overSamples([this](std::int64_t first, std::int64_t count) { forward(first, count); });
    }

    void backward(const Tensor& outputGradient, const Gradients& g) const
    {
        overSamples([&](std::int64_t first, std::int64_t count) {
            backward(at(outputGradient), g, first, count);
        });
    }

    [[nodiscard]] Tensor inputGradient(const Gradients& g) const
    {
        Tensor gradient = torch::empty_like(m_t.x);
        multiply<Real>({m_batch * m_steps, m_inputs, m_gates}, {at(g.sums), m_gates},
                       {at(m_t.inputWeight), m_inputs}, Result::Set, at(gradient), m_inputs);
        return gradient;
    }

    [[nodiscard]] Tensor inputWeightGradient(const Gradients& g) const
    {
        Tensor gradient = torch::empty_like(m_t.inputWeight);
        multiply<Real>({m_gates, m_inputs, m_batch * m_steps}, {at(g.sums), m_gates, true},
                       {at(m_t.x), m_inputs}, Result::Set, at(gradient), m_inputs);
        return gradient;
    }

    /// Each step's sums with the state before it. The rows of all samples lie one after another, so that
    /// one product has them all; it takes the first steps for zero, which have a state of their own.
    [[nodiscard]] Tensor stateWeightGradient(const Gradients& g) const
    {
        Tensor gradient = torch::zeros_like(m_t.stateWeight);
        const Tensor first = g.ofState.select(1, 0).clone(); // where there is one step, it is all
        g.ofState.select(1, 0).zero_();
        multiply<Real>({m_gates, m_hidden, m_batch * m_steps - 1},
                       {at(g.ofState) + m_gates, m_gates, true}, {at(m_t.hidden), m_hidden},
                       Result::Set, at(gradient), m_hidden);
        g.ofState.select(1, 0).copy_(first);
        multiply<Real>({m_gates, m_hidden, m_batch}, {at(first), m_gates, true},
                       {at(m_t.hiddenFirst), m_hidden}, Result::Add, at(gradient), m_hidden);
        return gradient;
    }

private:
    static Real* at(const Tensor& tensor)
    {
        return isGiven(tensor) ? tensor.data_ptr<Real>() : nullptr;
    }

    /// Samples know nothing of each other: each thread takes some through all steps.
    template <typename Work>
    void overSamples(const Work& work) const
    {
        const std::int64_t threads = std::min<std::int64_t>(at::get_num_threads(), m_batch);
        const std::int64_t share = (m_batch + threads - 1) / threads;
        const LoneBlas lone; // its threads would meet ours
        at::parallel_for(0, m_batch, share, [&](std::int64_t first, std::int64_t end) {
            const LoneThread loneThread;
            work(first, end - first);
        });
    }

    [[nodiscard]] RowsAt<Real> rows(const Tensor& tensor, std::int64_t sample,
                                    std::int64_t step) const
    {
        if (!isGiven(tensor))
            return {};
        const std::int64_t width = tensor.size(2);
        return {at(tensor) + (sample * m_steps + step) * width, m_steps * width};
    }

    [[nodiscard]] RowsAt<const Real> before(const Tensor& all, const Tensor& first,
                                            std::int64_t sample, std::int64_t step) const
    {
        if (!isGiven(first))
            return {};
        if (step == 0)
            return {at(first) + sample * m_hidden, m_hidden};
        const RowsAt<Real> last = rows(all, sample, step - 1);
        return {last.first, last.stride};
    }

    [[nodiscard]] CellStep<Real> stepOf(std::int64_t sample, std::int64_t step) const
    {
        return {.gates = rows(m_t.gates, sample, step),
                .ofState = {},
                .kept = rows(m_t.kept, sample, step),
                .hidden = rows(m_t.hidden, sample, step),
                .hiddenBefore = before(m_t.hidden, m_t.hiddenFirst, sample, step),
                .keptBefore = before(m_t.kept, m_t.keptFirst, sample, step),
                .bias = at(m_t.bias),
                .stateBias = at(m_t.stateBias)};
    }

    void forward(std::int64_t first, std::int64_t count) const
    {
        std::vector<Real> ofState(
            static_cast<std::size_t>(m_cell == Cell::Gru ? count * m_gates : 0));
        for (std::int64_t t = 0; t < m_steps; ++t) {
            CellStep<Real> step = stepOf(first, t);
            const Matrix<Real> before{step.hiddenBefore.first, step.hiddenBefore.stride};
            const Matrix<Real> weight{at(m_t.stateWeight), m_hidden, true};
            const ProductSize size{count, m_gates, m_hidden};
            if (m_cell == Cell::Gru) {
                step.ofState = {ofState.data(), m_gates};
                multiply(size, before, weight, Result::Set, ofState.data(), m_gates);
            } else {
                multiply(size, before, weight, Result::Add, step.gates.first, step.gates.stride);
            }
            cellForward(m_cell, {count, m_hidden}, step);
        }
    }

    void backward(const Real* outputGradient, const Gradients& g, std::int64_t first,
                  std::int64_t count) const
    {
        Real* later = at(g.later) + first * m_hidden;
        Real* laterCell = isGiven(g.laterCell) ? at(g.laterCell) + first * m_hidden : nullptr;
        for (std::int64_t t = m_steps - 1; t >= 0; --t) {
            const RowsAt<Real> ofState = rows(g.ofState, first, t);
            cellBackward(
                m_cell, {count, m_hidden}, stepOf(first, t),
                {.hidden = {outputGradient + (first * m_steps + t) * m_hidden, m_steps * m_hidden},
                 .later = later,
                 .laterCell = laterCell,
                 .sums = rows(g.sums, first, t),
                 .ofState = ofState});
            // What a GRU hands on past its gates is there already.
            multiply<Real>({count, m_hidden, m_gates}, {ofState.first, ofState.stride},
                           {at(m_t.stateWeight), m_hidden},
                           m_cell == Cell::Gru ? Result::Add : Result::Set, later, m_hidden);
        }
    }

    Cell m_cell;
    const Tensors& m_t;
    std::int64_t m_batch;
    std::int64_t m_steps;
    std::int64_t m_inputs;
    std::int64_t m_hidden;
    std::int64_t m_gates;
};

/// `work(passes)` in the tensors' own type.
template <typename Work>
auto inOwnType(Cell cell, const Tensors& t, const Work& work)
{
    return t.x.scalar_type() == torch::kDouble ? work(Passes<double>(cell, t))
                                               : work(Passes<float>(cell, t));
}

void compute(Cell cell, Tensors& t)
{
    const std::int64_t batch = t.x.size(0);
    const std::int64_t steps = t.x.size(1);
    const std::int64_t hidden = t.stateWeight.size(1);
    t.gates = torch::empty({batch, steps, t.stateWeight.size(0)}, t.x.options());
    t.hidden = torch::empty({batch, steps, hidden}, t.x.options());
    t.kept = torch::empty({batch, steps, cell == Cell::Rnn ? 0 : hidden}, t.x.options());
    inOwnType(cell, t, [](const auto& passes) { passes.forward(); });
}

class FusedCell : public torch::autograd::Function<FusedCell> {
public:
    /// Returns the states and, for an LSTM, the cells.
    static tensor_list forward(AutogradContext* context, const Tensor& x, const Tensor& inputWeight,
                               const Tensor& stateWeight, const Tensor& bias,
                               const Tensor& stateBias, const Tensor& hiddenFirst,
                               const Tensor& keptFirst, std::int64_t cell)
    {
        Tensors t{x.contiguous(), inputWeight, stateWeight, bias, stateBias,
                  hiddenFirst,    keptFirst,   {},          {},   {}};
        compute(static_cast<Cell>(cell), t);
        context->saved_data["cell"] = cell;
        context->save_for_backward(listOf(t));
        context->mark_non_differentiable({t.kept}); // nobody learns through the last cell
        return {t.hidden, t.kept};
    }

    static tensor_list backward(AutogradContext* context, const tensor_list& outputGradients)
    {
        const Tensors t = tensorsOf(context->get_saved_variables());
        const auto cell = static_cast<Cell>(context->saved_data["cell"].toInt());
        Gradients g{.sums = torch::empty_like(t.gates), .later = torch::zeros_like(t.hiddenFirst)};
        g.ofState = cell == Cell::Gru ? torch::empty_like(t.gates) : g.sums;
        if (isGiven(t.keptFirst))
            g.laterCell = torch::zeros_like(t.keptFirst);
        const Tensor gradient = outputGradients[0].contiguous();
        tensor_list all = inOwnType(cell, t, [&](const auto& passes) -> tensor_list {
            passes.backward(gradient, g);
            return {passes.inputGradient(g), passes.inputWeightGradient(g),
                    passes.stateWeightGradient(g)};
        });
        const std::vector<std::int64_t> rows{0, 1};
        all.push_back(isGiven(t.bias) ? g.sums.sum(rows) : Tensor());
        all.push_back(isGiven(t.stateBias) ? g.ofState.sum(rows) : Tensor());
        all.push_back(g.later);
        all.push_back(g.laterCell);
        all.emplace_back(); // of the cell's number
        return all;
    }
};

Tensor sumOf(const Tensor& a, const Tensor& b)
{
    return a.defined() && b.defined() ? a + b : a.defined() ? a : b;
}

} // namespace

Tensor fusedCell(Cell cell, const CellWeights& weights, const Tensor& x, tensor_list& state)
{
    const Tensor none = torch::empty({0}, x.options());
    const auto orNone = [&](const Tensor& tensor) { return tensor.defined() ? tensor : none; };
    const bool isGru = cell == Cell::Gru; // its two biases stay apart
    const tensor_list made = FusedCell::apply(
        x, weights.input, weights.state,
        orNone(isGru ? weights.inputBias : sumOf(weights.inputBias, weights.stateBias)),
        orNone(isGru ? weights.stateBias : Tensor()), state[0].contiguous(),
        orNone(cell == Cell::Lstm ? state[1].contiguous() : Tensor()),
        static_cast<std::int64_t>(cell));
    const std::int64_t last = x.size(1) - 1;
    state[0] = made[0].select(1, last);
    if (cell == Cell::Lstm)
        state[1] = made[1].select(1, last);
    return made[0];
}

} // namespace outlay::worker
