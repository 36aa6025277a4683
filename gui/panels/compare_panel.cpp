// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/panels/panel.h"
#include "gui/style/tokens.h"
#include "gui/view/compare_view.h"
#include "gui/view/format.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/data_table.h"
#include "gui/widgets/labels.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

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
    ComparePanel(const DisplayLocale& locale, QWidget* parent)
        : Panel(QStringLiteral("Compare"), parent), m_locale(locale),
          m_open(new QPushButton(QStringLiteral("Open experiments…"), this)),
          m_drop(new QPushButton(QStringLiteral("Drop them"), this)),
          m_baseline(new QComboBox(this)), m_figure(new QComboBox(this)),
          m_quality(new QComboBox(this)),
          m_chart(new Chart(QStringLiteral("compareChart"), locale, this)),
          m_scatter(new Chart(QStringLiteral("compareQualityChart"), locale, this)),
          m_unplaced(makeQuietLabel(QString(), TypeRole::Secondary, this, Wrap::Yes)),
          m_table(new DataTable(QStringLiteral("compareTable"), QStringLiteral("Comparison"), this))
    {
        m_open->setObjectName(QStringLiteral("compareOpen"));
        m_drop->setObjectName(QStringLiteral("compareDrop"));
        m_baseline->setObjectName(QStringLiteral("compareBaseline"));
        m_baseline->setAccessibleName(QStringLiteral("Baseline"));
        m_baseline->setToolTip(QStringLiteral("The experiment that differences are to"));
        m_figure->setObjectName(QStringLiteral("compareFigure"));
        m_figure->setAccessibleName(QStringLiteral("Figure of the chart"));
        m_quality->setObjectName(QStringLiteral("compareQuality"));
        m_quality->setAccessibleName(QStringLiteral("Quality of the chart"));
        m_quality->setToolTip(QStringLiteral("What cost is held against"));
        m_unplaced->setObjectName(QStringLiteral("compareUnplaced"));
        for (QComboBox* box : {m_baseline, m_figure, m_quality})
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        auto* tools = new QHBoxLayout;
        tools->setSpacing(size::Medium);
        tools->addWidget(m_open);
        tools->addWidget(m_drop);
        const auto add = [&](const QString& name, QComboBox* box) {
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
        connect(m_baseline, &QComboBox::activated, this, [this] {
            compare();
            show();
        });
        for (QComboBox* box : {m_figure, m_quality})
            connect(box, &QComboBox::activated, this, [this] { show(); });
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
        fill(*m_baseline, comparedNames(m_all));
        m_drop->setEnabled(m_all.size() > 1);
        compare();
        show();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        Panel::resizeEvent(event);
        m_charts->setDirection(width() >= 2 * size::LeastCard ? QBoxLayout::LeftToRight
                                                              : QBoxLayout::TopToBottom);
    }

private:
    [[nodiscard]] static std::size_t chosen(const QComboBox& box)
    {
        return static_cast<std::size_t>(std::max(0, box.currentIndex()));
    }

    void chooseBaseline(std::size_t place)
    {
        m_baseline->setCurrentIndex(static_cast<int>(comparedAt(place, chosen(*m_baseline))));
        compare();
        show();
    }

    void compare() { m_comparison = comparisonTo(chosen(*m_baseline), m_all, *m_catalogs); }

    void show()
    {
        const CompareView view = makeCompareView(
            m_comparison, {.figure = chosen(*m_figure), .quality = chosen(*m_quality)}, m_locale);
        setSubtitle(view.verdict);
        fill(*m_figure, view.figures);
        fill(*m_quality, view.qualities);
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
    QComboBox* m_baseline;
    QComboBox* m_figure;
    QComboBox* m_quality;
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
