// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A network, its optimizer and its data, stepped and timed.
#pragma once

#include "core/probe/worker/network.h"
#include "core/settings/settings.h"

namespace outlay::worker {

struct StepTime {
    double wallS = 0;
    double processorS = 0;
    double forwardS = 0;
    double backwardS = 0;
    double optimizerS = 0;
};

class Trainer {
public:
    Trainer(std::shared_ptr<Network> network, const core::Training& training, torch::Device device);

    /// One optimizer step: `accumulation` passes forward and backward, then the optimizer.
    StepTime step();

private:
    struct Sample {
        Input input;
        torch::Tensor target;
    };

    std::shared_ptr<Network> m_network;
    core::Training m_training;
    torch::Device m_device;
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::vector<Sample> m_samples; // taken in turns
    std::size_t m_next = 0;
};

/// Seconds, monotonic; and of this process on all processors.
[[nodiscard]] double wallClock();
[[nodiscard]] double processorClock();

/// Waits for an accelerator to finish, so that a clock that is read next tells the truth.
void synchronise(torch::Device device);

} // namespace outlay::worker
