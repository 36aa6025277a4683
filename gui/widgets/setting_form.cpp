// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/setting_form.h"

#include "gui/widgets/labels.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

constexpr int FieldColumn = 1;
constexpr int Columns = 4; // label, field, two buttons

} // namespace

SettingNote::SettingNote(const QString& name, QWidget* parent) : QLabel(parent)
{
    setObjectName(name);
    setFont(fontOf(TypeRole::Secondary));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    hide();
}

void SettingNote::setProblem(const QString& sentence)
{
    say(sentence, BadText);
}

void SettingNote::setInfo(const QString& sentence)
{
    say(sentence, SecondaryText);
}

void SettingNote::say(const QString& sentence, QPalette::ColorRole role)
{
    setForegroundRole(role);
    setText(sentence);
    setVisible(!sentence.isEmpty());
}

SettingForm::SettingForm(QWidget* parent) : QWidget(parent), m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(size::Small);
    m_layout->setVerticalSpacing(size::Tiny);
    m_layout->setColumnStretch(FieldColumn, 1);
}

void SettingForm::addSection(const QString& title)
{
    const int row = m_layout->rowCount();
    if (row > 1)
        m_layout->setRowMinimumHeight(row, size::Small);
    m_layout->addWidget(makeLabel(title, TypeRole::CardTitle, this), row + 1, 0, 1, Columns);
}

SettingNote* SettingForm::addRow(const QString& label, QWidget* field,
                                 const QList<QPushButton*>& beside)
{
    const int row = m_layout->rowCount();
    field->setAccessibleName(label);
    QLabel* caption = makeLabel(label, TypeRole::Body, this);
    caption->setBuddy(field);
    m_layout->addWidget(caption, row, 0);
    const int rest = Columns - FieldColumn - static_cast<int>(beside.size());
    m_layout->addWidget(field, row, FieldColumn, 1, rest);
    for (int i = 0; i < beside.size(); ++i)
        m_layout->addWidget(beside[i], row, FieldColumn + rest + i);
    auto* note = new SettingNote(field->objectName() + QStringLiteral("Note"), this);
    m_layout->addWidget(note, row + 1, FieldColumn, 1, Columns - FieldColumn);
    return note;
}

QComboBox* SettingForm::makeChoice(const QString& name)
{
    auto* box = new QComboBox(this);
    box->setObjectName(name);
    box->setFocusPolicy(Qt::StrongFocus);
    return box;
}

QLineEdit* SettingForm::makeEdit(const QString& name, const QString& text)
{
    auto* edit = new QLineEdit(text, this);
    edit->setObjectName(name);
    edit->setMinimumHeight(size::Control);
    return edit;
}

QPushButton* SettingForm::makeButton(const QString& name, const QString& text,
                                     const QString& spoken)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAccessibleName(spoken);
    button->setAutoDefault(false); // Enter belongs to the field that is being written
    return button;
}

void layOutForm(QDialog& dialog, SettingForm* form, const QString& said, QDialogButtonBox* buttons)
{
    dialog.setAttribute(Qt::WA_DeleteOnClose);
    dialog.setMinimumWidth(size::SettingsWidth);
    auto* layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(size::Wide, size::Wide, size::Wide, size::Wide);
    layout->setSpacing(size::Large);
    layout->addWidget(form);
    if (!said.isEmpty())
        layout->addWidget(makeQuietLabel(said, TypeRole::Secondary, &dialog, Wrap::Yes));
    layout->addStretch(1);
    layout->addWidget(buttons);
}

} // namespace outlay::gui
