// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a dialog: a label, a field, buttons beside it, and a line below that says what is wrong with
// the field or what it does.
#pragma once

#include <QLabel>

class QComboBox;
class QDialog;
class QDialogButtonBox;
class QGridLayout;
class QLineEdit;
class QPushButton;

namespace outlay::gui {

/// Hidden while it has nothing to say.
class SettingNote final : public QLabel {
    Q_OBJECT
public:
    SettingNote(const QString& name, QWidget* parent);

    void setProblem(const QString& sentence);
    void setInfo(const QString& sentence);

private:
    void say(const QString& sentence, QPalette::ColorRole role);
};

class SettingForm final : public QWidget {
    Q_OBJECT
public:
    explicit SettingForm(QWidget* parent);

    void addSection(const QString& title);
    /// `field` has its object name already, which the note's is made of; `label` is its accessible name.
    SettingNote* addRow(const QString& label, QWidget* field,
                        const QList<QPushButton*>& beside = {});

    [[nodiscard]] QComboBox* makeChoice(const QString& name);
    [[nodiscard]] QLineEdit* makeEdit(const QString& name, const QString& text);
    [[nodiscard]] QPushButton* makeButton(const QString& name, const QString& text,
                                          const QString& spoken);

private:
    QGridLayout* m_layout;
};

/// A dialog that is a form, as all of them are: below it what is to be said of it, if anything, and its buttons. It is
/// deleted when it is closed.
void layOutForm(QDialog& dialog, SettingForm* form, const QString& said, QDialogButtonBox* buttons);

} // namespace outlay::gui
