// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/field_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>

namespace outlay::gui {

FieldKeys::FieldKeys(QObject* parent) : QObject(parent)
{
    QCoreApplication::instance()->installEventFilter(this);
}

bool FieldKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    const auto* field = qobject_cast<QLineEdit*>(watched);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (field == nullptr)
        return QObject::eventFilter(watched, event);
    const bool isUndo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
    // The end of the line, elsewhere; there is a key for that.
    const bool isExport = key->key() == Qt::Key_E &&
                          (key->modifiers() & Qt::KeyboardModifierMask) == Qt::ControlModifier;
    if (!(isUndo && !field->isModified()) && !isExport)
        return QObject::eventFilter(watched, event);
    event->ignore(); // the window's shortcut is asked then
    return true;
}

} // namespace outlay::gui
