// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The form at the left: preset, family, and every field of the experiment.
#pragma once

#include "gui/view/form_view.h"

#include <QLocale>
#include <QScrollArea>

#include <map>

class QComboBox;
class QVBoxLayout;

namespace outlay::gui {

class FormRow;
class QualityEditor;

class Designer final : public QScrollArea {
    Q_OBJECT
public:
    Designer(const QLocale& locale, QWidget* parent);

    /// The names that fields take, before the first experiment is shown.
    void setWords(FieldWords words) { m_words = std::move(words); }
    void show(const core::Experiment& experiment);
    void setProblem(const std::string& pointer, const QString& sentence);

    /// The field that a widget of the form is for; null if there is none.
    [[nodiscard]] const FormField* fieldAt(const QWidget* widget) const;

Q_SIGNALS:
    /// `drag` is the same number through one drag of a slider, and 0 without one.
    void valueChanged(const std::string& pointer, const outlay::core::Json& value, int drag);
    void mixChosen(const QString& id);
    void presetChosen(const QString& id);
    void familyChosen(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void buildTop();
    void build(const std::vector<FormSection>& form);
    void addSection(const FormSection& section);
    void showRows(const FormSection& section);
    void addMix(QVBoxLayout* layout);
    void showMix(const core::Experiment& experiment);
    void addRow(const FormField& field, QVBoxLayout* layout, QWidget* parent);

    QLocale m_locale;
    QWidget* m_body;
    QVBoxLayout* m_layout;
    QWidget* m_form = nullptr; // built anew for another family
    QWidget* m_mix = nullptr;  // of the form
    QComboBox* m_preset = nullptr;
    QComboBox* m_family = nullptr;
    QualityEditor* m_quality;
    FieldWords m_words;
    std::vector<FormSection> m_shown;
    std::map<std::string, FormRow*> m_rows; // by pointer
    std::map<QString, bool> m_isOpen;       // sections with all their fields
    int m_drag = 0;                         // how many there have been
};

} // namespace outlay::gui
