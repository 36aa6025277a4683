// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/word_completer.h"

#include "gui/style/tokens.h"

#include <QAbstractItemView>
#include <QLineEdit>

namespace outlay::gui {

WordCompleter::WordCompleter(const QStringList& words, QWidget* field) : QCompleter(words, field)
{
    setFilterMode(Qt::MatchContains);
    setCaseSensitivity(Qt::CaseInsensitive);
    popup()->setMinimumWidth(2 * size::FieldWidth); // fields are narrower than names
}

QStringList WordCompleter::splitPath(const QString& path) const
{
    return {path.section(u',', -1).trimmed()};
}

QString WordCompleter::pathFromIndex(const QModelIndex& index) const
{
    const QString chosen = QCompleter::pathFromIndex(index);
    const auto* edit = qobject_cast<const QLineEdit*>(widget());
    const QString typed = edit == nullptr ? QString() : edit->text();
    const qsizetype comma = typed.lastIndexOf(u',');
    return comma < 0 ? chosen : typed.left(comma) + QStringLiteral(", ") + chosen;
}

} // namespace outlay::gui
