// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/money_summary.h"

#include "gui/view/format.h"
#include "pricing/report/offers/cheapest.h"

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::Report;

constexpr std::size_t MostOffers = 5;
constexpr std::size_t MostAdvice = 5;

QString reasonOf(const Quantity& figure)
{
    const std::string reason = figure.how().sentence();
    return reason.empty() ? QStringLiteral("nothing is known of it") : toQString(reason);
}

/// A section of which nothing is known takes one line.
QString unavailableText(const char* title, const QString& reason)
{
    return QStringLiteral("\n%1: unavailable; %2\n").arg(QLatin1String(title), reason);
}

QString optionRows(const Report& report, const pricing::Catalogs& catalogs, const QLocale& locale)
{
    TextTable table({Align::Left, Align::Left, Align::Left, Align::Left, Align::Right, Align::Right,
                     Align::Left, Align::Left});
    const auto options =
        pricing::cheapestMachines({report.training.options, catalogs, {}}, MostOffers);
    for (const pricing::Option* option : options) {
        const pricing::Offer offer = pricing::offerOf(*option, catalogs);
        const Quantity usd = pricing::usdOf(*option, catalogs);
        const auto purchase = static_cast<std::size_t>(offer.purchase);
        QString price = QStringLiteral("price of ") + toQString(offer.source.asOf);
        if (option->trust == pricing::Trust::Stale)
            price += QStringLiteral(", stale");
        if (!option->meetsDeadline)
            price += QStringLiteral("; misses the deadline");
        if (!option->isWithinBudget)
            price += QStringLiteral("; beyond the budget");
        table.add(
            {toQString(offer.machine.provider),
             toQString(pricing::timesInstances(*option, report.training) + offer.machine.instance),
             toQString(offer.region), toQString(core::PurchaseNames.at(purchase)),
             figureText(pricing::paidHoursOf(*option, report.training, catalogs), locale),
             figureText(usd, locale), intervalText(usd, locale), price});
    }
    return table.text();
}

QString offersText(const Report& report, const pricing::Catalogs& catalogs, const QLocale& locale)
{
    const pricing::Recommendation& recommended = report.training.recommended;
    const QString rows = optionRows(report, catalogs, locale);
    if (rows.isEmpty())
        return unavailableText("Offers", recommended.reasons.empty()
                                             ? QStringLiteral("none fits the training and the plan")
                                             : toQString(recommended.reasons.front()));
    QString text =
        QStringLiteral("\nOffers for the training, the cheapest machines first\n") + rows;
    for (const std::string& reason : recommended.reasons)
        text += QStringLiteral("  why: %1\n").arg(toQString(reason));
    if (!recommended.risk.empty())
        text += QStringLiteral("  risk: %1\n").arg(toQString(recommended.risk));
    return text;
}

QString monthText(const pricing::MonthReport& month, const QLocale& locale)
{
    if (month.items.empty() && !month.total.isAvailable())
        return unavailableText("A month", reasonOf(month.total));
    TextTable table = figureTable();
    for (const pricing::MonthItem& item : month.items)
        table.add(figureCells(toQString(item.item), item.usd, locale));
    table.add(figureCells(QStringLiteral("total"), month.total, locale));
    return QStringLiteral("\nA month\n") + table.text();
}

QString carbonText(const pricing::CarbonReport& carbon, const QLocale& locale)
{
    if (!carbon.kgCo2e.isAvailable())
        return unavailableText("Carbon", reasonOf(carbon.kgCo2e));
    TextTable table = figureTable();
    table.add(figureCells(QStringLiteral("a training run"), carbon.kgCo2e, locale));
    table.add(figureCells(QStringLiteral("energy"), carbon.kwh, locale));
    QString month = QStringLiteral("a month");
    for (const std::string& item : carbon.monthLacks)
        month += QStringLiteral(" without ") + toQString(item);
    table.add(figureCells(month, carbon.monthKgCo2e, locale));
    table.add(figureCells(QStringLiteral("offset"), carbon.offsetUsd, locale));
    for (const core::Equivalent& row : carbon.equivalents) {
        const bool isSmall = row.smallAmount && row.smallName && row.amount.value() < 1;
        if (row.isRecommended)
            table.add(figureCells(toQString(isSmall ? *row.smallName : row.name),
                                  isSmall ? *row.smallAmount : row.amount, locale));
    }
    return QStringLiteral("\nCarbon, %1 basis\n").arg(toQString(carbon.gridBasis)) + table.text();
}

