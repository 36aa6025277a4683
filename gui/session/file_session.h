// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The document's file: opening what is an experiment or can become one, saving, and noticing that
// somebody else has written it.
#pragma once

#include "gui/session/document.h"
#include "gui/session/recovery.h"

#include <QFileSystemWatcher>
#include <QTimer>

namespace outlay::gui {

class FileSession final : public QObject {
    Q_OBJECT
public:
    FileSession(Document& document, QString recoveryFolder, QObject* parent = nullptr);

    /// Empty while the work has no file.
    [[nodiscard]] const QString& path() const { return m_path; }
    /// For the window's title.
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool isUnsaved() const { return m_isUnsaved; }

    /// An experiment, or a model's config that becomes an unsaved one. The value: what to know of it.
    [[nodiscard]] core::Result<std::vector<std::string>> open(const QString& path);
    /// An experiment that has no file yet.
    void start(core::Experiment experiment);
    /// A copy of the experiment that has no file yet, and its undo from there.
    void duplicate();
    /// The same, of work that a crash interrupted.
    void restore(const LostWork& work);
    [[nodiscard]] core::Result<void> save();
    [[nodiscard]] core::Result<void> saveAs(const QString& path);

    [[nodiscard]] const Recovery& recovery() const { return m_recovery; }

Q_SIGNALS:
    /// Path or saved state.
    void changed();
    void changedOnDisk();
    /// Deleted, moved or renamed by somebody else: what is open has no file now.
    void goneFromDisk();
    void recoveryFailed(const QString& sentence);

private:
    void follow();
    void setPath(const QString& path);
    void checkDisk();
    void checkGone();

    Document& m_document;
    Recovery m_recovery;
    QFileSystemWatcher m_watcher;
    QTimer m_autosave;
    QTimer m_away; // runs while the file is
    bool m_isGone = false;
    QString m_path;
    core::Json m_onDisk; // the file as it was read or written last
    bool m_isUnsaved = false;
};

} // namespace outlay::gui
