// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/shortlist_view.h"

#include "gui/view/figure_view.h"
#include "gui/view/offer_name.h"
#include "gui/view/offers_view.h"

#include <set>

namespace outlay::gui {
namespace {

constexpr std::array Columns{OfferColumn::Provider, OfferColumn::Instance, OfferColumn::Accelerator,
                             OfferColumn::Region,   OfferColumn::Purchase, OfferColumn::Hours,
                             OfferColumn::Usd};

/// The first of each provider and way of buying: the options are ranked.
std::vector<std::uint32_t> firstOfEach(const OfferRows& rows)
{
    std::vector<std::uint32_t> first;
    std::set<std::pair<std::string, core::Purchase>> seen;
    for (const std::uint32_t row : rows.passing({.onlySound = true})) {
        const core::OfferChoice choice = rows.choice(row);
        if (seen.insert({choice.provider, choice.purchase}).second)
            first.push_back(row);
    }
    return first;
}

std::vector<TableCell> cellsOf(const OfferRows& rows, std::uint32_t row,
                               const DisplayLocale& locale)
{
    std::vector<TableCell> cells;
    for (const OfferColumn column : Columns)
        cells.push_back({rows.text(row, column, locale)});
    const pricing::UsdRange& usd = rows.option(row).usd;
    cells.push_back({QStringLiteral("%1 to %2")
                         .arg(headlineText(usd.low, core::Unit::Usd, locale),
                              headlineText(usd.high, core::Unit::Usd, locale))});
    cells.push_back({rows.text(row, OfferColumn::AsOf, locale)});
    cells.push_back({rows.text(row, OfferColumn::Note, locale)});
    return cells;
}

} // namespace

ShortlistView makeShortlistView(const pricing::Report& report, const pricing::Catalogs* catalogs,
                                const DisplayLocale& locale)
{
    ShortlistView view;
    for (const OfferColumn column : Columns)
        view.table.columns.push_back({titleOf(column), isNumber(column)});
    view.table.columns.push_back({QStringLiteral("80 % interval"), true});
    for (const OfferColumn column : {OfferColumn::AsOf, OfferColumn::Note})
        view.table.columns.push_back({titleOf(column), false});
    if (catalogs != nullptr) {
        const OfferRows rows(report, *catalogs);
        for (const std::uint32_t row : firstOfEach(rows))
            view.table.rows.push_back(cellsOf(rows, row, locale));
    }
    view.verdict =
        view.table.rows.empty()
            ? QStringLiteral("Unavailable: no offer is known to fit the design and the plan")
            : QStringLiteral("The cheapest offer of each provider and way of buying that fits");
    return view;
}

} // namespace outlay::gui
