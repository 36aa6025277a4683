// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What of a network is trained: all of it, adapters, or its last layer.
#pragma once

#include "core/probe/worker/network/network.h"
#include "core/settings/settings.h"

namespace outlay::worker {

/// Makes the adapters that are asked for, and stops the gradients of all else. Once: again changes nothing.
void setTrained(Network& network, const core::Training& training);

/// Those that get gradients.
[[nodiscard]] std::vector<torch::Tensor> trainedParameters(const Network& network);

} // namespace outlay::worker
