// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/plain_table.h"

#include "gui/style/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace outlay::gui {
namespace {

constexpr int RowHeight = size::Wide;
constexpr int LeastRows = 4;

QFont fontOfColumn(const TableColumn& column)
{
    return fontOf(column.isNumber ? TypeRole::Mono : TypeRole::Secondary);
}

} // namespace

PlainTable::PlainTable(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

void PlainTable::show(const TableData& table)
{
    m_table = table;
    updateGeometry();
    update();
}

std::size_t PlainTable::rowsIn(int height) const
{
    const auto lines = static_cast<std::size_t>(std::max(0, height / RowHeight - 1));
    if (lines >= m_table.rows.size())
        return m_table.rows.size();
    return lines == 0 ? 0 : lines - 1;
}

QSize PlainTable::sizeHint() const
{
    return {0, RowHeight * (static_cast<int>(m_table.rows.size()) + 1)};
}

QSize PlainTable::minimumSizeHint() const
{
    const int rows = std::min(LeastRows, static_cast<int>(m_table.rows.size()));
    return {0, RowHeight * (rows + 2)};
}

/// As wide as their text; what is left or missing is shared.
std::vector<int> PlainTable::columnWidths() const
{
    std::vector<int> widths;
    int all = 0;
    for (std::size_t column = 0; column < m_table.columns.size(); ++column) {
        const QFontMetrics metrics(fontOfColumn(m_table.columns[column]));
        int widest = QFontMetrics(fontOf(TypeRole::StrongBody))
                         .horizontalAdvance(m_table.columns[column].title);
        for (const std::vector<TableCell>& row : m_table.rows)
            widest = std::max(widest, metrics.horizontalAdvance(row[column].text));
        widths.push_back(widest + size::Large);
        all += widths.back();
    }
    for (int& width : widths)
        width = all > 0 ? width * this->width() / all : 0;
    return widths;
}

void PlainTable::paintEvent(QPaintEvent*)
{
    const Tokens& tokens = tokensOf(palette());
    QPainter painter(this);
    const std::vector<int> widths = columnWidths();
    const std::size_t rows = rowsIn(height());
    int top = 0;
    const auto line = [&](auto&& textOf, const auto& fontOfCell) {
        int left = 0;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const QRect cell(left, top, widths[column] - size::Large, RowHeight);
            const Qt::Alignment side =
                m_table.columns[column].isNumber ? Qt::AlignRight : Qt::AlignLeft;
            painter.setFont(fontOfCell(column));
            painter.drawText(
                cell, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                painter.fontMetrics().elidedText(textOf(column), Qt::ElideRight, cell.width()));
            left += widths[column];
        }
        top += RowHeight;
    };
    painter.setPen(tokens.secondary);
    line([&](std::size_t column) { return m_table.columns[column].title; },
         [](std::size_t) { return fontOf(TypeRole::StrongBody); });
    for (std::size_t row = 0; row < rows; ++row) {
        painter.setPen(tokens.grid);
        painter.drawLine(0, top, width(), top);
        painter.setPen(tokens.text);
        line([&](std::size_t column) { return m_table.rows[row][column].text; },
             [&](std::size_t column) { return fontOfColumn(m_table.columns[column]); });
    }
    if (rows == m_table.rows.size())
        return;
    painter.setPen(tokens.secondary);
    painter.setFont(fontOf(TypeRole::Secondary));
    painter.drawText(QRect(0, top, width(), RowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("and %1 more").arg(m_table.rows.size() - rows));
}

} // namespace outlay::gui
