// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that a program tells on the descriptor it is given: a line of JSON each, {"step": 15, "of": 500}, of which "of"
// may lack.
#pragma once

#include "core/program/lines.h"
#include "core/program/step_mark.h"

#include <vector>

namespace outlay::core {

/// Names the descriptor in the program's environment, and behind ":" the inode of its pipe.
inline constexpr const char* StepsVariable = "OUTLAY_STEPS_FD";

class StepLines {
public:
    /// As it comes, in pieces of any size. What is no such line is left out and counted.
    void feed(std::string_view bytes, double atS);

    [[nodiscard]] const std::vector<StepMark>& marks() const { return m_marks; }
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut; }

private:
    void take(std::string_view line, double atS);

    Lines m_text{"\n", 1000};
    std::vector<StepMark> m_marks;
    std::size_t m_leftOut = 0;
};

} // namespace outlay::core
