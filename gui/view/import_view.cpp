// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/import_view.h"

#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"

#include <algorithm>
#include <map>
#include <set>

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

/// A line for each provider: how many of its models, and of which weights.
TableData modelsOf(const std::vector<pricing::TokenPrice>& prices, const QLocale& locale)
{
    struct Of {
        std::size_t models = 0;
        std::set<std::string> weights;
    };
    std::map<std::string, Of> providers;
    for (const pricing::TokenPrice& price : prices) {
        Of& of = providers[price.provider];
        ++of.models;
        of.weights.insert(price.weights);
    }
    TableData table;
    table.columns = {{QStringLiteral("Provider"), false},
                     {QStringLiteral("Models"), true},
                     {QStringLiteral("Weights"), false}};
    for (const auto& [provider, of] : providers) {
        QStringList weights;
        for (const std::string& name : of.weights)
            weights.append(toQString(name));
        const QString names = weights.join(QStringLiteral(", "));
        table.rows.push_back({{toQString(pricing::hostTitle(provider))},
                              {locale.toString(qulonglong{of.models}), double(of.models)},
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
    const bool isOfTokens = import.isOfTokens();
    ImportView view;
    view.summary =
        QStringLiteral("%1: %2 of %3 rows can be used, %4 %5: %6 new, %7 replace older ones, "
                       "%8 are there already, %9 are older than what you have")
            .arg(toQString(import.kind), number(account.imported), number(account.rows),
                 number(isOfTokens ? import.tokens.size() : import.offers.rows.size()),
                 isOfTokens ? QStringLiteral("prices of tokens") : QStringLiteral("offers"),
                 number(counts.added), number(counts.replaced), number(counts.same),
                 number(counts.older));
    if (import.isUndated())
        view.caution = QStringLiteral("The file doesn't say when its prices were valid: without a "
                                      "day they are doubtful, and nothing is recommended by them.");
    view.arrivals =
        isOfTokens ? modelsOf(import.tokens, locale) : machinesOf(import.offers, locale);
    view.leftOut = leftOutOf(account, locale);
    return view;
}

} // namespace outlay::gui
