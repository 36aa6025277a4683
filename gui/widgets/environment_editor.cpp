// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/environment_editor.h"

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
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {

class EnvironmentFields final : public QWidget {
    Q_OBJECT
public:
    EnvironmentFields(std::size_t number, QStringListModel* machines, QWidget* parent)
        : QWidget(parent), m_number(number),
          m_name(makeField("environmentName", QStringLiteral("Name"), size::FieldWidth)),
          m_machine(makeField("environmentMachine", QStringLiteral("Machine"), size::FieldWidth)),
          m_purchase(new QComboBox(this)),
          m_count(makeField("environmentCount", QStringLiteral("Machines"), size::FieldWidth / 2)),
          m_hours(
              makeField("environmentHours", QStringLiteral("Hours a day"), size::FieldWidth / 2)),
          m_days(
              makeField("environmentDays", QStringLiteral("Days a month"), size::FieldWidth / 2)),
          m_cost(makeLabel(QString(), TypeRole::StrongBody, this, Wrap::Yes))
    {
        m_machine->setPlaceholderText(QStringLiteral("type a part of a machine's name"));
        auto* completer = new QCompleter(machines, m_machine);
        completer->setFilterMode(Qt::MatchContains);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        m_machine->setCompleter(completer);
        m_purchase->addItem(QStringLiteral("as planned"), QString());
        for (const std::string_view purchase : core::PurchaseNames)
            m_purchase->addItem(optionTitle(toQString(purchase)), toQString(purchase));
        name(m_purchase, "environmentPurchase", QStringLiteral("Way of buying"));
        connect(m_purchase, &QComboBox::activated, this, &EnvironmentFields::commit);
        m_cost->setObjectName(QStringLiteral("environmentCost%1").arg(m_number));
        auto* remove = new QPushButton(QStringLiteral("Remove"), this);
        name(remove, "environmentRemove", QStringLiteral("Removal"));
        connect(remove, &QPushButton::clicked, this, &EnvironmentFields::removed);
        auto* what = new QHBoxLayout;
        for (QWidget* widget :
             std::initializer_list<QWidget*>{m_name, m_machine, m_purchase, remove})
            what->addWidget(widget, widget == m_machine ? 1 : 0);
        auto* much = new QHBoxLayout;
        const auto add = [&](QLineEdit* field, const QString& unit) {
            field->setMaximumWidth(size::FieldWidth / 2);
            much->addWidget(field);
            much->addWidget(makeQuietLabel(unit, TypeRole::Body, this));
        };
        add(m_count, QStringLiteral("machines,"));
        add(m_hours, QStringLiteral("hours a day,"));
        add(m_days, QStringLiteral("days a month:"));
        much->addWidget(m_cost, 1);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, size::Small);
        layout->setSpacing(size::Tiny);
        layout->addLayout(what);
        layout->addLayout(much);
    }

    void show(const EnvironmentView& view)
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

Q_SIGNALS:
    void edited(const outlay::gui::EnvironmentView& environment);
    void removed();

private:
    void name(QWidget* field, const char* id, const QString& spoken) const
    {
        field->setObjectName(QStringLiteral("%1%2").arg(QLatin1String(id)).arg(m_number));
        field->setAccessibleName(
            QStringLiteral("%1 of environment %2").arg(spoken).arg(m_number + 1));
    }

    QLineEdit* makeField(const char* id, const QString& spoken, int width)
    {
        auto* field = new QLineEdit(this);
        field->setMinimumWidth(width);
        name(field, id, spoken);
        connect(field, &QLineEdit::editingFinished, this, &EnvironmentFields::commit);
        return field;
    }

    void commit()
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

    std::size_t m_number;
    QLineEdit* m_name;
    QLineEdit* m_machine;
    QComboBox* m_purchase;
    QLineEdit* m_count;
    QLineEdit* m_hours;
    QLineEdit* m_days;
    QLabel* m_cost;
    EnvironmentView m_shown;
};

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

#include "environment_editor.moc"
