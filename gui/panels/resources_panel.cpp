// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/resources_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class ResourcesPanel final : public Panel {
public:
    ResourcesPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Resource usage"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("resourcesChart"), locale, this)),
          m_sources(new ElidedLabel(TypeRole::Axis, this))
    {
        m_sources->setObjectName(QStringLiteral("resourcesSources"));
        m_sources->setForegroundRole(SecondaryText);
        content()->addWidget(m_chart, 1);
        content()->addWidget(m_sources);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeResourcesView(input.report, m_locale));
    }

private:
    void show(const ResourcesView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        m_sources->setWholeText(view.sources);
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    ElidedLabel* m_sources;
};

} // namespace

Panel* makeResourcesPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ResourcesPanel(locale, parent);
}

} // namespace outlay::gui
