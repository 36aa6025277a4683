// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/descent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace outlay::tests {
namespace {

/// |miss|, rounded off where it is small.
double lossOf(double miss, double smooth)
{
    return std::sqrt(miss * miss + smooth * smooth) - smooth;
}

class Descent {
public:
    Descent(const std::vector<Knob>& knobs, const Rows& rows)
        : m_knobs(knobs), m_rows(rows), m_misses(rows.weights.size()), m_touched(knobs.size())
    {
        for (std::size_t i = 0; i < m_misses.size(); ++i)
            m_misses[i] = rows.miss(i);
        for (std::size_t k = 0; k < knobs.size(); ++k)
            findTouched(k);
    }

    void sweep(double step)
    {
        for (std::size_t k = 0; k < m_knobs.size(); ++k) {
            if (!tryAt(k, std::exp(step)))
                tryAt(k, std::exp(-step));
        }
    }

    /// Where the larger of two counts, a constant may have to go far before it moves anything.
    void jump()
    {
        for (std::size_t k = 0; k < m_knobs.size(); ++k) {
            for (const double factor : {3.0, 1 / 3.0, 10.0, 1 / 10.0})
                tryAt(k, factor);
        }
    }

private:
    /// The rows that a knob moves at all, near or far.
    void findTouched(std::size_t k)
    {
        constexpr double Far = 3;
        constexpr double Least = 1e-9;
        double& value = *m_knobs[k].value;
        const double before = value;
        for (std::size_t i = 0; i < m_misses.size(); ++i) {
            bool isMoved = false;
            for (const double moved : {before * Far, before / Far, before / (Far * Far * Far)}) {
                value = moved;
                isMoved = isMoved || std::abs(m_rows.miss(i) - m_misses[i]) > Least;
            }
            if (isMoved)
                m_touched[k].push_back(i);
        }
        value = before;
    }

    /// Kin lie off their prior by one common amount and each by a rest of its own, so they say where this one is expected.
    [[nodiscard]] static double lossOfPrior(const Knob& knob)
    {
        const double own = knob.width * knob.width;
        const double shared = knob.kin.empty() ? 0 : knob.together * knob.together;
        const double known = shared / (own + static_cast<double>(knob.kin.size()) * shared);
        double expected = 0;
        for (const double* value : knob.kin)
            expected += known * std::log(*value / knob.prior);
        const double away = std::log(*knob.value / knob.prior) - expected;
        return 0.5 * away * away / (own + own * known);
    }

    bool tryAt(std::size_t k, double factor)
    {
        const Knob& knob = m_knobs[k];
        const double before = *knob.value;
        const double priorBefore = lossOfPrior(knob);
        *knob.value = std::clamp(before * factor, knob.low, knob.high);
        std::vector<double> misses;
        misses.reserve(m_touched[k].size());
        double change = lossOfPrior(knob) - priorBefore;
        for (const std::size_t i : m_touched[k]) {
            misses.push_back(m_rows.miss(i));
            change += Sharpness * m_rows.weights[i] *
                      (lossOf(misses.back(), m_rows.smooth) - lossOf(m_misses[i], m_rows.smooth));
        }
        if (change >= 0) {
            *knob.value = before;
            return false;
        }
        for (std::size_t t = 0; t < misses.size(); ++t)
            m_misses[m_touched[k][t]] = misses[t];
        return true;
    }

    // A miss of a tenth in rows that weigh one weighs as one prior's width.
    static constexpr double Sharpness = 10;

    const std::vector<Knob>& m_knobs;
    const Rows& m_rows;
    std::vector<double> m_misses;
    std::vector<std::vector<std::size_t>> m_touched;
};

} // namespace

void descend(const std::vector<Knob>& knobs, const Rows& rows, int sweeps)
{
    constexpr double First = 0.2;
    constexpr double Last = 0.01;
    Descent descent(knobs, rows);
    descent.jump();
    for (int i = 0; i < sweeps; ++i)
        descent.sweep(First * std::pow(Last / First, i / std::max(1.0, sweeps - 1.0)));
}

void roundKnobs(const std::vector<Knob>& knobs)
{
    for (const Knob& knob : knobs) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.3g", *knob.value);
        *knob.value = std::strtod(text.data(), nullptr);
    }
}

void printKnobs(const std::vector<Knob>& knobs)
{
    std::printf("%-34s %10s %10s\n", "constant", "expected", "fitted");
    for (const Knob& knob : knobs)
        std::printf("%-34s %10.3g %10.3g\n", knob.name.c_str(), knob.prior, *knob.value);
}

} // namespace outlay::tests
