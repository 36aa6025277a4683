// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A network, its optimizer and its data, stepped and timed.
#pragma once

#include "core/probe/worker/network/network.h"
#include "core/probe/worker/network/updates.h"
#include "core/settings/settings.h"

#include <functional>

namespace outlay::worker {

struct StepTime {
    double wallS = 0;
    double processorS = 0;
    double forwardS = 0;
    double backwardS = 0;
    double optimizerS = 0;

    StepTime& operator+=(const StepTime& other);
};

class Trainer {
public:
    Trainer(std::shared_ptr<Network> network, const core::Training& training, torch::Device device);

    /// One optimizer step: `accumulation` passes forward and backward, then the optimizer, in the
    /// precision and with the checkpointing of the settings.
    StepTime step();

    /// Forward and backward of the first samples of a batch, without the optimizer.
    void passes(std::int64_t samples);

    /// The optimizer, with gradients that came about elsewhere.
    void learn(const std::vector<torch::Tensor>& gradients);

    /// Called in each step when the gradients are there.
    void setBeforeUpdate(std::function<void()> call) { m_beforeUpdate = std::move(call); }

    /// Loss of the first data of a step, then every gradient; nothing is learned. With a seed, with the
    /// dropout that follows from it, else without any.
    [[nodiscard]] std::vector<torch::Tensor> gradients(std::optional<std::uint64_t> seed);

    /// Outputs for the first samples of the first data, then every gradient, without dropout and in the
    /// type that the network has now.
    [[nodiscard]] std::vector<torch::Tensor> results(std::int64_t samples);

    /// Those of the plain way in fp64.
    [[nodiscard]] std::vector<torch::Tensor> exactResults(std::int64_t samples);

    /// Trains on the data of one step of `other`, in as many parts as it accumulates more.
    void takeDataOf(const Trainer& other);

    [[nodiscard]] const std::shared_ptr<Network>& sharedNetwork() const { return m_network; }
    [[nodiscard]] const core::Training& training() const { return m_training; }
    [[nodiscard]] torch::Device device() const { return m_device; }

private:
    struct Sample {
        Input input;
        torch::Tensor target;
    };

    /// As training loops have it, the output lives as long as its loss.
    struct Forward {
        torch::Tensor output;
        torch::Tensor loss;
    };

    /// Of the samples from `first` on.
    Forward forward(Sample& sample, std::int64_t first, std::int64_t count);
    /// Goes forward over the first samples, as many at once as the form says, and hands each part's
    /// output and share of the loss to `each`, which goes back.
    template <typename Each>
    void pass(Sample& sample, std::int64_t samples, const Each& each);
    Sample& nextSample() { return m_samples[m_next++ % m_samples.size()]; }
    [[nodiscard]] std::vector<torch::Tensor> takeGradients();
    void forgetGradients();
    void applyForm();

    std::shared_ptr<Network> m_network;
    core::Training m_training;
    torch::Device m_device;
    std::unique_ptr<Updates> m_updates;
    std::vector<Sample> m_samples; // taken in turns
    std::size_t m_next = 0;
    std::function<void()> m_beforeUpdate;
};

/// Seconds, monotonic; and of this process on all processors.
[[nodiscard]] double wallClock();
[[nodiscard]] double processorClock();

/// Waits for an accelerator to finish, so that a clock that is read next tells the truth.
void synchronise(torch::Device device);

} // namespace outlay::worker
