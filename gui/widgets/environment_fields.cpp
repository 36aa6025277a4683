// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/environment_fields.h"

#include "gui/style/tokens.h"
#include "gui/view/field_presentation.h"
#include "gui/view/format.h"
#include "gui/widgets/labels.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>

#include <algorithm>

namespace outlay::gui {

EnvironmentFields::EnvironmentFields(std::size_t number, QStringListModel* machines,
                                     QWidget* parent)
    : QWidget(parent), m_number(number),
      m_name(makeField("environmentName", QStringLiteral("Name"), size::FieldWidth)),
      m_machine(makeField("environmentMachine", QStringLiteral("Machine"), size::FieldWidth)),
      m_purchase(new QComboBox(this)),
      m_count(makeField("environmentCount", QStringLiteral("Machines"), size::FieldWidth / 2)),
      m_hours(makeField("environmentHours", QStringLiteral("Hours a day"), size::FieldWidth / 2)),
      m_days(makeField("environmentDays", QStringLiteral("Days a month"), size::FieldWidth / 2)),
      m_cost(makeLabel(QString(), TypeRole::StrongBody, this, Wrap::Yes))
{
    m_cost->setObjectName(QStringLiteral("environmentCost%1").arg(m_number));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, size::Small);
    layout->setSpacing(size::Tiny);
    layout->addLayout(makeWhat(machines));
    layout->addLayout(makeHowMuch());
}

QHBoxLayout* EnvironmentFields::makeWhat(QStringListModel* machines)
{
    m_machine->setPlaceholderText(QStringLiteral("type a part of a machine's name"));
    auto* completer = new QCompleter(machines, m_machine);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_machine->setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
            &EnvironmentFields::commit, Qt::QueuedConnection);
    m_purchase->addItem(QStringLiteral("as planned"), QString());
    for (const std::string_view purchase : core::PurchaseNames)
        m_purchase->addItem(optionTitle(toQString(purchase)), toQString(purchase));
    name(m_purchase, "environmentPurchase", QStringLiteral("Way of buying"));
    connect(m_purchase, &QComboBox::activated, this, &EnvironmentFields::commit);
    auto* remove = new QPushButton(QStringLiteral("Remove"), this);
    name(remove, "environmentRemove", QStringLiteral("Removal"));
    connect(remove, &QPushButton::clicked, this, &EnvironmentFields::removed);
    auto* line = new QHBoxLayout;
    line->addWidget(m_name);
    line->addWidget(m_machine, 1);
    line->addWidget(m_purchase);
    line->addWidget(remove);
    return line;
}

QHBoxLayout* EnvironmentFields::makeHowMuch()
{
    auto* line = new QHBoxLayout;
    const auto add = [&](QLineEdit* field, const QString& unit) {
        field->setMaximumWidth(size::FieldWidth / 2);
        line->addWidget(field);
        line->addWidget(makeQuietLabel(unit, TypeRole::Body, this));
    };
    add(m_count, QStringLiteral("machines,"));
    add(m_hours, QStringLiteral("hours a day,"));
    add(m_days, QStringLiteral("days a month:"));
    line->addWidget(m_cost, 1);
    return line;
}

void EnvironmentFields::show(const EnvironmentView& view)
{
    m_shown = view;
    m_name->setText(view.name);
    m_machine->setText(view.machine);
    m_purchase->setCurrentIndex(std::max(0, m_purchase->findData(view.purchase)));
    m_count->setText(view.count);
    m_hours->setText(view.hoursPerDay);
    m_days->setText(view.daysPerMonth);
    m_cost->setText(view.cost);
}

void EnvironmentFields::name(QWidget* field, const char* id, const QString& spoken) const
{
    field->setObjectName(QStringLiteral("%1%2").arg(QLatin1String(id)).arg(m_number));
    field->setAccessibleName(QStringLiteral("%1 of environment %2").arg(spoken).arg(m_number + 1));
}

QLineEdit* EnvironmentFields::makeField(const char* id, const QString& spoken, int width)
{
    auto* field = new QLineEdit(this);
    field->setMinimumWidth(width);
    name(field, id, spoken);
    connect(field, &QLineEdit::editingFinished, this, &EnvironmentFields::commit);
    return field;
}

void EnvironmentFields::commit()
{
    const EnvironmentView now{.name = m_name->text(),
                              .machine = m_machine->text(),
                              .purchase = m_purchase->currentData().toString(),
                              .count = m_count->text(),
                              .hoursPerDay = m_hours->text(),
                              .daysPerMonth = m_days->text(),
                              .cost = m_shown.cost};
    if (now != m_shown)
        Q_EMIT edited(now);
}

} // namespace outlay::gui
