// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of an application says, once for every paper: a writer only formats its figures.
#pragma once

#include "pricing/application/application.h"

#include <functional>

namespace outlay::pricing {

inline constexpr std::string_view AmountsHeading = "Compute time";
inline constexpr std::string_view ScalingHeading = "How one run scales";
inline constexpr std::string_view NeedsHeading = "Memory, storage, energy";
inline constexpr std::string_view AssumptionsHeading = "Assumptions";

enum class ContentKind {
    Figure,
    Count, // has no unit of its own: hours of devices aren't a duration, and the label names them
    Part   // in whole percent where there is little room
};

struct ContentFigure {
    std::string label;
    core::Quantity figure;
    ContentKind kind = ContentKind::Figure;
};

/// The labels of a row's figures are the names of its columns.
struct ContentRow {
    std::string devices; // "8, asked"
    std::string nodes;
    std::vector<ContentFigure> figures;
};

struct ApplicationContent {
    std::string title; // "Application for compute time: Text generator"
    std::string subject;
    std::string place;
    std::string asked;    // "5,070 SBU"; empty where nothing can be asked for
    std::string askedFor; // the interval, runs, devices; or why there is nothing
    std::vector<ContentFigure> amounts;
    std::string measuredBy; // or why nothing is
    std::vector<ContentFigure> measured;
    std::vector<ContentRow> scaling;
    std::string speedTitle;  // "Times as fast as one device"
    std::string scalingNote; // what they are compared with; empty where nothing is
    std::vector<ContentFigure> needs;
};

/// `number` writes one as the paper's readers do.
[[nodiscard]] ApplicationContent contentOf(const Application& application,
                                           const std::function<std::string(double)>& number);

} // namespace outlay::pricing
