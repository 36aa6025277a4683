// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the window that a field of text would take for itself. Undo is the field's only while something is
// typed in it that isn't entered yet; the key of the export never is.
#pragma once

#include <QObject>

namespace outlay::gui {

/// Watches the application's fields as long as it lives.
class FieldKeys final : public QObject {
    Q_OBJECT
public:
    explicit FieldKeys(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace outlay::gui
