// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/cost_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/labels.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class CostPanel final : public Panel {
public:
    CostPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Cost breakdown"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("costChart"), locale, this)),
          m_total(new FigureLabel(FigureLabel::Size::Line, QStringLiteral("costOfMonth"), this)),
          m_lacking(new ElidedLabel(TypeRole::Axis, this))
    {
        m_lacking->setObjectName(QStringLiteral("costLacking"));
        m_lacking->setForegroundRole(SecondaryText);
        content()->addWidget(m_chart, 1);
        content()->addWidget(m_total);
        content()->addWidget(m_lacking);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeCostView(input.report, input.baseline, m_locale));
    }

private:
    void show(const CostView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        m_total->show(view.total);
        m_lacking->setWholeText(view.lacking);
        m_lacking->setVisible(!view.lacking.isEmpty());
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    FigureLabel* m_total;
    ElidedLabel* m_lacking;
};

} // namespace

Panel* makeCostPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new CostPanel(locale, parent);
}

} // namespace outlay::gui
