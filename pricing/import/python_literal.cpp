// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/python_literal.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace outlay::pricing {
namespace {

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// Takes a quoted text and writes it as JSON does; false if it doesn't end.
bool takeText(std::string_view& rest, std::string& json)
{
    const char quote = rest.front();
    json += '"';
    for (std::size_t i = 1; i < rest.size(); ++i) {
        const char c = rest[i];
        if (c == quote) {
            json += '"';
            rest.remove_prefix(i + 1);
            return true;
        }
        if (c == '\\' && i + 1 < rest.size()) {
            const char escaped = rest[++i];
            if (escaped != '\'')
                json += '\\';
            json += escaped;
        } else {
            if (c == '"')
                json += '\\';
            json += c;
        }
    }
    return false;
}

void takeWord(std::string_view& rest, std::string& json)
{
    const auto end = std::find_if_not(rest.begin(), rest.end(), isLetter);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    const std::string_view word = rest.substr(0, length);
    rest.remove_prefix(length);
    if (word == "None")
        json += "null";
    else if (word == "True")
        json += "true";
    else if (word == "False")
        json += "false";
    else
        json += word; // which the JSON reader refuses
}

} // namespace

core::Result<core::Json> readPythonLiteral(std::string_view text)
{
    std::string json;
    while (!text.empty()) {
        const char c = text.front();
        if (c == '\'' || c == '"') {
            if (!takeText(text, json))
                return core::inputError("a text in the dictionary doesn't end", "close its quote");
        } else if (isLetter(c)) {
            takeWord(text, json);
        } else {
            // A tuple is a list to us.
            json += c == '(' ? '[' : c == ')' ? ']' : c;
            text.remove_prefix(1);
        }
    }
    return core::readJson(json);
}

} // namespace outlay::pricing
