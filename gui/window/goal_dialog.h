// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// "From a goal": what somebody wants, and what Outlay fills in for it.
#pragma once

#include "gui/view/display_locale.h"
#include "pricing/report/goal.h"

#include <QDialog>
#include <QTimer>

#include <set>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace outlay::gui {

struct GoalView;
class SettingForm;
class SettingNote;

class GoalDialog final : public QDialog {
    Q_OBJECT
public:
    /// `open`: the experiment that is open, which may be designed on.
    GoalDialog(core::Experiment open, pricing::Catalogs catalogs, const DisplayLocale& locale,
               QWidget* parent);

Q_SIGNALS:
    void chosen(const outlay::core::Experiment& experiment);

private:
    void buildForm();
    void buildProposal();
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& titles);
    struct Amount {
        QLineEdit* edit = nullptr;
        SettingNote* note = nullptr;
        QString open; // what is said where it is left open
    };
    static void enable(const Amount& amount, bool isAsked);
    Amount addAmount(const char* name, const QString& label, const QString& placeholder);
    /// Nothing where it is left open; a note where it is no number above zero.
    [[nodiscard]] std::optional<double> read(const Amount& amount, bool& isSound) const;

    void propose();
    void drop(const QString& why);
    void showProposal();
    [[nodiscard]] core::Experiment wanted() const;

    core::Experiment m_open;
    pricing::Catalogs m_catalogs;
    DisplayLocale m_locale;
    QTimer m_pause; // until the person has stopped typing
    std::optional<pricing::GoalProposal> m_proposal;
    SettingForm* m_form;
    QComboBox* m_design = nullptr;
    QComboBox* m_purpose = nullptr;
    Amount m_samples;
    Amount m_requests;
    Amount m_hours;
    Amount m_usd;
    QComboBox* m_tolerance = nullptr;
    QLabel* m_verdict;
    QLabel* m_note;
    QVBoxLayout* m_rows;
    std::vector<QCheckBox*> m_changes;
    std::set<std::string> m_unwanted; // settings of changes that the person has left out
    QPushButton* m_use = nullptr;
};

} // namespace outlay::gui
