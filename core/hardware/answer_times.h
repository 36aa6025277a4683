// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How late the tokens of answers are, where they wait for those of others.
#pragma once

namespace outlay::core {

/// What 95 of 100 passes take over the usual one. They scatter each on its own: of an answer's many tokens that evens out.
struct Tails {
    double pass = 1;
    double passes = 1; // that make the later tokens of an answer

    /// Of each later token, on average over an answer.
    [[nodiscard]] double ofTokens() const;
    /// Of one whose first token takes so long, and whose others.
    [[nodiscard]] double ofAnswer(double firstS, double laterS) const;
};

/// Tokens of an answer after its first: log-normal, by mean and spread.
struct LaterTokens {
    double count = 0;
    double spread = 0;
};

/// Of the time that one takes.
struct TokenScatter {
    double meanS = 0;
    double othersS = 0;   // standard deviation, by how many others are in flight at a time
    double promptsS2 = 0; // variance of the sum that prompts of others add, for each token
    double firstS = 0;    // by those that came while the answer's own was read; of all its tokens
    double firstS2 = 0;   // variance of that
};

/// What 95 of 100 answers take for each token at most, on average over theirs: short ones meet the worst moments whole.
[[nodiscard]] double tokenP95S(const LaterTokens& tokens, const TokenScatter& scatter);

/// Of the time until a first token.
struct FirstScatter {
    double meanS = 0;
    double varianceS2 = 0;
};
/// What 95 of 100 take for the whole answer.
[[nodiscard]] double answerP95S(const FirstScatter& first, const LaterTokens& tokens,
                                const TokenScatter& scatter);

} // namespace outlay::core
