// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/network/network.h"

namespace outlay::worker {

/// A transformer: the pieces of the list, wired with residuals as its design says.
[[nodiscard]] std::shared_ptr<Network> makeTransformer(const core::Model& model,
                                                       const std::vector<core::Layer>& layers);

} // namespace outlay::worker
