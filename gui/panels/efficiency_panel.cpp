// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/efficiency_view.h"
#include "gui/widgets/figure_label.h"
#include "gui/widgets/gauge.h"
#include "gui/widgets/score_row.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class EfficiencyPanel final : public Panel {
public:
    EfficiencyPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Efficiency"), parent), m_locale(locale),
          m_gauge(new Gauge(QStringLiteral("efficiencyGauge"), this)),
          m_score(
              new FigureLabel(FigureLabel::Size::Line, QStringLiteral("efficiencyScore"), this)),
          m_parts(new QVBoxLayout)
    {
        m_parts->setSpacing(0);
        content()->addWidget(m_gauge, 1);
        content()->addWidget(m_score);
        content()->addLayout(m_parts);
    }

    void setInput(const PanelInput& input) override
    {
        show(makeEfficiencyView(input.report, input.baseline, m_locale));
    }

private:
    void show(const EfficiencyView& view)
    {
        setSubtitle(view.verdict);
        m_gauge->show(view);
        m_score->show(view.figure);
        while (m_rows.size() < view.parts.size()) {
            m_rows.push_back(
                new ScoreRow(QStringLiteral("efficiencyPart%1").arg(m_rows.size()), this));
            m_parts->addWidget(m_rows.back());
        }
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            m_rows[i]->setVisible(i < view.parts.size());
            if (i < view.parts.size())
                m_rows[i]->show(view.parts[i]);
        }
    }

    DisplayLocale m_locale;
    Gauge* m_gauge;
    FigureLabel* m_score;
    QVBoxLayout* m_parts;
    std::vector<ScoreRow*> m_rows;
};

} // namespace

Panel* makeEfficiencyPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new EfficiencyPanel(locale, parent);
}

} // namespace outlay::gui
