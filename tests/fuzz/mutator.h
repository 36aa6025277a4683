// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a text a little, as a broken disk or a careless hand would.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace outlay::fuzz {

class Mutator {
public:
    /// `words` are put in here and there: what the readers know, and what they must survive.
    Mutator(std::uint64_t seed, std::vector<std::string> words)
        : m_random(seed), m_words(std::move(words))
    {
    }

    std::size_t below(std::size_t count)
    {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random);
    }

    std::string mutated(std::string text)
    {
        for (std::size_t i = 1 + below(3); i > 0 && !text.empty(); --i)
            mutate(text);
        return text;
    }

private:
    void mutate(std::string& text)
    {
        const std::size_t at = below(text.size());
        switch (below(7)) {
        case 0: text[at] = static_cast<char>(below(256)); break;
        case 1: text.erase(at, 1 + below(20)); break;
        case 2: text.insert(at, word()); break;
        case 3: replaceValue(text, at, word()); break;
        case 4: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
        case 5: return below(RareOneIn) == 0 ? repeat(text, at) : swap(text, at);
        default: text.insert(at, text.substr(below(text.size()), 1 + below(40)));
        }
    }

    const std::string& word() { return m_words[below(m_words.size())]; }

    /// Keeps the JSON whole: only such files reach what lies behind the parser.
    static void replaceValue(std::string& text, std::size_t at, const std::string& word)
    {
        const std::size_t colon = text.find(':', at);
        const std::size_t end = text.find_first_of(",}\n", colon);
        if (end != std::string::npos)
            text.replace(colon + 1, end - colon - 1, word);
    }

    void swap(std::string& text, std::size_t at) { std::swap(text[at], text[below(text.size())]); }

    /// What grows faster than its input is found by a long one.
    void repeat(std::string& text, std::size_t at)
    {
        const std::string piece = text.substr(at, 1 + below(30));
        std::string many;
        for (std::size_t i = 1 + below(2000); i > 0; --i)
            many += piece;
        text.insert(at, many);
    }

    static constexpr std::size_t RareOneIn = 50;

    std::mt19937_64 m_random;
    std::vector<std::string> m_words;
};

} // namespace outlay::fuzz
