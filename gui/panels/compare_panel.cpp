// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/compare_view.h"
#include "gui/view/format.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

void fill(QComboBox& box, const std::vector<QString>& texts)
{
    QStringList shown;
    for (int i = 0; i < box.count(); ++i)
        shown.append(box.itemText(i));
    const QStringList wanted(texts.begin(), texts.end());
    if (shown == wanted)
        return;
    const QSignalBlocker quiet(&box);
    const int before = box.currentIndex();
    box.clear();
    box.addItems(wanted);
    box.setCurrentIndex(std::clamp(before, 0, std::max(0, box.count() - 1)));
}

class ComparePanel final : public Panel {
public:
    ComparePanel(const QLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Compare"), parent), m_locale(locale),
          m_open(new QPushButton(QStringLiteral("Open experiments…"), this)),
          m_drop(new QPushButton(QStringLiteral("Drop them"), this)),
          m_baseline(new QComboBox(this)), m_figure(new QComboBox(this)),
          m_chart(new Chart(QStringLiteral("compareChart"), locale, this)),
          m_table(new DataTable(QStringLiteral("compareTable"), QStringLiteral("Comparison"), this))
    {
        m_open->setObjectName(QStringLiteral("compareOpen"));
        m_drop->setObjectName(QStringLiteral("compareDrop"));
        m_baseline->setObjectName(QStringLiteral("compareBaseline"));
        m_baseline->setAccessibleName(QStringLiteral("Baseline"));
        m_baseline->setToolTip(QStringLiteral("The experiment that differences are to"));
        m_figure->setObjectName(QStringLiteral("compareFigure"));
        m_figure->setAccessibleName(QStringLiteral("Figure of the chart"));
        for (QComboBox* box : {m_baseline, m_figure})
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        auto* tools = new QHBoxLayout;
        tools->setSpacing(size::Medium);
        tools->addWidget(m_open);
        tools->addWidget(m_drop);
        tools->addWidget(m_baseline, 1);
        tools->addWidget(m_figure, 1);
        m_chart->setMinimumHeight(size::ChartOnPage);
        m_table->setMinimumHeight(size::ChartOnPage);
        content()->addLayout(tools);
        content()->addWidget(m_chart, 1);
        content()->addWidget(m_table, 1);
        connect(m_open, &QPushButton::clicked, this, &Panel::othersWanted);
        connect(m_drop, &QPushButton::clicked, this, &Panel::othersDropped);
        connect(m_baseline, &QComboBox::activated, this, [this] {
            compare();
            show();
        });
        connect(m_figure, &QComboBox::activated, this, [this] { show(); });
    }

    void setInput(const PanelInput& input) override
    {
        if (input.catalogs == nullptr)
            return;
        m_catalogs = *input.catalogs;
        m_all = {{QStringLiteral("this experiment").toStdString(), input.experiment, input.report}};
        if (input.compared != nullptr)
            m_all.insert(m_all.end(), input.compared->begin(), input.compared->end());
        std::vector<QString> names;
        for (const pricing::Compared& one : m_all)
            names.push_back(
                toQString(one.experiment.name.empty() ? one.file : one.experiment.name));
        fill(*m_baseline, names);
        m_drop->setEnabled(m_all.size() > 1);
        compare();
        show();
    }

private:
    void compare()
    {
        std::vector<pricing::Compared> ordered = m_all;
        const auto first = ordered.begin() + std::max(0, m_baseline->currentIndex());
        std::rotate(ordered.begin(), first, first + 1);
        m_comparison = pricing::compare(ordered, m_catalogs);
    }

    void show()
    {
        const auto chosen = static_cast<std::size_t>(std::max(0, m_figure->currentIndex()));
        const CompareView view = makeCompareView(m_comparison, chosen, m_locale);
        setSubtitle(view.verdict);
        fill(*m_figure, view.figures);
        m_chart->show(view.chart);
        m_table->show(view.table);
    }

    QLocale m_locale;
    pricing::Catalogs m_catalogs;
    std::vector<pricing::Compared> m_all;
    pricing::Comparison m_comparison;
    QPushButton* m_open;
    QPushButton* m_drop;
    QComboBox* m_baseline;
    QComboBox* m_figure;
    Chart* m_chart;
    DataTable* m_table;
};

} // namespace

Panel* makeComparePanel(const QLocale& locale, QWidget* parent)
{
    return new ComparePanel(locale, parent);
}

} // namespace outlay::gui
