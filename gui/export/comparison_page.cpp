// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/export/comparison_page.h"

#include "gui/style/tokens.h"
#include "gui/view/compare_view.h"
#include "gui/view/offers_view.h"
#include "gui/view/shortlist_view.h"
#include "gui/widgets/chart.h"
#include "gui/widgets/plain_table.h"

#include <QVBoxLayout>

#include <algorithm>

namespace outlay::gui {
namespace {

Card* chartCard(const QString& title, const ChartModel& model, const DisplayLocale& locale,
                QWidget* parent)
{
    auto* card = new Card(title, parent);
    auto* chart = new Chart(QStringLiteral("pictureChart"), locale, card);
    card->setSubtitle(model.description);
    card->content()->addWidget(chart, 1);
    chart->show(model);
    return card;
}

Card* tableCard(const QString& title, const QString& verdict, const TableData& table,
                QWidget* parent)
{
    auto* card = new Card(title, parent);
    auto* plain = new PlainTable(card);
    card->setSubtitle(verdict);
    card->content()->addWidget(plain, 1);
    plain->show(table);
    return card;
}

/// Two charts above a table.
QWidget* arranged(QWidget* page, const std::vector<QWidget*>& charts, QWidget* table)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(size::Large);
    auto* row = new QHBoxLayout;
    row->setSpacing(size::Large);
    for (QWidget* chart : charts)
        row->addWidget(chart, 1);
    constexpr int ChartShare = 3;
    constexpr int TableShare = 2;
    layout->addLayout(row, ChartShare);
    layout->addWidget(table, TableShare);
    return page;
}

QWidget* makeOffersPage(const PanelInput& input, const DisplayLocale& locale, QWidget* parent)
{
    auto* page = new QWidget(parent);
    Panel* providers = makeProvidersPanel(locale, page);
    providers->setInput(input);
    ChartModel scatter;
    if (input.catalogs != nullptr) {
        const OfferRows rows(input.report, *input.catalogs);
        scatter = makeOffersView(rows, rows.passing({}), input.report.plan, locale).chart;
        std::erase_if(scatter.limits, [](const ChartLimit& limit) { return !limit.isSet; });
    }
    const ShortlistView list = makeShortlistView(input.report, input.catalogs, locale);
    return arranged(
        page, {providers, chartCard(QStringLiteral("Time against cost"), scatter, locale, page)},
        tableCard(QStringLiteral("Offers"), list.verdict, list.table, page));
}

/// The experiment itself is the baseline, and the chart shows what a run costs where that is known.
QWidget* makeExperimentsPage(const PanelInput& input, const DisplayLocale& locale, QWidget* parent)
{
    std::vector<pricing::Compared> all{{input.experiment.name, input.experiment, input.report}};
    all.insert(all.end(), input.compared->begin(), input.compared->end());
    const pricing::Comparison comparison = pricing::compare(all, *input.catalogs);
    CompareView view = makeCompareView(comparison, {}, locale);
    const auto cost =
        std::find_if(view.figures.begin(), view.figures.end(),
                     [](const QString& figure) { return figure.endsWith(QStringLiteral("cost")); });
    if (cost != view.figures.end())
        view = makeCompareView(
            comparison, {.figure = static_cast<std::size_t>(cost - view.figures.begin())}, locale);
    auto* page = new QWidget(parent);
    std::vector<QWidget*> charts{chartCard(view.chart.title, view.chart, locale, page)};
    if (!view.qualities.empty())
        charts.push_back(chartCard(view.quality.title, view.quality, locale, page));
    const QString verdict = view.unplaced.isEmpty()
                                ? view.verdict
                                : view.verdict + QStringLiteral(". ") + view.unplaced;
    return arranged(page, charts,
                    tableCard(QStringLiteral("All figures"), verdict, view.table, page));
}

} // namespace

QWidget* makeComparisonPage(const PanelInput& input, const DisplayLocale& locale, QWidget* parent)
{
    const bool hasOthers = input.compared != nullptr && !input.compared->empty();
    if (hasOthers && input.catalogs != nullptr)
        return makeExperimentsPage(input, locale, parent);
    return makeOffersPage(input, locale, parent);
}

} // namespace outlay::gui
