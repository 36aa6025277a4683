// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutants/changes.h"

#include "tests/mutants/code.h"
#include "tests/mutants/declared_types.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <regex>
#include <span>

namespace outlay::mutants {
namespace {

using Match = std::match_results<std::string_view::const_iterator>;
using Matches = std::regex_iterator<std::string_view::const_iterator>;

struct Replacement {
    std::string_view from;
    std::string_view to;
};

constexpr std::array Operators{
    Replacement{"<", "<="},  Replacement{"<=", "<"},  Replacement{">", ">="},
    Replacement{">=", ">"},  Replacement{"+", "-"},   Replacement{"-", "+"},
    Replacement{"*", "/"},   Replacement{"/", "*"},   Replacement{"&&", "||"},
    Replacement{"||", "&&"}, Replacement{"==", "!="}, Replacement{"!=", "=="}};

/// Changes here would test the compiler, the system, or what only speed depends on.
constexpr std::array<std::string_view, 6> Untested{"static_assert", "operator", "assert(",
                                                   "errno",         "mallopt",  "reserve("};

/// Errors that are handed on or come from the system take something broken to happen.
constexpr std::array<std::string_view, 3> HandedOn{"failureOf", "unexpected", "systemError"};

/// The order of these arguments doesn't matter, or they aren't arguments.
constexpr std::array<std::string_view, 11> Unordered{
    "min", "max", "hypot", "swap", "gcd", "lcm", "for", "if", "while", "switch", "return"};

struct Line {
    std::string_view text;
    std::string_view code;
    std::size_t number = 0;
};

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool containsOneOf(std::string_view text, std::span<const std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    });
}

/// Words with blanks between them are for people; keys and names have none.
bool saysSomething(const Line& line)
{
    for (std::size_t i = 0; i < line.code.size(); ++i) {
        if (line.code[i] == TextMark && line.text[i] == ' ')
            return true;
    }
    return false;
}

/// What the operating system answers is the same whatever we ask.
bool asksSystem(std::string_view code)
{
    static const std::regex Call(R"((?:^|[^\w#>])::[a-z])");
    return std::regex_search(code.begin(), code.end(), Call);
}

Change made(const Line& line, Kind kind, std::size_t at, std::size_t length, std::string_view text)
{
    Change change{kind, line.number, std::string(line.text), std::string(line.text)};
    change.after.replace(at, length, text);
    return change;
}

/// One more turn reads past the end, which says more of the memory there than of the tests.
bool staysInside(std::string_view code, std::size_t at)
{
    static const std::regex Bound(R"(< [^ ]*\bsize\(\))");
    return std::regex_search(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), Bound,
                             std::regex_constants::match_continuous);
}

/// A difference of texts isn't compiled, so these needn't be tried.
bool joinsTexts(std::string_view code, std::string_view sign)
{
    constexpr std::array<std::string_view, 5> Signs{"\"", "'", "QChar", "QString", "Text("};
    return sign == "+" && containsOneOf(code, Signs);
}

void addOperators(const Line& line, std::vector<Change>& changes)
{
    const std::string_view code = line.code;
    std::size_t end = 0;
    for (std::size_t at = code.find_first_not_of(' '); at != std::string_view::npos;
         at = code.find_first_not_of(' ', end)) {
        end = std::min(code.find(' ', at), code.size());
        const std::string_view word = code.substr(at, end - at);
        const auto* sign = std::find_if(Operators.begin(), Operators.end(),
                                        [&](const Replacement& row) { return row.from == word; });
        if (sign != Operators.end() && !staysInside(code, at) && !joinsTexts(code, word))
            changes.push_back(made(line, Kind::Operator, at, word.size(), sign->to));
    }
}

std::optional<std::string> nextInteger(std::string digits)
{
    std::erase(digits, '\'');
    const bool isHex = digits.starts_with("0x");
    if (isHex)
        digits.erase(0, 2);
    std::uint64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, isHex ? 16 : 10);
    if (read.ec != std::errc() || number == std::numeric_limits<std::uint64_t>::max())
        return std::nullopt;
    std::array<char, 20> buffer{};
    const auto written =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number + 1, isHex ? 16 : 10);
    return (isHex ? "0x" : "") + std::string(buffer.data(), written.ptr);
}

/// Half as much again, and 1 for 0.
std::optional<std::string> otherDecimal(std::string digits)
{
    constexpr double Factor = 1.5;
    constexpr int Digits = 15; // as many as are sure to be as written
    std::erase(digits, '\'');
    double number = 0;
    const char* end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, number).ec != std::errc())
        return std::nullopt;
    std::array<char, 32> buffer{};
    const auto written =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                      number == 0 ? 1 : number * Factor, std::chars_format::general, Digits);
    const std::string text(buffer.data(), written.ptr);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// The first or second of a list, which has no more meaning than a name.
bool isIndex(std::string_view before, std::string_view digits, std::string_view after)
{
    return (digits == "0" || digits == "1") &&
           ((before.ends_with('[') && after.starts_with(']')) ||
            (before.ends_with(".at(") && after.starts_with(')')));
}

