// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/view/providers_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/figure_label.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class ProvidersPanel final : public Panel {
public:
    ProvidersPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Providers"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("comparisonChart"), locale, this)),
          m_cheapest(
              new FigureLabel(FigureLabel::Size::Line, QStringLiteral("recommendedRun"), this))
    {
        content()->addWidget(m_chart, 1);
        content()->addWidget(m_cheapest);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeProvidersView({input.report, input.baseline, input.catalogs}, m_locale));
    }

private:
    void show(const ProvidersView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        m_cheapest->show(view.cheapest);
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    FigureLabel* m_cheapest;
};

} // namespace

Panel* makeProvidersPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ProvidersPanel(locale, parent);
}

} // namespace outlay::gui
