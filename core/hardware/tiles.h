// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Of products in 8 bits: kernels compute whole tiles of their results, and which tiles is decided for each generation.
#pragma once

#include <cstdint>
#include <string_view>

namespace outlay::core {

/// Rows and columns of results that are computed together.
struct Tile {
    double rows = 128;
    double columns = 128;
};

enum class TileChoice : std::uint8_t { Fixed, Ada, Hopper, Blackwell };

[[nodiscard]] TileChoice tileChoiceOf(std::string_view generation);

/// As the kernels of SGLang (sgl-kernel 0.5) and vLLM choose it, which are made of CUTLASS.
[[nodiscard]] Tile tileOf(TileChoice choice, double rows, double columns, double inner);

/// How a device computes them. Without units that are listed nothing is filled up.
struct Tiling {
    TileChoice choice = TileChoice::Fixed;
    double units = 0;
};

/// What a product of that size computes in whole tiles.
struct Tiles {
    double count = 1;
    double filled = 1; // what is computed over what is asked for
};
[[nodiscard]] Tiles tilesOf(const Tiling& tiling, double rows, double columns, double inner);

} // namespace outlay::core
