// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Something drawn that has a table twin: the same numbers for who doesn't see it, or copies them.
#pragma once

#include <QWidget>

namespace outlay::gui {

class Twinned : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    virtual void toggleForm() = 0;
};

/// The one that has the focus, or all of the page.
void toggleForms(const QWidget& page);

} // namespace outlay::gui
