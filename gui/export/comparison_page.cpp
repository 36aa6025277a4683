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

namespace outlay::gui {
namespace {

Card* chartCard(const QString& title, const ChartModel& model, const QLocale& locale,
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

QWidget* makeOffersPage(const PanelInput& input, const QLocale& locale, QWidget* parent)
{
    auto* page = new QWidget(parent);
    Panel* providers = makeComparisonPanel(locale, page);
    providers->setInput(input);
    ChartModel scatter;
    if (input.catalogs != nullptr) {
        const OfferRows rows(input.report, *input.catalogs);
        scatter = makeOffersView(rows, rows.passing({}), input.report.plan, locale).chart;
    }
    const ShortlistView list = makeShortlistView(input.report, input.catalogs, locale);
    return arranged(
        page, {providers, chartCard(QStringLiteral("Time against cost"), scatter, locale, page)},
        tableCard(QStringLiteral("Offers"), list.verdict, list.table, page));
}

} // namespace

QWidget* makeComparisonPage(const PanelInput& input, const QLocale& locale, QWidget* parent)
{
    return makeOffersPage(input, locale, parent);
}

} // namespace outlay::gui
