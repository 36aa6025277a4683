// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/plan_view.h"
#include "gui/widgets/titled_table.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class PlanPanel final : public Panel {
public:
    PlanPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Plan"), parent), m_locale(locale), m_tables(new QVBoxLayout)
    {
        m_tables->setSpacing(size::Wide);
        content()->addLayout(m_tables);
        content()->addStretch(1);
    }

    void setInput(const PanelInput& input) override { show(makePlanView(input.report, m_locale)); }

private:
    void show(const PlanView& view)
    {
        setSubtitle(view.verdict);
        while (m_shown.size() < view.tables.size()) {
            const PlanTable& next = view.tables[m_shown.size()];
            m_shown.push_back(new TitledTable(next.id, next.title, this));
            m_tables->addWidget(m_shown.back());
        }
        for (std::size_t i = 0; i < view.tables.size(); ++i)
            m_shown[i]->show(view.tables[i].table, view.tables[i].empty);
    }

    DisplayLocale m_locale;
    QVBoxLayout* m_tables;
    std::vector<TitledTable*> m_shown;
};

} // namespace

Panel* makePlanPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new PlanPanel(locale, parent);
}

} // namespace outlay::gui
