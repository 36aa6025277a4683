// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How a field of the experiment is called, and the range that its slider covers.
#pragma once

#include "core/base/fields.h"
#include "gui/view/slider_scale.h"

#include <QString>

#include <optional>

namespace outlay::gui {

/// "requests_per_day" -> "Requests per day"; a unit at the end becomes the unit.
struct FieldName {
    QString label;
    QString unit;
};
[[nodiscard]] FieldName nameOf(std::string_view key);

/// "/training/batch" -> "Training: Batch".
[[nodiscard]] QString settingTitle(std::string_view pointer);

/// The places and names of settings in a note, as the window calls them: "/plan/budget_usd sets a budget" ->
/// ""Plan: Budget" sets a budget".
[[nodiscard]] QString readable(std::string_view note);

/// Whether the field is among the few that most designs turn on.
[[nodiscard]] bool isMainField(std::string_view section, std::string_view key);

enum class Whole { No, Yes };

/// The usual range of a known field, else what its limits suggest; nothing without limits.
[[nodiscard]] std::optional<SliderRange> sliderRangeOf(const core::Field& field, Whole whole);

/// What it means that a field is left empty: "no limit", "not known".
[[nodiscard]] QString absentTitle(std::string_view pointer);

/// A choice as people call it: "reserved_3y" -> "reserved, 3 years".
[[nodiscard]] QString optionTitle(const QString& option);

} // namespace outlay::gui
