// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the passes through a network are run: plainly, or in one of the ways that the variants try.
#pragma once

#include "core/probe/worker/network/torch.h"
#include <unordered_map>

namespace outlay::worker {

/// Matrices in 8 bits, packed when they are first multiplied by; inputs are quantised as they come.
class Int8Weights {
public:
    /// Whether this LibTorch has kernels for it; chooses the fastest engine.
    [[nodiscard]] static bool isAvailable();

    torch::Tensor product(const torch::Tensor& x, const torch::Tensor& weight,
                          const torch::Tensor& bias);

private:
    std::unordered_map<const c10::TensorImpl*, c10::IValue> m_packed;
};

/// When each layer's passes begin and end, by the module that computes it.
class LayerClock {
public:
    struct Times {
        double forwardS = 0;
        double backwardS = 0;
    };

    explicit LayerClock(torch::Device device) : m_device(device) {}

    /// Runs `forward` on x, and has its gradients report to this clock, which must outlive them.
    template <typename Forward>
    torch::Tensor time(const torch::nn::Module* layer, const torch::Tensor& x,
                       const Forward& forward)
    {
        // A view of its own: what else reads x adds to the gradient of x, and later.
        const torch::Tensor own = x.requires_grad() ? x.view_as(x) : x;
        begin();
        torch::Tensor y = forward(own);
        end(layer, own, y);
        return y;
    }

    /// The backward pass is over: of the layers whose input has no gradient, too.
    void passEnds();

    /// What the passes took, and a fresh start.
    [[nodiscard]] std::unordered_map<const torch::nn::Module*, Times> take();

private:
    /// The backward pass of one call of a layer; 0: not yet.
    struct Span {
        const torch::nn::Module* layer = nullptr;
        double begunS = 0;
        double endedS = 0;
    };

    /// A gradient has come: what ran without telling its end has ended.
    [[nodiscard]] double stamp();
    void begin();
    void end(const torch::nn::Module* layer, const torch::Tensor& x, const torch::Tensor& y);

    torch::Device m_device;
    std::vector<double> m_starts;               // of layers that are running, the innermost last
    std::vector<std::shared_ptr<Span>> m_spans; // of the pass that is running
    std::shared_ptr<Span> m_endless;            // runs, and its input has no gradient
    std::unordered_map<const torch::nn::Module*, Times> m_times;
};

/// How the query, key, gate and value of a gated RNN are projected from its input.
enum class Projections {
    Four,         // products over the whole sequence
    FourEachStep, // products in every step
    OneEachStep,  // one product for all four, in every step
    One           // one product over the whole sequence
};

/// How its state goes through the sequence; the last two take projections of the whole sequence.
enum class Recurrence {
    Steps,  // operations of LibTorch for every step
    Chunks, // matrix products over chunks of steps
    Fused   // one operation for all steps, written for it
};

/// How LSTM, GRU and RNN go through it.
enum class CellForm {
    Layer, // LibTorch's layer
    Steps, // operations of LibTorch for every step
    Fused  // one operation for all steps, written for them
};

struct PassForm {
    std::int64_t checkpointEvery = 0; // above 0: of so many blocks the last keeps its input only
    bool plainAttention = false;      // operation by operation where one kernel could do it all
    std::int64_t checkpointSteps = 0; // above 0: recurrent layers keep a state each so many steps
    std::int64_t samplesAtOnce = 0;   // above 0: a batch's passes take so many samples at a time
    CellForm cells = CellForm::Layer;
    Projections projections = Projections::Four;
    Recurrence recurrence = Recurrence::Steps;
    std::shared_ptr<Int8Weights> int8;
    bool mergesAdapters = false; // as they are served: part of the weights that they lie beside
    std::shared_ptr<LayerClock> clock;

    /// Whether the block in this place, counted from one, keeps its input only.
    [[nodiscard]] bool checkpoints(std::int64_t block) const
    {
        return checkpointEvery > 0 && block % checkpointEvery == 0;
    }
};

} // namespace outlay::worker
