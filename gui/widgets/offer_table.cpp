// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/offer_table.h"

#include "gui/style/theme.h"
#include "gui/widgets/data_table.h"

#include <QHeaderView>

#include <algorithm>

namespace outlay::gui {

OfferModel::OfferModel(const DisplayLocale& locale, QObject* parent)
    : QAbstractTableModel(parent), m_locale(locale)
{
}

void OfferModel::setRows(OfferRows rows)
{
    std::vector<std::uint32_t> next = arranged(rows);
    // The same number of rows keeps its place in the view and what is selected.
    const bool isReset = next.size() != m_shown.size();
    if (isReset)
        beginResetModel();
    m_rows = std::move(rows);
    m_shown = std::move(next);
    if (isReset)
        endResetModel();
    else if (!m_shown.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void OfferModel::setFilter(const OfferFilter& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    arrange();
}

void OfferModel::arrange()
{
    beginResetModel();
    m_shown = arranged(m_rows);
    endResetModel();
}

std::vector<std::uint32_t> OfferModel::arranged(const OfferRows& rows) const
{
    std::vector<std::uint32_t> shown = rows.passing(m_filter);
    if (m_column < 0)
        return shown;
    const auto column = static_cast<OfferColumn>(m_column);
    std::stable_sort(shown.begin(), shown.end(), [&](std::uint32_t a, std::uint32_t b) {
        return m_order == Qt::AscendingOrder ? rows.isLess(a, b, column)
                                             : rows.isLess(b, a, column);
    });
    return shown;
}

void OfferModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    arrange();
}

int OfferModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int OfferModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : OfferColumns;
}

QVariant OfferModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::size_t row = m_shown.at(static_cast<std::size_t>(index.row()));
    const auto column = static_cast<OfferColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return m_rows.text(row, column, m_locale);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole: return fontOf(isNumber(column) ? TypeRole::Mono : TypeRole::Body);
    default: return {};
    }
}

QVariant OfferModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= OfferColumns)
        return {};
    const auto column = static_cast<OfferColumn>(section);
    if (role == Qt::DisplayRole)
        return titleOf(column);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

OfferTableView::OfferTableView(const QString& name, const DisplayLocale& locale, QWidget* parent)
    : QTableView(parent), m_model(new OfferModel(locale, this))
{
    setObjectName(name);
    setAccessibleName(QStringLiteral("All offers"));
    setModel(m_model);
    dressTable(this);
    setSelectionMode(SingleSelection);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    // Widths by a glance at a few rows: all of them would make words for thousands.
    constexpr int RowsLookedAt = 30;
    horizontalHeader()->setResizeContentsPrecision(RowsLookedAt);
    horizontalHeader()->setStretchLastSection(true);
    connect(m_model, &OfferModel::modelReset, this, &QTableView::resizeColumnsToContents);
    // Other figures in the same rows: once a drag pauses.
    m_pause.setSingleShot(true);
    m_pause.setInterval(PauseBeforeFit);
    connect(m_model, &OfferModel::dataChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(&m_pause, &QTimer::timeout, this, &QTableView::resizeColumnsToContents);
    connect(this, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT chosen(m_model->shown().at(static_cast<std::size_t>(index.row())));
    });
}

void OfferTableView::seek(std::size_t row)
{
    const auto& shown = m_model->shown();
    const auto found = std::find(shown.begin(), shown.end(), row);
    if (found == shown.end())
        return;
    const QModelIndex index = m_model->index(static_cast<int>(found - shown.begin()), 0);
    setCurrentIndex(index);
    scrollTo(index, PositionAtCenter);
}

} // namespace outlay::gui
