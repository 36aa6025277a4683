// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Measure a program": what to run, where, and for how long.
#pragma once

#include "core/launch/profile.h"
#include "gui/session/settings.h"
#include "gui/view/program_view.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLineEdit;
class QPushButton;

namespace outlay::gui {

class SettingForm;
class SettingNote;

class ProgramDialog final : public QDialog {
    Q_OBJECT
public:
    /// What was asked for last stands there again.
    ProgramDialog(Settings& settings, const std::vector<core::Profile>& hosts,
                  const DisplayLocale& locale, QWidget* parent);

Q_SIGNALS:
    void wanted(const outlay::gui::ProgramRequest& request);

private:
    void buildForm(const std::vector<core::Profile>& hosts);
    void showPlace();
    /// Empty: this machine.
    [[nodiscard]] QString host() const;
    [[nodiscard]] QDialogButtonBox* makeButtons();
    void chooseFolder();
    void showLength();
    [[nodiscard]] std::optional<std::vector<QString>> readCommand() const;
    [[nodiscard]] std::optional<QString> readFolder() const;
    /// Whether the field is sound; empty: nothing was given.
    bool readNumber(const QLineEdit& edit, SettingNote& note, std::optional<double>& number) const;
    void measure();

    Settings& m_settings;
    DisplayLocale m_locale;
    SettingForm* m_form;
    QLineEdit* m_command = nullptr;
    SettingNote* m_commandNote = nullptr;
    QComboBox* m_host = nullptr; // where there are any
    QLineEdit* m_folder = nullptr;
    QString m_otherFolder; // of this machine while another is chosen, and the other way round
    bool m_isElsewhere = false;
    QPushButton* m_choose = nullptr;
    SettingNote* m_folderNote = nullptr;
    QComboBox* m_length = nullptr;
    QLineEdit* m_amount = nullptr;
    SettingNote* m_amountNote = nullptr;
    QLineEdit* m_of = nullptr;
    SettingNote* m_ofNote = nullptr;
};

} // namespace outlay::gui
