// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the dashboard and the comparison: painted here, encoded and written on another thread.
#pragma once

#include "gui/export/picture.h"

#include <QObject>

class QImage;

namespace outlay::gui {

class MainWindow;

class Exporter final : public QObject {
    Q_OBJECT
public:
    explicit Exporter(MainWindow& window);

    /// Asks for size, theme and file.
    void choose();
    void exportTo(const QString& path, const PictureRequest& request);
    void copy();

Q_SIGNALS:
    void finished(const QString& path);

private:
    MainWindow& m_window;
};

} // namespace outlay::gui
