// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/view/work_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/labels.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class WorkPanel final : public Panel {
public:
    WorkPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Where the work goes"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("workChart"), locale, this)),
          m_total(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes))
    {
        m_total->setObjectName(QStringLiteral("workTotal"));
        content()->addWidget(m_chart, 1);
        content()->addWidget(m_total);
    }

    void setInput(const PanelInput& input) override { show(makeWorkView(input.report, m_locale)); }

private:
    void show(const WorkView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        m_total->setText(view.total);
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    QLabel* m_total;
};

} // namespace

Panel* makeWorkPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new WorkPanel(locale, parent);
}

} // namespace outlay::gui
