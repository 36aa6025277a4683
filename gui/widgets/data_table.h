// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A sortable table of what a view says; Ctrl+C copies the chosen rows for a spreadsheet.
#pragma once

#include "gui/view/table_data.h"

#include <QAbstractTableModel>
#include <QTableView>
#include <QTimer>

#include <chrono>

class QSortFilterProxyModel;

namespace outlay::gui {

class TableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int OrderRole = Qt::UserRole; // what rows are sorted by

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(const TableData& table);
    [[nodiscard]] const TableData& table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(int row, const QString& text);

private:
    [[nodiscard]] bool isEditable(const QModelIndex& index) const;
    [[nodiscard]] const TableCell& cellAt(const QModelIndex& index) const;

    TableData m_table;
};

/// How every table of the window looks and moves.
void dressTable(QTableView* table);

/// From the last change of a table to where its columns fit it: each cell is measured for that.
inline constexpr std::chrono::milliseconds PauseBeforeFit{150};

class DataTable final : public QTableView {
    Q_OBJECT
public:
    DataTable(const QString& name, const QString& spoken, QWidget* parent);

    void show(const TableData& table);
    /// As high as all of its rows, for pages that scroll; no higher where it is said so.
    void fitRows(bool isExact = false);
    void setFilter(const QString& text);

Q_SIGNALS:
    void edited(int row, const QString& text); // a row of the table as it was given

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void copyRows();
    void fitColumns();
    void fitWords();
    void fitHeight();

    TableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTimer m_pause;      // after a change or a resize, before the columns are fitted to it
    int m_wordiest = -1; // column; none where all words are short
    bool m_isWhole = false;
    bool m_isExact = false;
};

} // namespace outlay::gui
