// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/network.h"

namespace outlay::worker {

/// While it lives, a network computes in fp64; every weight is what it was afterwards. Gradients, which
/// have the type of their weights, are forgotten.
class Exactly {
public:
    explicit Exactly(Network& network) : m_network(network) { turnTo(torch::kDouble); }
    ~Exactly() { turnTo(torch::kFloat); }

    Exactly(const Exactly&) = delete;
    Exactly& operator=(const Exactly&) = delete;

private:
    void turnTo(torch::ScalarType type)
    {
        for (torch::Tensor& parameter : m_network.parameters())
            parameter.mutable_grad() = torch::Tensor();
        m_network.to(type);
    }

    Network& m_network;
};

} // namespace outlay::worker
