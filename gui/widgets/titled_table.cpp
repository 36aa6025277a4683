// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/titled_table.h"

#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"

#include <QVBoxLayout>

namespace outlay::gui {

TitledTable::TitledTable(const QString& name, const QString& title, QWidget* parent)
    : QWidget(parent), m_table(new DataTable(name, title, this)),
      m_empty(makeQuietLabel(QString(), TypeRole::Body, this, Wrap::Yes))
{
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Tiny);
    layout->addWidget(makeLabel(title, TypeRole::StrongBody, this));
    layout->addWidget(m_table);
    layout->addWidget(m_empty);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_table, &DataTable::edited, this, &TitledTable::edited);
}

void TitledTable::show(const TableData& table, const QString& empty)
{
    m_table->show(table);
    m_table->fitRows(true);
    m_table->setVisible(!table.rows.empty());
    m_empty->setText(empty);
    m_empty->setVisible(table.rows.empty());
}

} // namespace outlay::gui
