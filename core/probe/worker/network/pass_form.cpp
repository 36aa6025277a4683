// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/worker/network/pass_form.h"

#include "core/probe/machine.h"
#include "core/probe/worker/network/trainer.h"

#include <algorithm>
#include <ATen/core/dispatch/Dispatcher.h>

namespace outlay::worker {
namespace {

using torch::Tensor;

c10::OperatorHandle quantisedOperator(const char* name)
{
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

/// Older processors add two products of 8 bits in 16, which may not hold them: inputs take 7 bits there.
bool addsProductsInFull()
{
    static const bool HasVnni = [] {
        const auto features = core::thisMachine().features;
        return std::find(features.begin(), features.end(), "avx512_vnni") != features.end();
    }();
    return HasVnni;
}

} // namespace

bool Int8Weights::isAvailable()
{
    const auto& engines = at::globalContext().supportedQEngines();
    for (const at::QEngine engine :
         {at::QEngine::FBGEMM, at::QEngine::ONEDNN, at::QEngine::QNNPACK}) {
        if (std::find(engines.begin(), engines.end(), engine) != engines.end()) {
            at::globalContext().setQEngine(engine);
            return true;
        }
    }
    return false;
}

Tensor Int8Weights::product(const Tensor& x, const Tensor& weight, const Tensor& bias)
{
    auto found = m_packed.find(weight.unsafeGetTensorImpl());
    if (found == m_packed.end()) {
        constexpr double Largest = 127;
        const double scale = std::max(1e-12, weight.abs().max().item<double>() / Largest);
        const Tensor small = torch::quantize_per_tensor(weight.detach(), scale, 0, torch::kQInt8);
        const c10::IValue none;
        std::vector<c10::IValue> stack{small, bias.defined() ? c10::IValue(bias.detach()) : none};
        quantisedOperator("quantized::linear_prepack").callBoxed(stack);
        found = m_packed.emplace(weight.unsafeGetTensorImpl(), stack.front()).first;
    }
    static const c10::OperatorHandle dynamic = quantisedOperator("quantized::linear_dynamic");
    std::vector<c10::IValue> stack{x.contiguous(), found->second, !addsProductsInFull()};
    dynamic.callBoxed(stack);
    return stack.front().toTensor();
}

void LayerClock::begin()
{
    synchronise(m_device);
    m_starts.push_back(wallClock());
}

void LayerClock::end(const torch::nn::Module* layer, const Tensor& x, const Tensor& y)
{
    synchronise(m_device);
    const double started = m_starts.back();
    m_starts.pop_back();
    if (!m_starts.empty())
        return; // a part of a layer
    m_times[layer].forwardS += wallClock() - started;
    if (!y.requires_grad())
        return;
    // The layer's backward pass lies between the gradient of its output and that of its input.
    const auto span = m_spans.emplace_back(std::make_shared<Span>(Span{layer}));
    const bool tellsItsEnd = x.requires_grad();
    y.register_hook([this, span, tellsItsEnd](const Tensor&) {
        span->begunS = stamp();
        if (!tellsItsEnd)
            m_endless = span;
    });
    if (tellsItsEnd)
        x.register_hook([this, span](const Tensor&) { span->endedS = stamp(); });
}

double LayerClock::stamp()
{
    synchronise(m_device);
    const double now = wallClock();
    if (const auto endless = std::exchange(m_endless, nullptr))
        endless->endedS = now;
    return now;
}

void LayerClock::passEnds()
{
    static_cast<void>(stamp());
    for (const auto& span : m_spans)
        m_times[span->layer].backwardS += std::max(0.0, span->endedS - span->begunS);
    m_spans.clear();
}

std::unordered_map<const torch::nn::Module*, LayerClock::Times> LayerClock::take()
{
    return std::exchange(m_times, {});
}

} // namespace outlay::worker
