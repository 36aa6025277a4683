// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/gated_recurrence.h"

#include "core/probe/engine/gated_scan.h"

#include <ATen/Parallel.h>

namespace outlay::worker {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

ScanSize sizeOf(const Tensor& keys, const Tensor& value)
{
    const std::int64_t key = keys.size(2);
    return {keys.size(1), key, value.size(2), key, value.size(2), value.size(2)};
}

template <typename Real>
ScanInput<Real> sampleOf(const tensor_list& in, std::int64_t sample)
{
    const auto at = [&](std::size_t i) {
        return in[i].data_ptr<Real>() + sample * in[i].size(1) * in[i].size(2);
    };
    return {at(0), at(1), at(2), at(3)};
}

template <typename Real>
void forwardAll(const tensor_list& in, const Tensor& state, const Tensor& output,
                const Tensor& kept)
{
    const ScanSize size = sizeOf(in[1], in[3]);
    const std::int64_t elements = size.key * size.value;
    at::parallel_for(0, in[0].size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b)
            scanForward(size, sampleOf<Real>(in, b), state.data_ptr<Real>() + b * elements,
                        output.data_ptr<Real>() + b * size.steps * size.value,
                        kept.defined()
                            ? kept.data_ptr<Real>() + b * keptStates(size.steps) * elements
                            : nullptr);
    });
}

template <typename Real>
void backwardAll(const tensor_list& in, const Tensor& kept, const Tensor& outputGradient,
                 const tensor_list& gradients)
{
    const ScanSize size = sizeOf(in[1], in[3]);
    const std::int64_t elements = size.key * size.value;
    at::parallel_for(0, in[0].size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<Real> stateGradient(static_cast<std::size_t>(elements));
        for (std::int64_t b = begin; b < end; ++b) {
            std::fill(stateGradient.begin(), stateGradient.end(), Real(0));
            const auto at = [&](std::size_t i) {
                return gradients[i].data_ptr<Real>() +
                       b * gradients[i].size(1) * gradients[i].size(2);
            };
            scanBackward(size, sampleOf<Real>(in, b),
                         kept.data_ptr<Real>() + b * keptStates(size.steps) * elements,
                         outputGradient.data_ptr<Real>() + b * size.steps * size.value,
                         stateGradient.data(), ScanGradients<Real>{at(0), at(1), at(2), at(3)});
        }
    });
}

class RecurrenceFunction : public torch::autograd::Function<RecurrenceFunction> {
public:
    static Tensor forward(AutogradContext* context, const Tensor& query, const Tensor& keys,
                          const Tensor& gate, const Tensor& value, const Tensor& state)
    {
        const tensor_list in{query.contiguous(), keys.contiguous(), gate.contiguous(),
                             value.contiguous()};
        const ScanSize size = sizeOf(keys, value);
        const Tensor kept = torch::empty(
            {query.size(0), keptStates(size.steps), size.key, size.value}, query.options());
        Tensor output = torch::empty({query.size(0), size.steps, size.value}, query.options());
        if (query.scalar_type() == torch::kDouble)
            forwardAll<double>(in, state, output, kept);
        else
            forwardAll<float>(in, state, output, kept);
        context->save_for_backward({in[0], in[1], in[2], in[3], kept});
        return output;
    }

    static tensor_list backward(AutogradContext* context, const tensor_list& outputGradients)
    {
        const tensor_list saved = context->get_saved_variables();
        const tensor_list in(saved.begin(), saved.begin() + 4);
        const Tensor gradient = outputGradients[0].contiguous();
        tensor_list gradients;
        for (const Tensor& tensor : in)
            gradients.push_back(torch::empty_like(tensor));
        if (gradient.scalar_type() == torch::kDouble)
            backwardAll<double>(in, saved[4], gradient, gradients);
        else
            backwardAll<float>(in, saved[4], gradient, gradients);
        gradients.emplace_back();
        return gradients;
    }
};

} // namespace

Tensor gatedRecurrence(const GatedSequence& in, Tensor& state)
{
    if (torch::GradMode::is_enabled())
        return RecurrenceFunction::apply(in.query, in.keys, in.gate, in.value, state);
    const tensor_list inputs{in.query.contiguous(), in.keys.contiguous(), in.gate.contiguous(),
                             in.value.contiguous()};
    Tensor output =
        torch::empty({in.query.size(0), in.query.size(1), in.value.size(2)}, in.query.options());
    if (in.query.scalar_type() == torch::kDouble)
        forwardAll<double>(inputs, state, output, {});
    else
        forwardAll<float>(inputs, state, output, {});
    return output;
}

} // namespace outlay::worker
