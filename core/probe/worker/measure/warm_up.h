// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/worker/measure/measure.h"

namespace outlay::worker {

/// The libraries' code and buffers come into memory with their first use, and are no part of what a design needs: a small
/// one of its family takes a few steps before.
void warmUp(const Bench& bench);

} // namespace outlay::worker
