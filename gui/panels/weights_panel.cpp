// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/view/weights_view.h"
#include "gui/widgets/chart.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class WeightsPanel final : public Panel {
public:
    WeightsPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Weights by precision"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("weightsChart"), locale, this))
    {
        content()->addWidget(m_chart, 1);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeWeightsView(input.report, m_locale));
    }

private:
    void show(const WeightsView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
    }

    DisplayLocale m_locale;
    Chart* m_chart;
};

} // namespace

Panel* makeWeightsPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new WeightsPanel(locale, parent);
}

} // namespace outlay::gui
