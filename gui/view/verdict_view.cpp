// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/view/verdict_view.h"

#include "core/base/units.h"
#include "gui/view/advice_view.h"
#include "gui/view/cost_view.h"
#include "gui/view/field_presentation.h"
#include "gui/view/figure_view.h"
#include "gui/view/format.h"
#include "gui/view/offer_name.h"
#include "pricing/report/sections.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>

namespace outlay::gui {
namespace {

using core::Quantity;
using pricing::Report;

/// From where on a figure isn't said without its interval.
constexpr double WideInterval = 2;

QString headline(const Quantity& figure, const DisplayLocale& locale)
{
    return headlineText(figure.value(), figure.unit(), locale);
}

/// "$289 ($104 to $1,150)".
QString amountText(const Quantity& figure, const DisplayLocale& locale)
{
    const bool isWide = figure.high() > WideInterval * figure.low();
    const QString value = headline(figure, locale);
    return isWide ? QStringLiteral("%1 (%2 to %3)")
                        .arg(value, headlineText(figure.low(), figure.unit(), locale),
                             headlineText(figure.high(), figure.unit(), locale))
                  : value;
}

QString withoutStop(const std::string& sentence)
{
    QString text = toQString(sentence);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

/// "AWS g4dn.xlarge (T4), spot"; "AWS p5.48xlarge (8 x H100, sharded)".
QString placeText(const pricing::OptionText& option)
{
    const pricing::Offer& offer = option.offer;
    const pricing::Machine& machine = offer.machine;
    QString text = machinesTitle(option);
    if (!machine.accelerator.empty()) {
        const QString layout = layoutTitle(option.layout);
        text += QStringLiteral(" (%1%2%3)")
                    .arg(timesText(machine.accelerators), toQString(machine.accelerator),
                         layout.isEmpty() ? QString() : QStringLiteral(", ") + layout);
    }
    if (offer.purchase != core::Purchase::OnDemand)
        text += QStringLiteral(", ") + purchaseTitle(offer.purchase);
    return text;
}

/// What of the plan the choice breaks, each after a comma.
QString brokenText(const pricing::Recommendation& recommended, const QString& late)
{
    const pricing::Option& chosen = *recommended.chosen;
    QString broken;
    const auto say = [&](bool is, const QString& what) {
        if (is)
            broken += QStringLiteral(", ") + what;
    };
    say(chosen.fits == core::Fits::No, QStringLiteral("where it doesn't fit"));
    say(chosen.fits == core::Fits::Unknown, QStringLiteral("where it may not fit"));
    say(chosen.trust == pricing::Trust::Doubtful, QStringLiteral("at a doubtful price"));
    say(!chosen.isAllowed, QStringLiteral("outside the plan"));
    say(!chosen.meetsDeadline, late);
    say(!chosen.isWithinBudget, QStringLiteral("over the budget"));
    return broken;
}

/// Who chose it is told what it takes.
bool isImpractical(const Report& report)
{
    const auto& option = report.training.recommended.option;
    return option && option->hours.isAvailable() && !report.plan.trainingOffer &&
           !pricing::isPractical(option->offer.machine, option->hours.value());
}

/// ", embedding and output": layers that are trained whole.
QString besideAdapters(const pricing::TrainingReport& training)
{
    QString text;
    const auto& layers = training.trainedWhole;
    for (std::size_t i = 0; i < layers.size(); ++i)
        text += (i + 1 == layers.size() ? QStringLiteral(" and ") : QStringLiteral(", ")) +
                toQString(layers[i]);
    return text;
}

/// "Train", or what of the model is trained.
QString trainVerb(const pricing::TrainingReport& training)
{
    switch (training.method) {
    case core::Method::Full: break;
    case core::Method::Lora:
        return QStringLiteral("Train adapters%1 (%2)")
            .arg(besideAdapters(training),
                 training.isQuantised ? QStringLiteral("QLoRA") : QStringLiteral("LoRA"));
    case core::Method::Head: return QStringLiteral("Train the last layer");
    }
    return QStringLiteral("Train");
}

QString trainingText(const Report& report, const DisplayLocale& locale)
{
    const pricing::TrainingReport& training = report.training;
    const auto& option = training.recommended.option;
    const QString here = training.here.isAvailable()
                             ? QStringLiteral("; here it takes ") + headline(training.here, locale)
                             : QString();
    if (!option)
        return (training.recommended.reasons.empty()
                    ? QStringLiteral("Nowhere to train is known")
                    : withoutStop(training.recommended.reasons.front())) +
               here;
    const QString price = option->usd.isAvailable()
                              ? QStringLiteral(" for ") + amountText(option->usd, locale)
                              : QStringLiteral(" at a price that isn't known");
    const QString time = option->hours.isAvailable()
                             ? QStringLiteral(" in ") + headline(option->hours, locale)
                             : QString();
    const QString start = startText(report, locale);
    const QString there = placeText(*option) + price + time +
                          (start.isEmpty() ? QString() : QStringLiteral(", ") + start) +
                          brokenText(training.recommended, QStringLiteral("later than planned"));
    // What is as quick on the machine that one has isn't rented for.
    const bool isQuickHere = training.here.isAvailable() && option->hours.isAvailable() &&
                             training.here.value() <= option->hours.value() * core::SecondsPerHour;
    if (isQuickHere)
        return QStringLiteral("%1 here in %2, or on %3")
            .arg(trainVerb(training), headline(training.here, locale), there);
    if (isImpractical(report))
        return QStringLiteral("No practical way to train this is known: the best is ") + there;
    return trainVerb(training) + QStringLiteral(" on ") + there + here;
}

/// ", and waits 99 % of its hours": of a machine that is paid for by the hour.
QString waitingText(const pricing::ServingReport& serving, const DisplayLocale& locale)
{
    const auto busy = pricing::busyShare(serving);
    const auto waits = busy ? pricing::waitingPercent(*busy) : std::nullopt;
    return waits ? QStringLiteral(", and waits %1 % of its hours")
                       .arg(locale.toString(*waits, 'f', 0))
                 : QString();
}

QString lackingText(const pricing::MonthReport& month)
{
    QStringList names;
    for (const std::string& item : month.lacking)
        names.append(monthItemTitle(item).toLower());
    return names.isEmpty() ? QString()
                           : QStringLiteral(" without ") + names.join(QStringLiteral(", "));
}

/// In the middle of a sentence.
QString closed(const QString& afterComma)
{
    return afterComma.isEmpty() ? afterComma : afterComma + QLatin1Char(',');
}

/// What the same tokens cost where they are sold, as far as that is another sum.
QString hostedText(const pricing::ServingReport& serving, const DisplayLocale& locale)
{
    const pricing::HostedRow* best = serving.hosted.best();
    if (best == nullptr || best->usdPerMonth.value() <= 0)
        return {};
    return QStringLiteral(", while the published weights cost %1 by the token (%2)")
        .arg(headlineText(best->usdPerMonth.value(), core::Unit::Usd, locale),
             toQString(pricing::hostTitle(best->provider)));
}

/// What most of a month is, and who that is.
QString monthText(const Report& report, const DisplayLocale& locale)
{
    const Quantity& total = report.month.total;
    const auto largest = largestShare(report.month);
    const pricing::ServingReport& serving = report.serving;
    const bool isOnMachines = serving.by == pricing::ServedBy::Machines;
    if (isOnMachines && serving.requestsPerDay > 0 && !serving.recommended.option)
        return QStringLiteral("no machine is found that serves it as planned") +
               hostedText(serving, locale);
    if (!total.isAvailable() || total.value() <= 0 || !largest)
        return QStringLiteral("what a month costs isn't known");
    const double share = core::PerCent * largest->usd / total.value();
    const bool isNamed = largest->isServing && serving.recommended.option && isOnMachines;
    QString who;
    if (isNamed)
        who = QStringLiteral(" on ") + placeText(*serving.recommended.option) +
              closed(brokenText(serving.recommended, QStringLiteral("too slow for its limit")));
    else if (largest->isServing && !isOnMachines)
        who = QStringLiteral(" from ") + serverText(serving);
    return QStringLiteral("%1%2 is %3 % of %4 a month")
               .arg(largest->name, who, partText(share, locale), amountText(total, locale)) +
           lackingText(report.month) + (isNamed ? waitingText(serving, locale) : QString()) +
           (isNamed ? hostedText(serving, locale) : QString());
}

/// What matters, and can be done at once or in code.
QString nextText(const Report& report, const DisplayLocale& locale)
{
    const auto first = firstAdvice(report, locale);
    return first && first->matters
               ? QStringLiteral(" First: %1 (%2).").arg(first->title, first->saving)
               : QString();
}

QString basisText()
{
    return QStringLiteral("Times and costs elsewhere are forecasts, prices are listed; a figure "
                          "whose interval is wide says it. Each stands below with its basis.");
}

/// Whether the plan has any run of training.
bool isTrained(const Report& report)
{
    const auto& items = report.month.items;
    const auto training =
        std::find_if(items.begin(), items.end(),
                     [](const pricing::MonthItem& item) { return item.item == "training"; });
    return training == items.end() || !training->usd.isAvailable() || training->usd.value() > 0;
}

} // namespace

VerdictView makeVerdictView(const Report& report, const DisplayLocale& locale)
{
    // A month of what nobody would do isn't an answer either, nor what to change of it but how it is trained.
    const auto largest = largestShare(report.month);
    const bool isAnswer = !isImpractical(report);
    if (!isTrained(report)) {
        QString month = monthText(report, locale);
        month[0] = month[0].toUpper();
        return {.sentence = month + QLatin1Char('.') + nextText(report, locale),
                .basis = basisText(),
                .isPart = report.isAdviceOld};
    }
    QString sentence = trainingText(report, locale);
    if (isAnswer || (largest && largest->isServing))
        sentence += QStringLiteral("; ") + monthText(report, locale);
    sentence += QLatin1Char('.');
    const auto first = firstAdvice(report, locale);
    if (isAnswer || (first && first->changesTraining))
        sentence += nextText(report, locale);
    return {.sentence = sentence, .basis = basisText(), .isPart = report.isAdviceOld};
}

} // namespace outlay::gui
