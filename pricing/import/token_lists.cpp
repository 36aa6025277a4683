// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/token_lists.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "pricing/date.h"
#include "pricing/import/importers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <istream>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::string_view GenaiPrices = "genai-prices";
constexpr std::string_view LiteLlm = "LiteLLM's prices";
constexpr double Million = 1e6;

constexpr std::string_view OtherModel = "another model than the weights that are known";
constexpr std::string_view NoPrice = "no price of both tokens read and tokens generated";
constexpr std::string_view Free = "free, which is never assumed to last";
constexpr std::string_view OneRegion = "of one region, where it costs something else";
constexpr std::string_view Withdrawn = "no longer sold";
constexpr std::string_view ByCondition = "its price depends on more than the tokens";

/// What names add without meaning other weights.
constexpr std::array<std::string_view, 23> Additions{
    "meta",    "mistralai", "mistral", "qwen",    "google",   "microsoft", "openai",  "instruct",
    "instant", "versatile", "turbo",   "chat",    "thinking", "hf",        "it",      "fp",
    "bf",      "v",         "us",      "preview", "latest",   "maas",      "terminus"};
/// Dates of a version whose layers are the same: years and months, or months and days.
constexpr std::array<std::string_view, 7> Months{"0324", "0528", "0711", "0905",
                                                 "2407", "2506", "2507"};
/// Tokens that are read at most, with a "k" behind the short ones.
constexpr std::array<std::string_view, 4> Contexts{"4096", "8192", "32768", "131072"};
constexpr std::array<std::string_view, 5> ShortContexts{"4", "8", "16", "32", "128"};

template <typename List>
bool isIn(const List& list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool isDigit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "Llama-v3p1-8B" -> llama, 3, 1, 8, b.
std::vector<std::string> wordsOf(std::string_view name)
{
    std::string text(name);
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == 'p' && isDigit(text[i - 1]) && isDigit(text[i + 1]))
            text[i] = '.';
    }
    std::vector<std::string> words;
    char before = ' ';
    for (const char c : text) {
        const bool isWord = std::isalnum(static_cast<unsigned char>(c)) != 0;
        const bool wasWord = std::isalnum(static_cast<unsigned char>(before)) != 0;
        if (isWord && (!wasWord || isDigit(c) != isDigit(before)))
            words.emplace_back();
        if (isWord)
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        before = c;
    }
    // Fireworks' way to write it.
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "v" && words[i - 1] == "llama")
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return words;
}

bool isNumber(const std::string& word)
{
    return std::all_of(word.begin(), word.end(), isDigit);
}

/// Whether the words from `at` on, to before `end`, say nothing of other weights: numbers are a version's, a
/// format's or a context's.
bool areAdditions(const std::vector<std::string>& words, std::size_t at, std::size_t end)
{
    constexpr std::array<std::string_view, 3> Numbered{"v", "fp", "bf"};
    bool isNumbered = false;
    for (std::size_t i = at; i < end; ++i) {
        const bool isShort = i + 1 < end && words[i + 1] == "k" && isIn(ShortContexts, words[i]);
        // "4.5V" sees.
        const bool isVision = words[i] == "v" && (i + 1 == end || !isNumber(words[i + 1]));
        if (isVision)
            return false;
        if (isShort)
            ++i;
        else if (isNumber(words[i])
                     ? !isNumbered && !isIn(Contexts, words[i]) && !isIn(Months, words[i])
                     : !isIn(Additions, words[i]))
            return false;
        else
            isNumbered = isNumber(words[i]) ? isNumbered : isIn(Numbered, words[i]);
    }
    return true;
}

/// Whether the words are those of the weights, and additions around them.
bool means(const std::vector<std::string>& words, const std::vector<std::string>& weights)
{
    const auto found = std::search(words.begin(), words.end(), weights.begin(), weights.end());
    if (found == words.end())
        return false;
    const auto at = static_cast<std::size_t>(found - words.begin());
    return areAdditions(words, 0, at) && areAdditions(words, at + weights.size(), words.size());
}

