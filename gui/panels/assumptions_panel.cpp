// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/view/assumptions_view.h"
#include "gui/widgets/data_table.h"

#include <QVBoxLayout>

namespace outlay::gui {
namespace {

class AssumptionsPanel final : public Panel {
public:
    AssumptionsPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Assumptions"), parent), m_locale(locale),
          m_table(new DataTable(QStringLiteral("assumptionsTable"), QStringLiteral("Assumptions"),
                                this))
    {
        content()->addWidget(m_table, 1);
        connect(m_table, &DataTable::edited, this, [this](int row, const QString& text) {
            Q_EMIT changeWanted(m_pointers.at(static_cast<std::size_t>(row)), valueOf(text));
        });
    }

    void setInput(const PanelInput& input) override
    {
        show(makeAssumptionsView(input.report, m_locale));
    }

private:
    void show(const AssumptionsView& view)
    {
        setSubtitle(view.summary);
        m_table->show(view.table);
        m_pointers = view.pointers;
    }

    DisplayLocale m_locale;
    DataTable* m_table;
    std::vector<std::string> m_pointers;
};

} // namespace

Panel* makeAssumptionsPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new AssumptionsPanel(locale, parent);
}

} // namespace outlay::gui
