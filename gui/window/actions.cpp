// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/actions.h"

#include "gui/style/icons.h"
#include "gui/style/tokens.h"

#include <QMenu>
#include <QPalette>
#include <QWidget>

namespace outlay::gui {
namespace {

ActionRow row(const char16_t* id, const char16_t* text, const char16_t* icon,
              const QKeySequence& keys)
{
    return {QString::fromUtf16(id), QString::fromUtf16(text), QString::fromUtf16(icon), keys};
}

} // namespace

const std::vector<ActionRow>& actionRows()
{
    static const std::vector<ActionRow> Rows{
        row(u"actionNew", u"New from preset…", u"new", Qt::CTRL | Qt::Key_N),
        row(u"actionGoal", u"New from a goal…", u"", Qt::CTRL | Qt::Key_G),
        row(u"actionOpen", u"Open…", u"open", Qt::CTRL | Qt::Key_O),
        row(u"actionSave", u"Save", u"save", Qt::CTRL | Qt::Key_S),
        row(u"actionSaveAs", u"Save as…", u"", Qt::CTRL | Qt::SHIFT | Qt::Key_S),
        row(u"actionDuplicate", u"Duplicate", u"copy", Qt::CTRL | Qt::SHIFT | Qt::Key_D),
        row(u"actionUndo", u"Undo", u"undo", Qt::CTRL | Qt::Key_Z),
        row(u"actionRedo", u"Redo", u"redo", Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        row(u"actionPin", u"Pin as baseline", u"pin", Qt::CTRL | Qt::Key_B),
        row(u"actionExport", u"Export picture…", u"export", Qt::CTRL | Qt::Key_E),
        row(u"actionApplication", u"Apply for compute time…", u"",
            Qt::CTRL | Qt::SHIFT | Qt::Key_E),
        row(u"actionCopy", u"Copy picture", u"copy", Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        row(u"actionProbe", u"Run probe", u"play", Qt::CTRL | Qt::Key_R),
        row(u"actionProbeAll", u"Run probe with variants", u"play",
            Qt::CTRL | Qt::SHIFT | Qt::Key_R),
        row(u"actionProgram", u"Measure a program…", u"play", Qt::CTRL | Qt::Key_M),
        row(u"actionActual", u"Attach what it took…", u"", Qt::CTRL | Qt::SHIFT | Qt::Key_A),
        row(u"actionCancel", u"Cancel the measurement", u"stop", Qt::Key_Escape),
        row(u"actionExplain", u"Explain the figure", u"info", Qt::CTRL | Qt::Key_I),
        row(u"actionChange", u"Why it changed…", u"", Qt::CTRL | Qt::SHIFT | Qt::Key_I),
        row(u"actionTable", u"Chart or table", u"table", Qt::CTRL | Qt::Key_T),
        row(u"actionVary", u"Vary the field…", u"chart", Qt::CTRL | Qt::SHIFT | Qt::Key_V),
        row(u"actionNextArea", u"Next area", u"", Qt::Key_F6),
        row(u"actionImport", u"Import prices…", u"", {}),
        row(u"actionSettings", u"Settings…", u"settings", Qt::CTRL | Qt::Key_Comma),
        row(u"actionHelp", u"Help", u"info", Qt::Key_F1),
        row(u"actionAbout", u"About Outlay", u"", {}),
        row(u"actionQuit", u"Quit", u"", Qt::CTRL | Qt::Key_Q),
    };
    return Rows;
}

Actions::Actions(QWidget* window) : QObject(window)
{
    for (const ActionRow& row : actionRows()) {
        auto* action = new QAction(row.text, window);
        action->setObjectName(row.id);
        action->setShortcut(row.keys);
        const QString keys = row.keys.toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? row.text
                                          : QStringLiteral("%1 (%2)").arg(row.text, keys));
        window->addAction(action);
        m_actions.insert(row.id, action);
    }
    applyTheme(window->palette());
}

void Actions::applyTheme(const QPalette& palette)
{
    for (const ActionRow& row : actionRows()) {
        if (!row.icon.isEmpty())
            m_actions[row.id]->setIcon(iconOf(row.icon, tokensOf(palette).text));
    }
}

void Actions::fillMenu(QMenu& menu, QMenu& presets, QMenu& recent) const
{
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids)
            menu.addAction((*this)[QLatin1String(id)]);
    };
    menu.setObjectName(QStringLiteral("menu"));
    menu.addMenu(&presets);
    add({"actionGoal", "actionOpen"});
    menu.addMenu(&recent);
    add({"actionSave", "actionSaveAs", "actionDuplicate"});
    menu.addSeparator();
    add({"actionUndo", "actionRedo", "actionPin"});
    menu.addSeparator();
    add({"actionExport", "actionCopy", "actionApplication"});
    menu.addSeparator();
    add({"actionProbe", "actionProbeAll", "actionProgram", "actionActual", "actionExplain",
         "actionChange", "actionTable", "actionVary"});
    menu.addSeparator();
    add({"actionImport", "actionSettings", "actionHelp", "actionAbout", "actionQuit"});
}

} // namespace outlay::gui
