// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/csv.h"

#include <algorithm>
#include <cctype>

namespace outlay::pricing {
namespace {

/// Length of the first record, with its line end; npos if it isn't whole in `text`.
std::size_t recordLength(std::string_view text)
{
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            isQuoted = !isQuoted;
        else if (text[i] == '\n' && !isQuoted)
            return i + 1;
    }
    return std::string_view::npos;
}

std::string_view withoutLineEnd(std::string_view record)
{
    while (!record.empty() && (record.back() == '\n' || record.back() == '\r'))
        record.remove_suffix(1);
    return record;
}

/// A mark within a field that isn't quoted is no quote.
bool hasOpenQuote(std::string_view record)
{
    const bool hasQuoted = record.starts_with('"') || record.find(",\"") != std::string_view::npos;
    return hasQuoted && std::count(record.begin(), record.end(), '"') % 2 != 0;
}

} // namespace

CsvReader::CsvReader(core::ByteWindow& window) : m_window(window)
{
    m_window.skipByteOrderMark();
}

bool CsvReader::next()
{
    std::string_view record;
    std::size_t length = 0;
    bool hasEnd = true;
    do {
        m_window.take(length);
        length = recordLength(m_window.rest());
        while (length == std::string_view::npos && m_window.readMore())
            length = recordLength(m_window.rest());
        hasEnd = length != std::string_view::npos;
        if (!hasEnd)
            length = m_window.rest().size();
        if (length == 0)
            return false;
        record = m_window.rest().substr(0, length);
        m_line = m_nextLine;
        m_nextLine += static_cast<std::size_t>(std::count(record.begin(), record.end(), '\n'));
        record = withoutLineEnd(record);
    } while (record.empty());
    split(record);
    m_isCutOff = !hasEnd && (hasOpenQuote(record) || m_fields.size() < m_columns.size());
    if (m_isCutOff)
        return false;
    // Taken only: the bytes stay where they are until the window reads on.
    m_window.take(length);
    return true;
}

core::Result<void> CsvReader::outcome() const
{
    if (!m_isCutOff)
        return {};
    return core::inputError("line " + std::to_string(m_line) + ", its last, is cut off",
                            "get the file again");
}

void CsvReader::split(std::string_view record)
{
    m_fields.clear();
    m_unescaped.clear();
    while (true) {
        if (record.starts_with('"')) {
            m_fields.push_back(quoted(record));
        } else {
            const std::size_t end = std::min(record.find(','), record.size());
            m_fields.push_back(record.substr(0, end));
            record.remove_prefix(end);
        }
        if (record.empty())
            return;
        record.remove_prefix(1); // the comma
    }
}

std::string_view CsvReader::quoted(std::string_view& rest)
{
    std::size_t end = 1;
    bool hasEscapes = false;
    while (end < rest.size() && (rest[end] != '"' || rest.substr(end, 2) == "\"\"")) {
        const bool isEscape = rest[end] == '"';
        hasEscapes = hasEscapes || isEscape;
        end += isEscape ? 2 : 1;
    }
    end = std::min(end, rest.size());
    const std::string_view raw = rest.substr(1, end - 1);
    rest.remove_prefix(std::min(rest.find(',', end), rest.size()));
    if (!hasEscapes)
        return raw;
    std::string& plain = m_unescaped.emplace_back();
    for (std::size_t i = 0; i < raw.size(); ++i) {
        plain += raw[i];
        if (raw[i] == '"')
            ++i;
    }
    return plain;
}

void CsvReader::useAsHeader()
{
    m_columns.clear();
    for (const std::string_view name : m_fields)
        m_columns.push_back(columnKey(name));
}

core::Result<void> CsvReader::readHeader()
{
    if (const bool hasHeader = next(); m_isCutOff)
        return outcome();
    else if (!hasHeader)
        return core::inputError("the file is empty", "check that it was copied whole");
    useAsHeader();
    return {};
}

std::size_t CsvReader::column(std::string_view name) const
{
    const auto place = std::find(m_columns.begin(), m_columns.end(), columnKey(name));
    return place == m_columns.end() ? NoColumn
                                    : static_cast<std::size_t>(place - m_columns.begin());
}

std::string_view CsvReader::at(std::size_t column) const
{
    return column < m_fields.size() ? m_fields[column] : std::string_view{};
}

std::string_view CsvReader::field(std::string_view name) const
{
    return at(column(name));
}

bool CsvReader::hasColumn(std::string_view name) const
{
    return column(name) != NoColumn;
}

std::string columnKey(std::string_view name)
{
    std::string key;
    for (const char c : name) {
        if (c != ' ' && c != '_' && c != '"')
            key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return key;
}

} // namespace outlay::pricing
