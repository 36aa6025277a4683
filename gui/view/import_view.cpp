// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/import_view.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <algorithm>
#include <map>

namespace outlay::gui {
namespace {

/// A line for each provider: how many machines and offers, and of which accelerators.
TableData machinesOf(const pricing::OfferTable& offers, const QLocale& locale)
{
    struct Of {
        std::size_t offers = 0;
        std::map<std::string, std::size_t> machines; // by accelerator
        std::size_t count = 0;
    };
    std::map<std::string, Of> providers;
    for (const pricing::Machine& machine : offers.machines) {
        Of& of = providers[machine.provider];
        ++of.count;
        if (!machine.accelerator.empty())
            ++of.machines[machine.accelerator];
    }
    for (const pricing::OfferRow& row : offers.rows)
        ++providers[offers.machines[row.machine].provider].offers;
    TableData table;
    table.columns = {{QStringLiteral("Provider"), false},
                     {QStringLiteral("Machines"), true},
                     {QStringLiteral("Offers"), true},
                     {QStringLiteral("Accelerators"), false}};
    for (const auto& [provider, of] : providers) {
        QStringList accelerators;
        for (const auto& [name, count] : of.machines)
            accelerators.append(toQString(name));
        const QString names = accelerators.isEmpty() ? QStringLiteral("none")
                                                     : accelerators.join(QStringLiteral(", "));
        table.rows.push_back({{providerTitle(provider)},
                              {locale.toString(qulonglong{of.count}), double(of.count)},
                              {locale.toString(qulonglong{of.offers}), double(of.offers)},
                              {names, std::nullopt, names}});
    }
    return table;
}

TableData leftOutOf(const pricing::ImportAccount& account, const QLocale& locale)
{
    TableData table;
    table.columns = {{QStringLiteral("Left out"), true},
                     {QStringLiteral("Why"), false},
                     {QStringLiteral("First row"), true}};
    for (const auto& reason : account.leftOut) {
        const std::string& why = reason.first;
        const std::size_t count = reason.second;
        const auto first =
            std::find_if(account.named.begin(), account.named.end(),
                         [&](const pricing::LeftOut& row) { return row.why == why; });
        const bool isNamed = first != account.named.end();
        table.rows.push_back(
            {{locale.toString(qulonglong{count}), double(count)},
             {toQString(why), std::nullopt, toQString(why)},
             isNamed ? TableCell{locale.toString(qulonglong{first->row}), double(first->row)}
                     : TableCell{QStringLiteral("–")}});
    }
    return table;
}

} // namespace

ImportView makeImportView(const pricing::PriceImport& import, const pricing::MergeCounts& counts,
                          const QLocale& locale)
{
    const auto number = [&](std::size_t count) { return locale.toString(qulonglong{count}); };
    const pricing::ImportAccount& account = import.account;
    ImportView view;
    view.summary =
        QStringLiteral("%1: %2 of %3 rows can be used, %4 offers: %5 new, %6 replace older ones, "
                       "%7 are there already, %8 are older than what the book has")
            .arg(toQString(import.kind), number(account.imported), number(account.rows),
                 number(import.offers.rows.size()), number(counts.added), number(counts.replaced),
                 number(counts.same), number(counts.older));
    const bool isUndated =
        std::any_of(import.offers.sources.begin(), import.offers.sources.end(),
                    [](const pricing::PriceSource& source) { return source.asOf.empty(); });
    if (isUndated)
        view.caution = QStringLiteral("The file doesn't say when its prices were valid: without a "
                                      "day they are doubtful, and nothing is recommended by them.");
    view.machines = machinesOf(import.offers, locale);
    view.leftOut = leftOutOf(account, locale);
    return view;
}

} // namespace outlay::gui
