// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/carbon_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/labels.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class CarbonPanel final : public Panel {
public:
    CarbonPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Environment"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("carbonChart"), locale, this)),
          m_equivalents(new ElidedLabel(TypeRole::Secondary, this)), m_lines(new QVBoxLayout)
    {
        m_equivalents->setObjectName(QStringLiteral("carbonEquivalents"));
        m_lines->setSpacing(0);
        m_chart->setMinimumHeight(size::ChartBesideLines);
        content()->addWidget(m_chart, 1);
        content()->addLayout(m_lines);
        content()->addWidget(m_equivalents);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeCarbonView(input.report, input.baseline, m_locale));
    }

private:
    void show(const CarbonView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        while (m_figures.size() < view.figures.size()) {
            const auto index = static_cast<int>(m_figures.size());
            QWidget* before = index == 0 ? static_cast<QWidget*>(m_chart) : m_figures.back();
            m_figures.push_back(new FigureLabel(FigureLabel::Size::Line,
                                                QStringLiteral("carbonFigure%1").arg(index), this));
            m_lines->addWidget(m_figures.back());
            setTabOrder(before, m_figures.back());
        }
        for (std::size_t i = 0; i < view.figures.size(); ++i)
            m_figures[i]->show(view.figures[i]);
        m_equivalents->setWholeText(view.equivalents);
        m_equivalents->setVisible(!view.equivalents.isEmpty());
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    ElidedLabel* m_equivalents;
    QVBoxLayout* m_lines;
    std::vector<FigureLabel*> m_figures;
};

} // namespace

Panel* makeCarbonPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new CarbonPanel(locale, parent);
}

} // namespace outlay::gui
