// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/panel_grid.h"

#include "gui/style/tokens.h"

#include <QEvent>

#include <algorithm>
#include <iterator>

namespace outlay::gui {
namespace {

int ceilDiv(int a, int b)
{
    return (a + b - 1) / b;
}

} // namespace

PanelGrid::PanelGrid(const GridRules& rules, QWidget* parent) : QWidget(parent), m_rules(rules)
{
    QSizePolicy policy(QSizePolicy::Preferred,
                       rules.leastHeight > 0 ? QSizePolicy::Expanding : QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PanelGrid::add(QWidget* card)
{
    card->setParent(this);
    m_cards.push_back(card);
    updateGeometry();
    arrange();
}

std::vector<QWidget*> PanelGrid::shown() const
{
    std::vector<QWidget*> cards;
    std::copy_if(m_cards.begin(), m_cards.end(), std::back_inserter(cards),
                 [](const QWidget* card) { return !card->isHidden(); });
    return cards;
}

int PanelGrid::columnsFor(int width) const
{
    const int fit = (width + size::Large) / (m_rules.leastWidth + size::Large);
    const int count = static_cast<int>(shown().size());
    const int most = std::clamp(std::min(fit, m_rules.mostColumns), 1, std::max(1, count));
    // Even rows: four cards in two rows of two, not three and one.
    return ceilDiv(std::max(1, count), ceilDiv(std::max(1, count), most));
}

int PanelGrid::rowHeight() const
{
    int height = m_rules.leastHeight;
    for (const QWidget* card : shown())
        height = std::max(height, card->minimumSizeHint().height());
    return height;
}

int PanelGrid::heightFor(int width) const
{
    const int rows = ceilDiv(static_cast<int>(shown().size()), columnsFor(width));
    return rows * rowHeight() + std::max(0, rows - 1) * size::Large;
}

QSize PanelGrid::sizeHint() const
{
    const int columns =
        std::max(1, std::min(m_rules.mostColumns, static_cast<int>(shown().size())));
    const int width = columns * (m_rules.leastWidth + size::Large) - size::Large;
    return {width, heightFor(width)};
}

QSize PanelGrid::minimumSizeHint() const
{
    return {m_rules.leastWidth, heightFor(std::max(width(), m_rules.leastWidth))};
}

bool PanelGrid::event(QEvent* event)
{
    const bool isHandled = QWidget::event(event);
    // A card wants another size than before.
    if (event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        arrange();
    }
    return isHandled;
}

void PanelGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    updateGeometry();
    arrange();
}

void PanelGrid::arrange()
{
    const std::vector<QWidget*> cards = shown();
    if (cards.empty())
        return;
    const int count = static_cast<int>(cards.size());
    const int columns = columnsFor(width());
    const int rows = ceilDiv(count, columns);
    const int all = std::max(height(), heightFor(width()));
    const auto edge = [](int total, int parts, int i) { return i * (total + size::Large) / parts; };
    for (int i = 0; i < count; ++i) {
        const int row = i / columns;
        const int inRow = m_rules.fillsLastRow ? std::min(columns, count - row * columns) : columns;
        const int left = edge(width(), inRow, i % columns);
        const int right = edge(width(), inRow, i % columns + 1) - size::Large;
        const int top = edge(all, rows, row);
        const int bottom = edge(all, rows, row + 1) - size::Large;
        cards[static_cast<std::size_t>(i)]->setGeometry(left, top, right - left, bottom - top);
    }
}

} // namespace outlay::gui
