// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments that differ in a few settings: one for each combination of the values that are given.
#pragma once

#include "core/experiment/experiment.h"

#include <optional>

namespace outlay::core {

struct SweepAxis {
    std::string pointer; // "/model/hidden"
    std::vector<Json> values;
};

/// "/model/hidden=128,256" or "/model/hidden=[512,256],[128]": commas part values outside of brackets
/// and quotes.
[[nodiscard]] Result<SweepAxis> readAxis(std::string_view text);

/// The combinations, in the order of the axes; the last one changes fastest. A point is made when it is
/// asked for, because there may be thousands, each with all that the experiment holds.
class Sweep {
public:
    static constexpr std::size_t MostPoints = 10'000;

    /// Refuses a value that no combination can have, and a pointer that changes nothing.
    [[nodiscard]] static Result<Sweep> create(Experiment experiment, std::vector<SweepAxis> axes);

    [[nodiscard]] const std::vector<SweepAxis>& axes() const { return m_axes; }
    [[nodiscard]] std::size_t size() const;
    /// One value for each axis.
    [[nodiscard]] std::vector<Json> valuesAt(std::size_t point) const;
    /// "/model/hidden=128 /training/batch=32".
    [[nodiscard]] std::string labelAt(std::size_t point) const;
    /// Fails where just this combination can't be, as eight heads in a width of 100.
    [[nodiscard]] Result<Experiment> at(std::size_t point) const;

private:
    Sweep(Experiment experiment, std::vector<SweepAxis> axes);

    /// How many points there are between two values of an axis.
    [[nodiscard]] std::size_t strideOf(std::size_t axis) const;
    [[nodiscard]] Result<void> checkValues(std::size_t axis,
                                           const std::vector<std::optional<Error>>& errors) const;
    [[nodiscard]] Result<void> checkEffect(std::size_t axis) const;

    Experiment m_experiment;
    std::vector<SweepAxis> m_axes;
};

} // namespace outlay::core
