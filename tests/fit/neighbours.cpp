// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outlay::tests {
namespace {

double squareBetween(const Place& a, const Place& b)
{
    double sum = 0;
    for (std::size_t axis = 0; axis < a.size(); ++axis)
        sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sum;
}

/// How alike what happens at two places is: Matérn's law of order 3/2.
double likeness(const Place& a, const Place& b)
{
    constexpr double Reach = 4; // a size 16 times as large
    const double far = std::sqrt(3 * squareBetween(a, b)) / Reach;
    return (1 + far) * std::exp(-far);
}

using Matrix = std::vector<std::vector<double>>;

/// Cholesky's root of a symmetric matrix, of which the lower half is given, in its place.
void takeRoot(Matrix& m)
{
    for (std::size_t i = 0; i < m.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const auto row = m[i].begin();
            const double rest =
                m[i][j] -
                std::inner_product(row, row + static_cast<std::ptrdiff_t>(j), m[j].begin(), 0.0);
            m[i][j] = i == j ? std::sqrt(rest) : rest / m[j][j];
        }
    }
}

/// Solves (root x root^T) x = values, in their place.
void solve(const Matrix& root, std::vector<double>& values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
            values[i] -= root[i][k] * values[k];
        values[i] /= root[i][i];
    }
    for (std::size_t i = values.size(); i-- > 0;) {
        for (std::size_t k = i + 1; k < values.size(); ++k)
            values[i] -= root[k][i] * values[k];
        values[i] /= root[i][i];
    }
}

} // namespace

std::vector<std::size_t> spreadOut(const std::vector<Place>& places, std::size_t count)
{
    std::vector<std::size_t> kept{0};
    std::vector<double> nearest(places.size(), HUGE_VAL);
    while (kept.size() < std::min(count, places.size())) {
        for (std::size_t i = 0; i < places.size(); ++i)
            nearest[i] = std::min(nearest[i], squareBetween(places[i], places[kept.back()]));
        const auto far = std::max_element(nearest.begin(), nearest.end());
        kept.push_back(static_cast<std::size_t>(far - nearest.begin()));
    }
    return kept;
}

Neighbours::Neighbours(std::vector<Place> places, const std::vector<double>& misses)
    : m_places(std::move(places))
{
    m_mean = std::accumulate(misses.begin(), misses.end(), 0.0) /
             std::max(1.0, static_cast<double>(misses.size()));
    weigh(misses);
}

void Neighbours::weigh(std::vector<double> misses)
{
    constexpr double Scatter = 0.05; // of what happens at one place, over all that differs
    Matrix likenesses(m_places.size());
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            likenesses[i].push_back(likeness(m_places[i], m_places[j]));
        likenesses[i][i] += Scatter;
    }
    takeRoot(likenesses);
    for (double& miss : misses)
        miss -= m_mean;
    solve(likenesses, misses);
    m_weights = std::move(misses);
}

double Neighbours::missAt(const Place& place) const
{
    double miss = m_mean;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        miss += m_weights[i] * likeness(place, m_places[i]);
    return miss;
}

} // namespace outlay::tests
