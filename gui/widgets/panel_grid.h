// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Cards side by side in as many columns as there is room for, filling the height where there is enough.
#pragma once

#include <QWidget>

#include <vector>

namespace outlay::gui {

struct GridRules {
    int leastWidth = 0;  // of a card
    int leastHeight = 0; // of a row; 0: as its cards want
    int mostColumns = 3;
    bool fillsLastRow = false; // by wider cards, where it has fewer
};

class PanelGrid final : public QWidget {
    Q_OBJECT
public:
    PanelGrid(const GridRules& rules, QWidget* parent);

    /// In reading order, which is the order of the keys, too.
    void add(QWidget* card);

    [[nodiscard]] int columnsFor(int width) const;
    [[nodiscard]] int heightFor(int width) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return heightFor(width); }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    [[nodiscard]] int rowHeight() const;
    /// Cards that aren't hidden.
    [[nodiscard]] std::vector<QWidget*> shown() const;

    GridRules m_rules;
    std::vector<QWidget*> m_cards;
};

} // namespace outlay::gui
