// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/data_table.h"

#include "gui/style/icons.h"
#include "gui/style/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QResizeEvent>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace outlay::gui {
namespace {

/// Which takes what is left; none where all words are short: a figure stands beside its name then.
int wordiestColumn(const TableData& table, std::size_t rowsLookedAt)
{
    constexpr qsizetype Short = 40;
    std::size_t wordiest = 0;
    qsizetype longest = 0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        for (std::size_t row = 0; row < std::min(rowsLookedAt, table.rows.size()); ++row) {
            const qsizetype length = table.rows[row][column].text.size();
            if (table.columns[column].isNumber || length <= longest)
                continue;
            longest = length;
            wordiest = column;
        }
    }
    return longest <= Short ? -1 : static_cast<int>(wordiest);
}

} // namespace

void TableModel::setTable(const TableData& table)
{
    if (table == m_table)
        return;
    const bool isSameShape =
        table.columns == m_table.columns && table.rows.size() == m_table.rows.size();
    if (!isSameShape) {
        beginResetModel();
        m_table = table;
        endResetModel();
        return;
    }
    m_table = table;
    if (!table.rows.empty() && !table.columns.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

const TableCell& TableModel::cellAt(const QModelIndex& index) const
{
    return m_table.rows.at(static_cast<std::size_t>(index.row()))
        .at(static_cast<std::size_t>(index.column()));
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TableCell& cell = cellAt(index);
    const bool isNumber = m_table.columns.at(static_cast<std::size_t>(index.column())).isNumber;
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::EditRole: return cell.typed.isEmpty() ? cell.text : cell.typed;
    case Qt::DecorationRole:
        return isEditable(index)
                   ? iconOf(QStringLiteral("edit"), tokensOf(QGuiApplication::palette()).secondary)
                   : QVariant();
    case Qt::ToolTipRole: return cell.hint.isEmpty() ? cell.text : cell.hint;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole: return isNumber ? fontOf(TypeRole::Mono) : fontOf(TypeRole::Body);
    case OrderRole: return cell.order ? QVariant(*cell.order) : QVariant(cell.text);
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn& column = m_table.columns.at(static_cast<std::size_t>(section));
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

bool TableModel::isEditable(const QModelIndex& index) const
{
    return index.isValid() && m_table.editable &&
           static_cast<std::size_t>(index.column()) == *m_table.editable;
}

Qt::ItemFlags TableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (isEditable(index))
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool TableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable) ||
        value.toString() == data(index, Qt::EditRole).toString())
        return false;
    // The value itself comes back with the next table, if it is accepted.
    Q_EMIT edited(index.row(), value.toString());
    return false;
}

void dressTable(QTableView* table)
{
    table->setSelectionBehavior(QTableView::SelectRows);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setFrameShape(QTableView::NoFrame);
    table->setTabKeyNavigation(false); // no trap for the focus
    table->setWordWrap(false);
    table->setHorizontalScrollMode(QTableView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(size::Control);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setFont(fontOf(TypeRole::StrongBody));
}

DataTable::DataTable(const QString& name, const QString& spoken, QWidget* parent)
    : QTableView(parent), m_model(new TableModel(this)), m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(name);
    setAccessibleName(spoken);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(TableModel::OrderRole);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_sorted);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder); // as given, until a header is clicked
    dressTable(this);
    m_pause.setSingleShot(true);
    m_pause.setInterval(PauseBeforeFit);
    connect(&m_pause, &QTimer::timeout, this, &DataTable::fitColumns);
    connect(m_sorted, &QAbstractItemModel::layoutChanged, this, &DataTable::fitWords);
    connect(m_model, &TableModel::edited, this, &DataTable::edited);
}

void DataTable::show(const TableData& table)
{
    if (table == m_model->table())
        return;
    const bool hasNewColumns = table.columns != m_model->table().columns;
    m_model->setTable(table);
    if (hasNewColumns)
        fitColumns();
    else
        m_pause.start(); // each cell is measured: too much for each step of a drag
}

/// The column with the longest words takes what is left; the others are as wide as their widest cell.
void DataTable::fitColumns()
{
    m_pause.stop();
    constexpr int RowsLookedAt = 50;
    QHeaderView* header = horizontalHeader();
    header->setResizeContentsPrecision(RowsLookedAt);
    for (int column = 0; column < m_model->columnCount(); ++column)
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_wordiest = wordiestColumn(m_model->table(), RowsLookedAt);
    if (m_wordiest >= 0)
        header->setSectionResizeMode(m_wordiest, QHeaderView::Stretch);
    fitWords();
}

/// What is longer than its column goes on in the next line, where there aren't too many rows to measure.
void DataTable::fitWords()
{
    constexpr int Most = 100;
    const int rows = m_sorted->rowCount();
    const bool wraps = m_wordiest >= 0 && rows <= Most;
    setWordWrap(wraps);
    for (int row = 0; row < std::min(rows, Most); ++row) {
        const int height =
            wraps ? std::max(size::Control, sizeHintForRow(row) + size::Small) : size::Control;
        if (rowHeight(row) != height)
            setRowHeight(row, height);
    }
    fitHeight();
}

void DataTable::fitRows(bool isExact)
{
    m_isWhole = true;
    m_isExact = isExact;
    fitHeight();
}

void DataTable::fitHeight()
{
    if (!m_isWhole)
        return;
    const int height = size::Control + verticalHeader()->length() + size::Small;
    setMinimumHeight(height);
    if (m_isExact)
        setMaximumHeight(height);
}

void DataTable::setFilter(const QString& text)
{
    m_sorted->setFilterFixedString(text);
}

void DataTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        m_pause.start();
}

void DataTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        return copyRows();
    QTableView::keyPressEvent(event);
}

void DataTable::copyRows()
{
    const TableData& all = m_model->table();
    TableData chosen{all.columns, {}, std::nullopt};
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : rows)
        chosen.rows.push_back(
            all.rows.at(static_cast<std::size_t>(m_sorted->mapToSource(row).row())));
    QGuiApplication::clipboard()->setText(tabSeparated(chosen.rows.empty() ? all : chosen));
}

} // namespace outlay::gui
