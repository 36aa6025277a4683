// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/advice_view.h"
#include "gui/widgets/advice_list.h"
#include "gui/widgets/chart.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class AdvicePanel final : public Panel {
public:
    AdvicePanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("What to do next"), parent), m_locale(locale),
          m_chart(new Chart(QStringLiteral("adviceChart"), locale, this)),
          m_list(new AdviceList(QStringLiteral("adviceList"), this)), m_sides(new QVBoxLayout)
    {
        m_sides->addWidget(m_chart, 3);
        m_sides->addWidget(m_list, 2);
        content()->addLayout(m_sides, 1);
        m_chart->setHints([this](std::size_t index) {
            const AdviceItem& item = m_items.at(index);
            return QStringList{item.title, item.saving, item.why}.join(QLatin1Char('\n'));
        });
        connect(m_list, &AdviceList::applied, this, [this](std::size_t index) {
            const AdviceItem item = m_items.at(index); // the list changes while it is applied
            Q_EMIT patchWanted(item.patch, item.title);
        });
    }

    void setInput(const PanelInput& input) override
    {
        show(makeAdviceView(input.report, m_locale));
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        Panel::resizeEvent(event);
        const bool isTall = height() >= size::ListBelowFrom;
        const bool isBeside = width() >= size::ListBesideFrom && !isTall;
        m_sides->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        m_sides->setStretch(0, isBeside ? 5 : 1);
        m_sides->setStretch(1, isBeside ? 6 : isTall ? 1 : 0);
        m_list->setDense(!isBeside && !isTall);
        // The rows say what the legend would, and need its room.
        m_chart->setLegendShown(isBeside);
        m_chart->setMinimumHeight(isBeside ? size::ChartInPanel
                                  : isTall ? size::ChartBesideLines
                                           : size::LeastChart);
    }

private:
    void show(const AdviceView& view)
    {
        setSubtitle(view.verdict);
        m_chart->show(view.chart);
        m_list->show(view.items);
        m_list->setEnabled(!view.isOld);
        m_list->setVisible(!view.items.empty());
        m_items = view.items;
    }

    DisplayLocale m_locale;
    Chart* m_chart;
    AdviceList* m_list;
    QBoxLayout* m_sides;
    std::vector<AdviceItem> m_items;
};

} // namespace

Panel* makeAdvicePanel(const DisplayLocale& locale, QWidget* parent)
{
    return new AdvicePanel(locale, parent);
}

} // namespace outlay::gui
