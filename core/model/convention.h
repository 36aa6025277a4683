// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace outlay::core {

/// Whose way of counting parameters: they differ in the bias vectors of recurrent layers.
enum class Convention { PyTorch, Keras };
inline constexpr std::array<std::string_view, 2> ConventionNames{"pytorch", "keras"};

enum class Cell;

/// PyTorch's layers have two bias vectors per gate. Keras has one, but two in its default GRU
/// (`reset_after`).
[[nodiscard]] std::int64_t biasSets(Convention convention, Cell cell);

} // namespace outlay::core
