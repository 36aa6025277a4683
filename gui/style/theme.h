// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens as palette, fonts and style: the same look on every desktop.
#pragma once

#include "gui/style/tokens.h"

#include <QFont>
#include <QPalette>

#include <string_view>

namespace outlay::gui {

enum class ThemeChoice { System, Light, Dark };
inline constexpr std::array<std::string_view, 3> ThemeNames{"system", "light", "dark"};

enum class TypeRole { Figure, PageTitle, CardTitle, Body, StrongBody, Secondary, Axis, Mono };

/// What the tokens' further text colours are called in a palette, so that labels follow it.
inline constexpr QPalette::ColorRole SecondaryText = QPalette::PlaceholderText;
inline constexpr QPalette::ColorRole BadText = QPalette::LinkVisited;

/// In points, so that the desktop's text scaling works.
[[nodiscard]] QFont fontOf(TypeRole role);

[[nodiscard]] QPalette paletteOf(const Tokens& tokens);

/// The palette that a choice leads to.
[[nodiscard]] QPalette paletteFor(ThemeChoice choice, const QPalette& platform);

/// Style, palette and font of the whole program. `platform` is the desktop's own palette, which
/// decides where the choice is System.
void applyTheme(ThemeChoice choice, const QPalette& platform);

} // namespace outlay::gui
