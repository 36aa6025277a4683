// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/layers_view.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/panel_grid.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace outlay::gui {
namespace {

constexpr GridRules PartRules{
    .leastWidth = size::LeastCard, .leastHeight = size::TwoChartsInPanel, .mostColumns = 3};

/// Where memory and work go, above the layers one by one.
class LayersPanel final : public Panel {
public:
    LayersPanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Layers"), parent), m_locale(locale), m_filter(new QLineEdit(this)),
          m_table(new DataTable(QStringLiteral("layersTable"), QStringLiteral("Layers"), this))
    {
        auto* grid = new PanelGrid(PartRules, this);
        m_parts = {makeMemoryPanel(locale, grid), makeWorkPanel(locale, grid),
                   makeWeightsPanel(locale, grid)};
        for (Panel* part : m_parts)
            grid->add(part);
        m_filter->setObjectName(QStringLiteral("layersFilter"));
        m_filter->setAccessibleName(QStringLiteral("Show layers whose row contains"));
        m_filter->setPlaceholderText(QStringLiteral("Filter by name or kind"));
        m_filter->setClearButtonEnabled(true);
        m_table->setMinimumHeight(size::ChartOnPage);
        content()->addWidget(grid);
        content()->addWidget(m_filter);
        content()->addWidget(m_table, 1);
        connect(m_filter, &QLineEdit::textChanged, m_table, &DataTable::setFilter);
    }

    void setInput(const PanelInput& input) override
    {
        for (Panel* part : m_parts)
            part->setInput(input);
        show(makeLayersView(input.report, m_locale));
    }

private:
    void show(const LayersView& view)
    {
        setSubtitle(view.summary);
        m_table->show(view.table);
    }

    DisplayLocale m_locale;
    QLineEdit* m_filter;
    DataTable* m_table;
    std::vector<Panel*> m_parts;
};

} // namespace

Panel* makeLayersPanel(const DisplayLocale& locale, QWidget* parent)
{
    return new LayersPanel(locale, parent);
}

} // namespace outlay::gui
