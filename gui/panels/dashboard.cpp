// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/dashboard.h"

#include "gui/style/theme.h"
#include "gui/view/tiles_view.h"
#include "gui/view/verdict_view.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/tile.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

QVBoxLayout* plainLayout(QWidget* owner)
{
    auto* layout = new QVBoxLayout(owner);
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

constexpr GridRules TileRules{.leastWidth = size::LeastTile, .leastHeight = 0, .mostColumns = 5};
constexpr GridRules PanelRules{
    .leastWidth = size::LeastCard, .leastHeight = 2 * size::ChartInPanel, .mostColumns = 3};

} // namespace

TileRow::TileRow(const DisplayLocale& locale, QWidget* parent)
    : QWidget(parent), m_locale(locale), m_grid(new PanelGrid(TileRules, this))
{
    plainLayout(this)->addWidget(m_grid);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void TileRow::setInput(const PanelInput& input)
{
    const auto views = makeTilesView(input.report, input.baseline, m_locale);
    if (m_tiles.size() < views.size())
        addTiles(views.size());
    for (std::size_t i = 0; i < views.size(); ++i)
        m_tiles[i]->show(views[i]);
}

void TileRow::addTiles(std::size_t count)
{
    std::vector<ElidedLabel*> values;
    while (m_tiles.size() < count) {
        m_tiles.push_back(new Tile(QStringLiteral("tile%1").arg(m_tiles.size()), m_grid));
        m_grid->add(m_tiles.back());
    }
    for (const Tile* tile : m_tiles)
        values.push_back(tile->figure()->value());
    for (ElidedLabel* value : values)
        value->setPeers(values);
}

VerdictLine::VerdictLine(const DisplayLocale& locale, QWidget* parent)
    : QWidget(parent), m_locale(locale)
{
    setObjectName(QStringLiteral("verdict"));
    setFont(fontOf(TypeRole::CardTitle));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void VerdictLine::setInput(const PanelInput& input)
{
    const VerdictView view = makeVerdictView(input.report, m_locale);
    m_leastHeight = view.isPart ? std::max(m_leastHeight, height()) : 0;
    const bool isSame = view.sentence == accessibleName();
    setAccessibleName(view.sentence);
    m_sentence = view.sentence;
    // No line begins with one.
    m_sentence.replace(QLatin1String(" %"), QString(QChar::Nbsp) + QLatin1Char('%'));
    setToolTip(view.basis);
    if (heightForWidth(width()) != height())
        updateGeometry();
    if (!isSame)
        update();
}

int VerdictLine::heightForWidth(int width) const
{
    constexpr int Endless = 10'000;
    const QRect lines =
        fontMetrics().boundingRect(0, 0, width, Endless, Qt::TextWordWrap, m_sentence);
    return std::max(lines.height(), m_leastHeight);
}

QSize VerdictLine::sizeHint() const
{
    return {size::UsualWindowWidth, fontMetrics().height()}; // more where the width asks for it
}

QSize VerdictLine::minimumSizeHint() const
{
    return {size::LeastCard, fontMetrics().height()};
}

void VerdictLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), Qt::TextWordWrap, m_sentence);
}

Dashboard::Dashboard(const DisplayLocale& locale, QWidget* parent)
    : QWidget(parent), m_grid(new PanelGrid(PanelRules, this))
{
    plainLayout(this)->addWidget(m_grid);
    for (const PanelRow& row : dashboardPanels()) {
        Panel* panel = row.make(locale, m_grid);
        panel->setObjectName(row.id);
        m_grid->add(panel);
        m_panels.push_back(panel);
    }
}

void Dashboard::setInput(const PanelInput& input)
{
    for (Panel* panel : m_panels)
        panel->setInput(input);
}

} // namespace outlay::gui
