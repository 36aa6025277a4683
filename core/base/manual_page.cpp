// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/manual_page.h"

#include "core/base/version.h"

#include <algorithm>

namespace outlay::core {
namespace {

/// Nothing in it is a command to `man`: neither a backslash, nor a full stop or an apostrophe that begins a line.
std::string withoutMacros(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        const bool beginsLine = safe.empty() || safe.back() == '\n';
        if (beginsLine && (c == '.' || c == '\''))
            safe += "\\&";
        if (c == '\\')
            safe += "\\e";
        else if (c == '-')
            safe += "\\-";
        else
            safe += c;
    }
    return safe;
}

std::string inCapitals(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

} // namespace

std::string manualText(const ManualPage& page)
{
    std::string text = ".TH " + inCapitals(withoutMacros(page.name)) + " 1 \"\" \"Outlay " +
                       std::string(ProgramVersion) + "\" \"User Commands\"\n.SH NAME\n" +
                       withoutMacros(page.name) + " \\- " + withoutMacros(page.purpose) + "\n";
    for (const ManualSection& section : page.sections) {
        text += ".SH " + withoutMacros(section.title) + "\n";
        if (!section.text.empty())
            text += withoutMacros(section.text) + "\n";
        for (const auto& [term, meaning] : section.terms)
            text += ".TP\n.B " + withoutMacros(term) + "\n" + withoutMacros(meaning) + "\n";
    }
    return text;
}

} // namespace outlay::core
