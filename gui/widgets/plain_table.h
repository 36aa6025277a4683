// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A table for pictures: nothing to scroll or to click, as many rows as there is room for, and the
// number of those that are left out.
#pragma once

#include "gui/view/table_data.h"

#include <QFrame>

namespace outlay::gui {

class PlainTable final : public QWidget {
    Q_OBJECT
public:
    explicit PlainTable(QWidget* parent);

    void show(const TableData& table);
    /// How many rows fit into a height, a line for those left out among them where need be.
    [[nodiscard]] std::size_t rowsIn(int height) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] std::vector<int> columnWidths() const;

    TableData m_table;
};

} // namespace outlay::gui
