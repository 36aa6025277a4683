// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "Apply for compute time": for which centre and how many runs, and the page as it will be.
#pragma once

#include "gui/panels/panel.h"
#include "gui/view/application_view.h"
#include "gui/widgets/message_bar.h"
#include "pricing/application/application.h"

#include <QDialog>
#include <QTimer>

#include <functional>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace outlay::gui {

class SettingForm;
class SettingNote;

class ApplicationDialog final : public QDialog {
    Q_OBJECT
public:
    /// `input`: what the window shows at that time.
    ApplicationDialog(std::function<PanelInput()> input, const DisplayLocale& locale,
                      QWidget* parent);

    /// The ending of its name says what is written.
    void saveTo(const QString& path);

Q_SIGNALS:
    void said(const outlay::gui::BarMessage& message);

private:
    struct Number {
        QLineEdit* edit = nullptr;
        SettingNote* note = nullptr;
        double most = 0;
    };
    void buildForm();
    void layOut();
    [[nodiscard]] Number addNumber(const char* name, const QString& label, const QString& text,
                                   const QString& open);
    [[nodiscard]] QDialogButtonBox* makeButtons();
    /// Nothing where it is empty; a problem is said below the field.
    [[nodiscard]] std::optional<double> read(const Number& number, bool& isSound) const;
    [[nodiscard]] std::optional<pricing::ApplicationRequest> request() const;
    [[nodiscard]] const CentreChoice& choice() const;
    void showPage();
    void choose();

    std::function<PanelInput()> m_input;
    DisplayLocale m_locale;
    std::vector<CentreChoice> m_centres;
    std::optional<pricing::Application> m_application; // nothing while a field is wrong
    QTimer m_pause;
    SettingForm* m_form;
    QComboBox* m_centre = nullptr;
    SettingNote* m_centreNote = nullptr;
    Number m_devices;
    Number m_runs;
    Number m_reserve;
    QLabel* m_preview;
    QPushButton* m_save = nullptr;
};

} // namespace outlay::gui
