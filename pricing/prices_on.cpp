// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/prices_on.h"

#include "core/base/units.h"
#include "pricing/date.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula ListedFormula{"price.listed", "{0} USD an hour"};
constexpr Formula StaleFormula{
    "price.stale",
    "{0} USD an hour, {1} days old; {2} to {3} times that by the drift seen between catalogs"};

std::string originOf(const PriceSource& source)
{
    return source.name + ", " + (source.asOf.empty() ? "undated" : source.asOf);
}

} // namespace

PricesOn::PricesOn(const PriceBook& book, std::string_view today) : m_book(book)
{
    // What is undated may be as old as the oldest that the book has.
    int oldestDays = 0;
    for (const PriceSource& source : book.table().sources)
        oldestDays = std::max(oldestDays, daysBetween(source.asOf, today).value_or(0));
    for (const PriceSource& source : book.table().sources) {
        const int days = daysBetween(source.asOf, today).value_or(oldestDays);
        Age& age = m_ages.emplace_back();
        age.days = days;
        age.isStale = days > FreshDays;
        for (std::size_t kind = 0; kind < age.drift.size() && age.isStale; ++kind) {
            for (const bool isAccelerated : {false, true})
                age.drift.at(kind).at(isAccelerated ? 1 : 0) = book.drift().after(
                    days / DaysPerYear, static_cast<Purchase>(kind), isAccelerated);
        }
    }
    const auto rows = book.rows();
    m_ranges.reserve(rows.size());
    m_trust.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_ranges.push_back(rangeOf(rows[i]));
        m_trust.push_back(book.doubt(i) != Doubt::None     ? Trust::Doubtful
                          : m_ages[rows[i].source].isStale ? Trust::Stale
                                                           : Trust::Fresh);
    }
}

UsdRange PricesOn::rangeOf(const OfferRow& row) const
{
    const double usd = row.usdPerHour.value_or(0);
    if (usd <= 0)
        return {};
    const std::size_t group = m_book.machine(row).accelerator.empty() ? 0 : 1;
    const PriceRange& drift =
        m_ages[row.source].drift.at(static_cast<std::size_t>(row.purchase)).at(group);
    return {usd, usd * drift.lowFactor, usd * drift.highFactor};
}

Quantity PricesOn::price(std::size_t row) const
{
    const OfferRow& offer = m_book.rows()[row];
    const auto usd = range(row);
    if (!usd)
        return Quantity::unavailable(Unit::UsdPerHour, m_book.doubtReason(row));
    const std::string origin = originOf(m_book.source(offer));
    const Age& age = m_ages[offer.source];
    How reason =
        age.isStale
            ? how(StaleFormula,
                  {usd->value, age.days, usd->low / usd->value, usd->high / usd->value}, origin)
            : how(ListedFormula, {usd->value}, origin);
    return Quantity::within(usd->value, usd->low, usd->high, Unit::UsdPerHour, Basis::Listed,
                            std::move(reason));
}

std::string PricesOn::caution(std::size_t row) const
{
    switch (trust(row)) {
    case Trust::Fresh: return {};
    case Trust::Stale: return "as of " + m_book.source(m_book.rows()[row]).asOf;
    case Trust::Doubtful: return "doubtful: " + m_book.doubtReason(row);
    }
    return {};
}

std::string cheapestKnown(std::string_view asOf)
{
    return "cheapest known, as of " + std::string(asOf);
}

} // namespace outlay::pricing
