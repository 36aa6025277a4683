// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/person.h"

#include <algorithm>
#include <array>
#include <cctype>
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

bool isOneOf(char c, std::string_view of)
{
    return of.find(c) != std::string_view::npos;
}

bool isPath(std::string_view part)
{
    return part.starts_with('/') || part.starts_with("~") || part.starts_with("./") ||
           part.starts_with("../");
}

/// What paths and names don't hold.
constexpr std::string_view Between = " =:,;@\"'()[]{}<>|\n\t";
/// And what may stand before a path, though one may hold it.
constexpr std::string_view BeforePaths = "+%#&!^`\\";

bool isBetween(char c)
{
    return isOneOf(c, Between);
}

bool isLetterOrDigit(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char FirstOfOthers = 0x80;
    return byte >= FirstOfOthers || std::isalnum(byte) != 0;
}

std::size_t endOf(std::string_view text, std::string_view ending, std::size_t from = 0)
{
    return std::min(text.find_first_of(ending, from), text.size());
}

/// Whether the word after a space belongs to a folder's name: it, or one soon after it, leads further down. A
/// program's arguments do, too; those of "bin" are known.
bool goesOnAt(std::string_view text, std::size_t space)
{
    const std::string_view before = text.substr(0, space);
    if (before.find("/bin/") != std::string_view::npos || isOneOf('.', lastName(before)))
        return false;
    while (space < text.size() && text[space] == ' ') {
        const std::size_t end = endOf(text, Between, space + 1);
        const std::string_view word = text.substr(space + 1, end - space - 1);
        if (word.empty() || isPath(word) || word.starts_with('-') ||
            word.find_first_of(BeforePaths) != std::string_view::npos)
            return false;
        if (isOneOf('/', word))
            return true;
        space = end;
    }
    return false;
}

std::size_t pathEnd(std::string_view text)
{
    std::size_t end = endOf(text, Between);
    while (end < text.size() && text[end] == ' ' && goesOnAt(text, end))
        end = endOf(text, Between, end + 1);
    return end;
}

/// Of "//host/path", with a user and a port.
std::size_t addressEnd(std::string_view text)
{
    constexpr std::size_t Slashes = 2;
    std::size_t host = Slashes;
    while (host < text.size() && text[host] != '/' &&
           (!isBetween(text[host]) || isOneOf(text[host], ":@")))
        ++host;
    return endOf(text, Between, host);
}

/// Of what the web keeps the address says all; of a machine's files, as little as a path.
std::string_view shortenedAddress(std::string_view address, std::string_view kind)
{
    constexpr std::array<std::string_view, 5> Public{"http", "https", "s3", "gs", "hf"};
    const bool hasPath = address.find('/', 2) != std::string_view::npos;
    const bool isPublic = std::find(Public.begin(), Public.end(), kind) != Public.end();
    return hasPath && !isPublic ? lastName(address) : address;
}

/// Takes the next part from the text, and shortens it if it is a path.
std::string nextPart(std::string_view& text, std::string_view last, char before)
{
    const auto take = [&](std::size_t count) {
        const std::string_view part = text.substr(0, count);
        text.remove_prefix(part.size());
        return part;
    };
    if (before == ':' && text.starts_with("//"))
        return std::string(shortenedAddress(take(addressEnd(text)), last));
    constexpr std::size_t Option = 2; // as in -I/usr
    const bool isOption = text.size() > Option && text[0] == '-' && isLetterOrDigit(text[1]) &&
                          isPath(text.substr(Option));
    const std::string option(take(isOption ? Option : 0));
    if (isPath(text))
        return option + std::string(lastName(take(pathEnd(text))));
    const std::size_t end = std::min(endOf(text, Between), endOf(text, BeforePaths));
    return std::string(take(end));
}

std::string withoutPaths(std::string_view text)
{
    std::string result;
    std::string last;
    char before = ' ';
    while (!text.empty()) {
        last = nextPart(text, last, before);
        result += last;
        if (text.empty())
            break;
        before = text.front();
        result += before;
        text.remove_prefix(1);
    }
    return result;
}

/// How long the longest of the names is that stands here as a word.
std::size_t nameAt(std::string_view text, std::size_t at, const std::vector<std::string>& names)
{
    std::size_t longest = 0;
    if (at > 0 && isLetterOrDigit(text[at - 1]))
        return longest;
    for (const std::string& name : names) {
        const std::size_t end = at + name.size();
        if (text.substr(at).starts_with(name) &&
            (end == text.size() || !isLetterOrDigit(text[end])))
            longest = std::max(longest, name.size());
    }
    return longest;
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
    if (::gethostname(host.data(), host.size() - 1) == 0) {
        const std::string_view whole = host.data();
        add(whole);
        add(whole.substr(0, whole.find('.')));
    }
    return names;
}

std::string withoutPerson(std::string_view text, const std::vector<std::string>& names)
{
    const std::string open = withoutPaths(text);
    std::string result;
    for (std::size_t at = 0; at < open.size();) {
        const std::size_t length = nameAt(open, at, names);
        result += length > 0 ? "..." : std::string(1, open[at]);
        at += std::max<std::size_t>(length, 1);
    }
    return result;
}

} // namespace outlay::core
