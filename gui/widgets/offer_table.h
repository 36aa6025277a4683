// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// All offers in a table: thousands of rows, whose words are made when they are seen.
#pragma once

#include "gui/view/display_locale.h"
#include "gui/view/offers_view.h"

#include <QAbstractTableModel>
#include <QTableView>
#include <QTimer>

namespace outlay::gui {

class OfferModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    OfferModel(const DisplayLocale& locale, QObject* parent);

    void setRows(OfferRows rows);
    void setFilter(const OfferFilter& filter);
    [[nodiscard]] const OfferRows& rows() const { return m_rows; }
    /// Indices into rows(), as they are filtered, and sorted by the chosen column.
    [[nodiscard]] const std::vector<std::uint32_t>& shown() const { return m_shown; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    [[nodiscard]] std::vector<std::uint32_t> arranged(const OfferRows& rows) const;

    DisplayLocale m_locale;
    OfferRows m_rows;
    OfferFilter m_filter;
    std::vector<std::uint32_t> m_shown;
    int m_column = -1; // none: as ranked
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

class OfferTableView final : public QTableView {
    Q_OBJECT
public:
    OfferTableView(const QString& name, const DisplayLocale& locale, QWidget* parent);

    [[nodiscard]] OfferModel* offers() const { return m_model; }
    /// Selects a row of the model's rows() and scrolls to it, if it is shown.
    void seek(std::size_t row);

Q_SIGNALS:
    void chosen(std::size_t row); // of rows(): by Enter or a double click

private:
    OfferModel* m_model;
    QTimer m_pause; // after a change, before the columns are fitted to it
};

} // namespace outlay::gui
