// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutants/picks.h"

#include "tests/mutants/code.h"
#include "tests/mutants/process.h"

#include <algorithm>

namespace outlay::mutants {
namespace {

constexpr std::array<std::string_view, 3> Parts{"core/", "pricing/", "gui/view/"};
/// What trains and measures is tested with LibTorch, which the copy is built without.
constexpr std::array<std::string_view, 3> LeftOut{"core/probe/worker/", "core/probe/engine/",
                                                  "core/probe/host/"};

/// std::uniform_int_distribution differs between libraries.
std::size_t below(std::size_t count, std::mt19937& random)
{
    return static_cast<std::size_t>((std::uint64_t{random()} * count) >> 32U);
}

std::vector<std::string> filesIn(const std::filesystem::path& root, std::string_view part,
                                 std::string_view ending)
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / part)) {
        const std::string name = entry.path().lexically_relative(root).generic_string();
        const bool isLeftOut = std::any_of(LeftOut.begin(), LeftOut.end(),
                                           [&](auto folder) { return name.starts_with(folder); });
        if (name.ends_with(ending) && !isLeftOut)
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

Picker::Picker(const std::filesystem::path& root, std::uint32_t seed)
    : m_groups(Parts.size() * Kinds.size())
{
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        m_groups[i].random.seed(seed * static_cast<std::uint32_t>(m_groups.size()) +
                                static_cast<std::uint32_t>(i));
    DeclaredTypes headers;
    for (const std::string_view part : Parts) {
        for (const std::string& name : filesIn(root, part, ".h"))
            headers.add(codeOf(textOf(root / name)));
    }
    for (std::size_t part = 0; part < Parts.size(); ++part)
        add(root, part, headers);
}

void Picker::add(const std::filesystem::path& root, std::size_t part, const DeclaredTypes& headers)
{
    for (const std::string& name : filesIn(root, Parts.at(part), ".cpp")) {
        const std::vector<Change> all = changesIn(textOf(root / name), headers);
        for (std::size_t i = 0; i < Kinds.size(); ++i) {
            File file{name, {}};
            std::copy_if(all.begin(), all.end(), std::back_inserter(file.changes),
                         [&](const Change& change) { return change.kind == Kinds.at(i); });
            if (!file.changes.empty())
                m_groups[part * Kinds.size() + i].files.push_back(std::move(file));
        }
    }
}

std::optional<Pick> Picker::next(std::size_t number)
{
    // Three parts and four kinds: counting both on meets each pair once in twelve.
    Group& group = m_groups[number % Parts.size() * Kinds.size() + number % Kinds.size()];
    if (group.files.empty())
        return std::nullopt;
    const std::size_t file = below(group.files.size(), group.random);
    std::vector<Change>& changes = group.files[file].changes;
    const std::size_t change = below(changes.size(), group.random);
    Pick pick{group.files[file].name, changes[change]};
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(change));
    if (changes.empty())
        group.files.erase(group.files.begin() + static_cast<std::ptrdiff_t>(file));
    return pick;
}

} // namespace outlay::mutants
