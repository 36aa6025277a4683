// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/person.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <unistd.h>

namespace outlay::core {
namespace {

/// Everybody's, and words that mean something else.
bool isNobodys(std::string_view name)
{
    constexpr std::array<std::string_view, 8> Usual{"root", "user",   "admin",     "ubuntu",
                                                    "home", "debian", "localhost", "nobody"};
    constexpr std::size_t Shortest = 3;
    return name.size() < Shortest || std::find(Usual.begin(), Usual.end(), name) != Usual.end();
}

std::string_view lastName(std::string_view path)
{
    while (!path.empty() && path.back() == '/')
        path.remove_suffix(1);
    return path.substr(path.rfind('/') + 1);
}

/// "//" is what a web address goes on with.
bool isPathHere(std::string_view part, char before)
{
    const bool isAddress = before == ':' && part.starts_with("//") && !part.starts_with("///");
    return !isAddress && (part.starts_with('/') || part.starts_with("~") ||
                          part.starts_with("./") || part.starts_with("../"));
}

/// Parts and what stands between them, which paths and names don't hold.
bool isBetween(char c)
{
    return std::string_view(" =:,;@\"'()[]{}<>|\n\t").find(c) != std::string_view::npos;
}

} // namespace

std::vector<std::string> namesOfPerson()
{
    std::vector<std::string> names;
    const auto add = [&](std::string_view name) {
        if (!isNobodys(name))
            names.emplace_back(name);
    };
    for (const char* variable : {"USER", "LOGNAME", "HOME"}) {
        if (const char* value = std::getenv(variable); value != nullptr)
            add(lastName(value));
    }
    std::array<char, HOST_NAME_MAX + 1> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0)
        add(host.data());
    return names;
}

std::string withoutPerson(std::string_view text, const std::vector<std::string>& names)
{
    std::string result;
    char before = ' ';
    while (!text.empty()) {
        const auto end = std::find_if(text.begin(), text.end(), isBetween);
        std::string_view part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(part.size());
        if (isPathHere(part, before))
            part = lastName(part);
        if (std::find(names.begin(), names.end(), part) != names.end())
            part = "...";
        result += part;
        if (text.empty())
            break;
        before = text.front();
        result += before;
        text.remove_prefix(1);
    }
    return result;
}

} // namespace outlay::core
