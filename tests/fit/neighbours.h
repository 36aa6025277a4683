// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What rows near to one are missed by says what it is missed by: a table of a system's own timings.
#pragma once

#include <vector>

namespace outlay::tests {

/// Where a row lies among others of its kind, in the logarithms of its sizes; all have as many.
using Place = std::vector<double>;

/// Indices of so many places that lie as far from each other as they can.
[[nodiscard]] std::vector<std::size_t> spreadOut(const std::vector<Place>& places,
                                                 std::size_t count);

/// Says what is missed anywhere from what is missed at some places (kriging): the nearer two are, the more alike.
class Neighbours {
public:
    Neighbours(std::vector<Place> places, const std::vector<double>& misses);

    [[nodiscard]] double missAt(const Place& place) const;

private:
    void weigh(std::vector<double> misses);

    std::vector<Place> m_places;
    std::vector<double> m_weights;
    double m_mean = 0;
};

} // namespace outlay::tests
