// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How requests spread over the hours in which a service is on.
#pragma once

#include <vector>

namespace outlay::core {

/// Fewest at both ends, most in the middle: a power of a raised cosine, the one power with which the most is so many
/// times the mean.
class TrafficShape {
public:
    explicit TrafficShape(double peakFactor);

    /// Over the mean, at a place of the day from 0 to 1.
    [[nodiscard]] double rateAt(double place) const;
    /// In the middle of each of so many equal parts; their mean is 1.
    [[nodiscard]] std::vector<double> rates(std::size_t parts) const;
    /// Where the middle begins, in which at least nine tenths of the peak come.
    [[nodiscard]] double peakBegins() const;

private:
    double m_factor = 1;
    double m_power = 0;
};

class Day {
public:
    Day(double hours, double peakFactor);

    [[nodiscard]] double hours() const { return m_hours; }
    [[nodiscard]] double rateAt(double place) const { return m_shape.rateAt(place); }
    /// The place until which such a share of all requests has come.
    [[nodiscard]] double placeOf(double share) const;

    /// The middle, in which at least nine tenths of the peak come: where it begins, and its share of all requests.
    [[nodiscard]] double peakBegins() const { return m_peakBegins; }
    [[nodiscard]] double shareInPeak() const;

private:
    double m_hours = 24;
    TrafficShape m_shape;
    double m_peakBegins = 0;
    std::vector<double> m_come; // share of requests at places as far from each other
};

} // namespace outlay::core
