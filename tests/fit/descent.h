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
    // Others of the same prior: what they have in common lies off it, by so much as one standard deviation.
    std::vector<const double*> kin{};
    double together = 0;
};

/// What the knobs are moved for.
struct Rows {
    std::vector<double> weights;
    std::function<double(std::size_t)> miss; // of a row, in the natural logarithm
};

void descend(const std::vector<Knob>& knobs, const Rows& rows, int sweeps);

/// As constants are written, so that the errors are those of the file.
void roundKnobs(const std::vector<Knob>& knobs);
void printKnobs(const std::vector<Knob>& knobs);

} // namespace outlay::tests
