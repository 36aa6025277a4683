// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/compare_view.h"
#include "gui/view/format.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/choice_box.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <optional>

namespace outlay::gui {
namespace {

class ComparePanel final : public Panel {
public:
    ComparePanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Compare"), parent), m_locale(locale),
          m_open(new QPushButton(QStringLiteral("Open experiments…"), this)),
          m_drop(new QPushButton(QStringLiteral("Drop them"), this)),
          m_baseline(
              new ChoiceBox(QStringLiteral("compareBaseline"), QStringLiteral("Baseline"), this)),
          m_figure(new ChoiceBox(QStringLiteral("compareFigure"),
                                 QStringLiteral("Figure of the chart"), this)),
          m_quality(new ChoiceBox(QStringLiteral("compareQuality"),
                                  QStringLiteral("Quality of the chart"), this)),
          m_chart(new Chart(QStringLiteral("compareChart"), locale, this)),
          m_scatter(new Chart(QStringLiteral("compareQualityChart"), locale, this)),
          m_unplaced(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
          m_table(new DataTable(QStringLiteral("compareTable"), QStringLiteral("Comparison"), this))
    {
        m_open->setObjectName(QStringLiteral("compareOpen"));
        m_drop->setObjectName(QStringLiteral("compareDrop"));
        m_baseline->setToolTip(QStringLiteral("The experiment that differences are to"));
        m_quality->setToolTip(QStringLiteral("What cost is held against"));
        m_unplaced->setObjectName(QStringLiteral("compareUnplaced"));
        auto* tools = new QHBoxLayout;
        tools->setSpacing(size::Medium);
        tools->addWidget(m_open);
        tools->addWidget(m_drop);
        const auto add = [&](const QString& name, ChoiceBox* box) {
            QLabel* label = makeLabel(name, TypeRole::Body, this);
            label->setBuddy(box);
            tools->addWidget(label);
            tools->addWidget(box, 1);
            return label;
        };
        add(QStringLiteral("Baseline"), m_baseline);
        add(QStringLiteral("Figure"), m_figure);
        m_against = add(QStringLiteral("Quality"), m_quality);
        m_charts->setSpacing(size::Large);
        for (Chart* chart : {m_chart, m_scatter}) {
            chart->setMinimumHeight(size::ChartOnPage);
            m_charts->addWidget(chart, 1);
        }
        m_table->setMinimumHeight(size::ChartOnPage);
        content()->addLayout(tools);
        content()->addLayout(m_charts, 1);
        content()->addWidget(m_unplaced);
        content()->addWidget(m_table, 1);
        connect(m_open, &QPushButton::clicked, this, &Panel::othersWanted);
        connect(m_drop, &QPushButton::clicked, this, &Panel::othersDropped);
        connect(m_baseline, &ChoiceBox::activated, this, [this] {
            compare();
            show();
        });
        for (ChoiceBox* box : {m_figure, m_quality})
            connect(box, &ChoiceBox::activated, this, [this] { show(); });
        connect(m_scatter, &Chart::pointChosen, this, &ComparePanel::chooseBaseline);
    }

    void setInput(const PanelInput& input) override
    {
        if (input.catalogs == nullptr)
            return;
        m_catalogs = *input.catalogs;
        m_all = {{"this experiment", input.experiment, input.report}};
        if (input.compared != nullptr)
            m_all.insert(m_all.end(), input.compared->begin(), input.compared->end());
        m_baseline->setChoices(comparedNames(m_all));
        m_drop->setEnabled(m_all.size() > 1);
        compare();
        show();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        Panel::resizeEvent(event);
        m_charts->setDirection(width() >= size::TwoCards ? QBoxLayout::LeftToRight
                                                         : QBoxLayout::TopToBottom);
    }

private:
    void chooseBaseline(std::size_t place)
    {
        m_baseline->setPlace(comparedAt(place, m_baseline->place()));
        compare();
        show();
    }

    void compare() { m_comparison = comparisonTo(m_baseline->place(), m_all, *m_catalogs); }

    void show()
    {
        const CompareView view = makeCompareView(
            m_comparison, {.figure = m_figure->place(), .quality = m_quality->place()}, m_locale);
        setSubtitle(view.verdict);
        m_figure->setChoices(view.figures);
        m_quality->setChoices(view.qualities);
        m_quality->setVisible(!view.qualities.empty());
        m_against->setVisible(!view.qualities.empty());
        m_chart->show(view.chart);
        m_scatter->show(view.quality);
        m_scatter->setVisible(m_all.size() > 1);
        m_unplaced->setText(view.unplaced);
        m_unplaced->setVisible(!view.unplaced.isEmpty());
        m_table->show(view.table);
    }

    DisplayLocale m_locale;
    std::optional<pricing::Catalogs> m_catalogs;
    std::vector<pricing::Compared> m_all;
    pricing::Comparison m_comparison;
    QPushButton* m_open;
    QPushButton* m_drop;
    ChoiceBox* m_baseline;
    ChoiceBox* m_figure;
    ChoiceBox* m_quality;
    QLabel* m_against = nullptr;
    Chart* m_chart;
    Chart* m_scatter;
    QLabel* m_unplaced;
    QBoxLayout* m_charts = new QHBoxLayout; // the panel's layout owns it
    DataTable* m_table;
};

} // namespace

Panel* makeComparePanel(const DisplayLocale& locale, QWidget* parent)
{
    return new ComparePanel(locale, parent);
}

} // namespace outlay::gui
