// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/token_prices.h"

#include "core/base/resources.h"
#include "pricing/date.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace outlay::pricing {

using namespace outlay::core;

void describe(FieldVisitor& v, TokenPrice& p)
{
    constexpr double Most = 1e6;
    v.text({.key = "provider", .what = "provider", .presence = Presence::Required}, p.provider);
    v.text({.key = "model", .what = "model", .presence = Presence::Required}, p.model);
    v.text({.key = "weights", .what = "published weights", .presence = Presence::Required},
           p.weights);
    v.number({"input", "USD for a million tokens read", 0, Most, Presence::Required}, p.input);
    v.number({"output", "USD for a million tokens generated", 0, Most, Presence::Required},
             p.output);
    v.number({"cached_input", "USD for a million tokens read again", 0, Most}, p.cachedInput);
    v.integer({"context", "tokens read and generated at most", 1, 1e12}, p.context);
    v.text({"checked", "day on which somebody compared it"}, p.checked);
}

void describe(FieldVisitor& v, PublishedWeights& w)
{
    v.text({.key = "name", .what = "name", .presence = Presence::Required}, w.name);
    v.integer({"parameters", "number of parameters", 1, 1e15, Presence::Required}, w.parameters);
}

void describe(FieldVisitor& v, TokenPrices& p)
{
    v.text({.key = "as_of", .what = "date", .presence = Presence::Required}, p.m_asOf);
    v.text({.key = "source", .what = "source", .presence = Presence::Required}, p.m_source);
    v.list({"weights", "published weights"}, p.m_weights);
    v.list({"prices", "prices of their tokens"}, p.m_prices);
}

std::string hostTitle(std::string_view provider)
{
    // Those that write themselves in capitals, or small, or are sold within a cloud.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> Titles{
        {{"aws", "AWS Bedrock"},
         {"deepseek", "DeepSeek"},
         {"moonshotai", "Moonshot AI"},
         {"zhipuai", "Zhipu AI"},
         {"ovhcloud", "OVHcloud"},
         {"sambanova", "SambaNova"},
         {"nscale", "nscale"}}};
    for (const auto& [name, title] : Titles) {
        if (name == provider)
            return std::string(title);
    }
    std::string text(provider);
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

Trust trustOf(const TokenPrice& price, std::string_view today)
{
    if (price.checked.empty())
        return Trust::Doubtful;
    return isStale(price.checked, today) ? Trust::Stale : Trust::Fresh;
}

namespace {

struct OwnTokenPrices {
    std::vector<TokenPrice> prices;
};

void describe(FieldVisitor& v, OwnTokenPrices& own)
{
    v.list({"prices", "prices of tokens"}, own.prices);
}

template <typename T>
Result<T> readAs(std::string_view json)
{
    const auto document = readJson(json);
    if (!document)
        return failureOf(document);
    T value;
    FieldReader reader(*document, "");
    describe(reader, value);
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    return value;
}

} // namespace

bool TokenPrices::knows(const TokenPrice& price) const
{
    return std::any_of(m_weights.begin(), m_weights.end(),
                       [&](const PublishedWeights& w) { return w.name == price.weights; });
}

Result<TokenPrices> TokenPrices::create(std::string_view json)
{
    auto prices = readAs<TokenPrices>(json);
    if (!prices)
        return prices;
    const auto isKnown = [&](const TokenPrice& price) { return prices->knows(price); };
    if (!std::all_of(prices->m_prices.begin(), prices->m_prices.end(), isKnown))
        return inputError("a price is of weights that aren't in the list",
                          "name them with their number of parameters");
    return prices;
}

Result<TokenPrices> TokenPrices::load()
{
    auto prices = create(resource("token-prices.json"));
    if (!prices)
        return tl::unexpected<Error>(prices.error().in("token-prices.json"));
    return prices;
}

std::vector<const TokenPrice*> TokenPrices::of(std::int64_t parameters) const
{
    std::vector<const TokenPrice*> found;
    for (const TokenPrice& price : m_prices) {
        const bool isOf =
            std::any_of(m_weights.begin(), m_weights.end(), [&](const PublishedWeights& w) {
                return w.parameters == parameters && w.name == price.weights;
            });
        if (isOf)
            found.push_back(&price);
    }
    return found;
}

TokenPrices TokenPrices::with(std::span<const TokenPrice> others) const
{
    TokenPrices all = *this;
    std::vector<TokenPrice> known;
    std::copy_if(others.begin(), others.end(), std::back_inserter(known),
                 [&](const TokenPrice& price) { return knows(price); });
    merge(known, all.m_prices);
    for (TokenPrice& price : all.m_prices)
        price.isImported = std::find(m_prices.begin(), m_prices.end(), price) == m_prices.end();
    return all;
}

Result<std::vector<TokenPrice>> readTokenPrices(std::string_view json)
{
    auto own = readAs<OwnTokenPrices>(json);
    if (!own)
        return failureOf(own);
    return std::move(own->prices);
}

std::string writeTokenPrices(const std::vector<TokenPrice>& prices)
{
    return writeJson(fieldsOf(OwnTokenPrices{prices}));
}

MergeCounts merge(std::span<const TokenPrice> others, std::vector<TokenPrice>& prices)
{
    MergeCounts counts;
    for (const TokenPrice& other : others) {
        const auto mine = std::find_if(prices.begin(), prices.end(), [&](const TokenPrice& price) {
            return price.provider == other.provider && price.model == other.model;
        });
        if (mine == prices.end()) {
            prices.push_back(other);
            ++counts.added;
        } else if (*mine == other) {
            ++counts.same;
        } else if (isNewer(mine->checked, other.checked)) {
            ++counts.older;
        } else {
            *mine = other;
            ++counts.replaced;
        }
    }
    return counts;
}

} // namespace outlay::pricing
