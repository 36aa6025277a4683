// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the dashboard and the comparison, painted here, encoded and written on another thread; and the
// Report in the formats of other programs, and as an application for compute time.
#pragma once

#include "gui/export/export_kind.h"
#include "gui/widgets/message_bar.h"

#include <QFuture>

#include <functional>

class QImage;

namespace outlay::gui {

class Exporter final : public QObject {
    Q_OBJECT
public:
    /// `input`: what the window shows at that time; the locale is the window's, as it is then.
    Exporter(std::function<PanelInput()> input, const DisplayLocale& locale, QWidget& window);

    /// Asks for size, theme and file.
    void choose();
    /// The name says what is written; where it leaves a choice, the filter of the dialog does.
    void exportTo(const QString& path, const PictureRequest& request, const QString& filter = {});
    void copy();
    /// Asks what compute time is applied for, and shows the page.
    void apply();

Q_SIGNALS:
    void said(const outlay::gui::BarMessage& message);
    void finished(const QString& path);

private:
    void write(const QString& path, const pricing::ExportFormat& format);
    void paint(const QString& path, PictureFormat format, const PictureRequest& request);
    void await(const QString& path, const QFuture<core::Result<void>>& writing);

    std::function<PanelInput()> m_input;
    const DisplayLocale& m_locale;
    QWidget& m_window; // that dialogs stand over
};

} // namespace outlay::gui
