// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A number by slider and by field: what is typed is checked in place, and the slider's stops are round.
#pragma once

#include "gui/widgets/form_row.h"

#include <QLocale>

class QLabel;
class QLineEdit;
class QSlider;

namespace outlay::gui {

class SliderField final : public FormRow {
    Q_OBJECT
public:
    SliderField(const FormField& field, const QLocale& locale, QWidget* parent);

    void show(const FormField& field) override;
    void setProblem(const QString& sentence) override;
    [[nodiscard]] bool isDragging() const override;
    void setWords(const QStringList& words) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void takeText();
    void step(int steps);
    void showSlider();

    FormField m_field;
    QLocale m_locale;
    std::vector<double> m_stops;
    QLineEdit* m_edit = nullptr;
    QSlider* m_slider = nullptr; // none for a field without a range
    QLabel* m_problem = nullptr;
};

} // namespace outlay::gui
