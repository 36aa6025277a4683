// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/environment_editor.h"

#include "gui/style/tokens.h"
#include "gui/widgets/environment_fields.h"
#include "gui/widgets/labels.h"

#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>

namespace outlay::gui {

EnvironmentEditor::EnvironmentEditor(QWidget* parent)
    : QWidget(parent), m_machines(new QStringListModel(this)),
      m_empty(makeQuietLabel(QStringLiteral("None yet: machines that are paid for beside training "
                                            "and serving, reserved ones too"),
                             TypeRole::Body, this, Wrap::Yes)),
      m_rows(new QVBoxLayout)
{
    auto* add = new QPushButton(QStringLiteral("Add an environment"), this);
    add->setObjectName(QStringLiteral("environmentAdd"));
    connect(add, &QPushButton::clicked, this, &EnvironmentEditor::added);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Small);
    layout->addWidget(makeLabel(QStringLiteral("Environments"), TypeRole::StrongBody, this));
    layout->addWidget(m_empty);
    layout->addLayout(m_rows);
    layout->addWidget(add, 0, Qt::AlignLeft);
}

void EnvironmentEditor::setMachines(const std::vector<QString>& machines)
{
    m_machines->setStringList(QStringList(machines.begin(), machines.end()));
}

void EnvironmentEditor::show(const std::vector<EnvironmentView>& environments)
{
    m_shown = environments;
    while (m_fields.size() < environments.size()) {
        const std::size_t row = m_fields.size();
        m_fields.push_back(new EnvironmentFields(row, m_machines, this));
        m_rows->addWidget(m_fields.back());
        connect(m_fields.back(), &EnvironmentFields::edited, this,
                [this, row](const EnvironmentView& now) { Q_EMIT edited(row, now); });
        connect(m_fields.back(), &EnvironmentFields::removed, this,
                [this, row] { Q_EMIT removed(row); });
    }
    m_empty->setVisible(environments.empty());
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        m_fields[i]->setVisible(i < environments.size());
        if (i < environments.size())
            m_fields[i]->show(environments[i]);
    }
}

} // namespace outlay::gui
