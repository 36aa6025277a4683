// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a training reached, beside what it cost: figures by name, which direction is better, and the loss
// over epochs. Stored in an experiment's `quality`.
#pragma once

#include "core/base/json.h"

#include <array>
#include <optional>

namespace outlay::core {

enum class Better { Larger, Smaller };
inline constexpr std::array<std::string_view, 2> BetterNames{"larger", "smaller"};

struct QualityFigure {
    std::string name;
    double value = 0;
    std::optional<Better> better;

    bool operator==(const QualityFigure&) const = default;
};

struct LossPoint {
    double epoch = 0;
    double loss = 0;

    bool operator==(const LossPoint&) const = default;
};

struct Quality {
    std::vector<QualityFigure> figures; // in the order of the file
    std::vector<LossPoint> curve;

    bool operator==(const Quality&) const = default;
};

/// Of an experiment's `quality`; what has another form isn't in it.
[[nodiscard]] Quality qualityOf(const Json& stored);
[[nodiscard]] std::optional<Better> betterOf(const Json& stored, std::string_view name);

/// `stored` with a figure set, or one taken out.
[[nodiscard]] Result<Json> withFigure(Json stored, const QualityFigure& figure);
[[nodiscard]] Json withoutFigure(Json stored, std::string_view name);
/// With all that was read; an empty curve leaves the one that is there.
[[nodiscard]] Json withQuality(Json stored, const Quality& read);

/// A file that a training wrote. JSON: an object of figures, `curve` or `log_history` as a list of
/// objects with `epoch` and `loss`, `loss` as a list of numbers; or such a list alone. CSV: a column of
/// losses, and one of epochs, with or without names. A validation loss goes before one of training.
[[nodiscard]] Result<Quality> readQuality(std::string_view text);

} // namespace outlay::core
