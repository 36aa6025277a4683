// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, what it means, and one thing to do about it. Never in the way of other work.
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace outlay::gui {

struct BarMessage {
    enum class Kind { Info, Warning, Error };
    Kind kind = Kind::Info;
    QString text;
    QString details; // a log, say; shown on request
    QString actionText;
    std::function<void()> action;
};

class MessageBar final : public QFrame {
    Q_OBJECT
public:
    /// Lies over what is below `above`, and moves nothing.
    explicit MessageBar(QWidget* above, QWidget* parent);

    void show(const BarMessage& message);
    /// Hides the message with this text, if it is the one that shows.
    void retract(const QString& text);
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void paintIcons();
    void place();

    QWidget* m_above;
    BarMessage m_message;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_detailsButton;
    QPushButton* m_action;
    QToolButton* m_close;
    QPlainTextEdit* m_details;
};

} // namespace outlay::gui