void addConstants(const Line& line, std::vector<Change>& changes)
{
    static const std::regex Number(
        "(0x[0-9A-Fa-f']+|[0-9][0-9']*(\\.[0-9]+)?([eE][-+]?[0-9]+)?)[uUlLfFzZ]*");
    static const std::regex InWord("[A-Za-z_0-9.#]");
    const std::string_view code = line.code;
    // Versions are as they are, and a little added against rounding has no right size.
    static const std::regex Unmeant(R"([vV]ersion|Slack|[-+] [\d.]+e-)");
    if (std::regex_search(code.begin(), code.end(), Unmeant))
        return;
    for (Matches number(code.begin(), code.end(), Number), none; number != none; ++number) {
        const auto at = static_cast<std::size_t>(number->position());
        const std::string digits = (*number)[1].str();
        const std::string_view before = code.substr(0, at);
        const std::string_view after = code.substr(at + static_cast<std::size_t>(number->length()));
        const auto touches = [](std::string_view c) {
            return std::regex_match(c.begin(), c.end(), InWord);
        };
        const bool isOctal = digits.size() > 1 && digits[0] == '0' && digits[1] != 'x';
        const bool isDecimal = (*number)[2].matched || (*number)[3].matched;
        if ((at > 0 && touches(before.substr(at - 1))) || touches(after.substr(0, 1)) ||
            (isOctal && !isDecimal) || isIndex(before, digits, after))
            continue;
        if (const auto other = isDecimal ? otherDecimal(digits) : nextInteger(digits))
            changes.push_back(made(line, Kind::Constant, at, digits.size(), *other));
    }
}

void addArguments(const Line& line, const DeclaredTypes& here, const DeclaredTypes& headers,
                  std::vector<Change>& changes)
{
    // A type and a name have but a blank between them, so what is declared doesn't match.
    static const std::string Term = R"([-!*&]?\w(?:[\w.:\[\]]|->)*)";
    static const std::string Each = Term + R"((?: (?:[-+*/%<>]|[=!<>]=|&&|\|\|) )" + Term + ")*";
    static const std::regex Call(R"((\w+)#*\(()" + Each + "), (" + Each + R"()\))");
    const std::string_view code = line.code;
    for (Matches call(code.begin(), code.end(), Call), none; call != none; ++call) {
        const Match& match = *call;
        const std::string first = match[2].str();
        const std::string second = match[3].str();
        const std::string name = match[1].str();
        if (first == second || !maySwap(first, second, here, headers) ||
            std::find(Unordered.begin(), Unordered.end(), name) != Unordered.end())
            continue;
        const std::string swapped = second + ", " + first;
        const auto at = static_cast<std::size_t>(match.position(2));
        changes.push_back(made(line, Kind::Arguments, at, swapped.size(), swapped));
    }
}

/// One past the bracket that closes the one at `from`; none if that is on another line.
std::optional<std::size_t> afterBracket(std::string_view code, std::size_t from)
{
    int depth = 0;
    for (std::size_t i = from; i < code.size(); ++i) {
        if (code[i] == '(')
            ++depth;
        else if (code[i] == ')' && --depth == 0)
            return i + 1;
    }
    return std::nullopt;
}

/// Whether the statement at the start hands an error on.
bool handsErrorOn(std::span<const Line> lines)
{
    for (const Line& line : lines) {
        if (containsOneOf(line.code, HandedOn))
            return true;
        if (line.code.find(';') != std::string_view::npos)
            return false;
    }
    return false;
}

void addBranch(const Line& line, std::span<const Line> next, std::vector<Change>& changes)
{
    constexpr std::array<std::string_view, 2> Declaring{" = ", ";"};
    static const std::regex Start(R"( *(?:\} else )?if \()");
    static const std::regex End(R"((?: \{)? *)");
    const std::string_view code = line.code;
    Match start;
    if (!std::regex_search(code.begin(), code.end(), start, Start,
                           std::regex_constants::match_continuous))
        return;
    const auto open = static_cast<std::size_t>(start.length()) - 1;
    const auto end = afterBracket(code, open);
    if (!end ||
        !std::regex_match(code.begin() + static_cast<std::ptrdiff_t>(*end), code.end(), End))
        return;
    const std::string_view condition = line.text.substr(open, *end - open);
    if (containsOneOf(code.substr(open, *end - open), Declaring) || handsErrorOn(next))
        return;
    changes.push_back(made(line, Kind::Branch, open, condition.size(),
                           "(false && " + std::string(condition) + ")"));
}

} // namespace

std::string_view nameOf(Kind kind)
{
    switch (kind) {
    case Kind::Operator: return "operator";
    case Kind::Constant: return "constant";
    case Kind::Arguments: return "arguments";
    case Kind::Branch: return "branch";
    }
    return {};
}

std::vector<Change> changesIn(std::string_view text, const DeclaredTypes& headers)
{
    const std::string code = codeOf(text);
    DeclaredTypes here;
    here.add(code);
    const std::vector<std::string_view> texts = linesOf(text);
    const std::vector<std::string_view> codes = linesOf(code);
    std::vector<Line> lines;
    for (std::size_t i = 0; i < texts.size(); ++i)
        lines.push_back({texts[i], codes[i], i});
    std::vector<Change> changes;
    for (const Line& line : lines) {
        if (containsOneOf(line.code, Untested) || asksSystem(line.code))
            continue;
        addBranch(line, std::span(lines).subspan(line.number + 1), changes);
        if (saysSomething(line))
            continue;
        addOperators(line, changes);
        addConstants(line, changes);
        addArguments(line, here, headers, changes);
    }
    return changes;
}

std::string changed(std::string_view text, const Change& change)
{
    std::size_t start = 0;
    for (std::size_t i = 0; i < change.line; ++i)
        start = text.find('\n', start) + 1;
    return std::string(text).replace(start, change.before.size(), change.after);
}

} // namespace outlay::mutants
