// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/scaling_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/panel_grid.h"
#include "gui/widgets/titled_table.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

constexpr GridRules ChartRules{
    .leastWidth = size::LeastCard, .leastHeight = size::ChartOnPage, .mostColumns = 2};

class ScalingPanel final : public Panel {
public:
    ScalingPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Scaling"), parent), m_locale(locale),
          m_table(new TitledTable(QStringLiteral("scalingTable"),
                                  QStringLiteral("Instances over traffic"), this)),
          m_waysTitle(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
          m_ways(new TitledTable(QStringLiteral("servingWaysTable"),
                                 QStringLiteral("Ways to serve"), this))
    {
        auto* charts = new PanelGrid(ChartRules, this);
        m_cost = new Chart(QStringLiteral("scalingCostChart"), locale, charts);
        m_latency = new Chart(QStringLiteral("scalingLatencyChart"), locale, charts);
        charts->add(m_cost);
        charts->add(m_latency);
        content()->addWidget(charts);
        content()->addWidget(m_table);
        content()->addWidget(m_ways);
        content()->addWidget(m_waysTitle);
        content()->addStretch(1);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeScalingView(input.report, m_locale));
    }

private:
    void show(const ScalingView& view)
    {
        setSubtitle(view.verdict);
        m_cost->show(view.cost);
        m_latency->show(view.latency);
        m_table->show(view.table, view.verdict);
        m_ways->show(view.ways, view.waysTitle);
        m_waysTitle->setText(view.waysTitle);
        m_waysTitle->setVisible(!view.ways.rows.empty());
    }

    DisplayLocale m_locale;
    Chart* m_cost = nullptr;
    Chart* m_latency = nullptr;
    TitledTable* m_table;
    QLabel* m_waysTitle;
    TitledTable* m_ways;
};

} // namespace

Panel* makeScalingPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ScalingPanel(locale, parent);
}

} // namespace outlay::gui
