// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A table under its title, as high as its rows; in their place the reason where there are none.
#pragma once

#include "gui/view/table_data.h"

#include <QWidget>

class QLabel;

namespace outlay::gui {

class DataTable;

class TitledTable final : public QWidget {
    Q_OBJECT
public:
    TitledTable(const QString& name, const QString& title, QWidget* parent);

    void show(const TableData& table, const QString& empty);

Q_SIGNALS:
    void edited(int row, const QString& text);

private:
    DataTable* m_table;
    QLabel* m_empty;
};

} // namespace outlay::gui
