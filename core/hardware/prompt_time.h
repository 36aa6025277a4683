// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How long prompts of many lengths take to read.
#pragma once

namespace outlay::core {

/// A line and, where attention makes long ones dearer, a square.
class PromptTime {
public:
    PromptTime() = default;
    /// Through those of so many tokens and of twice as many.
    PromptTime(double tokens, double seconds, double secondsOfTwice);

    [[nodiscard]] double seconds(double tokens) const;
    /// Of lengths that scatter by a log-normal law.
    [[nodiscard]] double mean(double tokens, double spread) const;
    /// Standard deviation over that.
    [[nodiscard]] double spread(double tokens, double spread) const;
    [[nodiscard]] PromptTime times(double slower) const;

private:
    double m_fixedS = 0;
    double m_tokenS = 0;
    double m_squareS = 0;
};

} // namespace outlay::core
