// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads a design may be measured with, and which of them its steps speak for.
#pragma once

#include <cstdint>
#include <vector>

namespace outlay::worker {

/// LibTorch's and the matrix library's threads.
struct Threads {
    std::int64_t torch = 1;
    std::int64_t blas = 1;

    bool operator==(const Threads&) const = default;
};

/// What is usual first, as a run without settings takes it; then the other sensible ones up to `most`. Two
/// pools beside each other may cost three times: where both are usual, they come last.
[[nodiscard]] std::vector<Threads> threadChoices(const Threads& usual, std::int64_t most);

/// Where there is no time to try: what is usual, but of two pools the matrix library's only.
[[nodiscard]] Threads untriedThreads(const Threads& usual, std::int64_t most);

/// The first, or another whose steps are clearly faster; each has as many.
[[nodiscard]] std::size_t fastestOf(const std::vector<std::vector<double>>& stepSeconds);

} // namespace outlay::worker
