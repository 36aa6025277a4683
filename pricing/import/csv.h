// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values, a record at a time: quoted fields, also with line breaks in them, byte-order
// marks and both kinds of line ends.
#pragma once

#include "core/base/byte_window.h"
#include "core/base/result.h"

#include <deque>
#include <string_view>
#include <vector>

namespace outlay::pricing {

class CsvReader {
public:
    explicit CsvReader(core::ByteWindow& window);

    /// Goes to the next record that is not empty; false at the end, and before a last one that is cut off: it has no line
    /// end, and an open quote or fewer fields than the columns that were named.
    [[nodiscard]] bool next();
    /// An error where it ended so.
    [[nodiscard]] core::Result<void> outcome() const;
    /// The record's fields, which hold until the next call of `next()`.
    [[nodiscard]] const std::vector<std::string_view>& fields() const { return m_fields; }
    /// Where the record begins, from 1.
    [[nodiscard]] std::size_t line() const { return m_line; }

    /// Takes the record for the names of the columns.
    void useAsHeader();
    /// Takes the first record for them; an error where there is none.
    [[nodiscard]] core::Result<void> readHeader();
    /// Of a column by its name, whatever its case and spaces; empty where there is none.
    [[nodiscard]] std::string_view field(std::string_view column) const;
    [[nodiscard]] bool hasColumn(std::string_view column) const;

    static constexpr std::size_t NoColumn = SIZE_MAX;
    /// For columns that are asked for in every record.
    [[nodiscard]] std::size_t column(std::string_view name) const;
    [[nodiscard]] std::string_view at(std::size_t column) const;

private:
    void split(std::string_view record);
    std::string_view quoted(std::string_view& rest);

    core::ByteWindow& m_window;
    std::vector<std::string_view> m_fields;
    std::vector<std::string> m_columns;
    std::deque<std::string> m_unescaped; // a deque, so that views into it stay valid
    std::size_t m_line = 0;
    std::size_t m_nextLine = 1;
    bool m_isCutOff = false;
};

/// "Pre Installed S/W" -> "preinstalleds/w": how column names are compared.
[[nodiscard]] std::string columnKey(std::string_view name);

} // namespace outlay::pricing
