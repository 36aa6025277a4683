// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The panels and the tiles above them: in the window, and in a picture of it.
#pragma once

#include "gui/panels/panel.h"
#include "gui/widgets/panel_grid.h"

namespace outlay::gui {

class Tile;

/// The headline figures.
class TileRow final : public QWidget {
    Q_OBJECT
public:
    TileRow(const DisplayLocale& locale, QWidget* parent);

    void setInput(const PanelInput& input);

private:
    void addTiles(std::size_t count);

    DisplayLocale m_locale;
    PanelGrid* m_grid;
    std::vector<Tile*> m_tiles;
};

/// What they come to, in a sentence. It changes with each tick of a slider, and asks for another layout only
/// where it takes other lines.
class VerdictLine final : public QWidget {
    Q_OBJECT
public:
    VerdictLine(const DisplayLocale& locale, QWidget* parent);

    void setInput(const PanelInput& input);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    DisplayLocale m_locale;
    QString m_sentence;
    int m_leastHeight = 0; // while a part of it is to follow, so that nothing jumps
};

class Dashboard final : public QWidget {
    Q_OBJECT
public:
    Dashboard(const DisplayLocale& locale, QWidget* parent);

    void setInput(const PanelInput& input);
    [[nodiscard]] const std::vector<Panel*>& panels() const { return m_panels; }

private:
    PanelGrid* m_grid;
    std::vector<Panel*> m_panels;
};

} // namespace outlay::gui
