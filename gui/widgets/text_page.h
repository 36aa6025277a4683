// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A page of Markdown in the type scale, with plain tables.
#pragma once

#include <QTextBrowser>

namespace outlay::gui {

class TextPage final : public QTextBrowser {
    Q_OBJECT
public:
    TextPage(const QString& name, const QString& spoken, QWidget* parent);

    void showMarkdown(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void doSetSource(const QUrl& name, QTextDocument::ResourceType type) override;

private:
    void applyStyle();
};

} // namespace outlay::gui
