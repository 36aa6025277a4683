// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/format.h"
#include "gui/view/plan_view.h"
#include "gui/widgets/environment_editor.h"
#include "gui/widgets/titled_table.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class PlanPanel final : public Panel {
public:
    PlanPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Plan"), parent), m_locale(locale),
          m_environments(new EnvironmentEditor(this)), m_tables(new QVBoxLayout)
    {
        m_tables->setSpacing(size::Wide);
        content()->addLayout(m_tables);
        connect(m_environments, &EnvironmentEditor::added, this, [this] {
            want(withOneMore(m_plan.environments), QStringLiteral("an environment more"));
        });
        connect(m_environments, &EnvironmentEditor::removed, this, [this](std::size_t row) {
            want(without(m_plan.environments, row), QStringLiteral("an environment less"));
        });
        connect(m_environments, &EnvironmentEditor::edited, this,
                [this](std::size_t row, const EnvironmentView& typed) {
                    Environments all = m_plan.environments;
                    all[row] = environmentOf(typed, m_environments->shown(row), all[row], m_locale);
                    want(all, QStringLiteral("an environment"));
                });
        content()->addStretch(1);
    }

    void setInput(const PanelInput& input) override
    {
        m_plan = input.report.plan;
        if (input.catalogs != nullptr && m_book != &input.catalogs->book()) {
            m_book = &input.catalogs->book();
            m_environments->setMachines(machineChoices(*m_book));
        }
        show(makePlanView(input.report, m_locale));
    }

private:
    /// The plan is what it was until the document says so: the wish may be refused, and then the fields show it again.
    void want(const Environments& all, const QString& what)
    {
        const core::Plan before = m_plan;
        Q_EMIT patchWanted(environmentsPatch(all), what);
        if (m_plan == before)
            m_environments->showAgain();
    }

    void editSplit(int row, const QString& text)
    {
        if (const auto percent = typedNumber(text, m_locale))
            Q_EMIT patchWanted(splitPatch(m_plan, static_cast<std::size_t>(row), *percent),
                               QStringLiteral("the split"));
    }

    void show(const PlanView& view)
    {
        setSubtitle(view.verdict);
        while (m_shown.size() < view.tables.size()) {
            const PlanTable& next = view.tables[m_shown.size()];
            m_shown.push_back(new TitledTable(next.id, next.title, this));
            m_tables->addWidget(m_shown.back());
            if (m_shown.size() == 1) // below what the month comes to
                m_tables->addWidget(m_environments);
            if (next.table.editable)
                connect(m_shown.back(), &TitledTable::edited, this, &PlanPanel::editSplit);
        }
        m_environments->show(view.environments);
        for (std::size_t i = 0; i < view.tables.size(); ++i)
            m_shown[i]->show(view.tables[i].table, view.tables[i].empty);
    }

    DisplayLocale m_locale;
    core::Plan m_plan; // as it is shown
    const pricing::PriceBook* m_book = nullptr;
    EnvironmentEditor* m_environments;
    QVBoxLayout* m_tables;
    std::vector<TitledTable*> m_shown;
};

} // namespace

Panel* makePlanPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new PlanPanel(locale, parent);
}

} // namespace outlay::gui
