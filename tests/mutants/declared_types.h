// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses from declarations whether two arguments could stand for each other: most can't, and to
// learn that from the compiler takes seconds each time.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace outlay::mutants {

/// The types that each name is declared with somewhere.
class DeclaredTypes {
public:
    /// Adds those of a text's code, see `codeOf`.
    void add(std::string_view code);

    [[nodiscard]] const std::set<std::string>& of(const std::string& name) const;

private:
    std::map<std::string, std::set<std::string>> m_types;
};

/// Whether the one argument may be compiled in the other's place: not if the types of both are
/// known and have none in common. `here` is their file's own, `headers` what it may include.
[[nodiscard]] bool maySwap(const std::string& a, const std::string& b, const DeclaredTypes& here,
                           const DeclaredTypes& headers);

} // namespace outlay::mutants
