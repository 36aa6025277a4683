// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tiles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::tests {
namespace {

/// Up to so many rows: the tile of few columns, and that of more.
struct Choice {
    double rows = 0;
    double columns = 0; // few are at most so many
    Tile few;
    Tile more;
};

/// The first whose rows are enough; of more rows than all of them the last.
template <std::size_t N>
Tile chosen(const std::array<Choice, N>& choices, double rows, double columns)
{
    const auto* found = std::find_if(choices.begin(), choices.end() - 1,
                                     [&](const Choice& choice) { return rows <= choice.rows; });
    return columns <= found->columns ? found->few : found->more;
}

Tile onAda(double rows, double columns)
{
    constexpr double Wide = 8192;
    constexpr double Widest = 16384;
    // Between these two it is another one.
    const bool isBetween = columns > Wide && columns <= Widest;
    if (isBetween && rows > 1 && rows <= 16)
        return {32, 64};
    if (isBetween && rows > 128 && rows <= 256)
        return {64, 128};
    constexpr std::array<Choice, 6> Choices{{{1, Wide, {16, 64}, {32, 64}},
                                             {16, Widest, {16, 64}, {16, 64}},
                                             {64, Widest, {32, 64}, {16, 64}},
                                             {128, Widest, {64, 64}, {32, 64}},
                                             {256, Widest, {128, 64}, {128, 64}},
                                             {0, Widest, {128, 128}, {128, 128}}}};
    return chosen(Choices, rows, columns);
}

Tile onHopper(double rows)
{
    constexpr double Some = 256;
    return rows <= Some ? Tile{64, 64} : Tile{128, 128};
}

Tile onBlackwell(double rows)
{
    constexpr double Few = 64;
    constexpr double Some = 256;
    return rows <= Few ? Tile{64, 64} : rows <= Some ? Tile{128, 128} : Tile{256, 128};
}

} // namespace

TileChoice tileChoiceOf(std::string_view generation)
{
    if (generation == "ada" || generation == "ada_geforce")
        return TileChoice::Ada;
    if (generation == "hopper")
        return TileChoice::Hopper;
    return generation == "blackwell" ? TileChoice::Blackwell : TileChoice::Fixed;
}

Tile tileOf(TileChoice choice, double rows, double columns)
{
    switch (choice) {
    case TileChoice::Fixed: break;
    case TileChoice::Ada: return onAda(rows, columns);
    case TileChoice::Hopper: return onHopper(rows);
    case TileChoice::Blackwell: return onBlackwell(rows);
    }
    return {};
}

Tiles tilesOf(TileChoice choice, double rows, double columns)
{
    const Tile tile = tileOf(choice, rows, columns);
    const double count = std::ceil(rows / tile.rows) * std::ceil(columns / tile.columns);
    return {count, count * tile.rows * tile.columns / (rows * columns)};
}

} // namespace outlay::tests
