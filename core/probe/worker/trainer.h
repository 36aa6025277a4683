// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A network, its optimizer and its data, stepped and timed.
#pragma once

#include "core/probe/worker/network.h"
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

    /// Called in each step when the gradients are there.
    void setBeforeUpdate(std::function<void()> call) { m_beforeUpdate = std::move(call); }

    /// Loss of the first data of a step, then every gradient; nothing is learned. With a seed, with the
    /// dropout that follows from it, else without any.
    [[nodiscard]] std::vector<torch::Tensor> gradients(std::optional<std::uint64_t> seed);

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

    Forward forward(Sample& sample);
    void applyForm();

    std::shared_ptr<Network> m_network;
    core::Training m_training;
    torch::Device m_device;
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
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
