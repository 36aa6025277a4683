// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace outlay::core {

/// Puts the pieces of a text together to lines. Of one that is too long nothing comes.
class Lines {
public:
    /// `ends`: what a line may end with.
    Lines(std::string_view ends, std::size_t longest) : m_ends(ends), m_longest(longest) {}

    /// Hands each line that has ended to `take`.
    template <typename F>
    void feed(std::string_view bytes, const F& take)
    {
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t end = std::min(bytes.find_first_of(m_ends, at), bytes.size());
            const std::size_t room = m_longest + 1 - m_line.size();
            m_line.append(bytes.substr(at, std::min(end - at, room)));
            if (end < bytes.size()) {
                if (m_line.size() <= m_longest)
                    take(std::string_view(m_line));
                m_line.clear();
            }
            at = end + 1;
        }
    }

    /// What has come of the next one.
    [[nodiscard]] std::string_view begun() const
    {
        return m_line.size() <= m_longest ? std::string_view(m_line) : std::string_view();
    }

private:
    std::string_view m_ends;
    std::size_t m_longest;
    std::string m_line;
};

} // namespace outlay::core