/// As our own list writes it.
std::string providerOf(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> Others{
        {{"bedrock", "aws"},
         {"bedrock_converse", "aws"},
         {"fireworks_ai", "fireworks"},
         {"together_ai", "together"},
         {"nebius_ai", "nebius"},
         {"azure_ai", "azure"}}};
    for (const auto& [theirs, ours] : Others) {
        if (name == theirs)
            return std::string(ours);
    }
    return std::string(name);
}

std::string textOf(const Json& json, std::string_view key)
{
    const Json* value = json.find(key);
    return value != nullptr && value->asString() != nullptr ? *value->asString() : std::string();
}

/// A number, or the base of a price in tiers.
std::optional<double> amountOf(const Json* json, double factor)
{
    if (json != nullptr && json->asObject() != nullptr)
        json = json->find("base");
    if (json == nullptr || !json->isNumber())
        return std::nullopt;
    constexpr double Finest =
        1e9; // of a dollar: what a factor leaves behind isn't part of the price
    const double amount = std::round(factor * json->number() * Finest) / Finest;
    constexpr double Most = 1e6;
    return std::isfinite(amount) && amount >= 0 && amount <= Most ? std::optional(amount)
                                                                  : std::nullopt;
}

struct Reading {
    WeightNames names;
    const ImportOptions& options;
    PriceImport import;

    /// `price` has all but the weights and the amounts.
    void take(TokenPrice price, std::optional<double> input, std::optional<double> output)
    {
        const std::size_t row = import.account.rows;
        price.weights = names.meantBy(price.model);
        if (price.weights.empty())
            return import.account.leaveOut(row, OtherModel);
        if (!input || !output)
            return import.account.leaveOut(row, NoPrice);
        if (*input <= 0 && *output <= 0)
            return import.account.leaveOut(row, Free);
        price.input = *input;
        price.output = *output;
        if (!dayOf(price.checked) || isNewer(price.checked, options.today))
            price.checked = options.asOf;
        ++import.account.imported;
        import.tokens.push_back(std::move(price));
    }
};

std::optional<std::int64_t> contextOf(const Json* json)
{
    const std::int64_t* tokens = json != nullptr ? json->asInteger() : nullptr;
    constexpr std::int64_t Most = 1'000'000'000;
    return tokens != nullptr && *tokens > 0 && *tokens <= Most ? std::optional(*tokens)
                                                               : std::nullopt;
}

/// Of prices that follow each other in time the last that holds; null where something else decides.
const Json* pricesToday(const Json& model, const std::string& today)
{
    const Json* prices = model.find("prices");
    if (prices == nullptr || prices->asArray() == nullptr)
        return prices;
    const Json* found = nullptr;
    for (const Json& step : *prices->asArray()) {
        const Json* constraint = step.find("constraint");
        const bool isAlways = constraint == nullptr || constraint->isNull();
        const std::string from = isAlways ? std::string() : textOf(*constraint, "start_date");
        if (!isAlways && from.empty())
            return nullptr;
        if (isAlways || !isNewer(from, today))
            found = step.find("prices");
    }
    return found;
}

void readGenai(const Json& list, Reading& reading)
{
    for (const Json& provider : *list.asArray()) {
        const Json* models = provider.find("models");
        if (models == nullptr || models->asArray() == nullptr)
            continue;
        for (const Json& model : *models->asArray()) {
            ++reading.import.account.rows;
            TokenPrice price{.provider = providerOf(textOf(provider, "id")),
                             .model = textOf(model, "id"),
                             .context = contextOf(model.find("context_window")),
                             .checked = textOf(model, "prices_checked")};
            const Json* prices = pricesToday(model, reading.options.today);
            if (prices == nullptr || prices->asObject() == nullptr) {
                reading.import.account.leaveOut(reading.import.account.rows, ByCondition);
                continue;
            }
            price.cachedInput = amountOf(prices->find("cache_read_mtok"), 1);
            reading.take(std::move(price), amountOf(prices->find("input_mtok"), 1),
                         amountOf(prices->find("output_mtok"), 1));
        }
    }
}

