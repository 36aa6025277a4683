// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/tile.h"

#include "gui/style/tokens.h"
#include "gui/widgets/figure_label.h"

#include <QVBoxLayout>

namespace outlay::gui {

Tile::Tile(const QString& name, QWidget* parent)
    : Card(parent), m_figure(new FigureLabel(FigureLabel::Size::Headline, name, this))
{
    content()->setContentsMargins(size::Tiny, size::Small, size::Tiny, size::Small);
    content()->addWidget(m_figure);
    setMinimumWidth(size::LeastTile);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Tile::show(const FigureView& view)
{
    m_figure->show(view);
}

} // namespace outlay::gui
