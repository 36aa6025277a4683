// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace outlay::core {

/// Does both and returns when both are done: the first on a thread of its own where the machine has a second
/// core, else one after the other. Neither may write what the other touches. An exception of either passes.
void together(const std::function<void()>& beside, const std::function<void()>& here);

} // namespace outlay::core
