// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of unsaved work that outlive a crash. One file a running program, locked while it runs.
#pragma once

#include "core/experiment/experiment.h"

#include <QLockFile>
#include <QString>

#include <memory>
#include <optional>

namespace outlay::gui {

struct LostWork {
    QString copy; // the file that holds it
    core::Experiment experiment;
};

class Recovery final {
public:
    /// `folder` is made when something is kept.
    explicit Recovery(QString folder);
    /// A program that ends well leaves nothing.
    ~Recovery();

    Recovery(const Recovery&) = delete;
    Recovery& operator=(const Recovery&) = delete;

    [[nodiscard]] core::Result<void> keep(const core::Experiment& experiment);
    void forget();

    /// What a program that crashed has left; none of a program that still runs.
    [[nodiscard]] std::optional<LostWork> findLostWork() const;
    static void discard(const LostWork& work);

private:
    QString m_folder;
    QString m_file;
    std::unique_ptr<QLockFile> m_lock;
};

/// In the user's data folder.
[[nodiscard]] QString recoveryFolder();

} // namespace outlay::gui
