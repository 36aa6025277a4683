// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// For the large structs that are passed around everywhere: what makes, copies, moves and destroys them stands in
// one object file. Left to the compiler, each file that touches one writes all of it out again.
#pragma once

// A type has no parentheses around it.
// NOLINTBEGIN(bugprone-macro-parentheses)

/// First in the struct.
#define OUTLAY_VALUE(Type)                                                                         \
    Type();                                                                                        \
    ~Type();                                                                                       \
    Type(const Type&);                                                                             \
    Type(Type&&) noexcept;                                                                         \
    Type& operator=(const Type&);                                                                  \
    Type& operator=(Type&&) noexcept

/// In the .cpp, in the struct's namespace.
#define OUTLAY_VALUE_DEFAULTED(Type)                                                               \
    Type::Type() = default;                                                                        \
    Type::~Type() = default;                                                                       \
    Type::Type(const Type&) = default;                                                             \
    Type::Type(Type&&) noexcept = default;                                                         \
    Type& Type::operator=(const Type&) = default;                                                  \
    Type& Type::operator=(Type&&) noexcept = default

// NOLINTEND(bugprone-macro-parentheses)
