// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/offers_view.h"

#include "core/base/units.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace outlay::gui {
namespace {

using core::Unit;
using pricing::Option;
using pricing::Trust;

constexpr std::array Titles{u"Provider", u"Instance", u"Region", u"Accelerator", u"Bought",
                            u"Time",     u"Cost",     u"Fits",   u"Price of",    u"To know"};

QString fitsText(core::Fits fits)
{
    switch (fits) {
    case core::Fits::Yes: return QStringLiteral("yes");
    case core::Fits::No: return QStringLiteral("no");
    case core::Fits::Unknown: return QStringLiteral("unknown");
    }
    return {};
}

/// Nothing is behind everything that is known.
bool isLessKnown(std::optional<double> a, std::optional<double> b)
{
    return a.value_or(HUGE_VAL) < b.value_or(HUGE_VAL);
}

} // namespace

QString titleOf(OfferColumn column)
{
    return QString::fromUtf16(Titles.at(static_cast<std::size_t>(column)));
}

bool isNumber(OfferColumn column)
{
    return column == OfferColumn::Hours || column == OfferColumn::Usd;
}

OfferRows::OfferRows(const pricing::Report& report, const pricing::Catalogs& catalogs)
    : m_options(report.training.options), m_startupHours(report.training.runHours.startupHours()),
      m_book(catalogs.sharedBook())
{
    m_hours.reserve(m_options.size());
    for (std::size_t row = 0; row < m_options.size(); ++row)
        m_hours.push_back(hoursTaken(report, m_options[row], offer(row).purchase));
    for (const core::TrainingForecast& forecast : report.training.forecasts)
        m_machines.push_back(core::real(forecast.machines));
}

const pricing::OfferRow& OfferRows::offer(std::size_t row) const
{
    return m_book->rows()[m_options[row].row];
}

const pricing::Machine& OfferRows::machine(std::size_t row) const
{
    return m_book->machine(offer(row));
}

double OfferRows::machines(std::size_t row) const
{
    const std::size_t kind = m_options[row].forecast;
    return kind < m_machines.size() ? m_machines[kind] : 1;
}

std::optional<double> OfferRows::hours(std::size_t row) const
{
    const auto& all = m_hours[row];
    return all ? std::optional(all->value) : std::nullopt;
}

std::optional<double> OfferRows::workHours(std::size_t row) const
{
    const auto all = hours(row);
    return all ? std::optional(*all - m_startupHours) : std::nullopt;
}

QString OfferRows::hoursText(std::size_t row, const DisplayLocale& locale) const
{
    const QString value = text(row, OfferColumn::Hours, locale);
    const auto& all = m_hours[row];
    return all && all->low < all->high
               ? QStringLiteral("%1 (%2 to %3)")
                     .arg(value, headlineText(all->low, Unit::Hours, locale),
                          headlineText(all->high, Unit::Hours, locale))
               : value;
}

QString OfferRows::hint(std::size_t row, const DisplayLocale& locale) const
{
    const auto cell = [&](OfferColumn column) { return text(row, column, locale); };
    const QString accelerator = machine(row).accelerator.empty()
                                    ? QString()
                                    : QStringLiteral(" with ") + cell(OfferColumn::Accelerator);
    QString usd = cell(OfferColumn::Usd);
    const pricing::UsdRange& range = m_options[row].usd;
    if (m_options[row].hasUsd && range.low < range.high)
        usd += QStringLiteral(" (%1 to %2)")
                   .arg(headlineText(range.low, Unit::Usd, locale),
                        headlineText(range.high, Unit::Usd, locale));
    QStringList lines{
        QStringLiteral("%1%2%3").arg(timesText(machines(row)), machineTitle(machine(row)),
                                     accelerator),
        QStringLiteral("%1 in %2, price of %3")
            .arg(cell(OfferColumn::Purchase), cell(OfferColumn::Region), cell(OfferColumn::AsOf)),
        QStringLiteral("%1 in %2").arg(usd, hoursText(row, locale))};
    if (m_startupHours > 0 && hours(row))
        lines.last() += QStringLiteral(", %1 of it to start")
                            .arg(headlineText(m_startupHours, Unit::Hours, locale));
    if (const QString said = note(row); !said.isEmpty())
        lines.append(said);
    return lines.join(QLatin1Char('\n'));
}

QString OfferRows::note(std::size_t row) const
{
    const Option& option = m_options[row];
    QStringList parts;
    if (option.trust == Trust::Doubtful)
        parts.append(QStringLiteral("doubtful: ") + toQString(m_book->doubtReason(option.row)));
    if (option.trust == Trust::Stale)
        parts.append(QStringLiteral("an old price"));
    if (option.fits != core::Fits::Yes)
        parts.append(option.fits == core::Fits::No ? QStringLiteral("doesn't fit")
                                                   : QStringLiteral("may not fit"));
    if (!option.isWorthIt)
        parts.append(QStringLiteral("a term that mostly passes unused"));
    if (!option.isAllowed)
        parts.append(QStringLiteral("outside the plan"));
    if (option.isTooLong)
        parts.append(QStringLiteral("longer than a plan may take"));
    if (!option.meetsDeadline)
        parts.append(QStringLiteral("over the deadline"));
    if (!option.isWithinBudget)
        parts.append(QStringLiteral("over the budget"));
    if (!hours(row))
        parts.append(QStringLiteral("its time can't be forecast"));
    return parts.join(QStringLiteral("; "));
}

