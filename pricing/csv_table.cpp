// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/csv_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace outlay::pricing {
namespace {

void append(std::string& out, std::string_view field)
{
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

bool isNumber(std::string_view text)
{
    double value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

/// What a spreadsheet would compute instead of showing it.
bool isFormula(std::string_view text)
{
    constexpr std::string_view Begins = "=+-@\t\r";
    return text.size() > 1 && Begins.find(text.front()) != std::string_view::npos &&
           !isNumber(text);
}

template <typename Fields>
void appendLine(std::string& out, const Fields& fields)
{
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0)
            out += ',';
        append(out, fields[i]);
    }
    out += '\n';
}

} // namespace

std::string csvNumber(const std::optional<double>& number)
{
    if (!number || !std::isfinite(*number))
        return {};
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *number);
    return {buffer.data(), end.ptr};
}

CsvTable::CsvTable(std::vector<std::string_view> columns) : m_columns(std::move(columns)) {}

void CsvTable::addRow()
{
    m_rows.emplace_back(m_columns.size());
}

void CsvTable::set(std::string_view column, std::string_view value)
{
    const auto found = std::find(m_columns.begin(), m_columns.end(), column);
    assert(found != m_columns.end());
    std::string& cell = m_rows.back().at(static_cast<std::size_t>(found - m_columns.begin()));
    cell = isFormula(value) ? "'" : "";
    cell += value;
}

void CsvTable::set(std::string_view column, const std::optional<double>& number)
{
    set(column, std::string_view(csvNumber(number)));
}

std::string CsvTable::text() const
{
    std::string out;
    appendLine(out, m_columns);
    for (const std::vector<std::string>& row : m_rows)
        appendLine(out, row);
    return out;
}

} // namespace outlay::pricing
