// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/scaling_view.h"
#include "gui/widgets/labels.h"
#include "gui/widgets/panel_grid.h"
#include "gui/widgets/titled_chart.h"
#include "gui/widgets/titled_table.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace outlay::gui {
namespace {

constexpr GridRules GrowthRules{
    .leastWidth = size::LeastCard, .leastHeight = size::ChartOnPage, .mostColumns = 2};
constexpr GridRules MixingRules{
    .leastWidth = size::LeastCard, .leastHeight = size::ChartOnPage, .mostColumns = 3};

/// A heading, what the part says, its charts and its table; built once, as it is always of the same shape.
class PartWidget final : public QWidget {
public:
    using Pressed = std::function<void(const core::Json& patch, const QString& what)>;

    PartWidget(const GrowthPart& part, const DisplayLocale& locale, const Pressed& pressed,
               QWidget* parent)
        : QWidget(parent),
          m_verdict(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
          m_action(new QPushButton(this)), m_grid(new PanelGrid(MixingRules, this))
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, size::Large, 0, 0);
        layout->setSpacing(size::Small);
        layout->addWidget(makeLabel(part.title, TypeRole::CardTitle, this));
        layout->addWidget(m_verdict);
        m_action->setObjectName(part.actionName());
        connect(m_action, &QPushButton::clicked, this, [this, pressed] {
            const core::Json patch = m_patch; // the part changes while it is applied
            pressed(patch, m_action->text());
        });
        layout->addWidget(m_action, 0, Qt::AlignLeft);
        for (std::size_t i = 0; i < part.charts.size(); ++i) {
            m_charts.push_back(new TitledChart(part.chartName(i), locale, m_grid));
            m_grid->add(m_charts.back());
        }
        layout->addWidget(m_grid);
        m_table = new TitledTable(part.tableName(), part.tableTitle, this);
        layout->addWidget(m_table);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    void show(const GrowthPart& part)
    {
        m_verdict->setText(part.verdict);
        m_action->setText(part.action);
        m_action->setVisible(!part.action.isEmpty());
        m_patch = part.patch;
        for (std::size_t i = 0; i < m_charts.size(); ++i)
            m_charts[i]->show(part.charts[i]);
        m_table->show(part.table, part.verdict);
        // Where there is nothing, the reason is said once.
        m_grid->setVisible(std::any_of(part.charts.begin(), part.charts.end(),
                                       [](const ChartModel& chart) { return !chart.isEmpty(); }));
        m_table->setVisible(!part.table.rows.empty());
    }

private:
    QLabel* m_verdict;
    QPushButton* m_action;
    core::Json m_patch;
    PanelGrid* m_grid;
    std::vector<TitledChart*> m_charts;
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
        m_charts = new PanelGrid(GrowthRules, this);
        m_cost = new TitledChart(QStringLiteral("scalingCostChart"), locale, m_charts);
        m_latency = new TitledChart(QStringLiteral("scalingLatencyChart"), locale, m_charts);
        m_charts->add(m_cost);
        m_charts->add(m_latency);
        // The plan's traffic is the one that moves.
        connect(m_cost, &TitledChart::limitMoved, this,
                [this](std::size_t, std::optional<double> at, int drag) {
                    if (at)
                        Q_EMIT changeWanted("/serving/requests_per_day", trafficValue(*at), drag);
                });
        content()->addWidget(m_charts);
        content()->addWidget(m_table);
        content()->addWidget(m_ways);
        content()->addWidget(m_waysTitle);
        const auto pressed = [this](const core::Json& patch, const QString& what) {
            Q_EMIT patchWanted(patch, what);
        };
        m_traffic = new PartWidget(makeTrafficPart(nullptr, locale), locale, pressed, this);
        content()->addWidget(m_traffic);
        for (const GrowthPart& part : makeGrowthView({}, locale)) {
            m_parts.push_back(new PartWidget(part, locale, pressed, this));
            content()->addWidget(m_parts.back());
        }
        content()->addStretch(1);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeScalingView(input.report, m_locale));
        m_traffic->show(makeTrafficPart(input.traffic, m_locale));
    }

private:
    void show(const ScalingView& view)
    {
        setSubtitle(view.verdict);
        m_cost->show(view.cost);
        m_latency->show(view.latency);
        m_charts->setVisible(!view.cost.isEmpty() || !view.latency.isEmpty());
        m_table->show(view.table, view.verdict);
        m_table->setVisible(!view.table.rows.empty());
        m_ways->show(view.ways, view.waysTitle);
        m_waysTitle->setText(view.waysTitle);
        m_waysTitle->setVisible(!view.ways.rows.empty());
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_parts[i]->show(view.parts[i]);
    }

    DisplayLocale m_locale;
    PanelGrid* m_charts = nullptr;
    TitledChart* m_cost = nullptr;
    TitledChart* m_latency = nullptr;
    TitledTable* m_table;
    QLabel* m_waysTitle;
    TitledTable* m_ways;
    PartWidget* m_traffic = nullptr;
    std::vector<PartWidget*> m_parts;
};

} // namespace

Panel* makeScalingPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ScalingPanel(locale, parent);
}

} // namespace outlay::gui
