// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutants/declared_types.h"

#include <algorithm>
#include <regex>

namespace outlay::mutants {
namespace {

using Types = std::set<std::string>;
using Matches = std::regex_iterator<std::string_view::const_iterator>;

/// Words that stand before a name as a type does.
const Types NoTypes{"return", "else", "case", "new", "using", "namespace", "throw", "struct"};
const Types Numbers{"bool",    "int",      "double",   "size_t", "ptrdiff_t",
                    "int64_t", "uint64_t", "uint32_t", "qreal",  "qsizetype"};
const Types Texts{"char", "string", "string_view"};

const Types Unknown;
const Types Number{"number"};

/// One name for types that convert into each other, and without their namespaces.
std::string familyOf(std::string type)
{
    const std::size_t colon = type.rfind(':');
    if (colon != std::string::npos)
        type.erase(0, colon + 1);
    return Numbers.contains(type) ? "number" : Texts.contains(type) ? "text" : type;
}

Types typesOf(const std::string& argument, const DeclaredTypes& here, const DeclaredTypes& headers)
{
    static const std::regex Value(R"([-!].*|\d.*|true|false)");
    static const std::regex Calculated(R"(.* [-*/%<>=!&|]+ .*)");
    static const std::regex Enumerator(R"((?:\w+::)*([A-Z]\w*)::[A-Z]\w*)");
    static const std::regex Member(R"([*&]?.*(?:\.|->)(\w+))");
    static const std::regex Name(R"([*&]?(?:[a-z]\w*::)?(\w+))");
    std::smatch match;
    if (std::regex_match(argument, Value) || std::regex_match(argument, Calculated))
        return Number;
    if (std::regex_match(argument, match, Enumerator))
        return {match[1].str()};
    if (std::regex_match(argument, match, Member)) {
        Types types = headers.of(match[1].str());
        types.merge(Types(here.of(match[1].str())));
        return types;
    }
    if (!std::regex_match(argument, match, Name))
        return Unknown;
    const Types& declared = here.of(match[1].str());
    return declared.empty() ? headers.of(match[1].str()) : declared;
}

} // namespace

void DeclaredTypes::add(std::string_view code)
{
    static const std::regex Declaration(R"(([A-Za-z_][\w:]*)#*[&*]* (\w+)(?=[,;){=:]| [=:]))");
    for (Matches found(code.begin(), code.end(), Declaration), none; found != none; ++found) {
        const std::string type = (*found)[1].str();
        if (!NoTypes.contains(type))
            m_types[(*found)[2].str()].insert(familyOf(type));
    }
}

const Types& DeclaredTypes::of(const std::string& name) const
{
    const auto found = m_types.find(name);
    return found == m_types.end() ? Unknown : found->second;
}

bool maySwap(const std::string& a, const std::string& b, const DeclaredTypes& here,
             const DeclaredTypes& headers)
{
    const Types first = typesOf(a, here, headers);
    const Types second = typesOf(b, here, headers);
    // What is declared `auto` may be anything.
    if (first.empty() || second.empty() || first.contains("auto") || second.contains("auto"))
        return true;
    return std::any_of(first.begin(), first.end(),
                       [&](const std::string& type) { return second.contains(type); });
}

} // namespace outlay::mutants
