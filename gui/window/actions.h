// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that can be done by a key, in one table: menu, buttons and tooltips are made of it.
#pragma once

#include <QAction>
#include <QHash>
#include <QObject>

#include <vector>

class QMenu;

namespace outlay::gui {

struct ActionRow {
    QString id; // object name
    QString text;
    QString icon; // may be empty
    QKeySequence keys;
};

[[nodiscard]] const std::vector<ActionRow>& actionRows();

class Actions final : public QObject {
    Q_OBJECT
public:
    /// The actions belong to `window`, which their keys work in.
    explicit Actions(QWidget* window);

    [[nodiscard]] QAction* operator[](const QString& id) const { return m_actions.value(id); }
    /// The icons again, in the colours of the palette as it is now.
    void applyTheme(const QPalette& palette);
    /// In the window's order, with the menus of what there is to start from.
    void fillMenu(QMenu& menu, QMenu& presets, QMenu& recent) const;

private:
    QHash<QString, QAction*> m_actions;
};

} // namespace outlay::gui
