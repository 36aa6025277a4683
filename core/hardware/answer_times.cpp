// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/answer_times.h"

#include "core/base/crossing.h"
#include "core/base/log_normal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace outlay::core {
namespace {

/// Part of all answers, by how far its middle lies from theirs: many parts of the short ones, that are late.
struct Part {
    double deviations;
    double share;
};
constexpr std::array<Part, 10> Parts{{{-2.5758, 0.01},
                                      {-2.1084, 0.015},
                                      {-1.7805, 0.025},
                                      {-1.4758, 0.04},
                                      {-1.1750, 0.06},
                                      {-0.8416, 0.1},
                                      {-0.4538, 0.15},
                                      {0, 0.2},
                                      {0.5244, 0.2},
                                      {1.2816, 0.2}}};
constexpr double Most = 0.95;

/// Of a token's mean over so many, `length` times as many as usual: longer answers see others come and go.
double deviationS(const TokenScatter& scatter, double count, double length)
{
    const double averaged =
        std::min(1.0, std::numbers::e * (length + std::expm1(-length)) / (length * length));
    return std::sqrt(scatter.othersS * scatter.othersS * averaged +
                     (scatter.promptsS2 + scatter.firstS2 / count) / count);
}

} // namespace

double Tails::ofTokens() const
{
    return std::pow(std::max(pass, 1.0), 1 / std::sqrt(std::max(passes, 1.0)));
}

double Tails::ofAnswer(double firstS, double laterS) const
{
    const double wholeS = firstS + laterS;
    return wholeS > 0 ? (firstS * std::max(pass, 1.0) + laterS * ofTokens()) / wholeS : 1;
}

double tokenP95S(const LaterTokens& tokens, const TokenScatter& scatter)
{
    if (tokens.spread <= 0)
        return scatter.meanS + scatter.firstS / tokens.count +
               At95 * deviationS(scatter, tokens.count, 1);
    const LogNormal lengths(1, tokens.spread);
    std::array<double, Parts.size()> later{};
    std::array<double, Parts.size()> deviations{};
    for (std::size_t i = 0; i < Parts.size(); ++i) {
        const double length = lengths.at(Parts[i].deviations);
        const double count = std::max(1.0, length * tokens.count);
        later[i] = scatter.firstS / count;
        deviations[i] = deviationS(scatter, count, length);
    }
    const auto shareWithin = [&](double lateS) {
        double share = 0;
        for (std::size_t i = 0; i < Parts.size(); ++i)
            share += Parts[i].share * normalShare((lateS - later[i]) / deviations[i]);
        return share;
    };
    if (!(deviations.front() > 0))
        return scatter.meanS;
    const double ofShortest = later.front() + At95 * deviations.front();
    constexpr double Precision = 1e-4;
    return scatter.meanS + crossingOf([&](double lateS) { return shareWithin(lateS) - Most; },
                                      {0, ofShortest}, Precision)
                               .high;
}

double answerP95S(const FirstScatter& first, const LaterTokens& tokens, const TokenScatter& scatter)
{
    const double later = tokens.count * scatter.meanS;
    const double mean = first.meanS + later;
    if (mean <= 0)
        return 0;
    const double lengths = tokens.spread * tokens.spread;
    const double late = later > 0 ? deviationS(scatter, tokens.count, 1) / scatter.meanS : 0;
    const double variance =
        first.varianceS2 + later * later * (lengths + (1 + lengths) * late * late);
    return LogNormal(mean, std::sqrt(variance) / mean).at(At95);
}

} // namespace outlay::core