void readLiteLlm(const Json& list, Reading& reading)
{
    for (const JsonMember& member : *list.asObject()) {
        const Json& model = member.value;
        if (member.key == "sample_spec" || model.asObject() == nullptr)
            continue;
        ++reading.import.account.rows;
        const std::string provider = textOf(model, "litellm_provider");
        const std::string prefix = provider + "/";
        const bool isPrefixed = member.key.starts_with(prefix);
        const std::string until = textOf(model, "deprecation_date");
        const bool isOfRegion =
            provider == "bedrock" &&
            member.key.find('/', isPrefixed ? prefix.size() : 0) != std::string::npos;
        if (isOfRegion || (dayOf(until) && !isNewer(until, reading.options.today))) {
            reading.import.account.leaveOut(reading.import.account.rows,
                                            isOfRegion ? OneRegion : Withdrawn);
            continue;
        }
        TokenPrice price{.provider = providerOf(provider),
                         .model = isPrefixed ? member.key.substr(prefix.size()) : member.key,
                         .cachedInput =
                             amountOf(model.find("cache_read_input_token_cost"), Million),
                         .context = contextOf(model.find("max_input_tokens"))};
        reading.take(std::move(price), amountOf(model.find("input_cost_per_token"), Million),
                     amountOf(model.find("output_cost_per_token"), Million));
    }
}

} // namespace

bool looksLikeTokenList(std::string_view begin)
{
    const auto has = [&](std::string_view word) {
        return begin.find(word) != std::string_view::npos;
    };
    return has("\"input_cost_per_token\"") || has("\"input_mtok\"") || has("\"pricing_urls\"") ||
           has("\"api_pattern\"");
}

WeightNames::WeightNames(std::span<const PublishedWeights> known)
{
    for (const PublishedWeights& weights : known)
        m_known.push_back({weights.name, wordsOf(weights.name)});
}

std::string WeightNames::meantBy(std::string_view model) const
{
    // Folders before a name say whose it is.
    const std::vector<std::string> words = wordsOf(model.substr(model.rfind('/') + 1));
    std::string found;
    std::size_t most = 0;
    for (const Weights& weights : m_known) {
        if (weights.words.size() > most && means(words, weights.words)) {
            found = weights.name;
            most = weights.words.size();
        }
    }
    return found;
}

Result<PriceImport> importTokenList(std::istream& file, const ImportOptions& options)
{
    const auto known = TokenPrices::load();
    if (!known)
        return failureOf(known);
    std::string text;
    std::array<char, 65536> piece{};
    while (file && text.size() <= LargestFile) {
        const auto read = file.read(piece.data(), piece.size()).gcount();
        text.append(piece.data(), static_cast<std::size_t>(read));
    }
    if (text.size() > LargestFile)
        return inputError("the list is larger than any that is known", "check which file it is");
    const auto list = readJson(text);
    if (!list)
        return failureOf(list);
    const Json* providers = list->asArray() != nullptr ? &*list : list->find("providers");
    const bool isGenai = providers != nullptr && providers->asArray() != nullptr;
    if (!isGenai && list->asObject() == nullptr)
        return inputError("this is no list of prices by the token",
                          "name genai-prices' data.json or LiteLLM's "
                          "model_prices_and_context_window.json");
    Reading reading{WeightNames(known->weights()),
                    options,
                    {.kind = std::string(isGenai ? GenaiPrices : LiteLlm)}};
    isGenai ? readGenai(*providers, reading) : readLiteLlm(*list, reading);
    if (reading.import.tokens.empty())
        return inputError("none of its " + std::to_string(reading.import.account.rows) +
                              " models has a price and weights that Outlay knows",
                          "check that it is the whole file");
    return std::move(reading.import);
}

} // namespace outlay::pricing
