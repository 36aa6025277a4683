// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which changes to make: as many of each kind and of each part of the program, the same ones for
// the same seed and tree.
#pragma once

#include "tests/mutants/changes.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>

namespace outlay::mutants {

struct Pick {
    std::string file; // from the root of the tree
    Change change;
};

class Picker {
public:
    Picker(const std::filesystem::path& root, std::uint32_t seed);

    /// The `number`-th mutant's; asked again, another in its stead of the same kind and part.
    [[nodiscard]] std::optional<Pick> next(std::size_t number);

private:
    struct File {
        std::string name;
        std::vector<Change> changes;
    };

    /// With its own random numbers, so that one in another's stead moves none of the rest.
    struct Group {
        std::vector<File> files;
        std::mt19937 random;
    };

    void add(const std::filesystem::path& root, std::size_t part, const DeclaredTypes& headers);

    std::vector<Group> m_groups; // one for each part and kind
};

} // namespace outlay::mutants
