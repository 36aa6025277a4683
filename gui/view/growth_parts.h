// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the growth view, one file each, and what they share.
#pragma once

#include "core/base/quantity.h"
#include "gui/view/display_locale.h"
#include "gui/view/growth_view.h"

namespace outlay::gui {

[[nodiscard]] GrowthPart makeLengthPart(const pricing::ScalingReport& scaling,
                                        const DisplayLocale& locale);
[[nodiscard]] GrowthPart makeMixingPart(const pricing::MixingReport& mixing,
                                        const DisplayLocale& locale);
[[nodiscard]] GrowthPart makeDevicesPart(const pricing::DevicesReport& devices,
                                         const DisplayLocale& locale);

[[nodiscard]] GrowthPart makeLayoutsPart(const pricing::LayoutReport& layouts,
                                         const DisplayLocale& locale);
[[nodiscard]] GrowthPart makeLadderPart(const pricing::LadderReport& ladder,
                                        const DisplayLocale& locale);

// The same kind has the same colour in every chart.
inline constexpr std::size_t RecurrentColour = 0;
inline constexpr std::size_t AttentionColour = 1;

[[nodiscard]] QString unavailableText(const std::string& why);
[[nodiscard]] TableColumn numberColumn(const QString& title);
/// "1,024 tokens": what a row is about stands at the left, as text.
[[nodiscard]] TableCell rowName(double count, const QString& what, const DisplayLocale& locale);

} // namespace outlay::gui
