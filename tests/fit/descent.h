// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Moves constants to where rows are missed least, one after the other, in ever smaller steps. Deterministic.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace outlay::tests {

struct Knob {
    std::string name;
    double* value = nullptr;
    double prior = 1;
    double width = 0.3; // of the prior, in the natural logarithm: one standard deviation
    double low = 0;
    double high = 1000;
    // Knobs with the same prior and width; `together` is the standard deviation of what all are off it in common.
    std::vector<const double*> kin{};
    double together = 0;
};

/// What the knobs are moved for.
struct Rows {
    std::vector<double> weights;
    std::function<double(std::size_t)> miss; // of a row, in the natural logarithm
    double smooth =
        0.1; // misses below it hardly count: nothing is gained by hitting one row exactly
};

void descend(const std::vector<Knob>& knobs, const Rows& rows, int sweeps);

/// As constants are written, so that the errors are those of the file.
void roundKnobs(const std::vector<Knob>& knobs);
void printKnobs(const std::vector<Knob>& knobs);

} // namespace outlay::tests
