// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a text a little, as a broken disk or a careless hand would, and what every fuzz program
// does with it.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace outlay::fuzz {

class Mutator {
public:
    /// `tokens` are put in here and there: what the readers know, and what they must survive.
    Mutator(std::uint64_t seed, std::vector<std::string> tokens)
        : m_random(seed), m_tokens(std::move(tokens))
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
        switch (below(5)) {
        case 0: text[at] = static_cast<char>(below(256)); break;
        case 1: text.erase(at, 1 + below(20)); break;
        case 2: text.insert(at, m_tokens[below(m_tokens.size())]); break;
        case 3: replaceValue(text, at, m_tokens[below(m_tokens.size())]); break;
        default: text.insert(at, text.substr(below(text.size()), 1 + below(40)));
        }
    }

    /// Keeps the JSON whole: only such files reach what lies behind the parser.
    static void replaceValue(std::string& text, std::size_t at, const std::string& token)
    {
        const std::size_t colon = text.find(':', at);
        const std::size_t end = text.find_first_of(",}\n", colon);
        if (end != std::string::npos)
            text.replace(colon + 1, end - colon - 1, token);
    }

    std::mt19937_64 m_random;
    std::vector<std::string> m_tokens;
};

/// What a program fuzzes with: its name, its own tokens, its inputs and where they go.
struct Fuzzer {
    std::string name;
    std::vector<std::string> tokens;
    std::function<std::vector<std::string>(const std::string& folder)> corpus;
    std::function<void(const std::string& input)> feed;
};

[[noreturn]] inline void fail(const std::string& why, const std::string& input)
{
    std::cerr << "fuzz: " << why << ":\n" << input << '\n';
    std::exit(1);
}

inline void checkError(const core::Error& error, const std::string& input)
{
    const std::string sentence = error.sentence();
    if (error.what.empty() || sentence.find('\n') != std::string::npos || sentence.size() > 2000)
        fail("an error is not one sentence: " + sentence, input);
}

/// The whole of a main(): SEED SECONDS FOLDER.
inline int run(const Fuzzer& fuzzer, int argc, char* argv[])
{
    if (argc != 4) {
        std::cerr << "Usage: " << fuzzer.name << " SEED SECONDS FOLDER\n";
        return 2;
    }
    Mutator mutator(std::strtoull(argv[1], nullptr, 10), fuzzer.tokens);
    const std::chrono::seconds time(std::atoi(argv[2]));
    const std::vector<std::string> texts = fuzzer.corpus(argv[3]);
    for (const std::string& text : texts)
        fuzzer.feed(text);
    std::size_t count = 0;
    const auto start = std::chrono::steady_clock::now();
    for (; std::chrono::steady_clock::now() - start < time; ++count)
        fuzzer.feed(mutator.mutated(texts[mutator.below(texts.size())]));
    std::cout << fuzzer.name << ": " << count << " inputs from " << texts.size() << " files\n";
    return count > 0 ? 0 : 1;
}

} // namespace outlay::fuzz
