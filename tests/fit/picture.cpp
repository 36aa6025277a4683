// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/picture.h"

#include "core/probe/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace outlay::tests {
namespace {

constexpr double Width = 860;
constexpr double Left = 250; // of it, for the sources' names
constexpr double Right = 60; // and for their medians
constexpr double RowHeight = 17;
constexpr double HeadHeight = 26;
constexpr double Margin = 34;
constexpr double Most = 4; // times too long or too short: what misses by more lies at the edge
constexpr std::array<std::string_view, GroupNames.size()> Titles{
    "Training steps",
    "Recurrences",
    "Passes of encoders and vision transformers",
    "First tokens",
    "Tokens and whole requests",
    "Whole runs"};

struct Dots {
    std::vector<double> misses; // logarithms
    bool isSetAside = false;
};

/// Sources by group; what was set aside beside what was fitted.
using Lines = std::map<std::pair<Group, std::string>, Dots>;

Lines linesOf(const std::vector<Sample>& samples, const core::Calibration& calibration)
{
    Lines lines;
    for (const Sample& sample : samples) {
        if (!sample.truth.doubt.empty())
            continue;
        const bool isAside = sample.truth.isSetAside();
        Dots& dots = lines[{sample.group, sample.truth.group + (isAside ? " (set aside)" : "")}];
        dots.isSetAside = isAside;
        dots.misses.push_back(missOf(sample, calibration));
    }
    return lines;
}

std::string fixed(double value, int digits = 1)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string upright(double x, double from, double to, const std::string& colour, double width)
{
    return "<line x1='" + fixed(x) + "' y1='" + fixed(from) + "' x2='" + fixed(x) + "' y2='" +
           fixed(to) + "' stroke='" + colour + "' stroke-width='" + fixed(width) + "'/>\n";
}

std::string words(double x, double y, const std::string& style, const std::string& what)
{
    return "<text x='" + fixed(x) + "' y='" + fixed(y) + "' " + style + ">" + what + "</text>\n";
}

double placeOf(double miss)
{
    const double edge = std::log(Most);
    return Left + (Width - Left - Right) * (std::clamp(miss, -edge, edge) + edge) / (2 * edge);
}

std::string scaleOf(double height)
{
    std::string out;
    for (const auto& [ratio, label] :
         {std::pair{0.25, "a quarter"}, std::pair{0.5, "half"}, std::pair{1.0, "as published"},
          std::pair{2.0, "twice"}, std::pair{4.0, "four times"}}) {
        const double x = placeOf(std::log(ratio));
        out += upright(x, Margin - 6, height - 8, "#888", ratio == 1 ? 1.2 : 0.4);
        out += words(x, Margin - 12, "text-anchor='middle'", label);
    }
    return out;
}

std::string lineOf(const std::string& name, Dots dots, double y)
{
    const std::string colour = dots.isSetAside ? "#c2571a" : "#2f6db5";
    const double count = static_cast<double>(dots.misses.size());
    std::string out = words(Left - 14, y + 4, "text-anchor='end'", name);
    out += "<g fill='" + colour + "' fill-opacity='" +
           fixed(std::max(0.08, 0.7 / std::sqrt(count)), 2) + "'>";
    for (const double miss : dots.misses)
        out += "<circle cx='" + fixed(placeOf(miss)) + "' cy='" + fixed(y) + "' r='3'/>";
    out += "</g>\n";
    out += upright(placeOf(core::median(dots.misses)), y - 6, y + 6, colour, 2);
    for (double& miss : dots.misses)
        miss = std::abs(std::exp(miss) - 1);
    return out + words(Width - 4, y + 4, "text-anchor='end'",
                       fixed(100 * core::median(dots.misses)) + " %");
}

} // namespace

std::string pictureOf(const std::vector<Sample>& samples, const core::Calibration& calibration)
{
    const Lines lines = linesOf(samples, calibration);
    std::string body;
    double y = Margin;
    std::optional<Group> group;
    for (const auto& [key, dots] : lines) {
        if (key.first != group) {
            group = key.first;
            y += HeadHeight;
            body += words(8, y - 6, "font-weight='bold'",
                          std::string(Titles.at(static_cast<std::size_t>(*group))));
        }
        y += RowHeight;
        body += lineOf(key.second, dots, y - RowHeight / 2);
    }
    const double height = y + 16;
    return "<svg xmlns='http://www.w3.org/2000/svg' width='" + fixed(Width, 0) + "' height='" +
           fixed(height, 0) +
           "' font-family='sans-serif' font-size='12' fill='#333'>\n"
           "<rect width='100%' height='100%' fill='#fff'/>\n" +
           scaleOf(height) + body + "</svg>\n";
}

} // namespace outlay::tests
