// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_scanner.h"

#include "core/base/text.h"

#include <charconv>

namespace outlay::core {
namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool endsLiteral(char c)
{
    return isSpace(c) || c == ',' || c == ']' || c == '}' || c == ':';
}

/// How many bytes of `text` belong to a quoted text that it is inside of, without the closing quote;
/// npos if that is not in it.
std::size_t closingQuote(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            return i;
        if (text[i] == '\\')
            ++i;
    }
    return std::string_view::npos;
}

void appendUtf8(std::uint32_t code, std::string& out)
{
    const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0U | (code >> 6U));
        byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        byte(0xE0U | (code >> 12U));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3FU));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    }
}

std::optional<std::uint32_t> hexOf(std::string_view digits)
{
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || error != std::errc() || end != digits.data() + digits.size())
        return std::nullopt;
    return code;
}

/// Takes the four digits after "\u", and the second half of a pair.
std::optional<std::uint32_t> takeCode(std::string_view& rest)
{
    const auto first = hexOf(rest.substr(0, 4));
    if (!first)
        return std::nullopt;
    rest.remove_prefix(4);
    const bool isHigh = *first >= 0xD800 && *first < 0xDC00;
    if (!isHigh || !rest.starts_with("\\u"))
        return *first >= 0xD800 && *first < 0xE000 ? 0xFFFDU : *first;
    const auto second = hexOf(rest.substr(2, 4));
    if (!second || *second < 0xDC00 || *second > 0xDFFF)
        return 0xFFFDU;
    rest.remove_prefix(6);
    return 0x10000U + ((*first - 0xD800U) << 10U) + (*second - 0xDC00U);
}

} // namespace

void JsonScanner::fail(std::string what, std::string remedy)
{
    if (!m_error)
        m_error = Error{ErrorCode::Input,
                        std::move(what),
                        std::move(remedy),
                        "line " + std::to_string(line()),
                        {}};
}

void JsonScanner::cutOff()
{
    fail("the file ends in the middle of its JSON", "check that it was copied whole");
}

void JsonScanner::broken()
{
    fail("this is not JSON", "correct the text there");
}

Result<void> JsonScanner::outcome() const
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return {};
}

char JsonScanner::peek()
{
    while (!m_error) {
        const std::string_view rest = m_window.rest();
        std::size_t i = 0;
        while (i < rest.size() && isSpace(rest[i]))
            ++i;
        m_window.take(i);
        if (i < rest.size())
            return rest[i];
        if (!m_window.readMore())
            break;
    }
    return 0;
}

bool JsonScanner::takeIf(char expected)
{
    if (peek() != expected || m_error)
        return false;
    m_window.take(1);
    return true;
}

JsonScanner::Kind JsonScanner::kind()
{
    switch (peek()) {
    case 0: return Kind::Nothing;
    case '{': return Kind::Object;
    case '[': return Kind::Array;
    case '"': return Kind::Text;
    default: return Kind::Literal;
    }
}

void JsonScanner::enter(char bracket, const char* name)
{
    if (takeIf(bracket) || m_error)
        return;
    if (peek() == 0)
        return cutOff();
    fail(std::string("here stands something else than ") + name,
         std::string("give ") + name + " there");
}

void JsonScanner::enterObject()
{
    enter('{', "an object");
}

void JsonScanner::enterArray()
{
    enter('[', "a list");
}

bool JsonScanner::nextKey()
{
    if (takeIf('}') || m_error)
        return false;
    takeIf(',');
    if (peek() != '"') {
        peek() == 0 ? cutOff() : broken();
        return false;
    }
    m_key = quoted();
    if (!takeIf(':'))
        peek() == 0 ? cutOff() : broken();
    return !m_error;
}

bool JsonScanner::nextItem()
{
    if (takeIf(']') || m_error)
        return false;
    takeIf(',');
    const char next = peek();
    if (next == 0)
        cutOff();
    else if (next == ']' || next == '}' || next == ',' || next == ':')
        broken();
    return !m_error;
}

std::string_view JsonScanner::quoted()
{
    m_window.take(1);
    std::size_t length = closingQuote(m_window.rest());
    while (length == std::string_view::npos) {
        if (!m_window.readMore()) {
            cutOff();
            return {};
        }
        length = closingQuote(m_window.rest());
    }
    const std::string_view raw = m_window.rest().substr(0, length);
    m_window.take(length + 1);
    return raw.find('\\') == std::string_view::npos ? raw : decoded(raw);
}

std::string_view JsonScanner::decoded(std::string_view escaped)
{
    m_scratch.clear();
    while (!escaped.empty()) {
        const std::size_t plain = escaped.find('\\');
        m_scratch += escaped.substr(0, plain);
        if (plain == std::string_view::npos)
            break;
        const char kind = escaped[plain + 1];
        escaped.remove_prefix(plain + 2);
        constexpr std::string_view Letters = "nrtbf";
        constexpr std::string_view Controls = "\n\r\t\b\f";
        if (const std::size_t which = Letters.find(kind); which != std::string_view::npos)
            m_scratch += Controls[which];
        else if (kind != 'u')
            m_scratch += kind;
        else if (const auto code = takeCode(escaped))
            appendUtf8(*code, m_scratch);
        else
            broken();
        if (m_error)
            return {};
    }
    return m_scratch;
}

std::string_view JsonScanner::literal()
{
    std::size_t length = 0;
    while (true) {
        const std::string_view rest = m_window.rest();
        while (length < rest.size() && !endsLiteral(rest[length]))
            ++length;
        if (length < rest.size() || !m_window.readMore())
            break;
    }
    const std::string_view word = m_window.rest().substr(0, length);
    m_window.take(length);
    const bool isNumber = !word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'));
    if (!isNumber && word != "true" && word != "false" && word != "null")
        broken();
    return word == "null" || m_error ? std::string_view{} : word;
}

std::string_view JsonScanner::text()
{
    switch (kind()) {
    case Kind::Text: return quoted();
    case Kind::Literal: return literal();
    case Kind::Object:
    case Kind::Array: skip(); return {};
    case Kind::Nothing: cutOff(); return {};
    }
    return {};
}

std::optional<double> JsonScanner::number()
{
    return numberIn(text());
}

void JsonScanner::skip()
{
    std::size_t depth = 0;
    do {
        const char next = peek();
        if (next == 0)
            return cutOff();
        if (next == '"') {
            quoted();
        } else if (next == '{' || next == '[') {
            ++depth;
            m_window.take(1);
        } else if (next == '}' || next == ']') {
            if (depth == 0)
                return broken();
            --depth;
            m_window.take(1);
        } else if (next == ',' || next == ':') {
            if (depth == 0)
                return broken();
            m_window.take(1);
        } else {
            literal();
        }
    } while (depth > 0 && !m_error);
}

} // namespace outlay::core
