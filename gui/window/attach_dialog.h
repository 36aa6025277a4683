// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Attach what it took": which file says it, and what of it counts.
#pragma once

#include "gui/session/attach_run.h"
#include "gui/session/document.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLineEdit;
class QPushButton;

namespace outlay::gui {

class SettingForm;
class SettingNote;

class AttachDialog final : public QDialog {
    Q_OBJECT
public:
    AttachDialog(const Document& document, QWidget* parent);

Q_SIGNALS:
    void read(const outlay::pricing::Actual& actual);

private:
    void buildForm();
    [[nodiscard]] QDialogButtonBox* makeButtons();
    void choose();
    void attach();
    void take(const core::Result<pricing::Actual>& actual);

    const Document& m_document;
    RunAttacher* m_attacher;
    SettingForm* m_form;
    QLineEdit* m_file = nullptr;
    SettingNote* m_note = nullptr;
    QComboBox* m_place = nullptr;
    QLineEdit* m_run = nullptr;
    QLineEdit* m_resource = nullptr;
    QLineEdit* m_tag = nullptr;
    QLineEdit* m_from = nullptr;
    QLineEdit* m_to = nullptr;
    QPushButton* m_attach = nullptr;
};

} // namespace outlay::gui
