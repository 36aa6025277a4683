// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A card: title, what it says in one line, and content below.
#pragma once

#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace outlay::gui {

class ElidedLabel;

class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(QWidget* parent);
    Card(const QString& title, QWidget* parent);

    void setSubtitle(const QString& text);
    [[nodiscard]] QVBoxLayout* content() const { return m_content; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_content = nullptr;
    ElidedLabel* m_subtitle = nullptr;
};

} // namespace outlay::gui
