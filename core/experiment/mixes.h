// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What requests are like in practice, as somebody counted them, from resources/mixes.json.
#pragma once

#include "core/experiment/experiment.h"

namespace outlay::core {

/// A mean, and the standard deviation over it.
struct MixLength {
    std::int64_t mean = 0;
    double spread = 0;
};

struct TrafficMix {
    std::string id;
    std::string title;
    std::string summary; // one line
    std::string source;
    MixLength input;
    MixLength output;
    std::optional<double> firstTokenP95Ms;
    std::optional<double> tokenP95Ms;
    bool isAtOnce = false;
};

/// A mean and a spread by what half and nine tenths of them don't exceed, as a log-normal law has them.
[[nodiscard]] MixLength mixLength(double median, double p90);

/// Read once; the file is part of the program, so a broken one is an internal fault.
[[nodiscard]] const Result<std::vector<TrafficMix>>& trafficMixes();

/// Whether the design's answers have lengths at all.
[[nodiscard]] bool takesMix(const Experiment& experiment);

/// With requests such as those of the mix with that name, and promises that people make for them; fails where there is
/// none, or the design takes none.
[[nodiscard]] Result<Experiment> withMix(const Experiment& experiment, std::string_view id);

/// The one whose requests these are; null where they are one's own.
[[nodiscard]] const TrafficMix* mixOf(const Experiment& experiment);

} // namespace outlay::core
