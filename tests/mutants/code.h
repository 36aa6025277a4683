// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What of a C++ text is code that a change can be made in.
#pragma once

#include <string>
#include <string_view>

namespace outlay::mutants {

constexpr char TextMark = '"';
constexpr char CharacterMark = '\'';
constexpr char TemplateMark = '#';

/// The text, each character at its old place: comments and preprocessor lines blank, strings,
/// characters and template arguments filled with their mark. It relies on clang-format's blanks.
[[nodiscard]] std::string codeOf(std::string_view text);

} // namespace outlay::mutants
