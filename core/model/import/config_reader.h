// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Reads values of a config under any of their names, and remembers which keys were looked at.
#pragma once

#include "core/base/json.h"
#include "core/model/limits.h"

#include <initializer_list>
#include <set>

namespace outlay::core {

class ConfigReader {
public:
    using Names = std::initializer_list<std::string_view>;

    explicit ConfigReader(const Json& json, std::string pointer = {})
        : m_json(json), m_pointer(std::move(pointer))
    {
    }

    /// The first of `names` that has a value; null counts as absent.
    [[nodiscard]] const Json* find(Names names);
    /// Whether the key is there, even as null.
    [[nodiscard]] bool names(std::string_view key);

    [[nodiscard]] std::optional<std::int64_t> size(Names names, Limits limits);
    [[nodiscard]] std::int64_t size(Names names, Limits limits, std::int64_t usual);
    [[nodiscard]] bool flag(Names names, bool usual);
    [[nodiscard]] std::string text(Names names, std::string usual = {});
    /// A share of dropout.
    [[nodiscard]] double share(Names names, double usual);

    /// Something that the person should know, as a sentence.
    void note(std::string sentence) { m_notes.push_back(std::move(sentence)); }
    [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }

    void fail(std::string_view key, std::string what, std::string remedy);
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

    /// Keys of the object that nobody asked for.
    [[nodiscard]] std::vector<std::string> ignored() const;

private:
    const Json& m_json;
    std::string m_pointer;
    std::set<std::string, std::less<>> m_asked;
    std::string_view m_found; // the name under which the last value was found
    std::vector<std::string> m_notes;
    std::optional<Error> m_error;
};

} // namespace outlay::core
