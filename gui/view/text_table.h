// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of text that line up in a terminal.
#pragma once

#include <QStringList>

#include <vector>

namespace outlay::gui {

enum class Align { Left, Right };

/// Columns padded to their widest cell.
class TextTable {
public:
    explicit TextTable(std::vector<Align> columns) : m_columns(std::move(columns)) {}

    /// As many cells as there are columns.
    void add(QStringList cells) { m_rows.push_back(std::move(cells)); }

    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    /// Two spaces before each column, none at the end of a line.
    [[nodiscard]] QString text() const;

private:
    [[nodiscard]] qsizetype widthOf(qsizetype column) const;

    std::vector<Align> m_columns;
    std::vector<QStringList> m_rows;
};

} // namespace outlay::gui
