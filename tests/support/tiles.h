// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles of results that kernels of products in 8 bits compute, which are chosen for each generation.
#pragma once

#include <cstdint>
#include <string_view>

namespace outlay::tests {

struct Tile {
    double rows = 128;
    double columns = 128;
};

enum class TileChoice : std::uint8_t { Fixed, Ada, Hopper, Blackwell };

[[nodiscard]] TileChoice tileChoiceOf(std::string_view generation);

/// As SGLang's kernels choose it (sgl-kernel/csrc/gemm/fp8_gemm_kernel.cu, 2025).
[[nodiscard]] Tile tileOf(TileChoice choice, double rows, double columns);

/// What a product of that size computes in whole tiles.
struct Tiles {
    double count = 1;
    double filled = 1; // what is computed over what is asked for
};
[[nodiscard]] Tiles tilesOf(TileChoice choice, double rows, double columns);

} // namespace outlay::tests
