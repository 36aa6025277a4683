// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/checkpoint.h"

#include <ATen/autocast_mode.h>

namespace outlay::worker {
namespace {

using torch::Tensor;

/// Sets the state of dropout's random numbers back, and forward again when it goes.
class RewoundRandom {
public:
    RewoundRandom(const at::Generator& generator, const Tensor& state)
        : m_generator(generator), m_before(m_generator.get_state())
    {
        m_generator.set_state(state);
    }
    ~RewoundRandom() { m_generator.set_state(m_before); }

    RewoundRandom(const RewoundRandom&) = delete;
    RewoundRandom& operator=(const RewoundRandom&) = delete;

private:
    at::Generator m_generator;
    Tensor m_before;
};

/// The backward pass runs outside of the forward pass's autocast.
class SameAutocast {
public:
    explicit SameAutocast(bool isEnabled) : m_before(at::autocast::is_cpu_enabled())
    {
        at::autocast::set_cpu_enabled(isEnabled);
    }
    ~SameAutocast() { at::autocast::set_cpu_enabled(m_before); }

    SameAutocast(const SameAutocast&) = delete;
    SameAutocast& operator=(const SameAutocast&) = delete;

private:
    bool m_before;
};

/// What the backward pass needs to do the forward pass again.
struct Kept : torch::CustomClassHolder {
    PassPart part;
    Flow flow;
    Tensor randomState;
    at::Generator generator;
    bool isAutocast = false;
};

/// Inputs that aren't there travel as empty tensors.
Tensor orEmpty(const Tensor& tensor, const Tensor& like)
{
    return tensor.defined() ? tensor : torch::empty({0}, like.options());
}

/// A leaf of its own graph with the same values.
Tensor leafOf(const Tensor& tensor)
{
    return tensor.detach().requires_grad_(tensor.requires_grad());
}

class Recomputed : public torch::autograd::Function<Recomputed> {
public:
    static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x,
                          const Tensor& memory, const Tensor& distanceBias,
                          const c10::intrusive_ptr<Kept>& kept)
    {
        context->save_for_backward({x, memory, distanceBias});
        context->saved_data["kept"] = c10::IValue::make_capsule(kept);
        kept->randomState = kept->generator.get_state();
        return kept->part(x, kept->flow);
    }

    static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::tensor_list& gradients)
    {
        const auto kept =
            c10::static_intrusive_pointer_cast<Kept>(context->saved_data["kept"].toCapsule());
        const auto saved = context->get_saved_variables();
        const Tensor x = leafOf(saved[0]);
        const Tensor memory = leafOf(saved[1]);
        const Tensor distanceBias = leafOf(saved[2]);
        Flow flow = kept->flow;
        flow.memory = memory.numel() > 0 ? memory : Tensor();
        flow.distanceBias = distanceBias.numel() > 0 ? distanceBias : Tensor();
        Tensor y;
        {
            const torch::AutoGradMode recording(true);
            const RewoundRandom random(kept->generator, kept->randomState);
            const SameAutocast autocast(kept->isAutocast);
            y = kept->part(x, flow);
        }
        torch::autograd::backward({y}, {gradients[0]});
        return {x.grad(), memory.grad(), distanceBias.grad(), Tensor()};
    }
};

} // namespace

Tensor checkpointed(const PassPart& part, const Tensor& x, const Flow& flow)
{
    auto kept = c10::make_intrusive<Kept>();
    kept->part = part;
    kept->flow = flow;
    kept->generator = at::globalContext().defaultGenerator(x.device());
    kept->isAutocast = at::autocast::is_cpu_enabled();
    // A backward pass visits only what depends on an input that has a gradient.
    const Tensor start = x.requires_grad() ? x : x.detach().requires_grad_();
    return Recomputed::apply(start, orEmpty(flow.memory, x), orEmpty(flow.distanceBias, x), kept);
}

bool Autocast::isAvailable(core::Precision precision, torch::Device device)
{
    switch (precision) {
    case core::Precision::Fp32:
    case core::Precision::Bf16: return true;
    case core::Precision::Fp16:
        return false; // it needs a scaled loss, which LibTorch leaves to Python
    case core::Precision::Tf32: return device.is_cuda();
    }
    return false;
}

Autocast::Autocast(core::Precision precision, torch::Device device)
    : m_isActive(precision == core::Precision::Bf16), m_device(device)
{
    at::globalContext().setAllowTF32CuBLAS(precision == core::Precision::Tf32);
    if (!m_isActive)
        return;
    at::autocast::increment_nesting();
    if (m_device.is_cuda()) {
        at::autocast::set_autocast_gpu_dtype(at::kBFloat16);
        at::autocast::set_enabled(true);
    } else {
        at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
        at::autocast::set_cpu_enabled(true);
    }
}

Autocast::~Autocast()
{
    if (!m_isActive)
        return;
    if (m_device.is_cuda())
        at::autocast::set_enabled(false);
    else
        at::autocast::set_cpu_enabled(false);
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
}

} // namespace outlay::worker
