// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What runs took, read from a folder of experiments while the window stays free.
#pragma once

#include "gui/view/track_view.h"

#include <QObject>

namespace outlay::gui {

class TrackSession final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Of several folders only the last one is shown; empty: none.
    void read(const QString& path);
    /// Or is being read, if there is one to read.
    [[nodiscard]] bool isRead() const { return m_generation > 0; }
    [[nodiscard]] const TrackFolder& folder() const { return m_folder; }

Q_SIGNALS:
    void changed();

private:
    TrackFolder m_folder;
    int m_generation = 0;
};

} // namespace outlay::gui
