// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, each taking effect as soon as it is given; what can't be is told beside its field, and
// what was set before stays.
#pragma once

#include "gui/session/settings.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace outlay::gui {

class MainWindow;
class SettingForm;
class SettingNote;
class WorkerCheck;

class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(MainWindow& window);
    ~SettingsDialog() override;

private:
    void addLook();
    void addMoney();
    void addExperiments();
    void addPrices();
    void addMeasuring();
    void addChoices(QComboBox* box, const Setting<int>& row, const QStringList& titles);
    void followCurrency();
    void showRate();
    void takeRate();
    void readPriceBook();
    void choosePath(QLineEdit* edit, const QString& title);

    /// Stores it and shows what follows, or says what is wrong.
    template <typename T>
    bool take(const Setting<T>& row, const T& value, SettingNote* note);

    MainWindow& m_window;
    Settings& m_settings;
    SettingForm* m_form;
    WorkerCheck* m_check;
    QComboBox* m_currency = nullptr;
    QLineEdit* m_rate = nullptr;
    QLineEdit* m_asOf = nullptr;
    SettingNote* m_currencyNote = nullptr;
    SettingNote* m_rateNote = nullptr;
    SettingNote* m_asOfNote = nullptr;
    QLineEdit* m_prices = nullptr;
    SettingNote* m_pricesNote = nullptr;
};

} // namespace outlay::gui
