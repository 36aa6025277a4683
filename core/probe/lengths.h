// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What sequences of several lengths were measured to take, by a design and by its twin.
#pragma once

#include "core/base/fields.h"

namespace outlay::core {

enum class LengthSubject { Own, Twin };
inline constexpr std::array<std::string_view, 2> LengthSubjectNames{"design", "twin"};

/// Lengths are powers of two.
inline constexpr std::int64_t ShortestCompared = 64;
inline constexpr std::int64_t LongestCompared = 16'384;

/// One sequence forward and back, without the optimizer.
struct LengthTiming {
    LengthSubject subject = LengthSubject::Own;
    std::int64_t tokens = 0;
    double passS = 0; // the median
    std::int64_t count = 0;
    std::optional<double> growthBytes; // of the process over the loaded model
    std::string unavailable;           // why it wasn't measured; empty when it was

    [[nodiscard]] bool isMeasured() const { return unavailable.empty() && passS > 0; }
    bool operator==(const LengthTiming&) const = default;
};

void describe(FieldVisitor& v, LengthTiming& t);

} // namespace outlay::core