QString OfferRows::text(std::size_t row, OfferColumn column, const DisplayLocale& locale) const
{
    const Option& option = m_options[row];
    switch (column) {
    case OfferColumn::Provider: return providerTitle(machine(row).provider);
    case OfferColumn::Instance: return timesText(machines(row)) + toQString(machine(row).instance);
    case OfferColumn::Region: return toQString(m_book->region(offer(row)));
    case OfferColumn::Accelerator:
        return machine(row).accelerator.empty()
                   ? QStringLiteral("–")
                   : numberText(machine(row).accelerators, locale) + QStringLiteral(" x ") +
                         toQString(machine(row).accelerator);
    case OfferColumn::Purchase: return purchaseTitle(offer(row).purchase);
    case OfferColumn::Hours:
        return hours(row) ? headlineText(*hours(row), Unit::Hours, locale) : QStringLiteral("–");
    case OfferColumn::Usd:
        return option.hasUsd ? headlineText(option.usd.value, Unit::Usd, locale)
                             : QStringLiteral("–");
    case OfferColumn::Fits: return fitsText(option.fits);
    case OfferColumn::AsOf: return toQString(m_book->source(offer(row)).asOf);
    case OfferColumn::Note: return note(row);
    }
    return {};
}

bool OfferRows::isLess(std::size_t a, std::size_t b, OfferColumn column) const
{
    const auto usd = [&](std::size_t row) {
        return m_options[row].hasUsd ? std::optional(m_options[row].usd.value) : std::nullopt;
    };
    switch (column) {
    case OfferColumn::Provider: return machine(a).provider < machine(b).provider;
    case OfferColumn::Instance: return machine(a).instance < machine(b).instance;
    case OfferColumn::Region: return m_book->region(offer(a)) < m_book->region(offer(b));
    case OfferColumn::Accelerator:
        return std::tie(machine(a).accelerator, machine(a).accelerators) <
               std::tie(machine(b).accelerator, machine(b).accelerators);
    case OfferColumn::Purchase: return offer(a).purchase < offer(b).purchase;
    case OfferColumn::Hours: return isLessKnown(hours(a), hours(b));
    case OfferColumn::Usd: return isLessKnown(usd(a), usd(b));
    case OfferColumn::Fits: return m_options[a].fits < m_options[b].fits;
    case OfferColumn::AsOf: return m_book->source(offer(a)).asOf < m_book->source(offer(b)).asOf;
    case OfferColumn::Note: return m_options[a].trust < m_options[b].trust;
    }
    return false;
}

core::OfferChoice OfferRows::choice(std::size_t row) const
{
    return {.provider = machine(row).provider,
            .instance = machine(row).instance,
            .region = m_book->region(offer(row)),
            .purchase = offer(row).purchase};
}

std::vector<std::uint32_t> OfferRows::passing(const OfferFilter& filter) const
{
    const QStringList words = filter.words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < m_options.size(); ++row) {
        if (filter.onlySound && !pricing::keepsPlan(m_options[row]))
            continue;
        QString all;
        if (!words.isEmpty())
            all = providerTitle(machine(row).provider) + QLatin1Char(' ') +
                  toQString(machine(row).instance) + QLatin1Char(' ') +
                  toQString(m_book->region(offer(row))) + QLatin1Char(' ') +
                  toQString(machine(row).accelerator) + QLatin1Char(' ') +
                  purchaseTitle(offer(row).purchase);
        if (std::all_of(words.begin(), words.end(), [&](const QString& word) {
                return all.contains(word, Qt::CaseInsensitive);
            }))
            rows.push_back(row);
    }
    return rows;
}

std::vector<std::uint32_t> paretoFront(const OfferRows& rows,
                                       const std::vector<std::uint32_t>& among, FrontOf of)
{
    std::vector<std::uint32_t> candidates;
    std::copy_if(among.begin(), among.end(), std::back_inserter(candidates),
                 [&](std::uint32_t row) {
                     const Option& option = rows.option(row);
                     return rows.hours(row) && (of == FrontOf::Plan ? pricing::keepsPlan(option)
                                                                    : pricing::isUsable(option));
                 });
    const auto key = [&](std::uint32_t row) {
        return std::pair(*rows.hours(row), rows.option(row).usd.value);
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    std::vector<std::uint32_t> front;
    for (const std::uint32_t row : candidates) {
        if (front.empty() || rows.option(row).usd.value < rows.option(front.back()).usd.value)
            front.push_back(row);
    }
    return front;
}

} // namespace outlay::gui
