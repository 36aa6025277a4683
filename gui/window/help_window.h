// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The help beside the window: the pages at the left, one of them at the right.
#pragma once

#include <QDialog>

class QListWidget;

namespace outlay::gui {

class TextPage;

class HelpWindow final : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(QWidget* window);

    void showTopic(const QString& id);
    [[nodiscard]] QString topic() const;

private:
    QListWidget* m_topics;
    TextPage* m_text;
};

/// The page for where the focus is: the nearest panel or area around `focus` that has one, else that of
/// the page that is shown.
[[nodiscard]] QString helpTopicAt(const QWidget* focus, const QString& page);

/// That page in the help beside `window`, which is made when it is wanted first.
void showHelpAt(const QWidget* focus, const QString& page, QWidget& window);

} // namespace outlay::gui
