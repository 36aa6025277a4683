// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Note: words that many figures share. A copy points to the same text.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace outlay::core {

class Note {
public:
    Note() = default;
    Note(std::string text)
        : m_text(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text)))
    {
    }
    Note(const char* text) : Note(std::string(text)) {}

    [[nodiscard]] bool empty() const { return m_text == nullptr; }
    [[nodiscard]] const std::string& text() const
    {
        static const std::string Nothing;
        return m_text ? *m_text : Nothing;
    }

    bool operator==(const Note& other) const { return text() == other.text(); }

private:
    std::shared_ptr<const std::string> m_text; // null for an empty one
};

} // namespace outlay::core
