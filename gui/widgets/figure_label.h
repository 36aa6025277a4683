// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A figure with its badge. Hovering, Enter or Ctrl+I opens a card that says how it was got.
#pragma once

#include "gui/view/figure_view.h"

#include <QFrame>

class QGridLayout;

namespace outlay::gui {

class Badge;
class ElidedLabel;

class FigureLabel final : public QFrame {
    Q_OBJECT
public:
    enum class Size { Headline, Inline, Line };

    FigureLabel(Size size, const QString& name, QWidget* parent);

    void show(const FigureView& view);
    [[nodiscard]] const FigureView& view() const { return m_view; }
    [[nodiscard]] ElidedLabel* value() const { return m_value; }

    /// Opens the card beside the figure; it goes with the focus, the pointer or Esc.
    void explain();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void placeInLine();
    void fitLine();
    void placeInRows();
    void closeCard();

    Size m_size;
    FigureView m_view;
    ElidedLabel* m_label = nullptr;
    ElidedLabel* m_value = nullptr;
    ElidedLabel* m_detail = nullptr;
    ElidedLabel* m_place = nullptr; // of a headline
    ElidedLabel* m_difference = nullptr;
    Badge* m_badge = nullptr;
    QGridLayout* m_layout = nullptr;
    QWidget* m_card = nullptr; // while it is open
};

} // namespace outlay::gui
