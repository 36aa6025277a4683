// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What repeats in the load of cores or of an accelerator: a guess at steps where a program tells none.
#pragma once

#include "core/program/step_mark.h"

#include <vector>

namespace outlay::core {

/// After so much time so much work was done, in any unit that only grows: processor time, energy.
struct LoadPoint {
    double atS = 0;
    double done = 0;
};

class LoadCycles {
public:
    /// Between two looks; what repeats faster than in five of them isn't seen.
    static constexpr double GridS = 0.05;
    /// A guess needs no more, and what is looked at twenty times a second costs.
    static constexpr double LongestS = 300;

    void add(LoadPoint point);
    [[nodiscard]] bool isFull() const;

    /// One for each time that the same rise came again; none where nothing repeats at least eight times.
    [[nodiscard]] const std::vector<StepMark>& marks() const;

private:
    std::vector<LoadPoint> m_points;
    // Looked for again when a tenth more is known.
    mutable std::size_t m_searched = 0;
    mutable std::vector<StepMark> m_marks;
};

} // namespace outlay::core
