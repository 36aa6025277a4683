// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Published rows as lines of values, with their columns named in the first.
#pragma once

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdlib>

namespace outlay::tests {

class Table {
public:
    static core::Result<Table> read(const std::string& path)
    {
        const auto text = core::loadFile(path);
        if (!text)
            return tl::unexpected<core::Error>(text.error());
        Table table;
        for (const std::string& line : core::split(*text, '\n')) {
            if (line.starts_with('#'))
                continue;
            if (table.m_names.empty())
                table.m_names = core::split(line, ',');
            else if (!line.empty())
                table.m_rows.push_back(core::split(line, ','));
        }
        return table;
    }

    [[nodiscard]] std::size_t size() const { return m_rows.size(); }
    [[nodiscard]] const std::string& text(std::size_t row, std::string_view column) const
    {
        static const std::string Nothing;
        const auto found = std::find(m_names.begin(), m_names.end(), column);
        const auto index = static_cast<std::size_t>(found - m_names.begin());
        return index < m_rows[row].size() ? m_rows[row][index] : Nothing;
    }
    [[nodiscard]] double number(std::size_t row, std::string_view column) const
    {
        return std::strtod(text(row, column).c_str(), nullptr);
    }

private:
    std::vector<std::string> m_names;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace outlay::tests
