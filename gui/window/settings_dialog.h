// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, each taking effect as soon as it is given; what can't be is told beside its field, and
// what was set before stays.
#pragma once

#include "gui/session/price_session.h"
#include "gui/view/display_locale.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace outlay::gui {

class SettingForm;
class SettingNote;
class WorkerCheck;

/// They outlive the dialog.
struct SettingsReach {
    const Document& document;
    Settings& settings;
    PriceSession& prices;
};

class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    /// The locale and the catalogs are the window's, as they are at any time.
    SettingsDialog(const SettingsReach& reach, const DisplayLocale& locale, QWidget* parent);
    ~SettingsDialog() override;

Q_SIGNALS:
    void changed(); // what is stored is to be seen
    void helpWanted();

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
    void tellOfPrices(const QString& problem);
    void choosePath(QLineEdit* edit, const QString& title);

    /// Stores it and shows what follows, or says what is wrong.
    template <typename T>
    bool take(const Setting<T>& row, const T& value, SettingNote* note);

    Settings& m_settings;
    const DisplayLocale& m_locale;
    const Document& m_document;
    PriceSession& m_priceSession;
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
