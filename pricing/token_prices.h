// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What hosted models cost by the token: those with published weights, told by the number of their parameters.
#pragma once

#include "core/base/fields.h"
#include "pricing/merge.h"
#include "pricing/trust.h"

#include <span>

namespace outlay::pricing {

struct TokenPrice {
    std::string provider;
    std::string model; // as the provider calls it
    std::string weights;
    double input = 0; // USD for a million tokens, as the others
    double output = 0;
    std::optional<double> cachedInput;
    std::optional<std::int64_t> context; // tokens read and generated at most; nothing: nobody says
    std::string
        checked; // the day on which somebody compared it with the provider's page; empty: never
    // By the person, of whose list nobody here knows how it was made: not in files, nor in the program's own list.
    bool isImported = false;

    bool operator==(const TokenPrice&) const = default;
};
void describe(core::FieldVisitor& v, TokenPrice& p);

struct PublishedWeights {
    std::string name;
    std::int64_t parameters = 0;

    bool operator==(const PublishedWeights&) const = default;
};
void describe(core::FieldVisitor& v, PublishedWeights& w);

/// "groq" -> "Groq": of who sells tokens.
[[nodiscard]] std::string hostTitle(std::string_view provider);

/// What nobody has compared is doubtful, and what was compared long ago is old.
[[nodiscard]] Trust trustOf(const TokenPrice& price, std::string_view today);

class TokenPrices {
public:
    TokenPrices() = default;
    [[nodiscard]] static core::Result<TokenPrices> create(std::string_view json);
    /// Those that are linked into the program.
    [[nodiscard]] static core::Result<TokenPrices> load();

    /// Of published weights of a design with just so many parameters.
    [[nodiscard]] std::vector<const TokenPrice*> of(std::int64_t parameters) const;

    [[nodiscard]] std::span<const TokenPrice> all() const { return m_prices; }
    [[nodiscard]] std::span<const PublishedWeights> weights() const { return m_weights; }
    /// With others of the same weights over them: of one provider's model the one that was compared last counts, and of two that
    /// nobody compared, or on one day, the other.
    [[nodiscard]] TokenPrices with(std::span<const TokenPrice> others) const;
    [[nodiscard]] const std::string& asOf() const { return m_asOf; }
    [[nodiscard]] const std::string& source() const { return m_source; }

    [[nodiscard]] bool operator==(const TokenPrices&) const = default;

private:
    friend void describe(core::FieldVisitor& v, TokenPrices& p);
    /// The weights that it is of.
    [[nodiscard]] bool knows(const TokenPrice& price) const;

    std::vector<PublishedWeights> m_weights;
    std::vector<TokenPrice> m_prices;
    std::string m_asOf;
    std::string m_source;
};

/// The user's own prices on disk.
[[nodiscard]] core::Result<std::vector<TokenPrice>> readTokenPrices(std::string_view json);
[[nodiscard]] std::string writeTokenPrices(const std::vector<TokenPrice>& prices);

/// Into a list, by the same rule.
MergeCounts merge(std::span<const TokenPrice> others, std::vector<TokenPrice>& prices);

} // namespace outlay::pricing
