// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of comma-separated values (RFC 4180), as spreadsheets and other programs read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outlay::pricing {

/// Enough digits to get the same number back; "" where there is none.
[[nodiscard]] std::string csvNumber(const std::optional<double>& number);

class CsvTable {
public:
    explicit CsvTable(std::vector<std::string_view> columns);

    /// Starts a row in which every column is empty.
    void addRow();
    /// The column must be one of the table's. Before what a spreadsheet would take for a formula goes an apostrophe.
    void set(std::string_view column, std::string_view value);
    void set(std::string_view column, const std::optional<double>& number);

    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string_view> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace outlay::pricing
