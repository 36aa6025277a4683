// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A headline figure on a card of its own.
#pragma once

#include "gui/widgets/card.h"

namespace outlay::gui {

class FigureLabel;
struct FigureView;

class Tile final : public Card {
    Q_OBJECT
public:
    Tile(const QString& name, QWidget* parent);

    void show(const FigureView& view);
    [[nodiscard]] FigureLabel* figure() const { return m_figure; }

private:
    FigureLabel* m_figure;
};

} // namespace outlay::gui
