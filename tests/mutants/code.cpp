// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutants/code.h"

#include <algorithm>
#include <cctype>

namespace outlay::mutants {
namespace {

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// One past the first `end` from `from` on, or the end of the text.
std::size_t after(std::string_view text, std::string_view end, std::size_t from)
{
    const std::size_t at = text.find(end, from);
    return at == std::string_view::npos ? text.size() : at + end.size();
}

std::size_t afterQuoted(std::string_view text, std::size_t from)
{
    for (std::size_t i = from + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == text[from])
            return i + 1;
    }
    return text.size();
}

std::size_t afterRaw(std::string_view text, std::size_t from)
{
    const std::size_t open = std::min(text.find('(', from), text.size());
    const std::string end = ")" + std::string(text.substr(from + 1, open - from - 1)) + "\"";
    return after(text, end, open);
}

std::size_t afterDirective(std::string_view text, std::size_t from)
{
    std::size_t end = text.find('\n', from);
    while (end != std::string_view::npos && text[end - 1] == '\\')
        end = text.find('\n', end + 1);
    return std::min(end, text.size());
}

/// The quote inside 1'000 begins no character.
bool separatesDigits(std::string_view text, std::size_t at)
{
    std::size_t start = at;
    while (start > 0 && (isWord(text[start - 1]) || text[start - 1] == '\''))
        --start;
    return start < at && std::isdigit(static_cast<unsigned char>(text[start])) != 0;
}

bool isFirstOfLine(std::string_view text, std::size_t at)
{
    const std::size_t last = text.substr(0, at).find_last_not_of(" \t");
    return last == std::string_view::npos || text[last] == '\n';
}

struct Stretch {
    std::size_t end = 0; // 0: code
    char mark = ' ';
};

/// What begins at a place that isn't code, and how far it goes.
Stretch stretchAt(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//"))
        return {std::min(text.find('\n', at), text.size()), ' '};
    if (rest.starts_with("/*"))
        return {after(text, "*/", at + 2), ' '};
    if (rest.front() == '#' && isFirstOfLine(text, at))
        return {afterDirective(text, at), ' '};
    if (rest.front() == '"') {
        const bool isRaw = at > 0 && text[at - 1] == 'R';
        return {isRaw ? afterRaw(text, at) : afterQuoted(text, at), TextMark};
    }
    if (rest.front() == '\'' && !separatesDigits(text, at))
        return {afterQuoted(text, at), CharacterMark};
    return {};
}

void fill(std::string& code, std::size_t from, std::size_t to, char mark)
{
    for (std::size_t i = from; i < to; ++i) {
        if (code[i] != '\n')
            code[i] = mark;
    }
}

/// One past the bracket that closes the one at `from`, or `from` if nothing does.
std::size_t afterTemplate(std::string_view code, std::size_t from)
{
    int depth = 0;
    for (std::size_t i = from; i < code.size() && code[i] != ';' && code[i] != '{'; ++i) {
        if (code[i] == '<')
            ++depth;
        else if (code[i] == '>' && code[i - 1] != '-' && --depth == 0)
            return i + 1;
    }
    return from;
}

/// An operator has a blank before it, a template's bracket a name.
bool opensTemplate(std::string_view code, std::size_t at)
{
    const std::string_view before = code.substr(0, at);
    return code[at] == '<' && at > 0 && (isWord(code[at - 1]) || before.ends_with("template ")) &&
           !before.ends_with("operator");
}

} // namespace

std::string codeOf(std::string_view text)
{
    std::string code(text);
    for (std::size_t i = 0; i < text.size();) {
        const Stretch stretch = stretchAt(text, i);
        fill(code, i, stretch.end, stretch.mark);
        i = std::max(stretch.end, i + 1);
    }
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (opensTemplate(code, i))
            fill(code, i, afterTemplate(code, i), TemplateMark);
    }
    return code;
}

} // namespace outlay::mutants
