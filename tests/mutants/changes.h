// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of one line each that a C++ text offers, every one of which a test should notice.
#pragma once

#include "tests/mutants/declared_types.h"

#include <array>
#include <vector>

namespace outlay::mutants {

enum class Kind { Operator, Constant, Arguments, Branch };

inline constexpr std::array Kinds{Kind::Operator, Kind::Constant, Kind::Arguments, Kind::Branch};

[[nodiscard]] std::string_view nameOf(Kind kind);

struct Change {
    Kind kind = Kind::Operator;
    std::size_t line = 0; // the first is 0
    std::string before;   // all of the line
    std::string after;
};

/// `headers` are the declarations that it may include.
[[nodiscard]] std::vector<Change> changesIn(std::string_view text, const DeclaredTypes& headers);

/// The text of a change with it made.
[[nodiscard]] std::string changed(std::string_view text, const Change& change);

} // namespace outlay::mutants