QString efficiencyText(const pricing::EfficiencyReport& efficiency, const QLocale& locale)
{
    if (!efficiency.score.isAvailable())
        return unavailableText("Efficiency", reasonOf(efficiency.score));
    TextTable table = figureTable();
    for (const pricing::EfficiencyPart& part : efficiency.parts) {
        QStringList cells = figureCells(toQString(part.name), part.score, locale);
        if (!part.why.empty())
            cells.back() = toQString(part.why);
        table.add(cells);
    }
    return QStringLiteral("\nEfficiency: %1 of 100, %2\n")
               .arg(valueText(efficiency.score.value(), core::Unit::One, locale),
                    toQString(efficiency.band)) +
           table.text();
}

/// What it saves the largest part of.
QString savingText(const pricing::AdviceRow& row, const QLocale& locale)
{
    const bool isTime = row.most == pricing::SavedThing::Time;
    const core::Quantity& saving = row.most == pricing::SavedThing::Money  ? row.savingUsd
                                   : row.most == pricing::SavedThing::Time ? row.savingTimeS
                                                                           : row.savingKgCo2e;
    const QString enables = toQString(pricing::textOf(row.enables));
    const QString start = enables.isEmpty() ? QString() : QStringLiteral(": ") + enables;
    if (!enables.isEmpty() && row.savingUsd.isAvailable() && row.savingUsd.value() < 0)
        return start + QStringLiteral(", costs %1 a month more")
                           .arg(figureText(row.savingUsd * -1, locale));
    if (!saving.isAvailable() || saving.value() <= 0)
        return start;
    return (enables.isEmpty() ? QStringLiteral(": saves %1 %2")
                              : start + QStringLiteral(", saves %1 %2"))
        .arg(figureText(saving, locale), !isTime               ? QStringLiteral("a month")
                                         : row.isTimeOfRequest ? QStringLiteral("of a request here")
                                                               : QStringLiteral("of a run here"));
}

QString adviceText(const std::vector<pricing::AdviceRow>& advice, const QLocale& locale)
{
    if (advice.empty())
        return QStringLiteral("\nAdvice: none that could be computed for this design\n");
    QString text = QStringLiteral("\nAdvice\n");
    for (std::size_t i = 0; i < advice.size() && i < MostAdvice; ++i) {
        const pricing::AdviceRow& row = advice[i];
        text += QStringLiteral("  %1 (%2 priority, %3 effort)%4\n    %5\n")
                    .arg(toQString(row.title),
                         toQString(pricing::LevelNames.at(static_cast<std::size_t>(row.priority))),
                         toQString(pricing::LevelNames.at(static_cast<std::size_t>(row.effort))),
                         savingText(row, locale), toQString(row.why));
    }
    if (advice.size() > MostAdvice)
        text += QStringLiteral("  and %1 more with --json\n").arg(advice.size() - MostAdvice);
    return text;
}

QString alertsText(const std::vector<pricing::AlertRow>& alerts)
{
    QString text;
    for (const pricing::AlertRow& row : alerts) {
        if (row.state != "ok" && row.state != "unknown")
            text += QStringLiteral("\nAlert, %1 %2: %3\n")
                        .arg(toQString(row.name), toQString(row.state), toQString(row.whatToDo));
    }
    return text;
}

} // namespace

QStringList figureCells(const QString& name, const Quantity& figure, const QLocale& locale)
{
    const QString basis = figure.isAvailable() ? toQString(core::name(figure.basis())) : QString();
    return {name, figureText(figure, locale), basis, intervalText(figure, locale),
            reasonOf(figure)};
}

TextTable figureTable()
{
    return TextTable({Align::Left, Align::Right, Align::Left, Align::Left, Align::Left});
}

QString makeMoneySummary(const Report& report, const pricing::Catalogs& catalogs,
                         const QLocale& locale)
{
    return offersText(report, catalogs, locale) + monthText(report.month, locale) +
           carbonText(report.carbon, locale) + efficiencyText(report.efficiency, locale) +
           adviceText(report.advice, locale) + alertsText(report.alerts);
}

} // namespace outlay::gui
