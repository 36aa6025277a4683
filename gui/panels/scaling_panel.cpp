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

constexpr GridRules GrowthRules{
    .leastWidth = size::LeastCard, .leastHeight = size::ChartOnPage, .mostColumns = 2};
constexpr GridRules MixingRules{
    .leastWidth = size::LeastCard, .leastHeight = size::ChartOnPage, .mostColumns = 3};

/// A heading, what the part says, its charts and its table; built once, as it is always of the same shape.
class PartWidget final : public QWidget {
public:
    PartWidget(const GrowthPart& part, const DisplayLocale& locale, QWidget* parent)
        : QWidget(parent),
          m_verdict(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes))
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, size::Large, 0, 0);
        layout->setSpacing(size::Small);
        layout->addWidget(makeLabel(part.title, TypeRole::CardTitle, this));
        layout->addWidget(m_verdict);
        auto* grid = new PanelGrid(MixingRules, this);
        for (std::size_t i = 0; i < part.charts.size(); ++i) {
            m_charts.push_back(new Chart(part.chartName(i), locale, grid));
            grid->add(m_charts.back());
        }
        layout->addWidget(grid);
        m_table = new TitledTable(part.tableName(), part.tableTitle, this);
        layout->addWidget(m_table);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    void show(const GrowthPart& part)
    {
        m_verdict->setText(part.verdict);
        for (std::size_t i = 0; i < m_charts.size(); ++i)
            m_charts[i]->show(part.charts[i]);
        m_table->show(part.table, part.verdict);
    }

private:
    QLabel* m_verdict;
    std::vector<Chart*> m_charts;
    TitledTable* m_table = nullptr;
};

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
        auto* charts = new PanelGrid(GrowthRules, this);
        m_cost = new Chart(QStringLiteral("scalingCostChart"), locale, charts);
        m_latency = new Chart(QStringLiteral("scalingLatencyChart"), locale, charts);
        charts->add(m_cost);
        charts->add(m_latency);
        content()->addWidget(charts);
        content()->addWidget(m_table);
        content()->addWidget(m_ways);
        content()->addWidget(m_waysTitle);
        for (const GrowthPart& part : makeGrowthView({}, locale)) {
            m_parts.push_back(new PartWidget(part, locale, this));
            content()->addWidget(m_parts.back());
        }
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
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_parts[i]->show(view.parts[i]);
    }

    DisplayLocale m_locale;
    Chart* m_cost = nullptr;
    Chart* m_latency = nullptr;
    TitledTable* m_table;
    QLabel* m_waysTitle;
    TitledTable* m_ways;
    std::vector<PartWidget*> m_parts;
};

} // namespace

Panel* makeScalingPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ScalingPanel(locale, parent);
}

} // namespace outlay::gui
