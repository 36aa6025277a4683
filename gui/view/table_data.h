// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A table as text, with what its rows are sorted by.
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace outlay::gui {

struct TableColumn {
    QString title;
    bool isNumber = false; // right-aligned, in the mono font

    bool operator==(const TableColumn&) const = default;
};

struct TableCell {
    QString text;
    std::optional<double> order; // sorted by it; without it by the text
    QString hint;
    QString typed; // what is edited where the text is made for reading; empty: the text

    bool operator==(const TableCell&) const = default;
};

struct TableData {
    std::vector<TableColumn> columns;
    std::vector<std::vector<TableCell>> rows; // each as long as `columns`
    std::optional<std::size_t> editable;      // the column that may be changed

    bool operator==(const TableData&) const = default;
};

/// For a spreadsheet.
[[nodiscard]] QString tabSeparated(const TableData& table);

} // namespace outlay::gui
