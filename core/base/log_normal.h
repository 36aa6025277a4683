// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Positive quantities that scatter widely to one side, as lengths of requests do.
#pragma once

#include <vector>

namespace outlay::core {

/// Standard deviations above the middle within which 95 of 100 lie.
inline constexpr double At95 = 1.645;

/// Of so much as that lies below, in standard deviations, by the normal law.
[[nodiscard]] double normalShare(double deviations);

/// By its mean, and its standard deviation over that; without one it is always the same.
class LogNormal {
public:
    LogNormal(double mean, double spread);

    [[nodiscard]] double mean() const { return m_mean; }
    /// So many standard deviations of its logarithm above the middle.
    [[nodiscard]] double at(double deviations) const;
    [[nodiscard]] double shareBelow(double value) const;
    /// That share, summed over all values up to this one.
    [[nodiscard]] double sumBelow(double value) const;

private:
    double m_mean = 0;
    double m_sigma = 0; // of its logarithm
    double m_middle = 0;
};

/// The sums below values of all such quantities that scatter so, whatever their mean: made once, then read.
class SumsBelow {
public:
    explicit SumsBelow(double spread = 0);

    [[nodiscard]] double at(double value, double mean) const;

private:
    std::vector<double>
        m_sums; // of the mean 1, of values as far apart; none where nothing scatters
    double m_apart = 0;
};

} // namespace outlay::core
