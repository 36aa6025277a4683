// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the designer's form: shows a field, says what was entered, and what is wrong with it.
#pragma once

#include "gui/view/form_view.h"

#include <QWidget>

namespace outlay::gui {

class FormRow : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Shows another value of the same field; nothing is emitted.
    virtual void show(const FormField& field) = 0;
    /// Says what is wrong with the value that was given; empty: nothing.
    virtual void setProblem(const QString& sentence) = 0;
    [[nodiscard]] virtual bool isDragging() const { return false; }
    /// What may be typed, to choose from; nothing for a field of numbers.
    virtual void setWords(const QStringList& words) { Q_UNUSED(words) }

Q_SIGNALS:
    void changed(const outlay::core::Json& value);
    void dragStarted();
};

[[nodiscard]] FormRow* makeFormRow(const FormField& field, const QLocale& locale, QWidget* parent);

/// "/training/batch" -> "trainingBatch": the name of its widget, made of the field's place.
[[nodiscard]] QString objectNameOf(const std::string& pointer);

} // namespace outlay::gui
