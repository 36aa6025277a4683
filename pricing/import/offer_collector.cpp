// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/import/offer_collector.h"

#include "core/base/text.h"
#include "pricing/date.h"

#include <algorithm>
#include <tuple>

namespace outlay::pricing {
namespace {

constexpr std::size_t LongestName = 100;

Machine cleaned(Machine machine)
{
    // Names go into sentences, tables and files.
    machine.provider = core::printable(machine.provider, LongestName);
    machine.instance = core::printable(machine.instance, LongestName);
    return machine;
}

} // namespace

OfferCollector::OfferCollector(PriceSource source) : m_source(std::move(source)) {}

void OfferCollector::setAsOf(std::string_view asOf)
{
    constexpr std::size_t DayLength = 10;
    asOf = asOf.substr(0, DayLength);
    m_source.asOf = dayOf(asOf) ? std::string(asOf) : std::string();
}

void OfferCollector::add(const Machine& machine, std::string_view region, core::Purchase purchase,
                         double usdPerHour)
{
    OfferRow row;
    row.machine = m_builder.machine(cleaned(machine));
    row.region = m_builder.region(core::printable(region, LongestName));
    row.purchase = purchase;
    m_prices.push_back({row, usdPerHour});
}

OfferTable OfferCollector::take()
{
    const auto key = [](const Price& p) {
        return std::tuple(p.row.machine, p.row.region, p.row.purchase);
    };
    std::sort(m_prices.begin(), m_prices.end(), [&](const Price& a, const Price& b) {
        return std::tuple(key(a), a.usdPerHour) < std::tuple(key(b), b.usdPerHour);
    });
    const std::uint32_t source = m_builder.source(m_source);
    for (auto first = m_prices.begin(); first != m_prices.end();) {
        const auto last = std::find_if(first, m_prices.end(),
                                       [&](const Price& p) { return key(p) != key(*first); });
        const auto count = last - first;
        const double upper = first[count / 2].usdPerHour;
        const double lower = first[(count - 1) / 2].usdPerHour;
        first->row.source = source;
        first->row.usdPerHour = lower + (upper - lower) / 2;
        m_builder.add(first->row);
        first = last;
    }
    return m_builder.take();
}

} // namespace outlay::pricing
