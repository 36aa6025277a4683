// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/memory_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/figure_label.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class MemoryPanel final : public Panel {
public:
    MemoryPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Training memory"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("memoryChart"), locale, this)),
          m_training(
              new FigureLabel(FigureLabel::Size::Inline, QStringLiteral("memoryOfTraining"), this)),
          m_serving(
              new FigureLabel(FigureLabel::Size::Inline, QStringLiteral("memoryOfServing"), this))
    {
        content()->addWidget(m_chart, 1);
        auto* figures = new QHBoxLayout;
        figures->setSpacing(size::Large);
        figures->addWidget(m_training, 1);
        figures->addWidget(m_serving, 1);
        content()->addLayout(figures);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeMemoryView(input.report, input.baseline, m_locale));
    }

private:
    void show(const MemoryView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        m_training->show(view.training);
        m_serving->show(view.serving);
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    FigureLabel* m_training;
    FigureLabel* m_serving;
};

} // namespace

Panel* makeMemoryPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new MemoryPanel(locale, parent);
}

} // namespace outlay::gui
