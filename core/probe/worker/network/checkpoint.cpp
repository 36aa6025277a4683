// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/checkpoint.h"

#include <ATen/autocast_mode.h>
#include <torch/version.h>

namespace outlay::worker {
namespace {

using torch::Tensor;
using torch::autograd::tensor_list;

// From 2.4 on the device is named; what went before left with later versions.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

bool isCast(torch::DeviceType device)
{
    return at::autocast::is_autocast_enabled(device);
}

void setCast(torch::DeviceType device, bool isCast)
{
    at::autocast::set_autocast_enabled(device, isCast);
}

void castTo(torch::DeviceType device, torch::ScalarType type)
{
    at::autocast::set_autocast_dtype(device, type);
}

#else

bool isCast(torch::DeviceType device)
{
    return device == torch::kCPU ? at::autocast::is_cpu_enabled() : at::autocast::is_enabled();
}

void setCast(torch::DeviceType device, bool isCast)
{
    if (device == torch::kCPU)
        at::autocast::set_cpu_enabled(isCast);
    else
        at::autocast::set_enabled(isCast);
}

void castTo(torch::DeviceType device, torch::ScalarType type)
{
    if (device == torch::kCPU)
        at::autocast::set_autocast_cpu_dtype(type);
    else
        at::autocast::set_autocast_gpu_dtype(type);
}

#endif

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

/// For which devices products are cast to 16 bits.
struct AutocastState {
    bool onCpu = isCast(torch::kCPU);
    bool onCuda = isCast(torch::kCUDA);

    void apply() const
    {
        setCast(torch::kCPU, onCpu);
        setCast(torch::kCUDA, onCuda);
    }
};

/// The backward pass runs outside of the forward pass's autocast. Weights that were cast for it go with
/// this: the next step has others.
class SameAutocast {
public:
    explicit SameAutocast(const AutocastState& state)
    {
        at::autocast::increment_nesting();
        state.apply();
    }
    ~SameAutocast()
    {
        m_before.apply();
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
    }

    SameAutocast(const SameAutocast&) = delete;
    SameAutocast& operator=(const SameAutocast&) = delete;

private:
    AutocastState m_before;
};

/// What the backward pass needs to do the forward pass again.
struct Kept : torch::CustomClassHolder {
    TensorPart part;
    Tensor randomState;
    at::Generator generator;
    AutocastState autocast;
};

/// A leaf of its own graph with the same values.
Tensor leafOf(const Tensor& tensor)
{
    return tensor.detach().requires_grad_(tensor.requires_grad());
}

class Recomputed : public torch::autograd::Function<Recomputed> {
public:
    static tensor_list forward(torch::autograd::AutogradContext* context,
                               const c10::intrusive_ptr<Kept>& kept, torch::TensorList inputs)
    {
        context->save_for_backward(inputs.vec());
        context->saved_data["kept"] = c10::IValue::make_capsule(kept);
        kept->randomState = kept->generator.get_state();
        return kept->part(inputs.vec());
    }

    static tensor_list backward(torch::autograd::AutogradContext* context,
                                const tensor_list& gradients)
    {
        const auto kept =
            c10::static_intrusive_pointer_cast<Kept>(context->saved_data["kept"].toCapsule());
        tensor_list leaves;
        for (const Tensor& input : context->get_saved_variables())
            leaves.push_back(leafOf(input));
        tensor_list outputs;
        {
            const torch::AutoGradMode recording(true);
            const RewoundRandom random(kept->generator, kept->randomState);
            const SameAutocast autocast(kept->autocast);
            outputs = kept->part(leaves);
        }
        torch::autograd::backward(outputs, gradients);
        tensor_list result{Tensor()}; // of what is kept
        for (const Tensor& leaf : leaves)
            result.push_back(leaf.grad());
        return result;
    }
};

/// Inputs that aren't there travel as empty tensors.
Tensor orEmpty(const Tensor& tensor, const Tensor& like)
{
    return tensor.defined() ? tensor : torch::empty({0}, like.options());
}

Tensor orUndefined(const Tensor& tensor)
{
    return tensor.numel() > 0 ? tensor : Tensor();
}

} // namespace

tensor_list recomputed(const TensorPart& part, tensor_list inputs)
{
    auto kept = c10::make_intrusive<Kept>();
    kept->part = part;
    kept->generator = at::globalContext().defaultGenerator(inputs.front().device());
    // A backward pass visits only what depends on an input that has a gradient.
    if (!inputs.front().requires_grad())
        inputs.front() = inputs.front().detach().requires_grad_();
    return Recomputed::apply(kept, torch::TensorList(inputs));
}

Tensor checkpointed(const PassPart& part, const Tensor& x, const Flow& flow)
{
    const TensorPart whole = [part, flow](const tensor_list& inputs) {
        Flow inner = flow;
        inner.memory = orUndefined(inputs[1]);
        inner.distanceBias = orUndefined(inputs[2]);
        return tensor_list{part(inputs[0], inner)};
    };
    return recomputed(whole, {x, orEmpty(flow.memory, x), orEmpty(flow.distanceBias, x)}).front();
}

void allowTf32(bool isAllowed)
{
    at::globalContext().setAllowTF32CuBLAS(isAllowed);
    at::globalContext().setAllowTF32CuDNN(isAllowed); // LibTorch allows it unless it is told
}

bool Autocast::isAvailable(core::Precision precision, torch::Device device)
{
    switch (precision) {
    case core::Precision::Fp32:
    case core::Precision::Bf16: return true;
    case core::Precision::Fp8: return false;
    case core::Precision::Fp16:
        return false; // it needs a scaled loss, which LibTorch leaves to Python
    case core::Precision::Tf32: return device.is_cuda();
    }
    return false;
}

Autocast::Autocast(core::Precision precision, torch::Device device)
    : m_isActive(precision == core::Precision::Bf16), m_device(device)
{
    allowTf32(precision == core::Precision::Tf32);
    if (!m_isActive)
        return;
    at::autocast::increment_nesting();
    castTo(m_device.type(), at::kBFloat16);
    setCast(m_device.type(), true);
}

Autocast::~Autocast()
{
    if (!m_isActive)
        return;
    setCast(m_device.type(), false);
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
}

} // namespace outlay::worker
