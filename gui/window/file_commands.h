// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with files: dialogs, menus, and the questions before work would be lost. No call
// waits for an answer.
#pragma once

#include "gui/session/sessions.h"
#include "gui/widgets/message_bar.h"
#include "pricing/report/compare/comparison.h"

#include <QStringList>

#include <functional>

class QMenu;
class QMimeData;

namespace outlay::gui {

class Actions;

class FileCommands final : public QObject {
    Q_OBJECT
public:
    FileCommands(const Sessions& sessions, QWidget& window);

    [[nodiscard]] QMenu* presetMenu() const { return m_presets; }
    [[nodiscard]] QMenu* recentMenu() const { return m_recent; }
    [[nodiscard]] int pageOf(const QString& id) const;

    /// Does what the actions of files ask for.
    void answer(Actions& actions);

    void start(const QString& presetId);
    void choosePreset();
    void askForGoal();
    void importPrices();
    void open();
    /// Several are read even if one is broken; the last that can be read is shown.
    void openAll(const QStringList& paths);
    /// Opens experiments beside the one that is worked on.
    void chooseOthers();
    void compareAll(const QStringList& paths);
    void save();
    void saveAs();
    void duplicate();
    void offerRecovery();
    /// Of one's own prices: why they can't be read, if they can't, and what else than Outlay changed.
    void tellOfPrices(const std::string& problem);

    /// False after it has asked; the window is closed when the answer allows it.
    [[nodiscard]] bool mayClose();

Q_SIGNALS:
    void said(const outlay::gui::BarMessage& message);
    void retracted(const QString& text);
    void pricesMerged(); // into the own book
    void othersOpened(const std::vector<outlay::pricing::Compared>& others);

private:
    void connectDisk();
    void fillPresets();
    void fillRecent();
    void openNow(const QStringList& paths);
    void saveAs(const std::function<void()>& then);
    void saveTo(const QString& path, const std::function<void()>& then);
    /// Runs `then` at once where nothing would be lost, else when the person agrees: to the end of a
    /// measurement, and to that of unsaved work.
    void whenSafe(const std::function<void()>& then);
    void whenMeasured(const std::function<void()>& then);
    void whenSaved(const std::function<void()>& then);

    Sessions m_sessions;
    QWidget& m_window; // that dialogs stand over
    QMenu* m_presets;
    QMenu* m_recent;
    bool m_mayClose = false;
    QString m_saidOfDisk; // retracted when the file is saved or another one opened
};

/// Of what is dropped.
[[nodiscard]] QStringList localFilesOf(const QMimeData& dropped);

} // namespace outlay::gui
