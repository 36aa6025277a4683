// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/advice/saving.h"

#include "core/base/units.h"
#include "pricing/report/run_hours.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula DifferenceFormula{"advice.saving", "{0} now - {1} with the change"};
constexpr Formula PercentFormula{"advice.percent", "100 x {0} / {1}"};
constexpr Formula RunsFormula{"advice.runs", "{0} USD a run x {1} runs a month"};
constexpr Formula RatioFormula{"advice.measured", "{0} x (1 - {1} of the time, as measured)"};
constexpr Formula RatioPercentFormula{"advice.measured.percent",
                                      "100 x (1 - {0} of the time, as measured)"};

// A change is worth a line from this share of the bill on.
constexpr double LeastShare = 0.005;
constexpr double HighShare = 0.2;
constexpr double MediumShare = 0.05;
// Whatever its share: for less than this nobody changes a program.
constexpr double LeastUsd = 1; // a month
constexpr double LeastKg = 1;
constexpr double LeastRunS = 10;
constexpr double LeastRequestS = 0.001;

/// One method stands behind both, so their errors go the same way.
Quantity difference(const Quantity& before, const Quantity& after)
{
    if (!before.isAvailable() || !after.isAvailable())
        return Quantity::unavailable(before.unit(),
                                     (before.isAvailable() ? after : before).how().sentence());
    // Sums in another order differ in their last digits.
    const auto minus = [](double a, double b) {
        constexpr double Noise = 1e-12;
        return std::abs(a - b) <= Noise * std::abs(a) ? 0 : a - b;
    };
    return Quantity::within(minus(before.value(), after.value()), minus(before.low(), after.low()),
                            minus(before.high(), after.high()), before.unit(),
                            std::max(before.basis(), after.basis()),
                            how(DifferenceFormula, {before.value(), after.value()}));
}

Quantity percentOf(const Quantity& saving, const Quantity& before)
{
    if (!saving.isAvailable() || !before.isAvailable() || before.value() <= 0)
        return Quantity::unavailable(Unit::Percent, "the cost before the change is not known");
    const double value = 100 * saving.value() / before.value();
    const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
    return Quantity::within(value, share(saving.low(), before.low()),
                            share(saving.high(), before.high()), Unit::Percent, saving.basis(),
                            how(PercentFormula, {saving.value(), before.value()}));
}

double shareOf(const Quantity& saving, const Quantity& whole)
{
    return saving.isAvailable() && whole.isAvailable() && whole.value() > 0
               ? saving.value() / whole.value()
               : 0;
}

/// Of who is paid by the request or the token.
Missed missedByOthers(const Report& report)
{
    Missed missed;
    const ServingReport& serving = report.serving;
    const ServingWay* way = serving.wayTaken();
    missed.latency.reset();
    if (way == nullptr)
        return missed;
    if (serving.by == ServedBy::Function && way->p95Ms.isAvailable())
        missed.latency = way->holdsLatency ? 0 : way->lateness;
    const Quantity& usd = way->usdPerMonth;
    if (usd.isAvailable() && report.plan.budgetUsd)
        missed.servingBudget = judged(usd, report.plan.risk) > *report.plan.budgetUsd;
    return missed;
}

Missed missedIn(const Report& report, double runsPerMonth)
{
    Missed missed;
    const auto& serving = report.serving.recommended.chosen;
    if (report.serving.by != ServedBy::Machines) {
        missed = missedByOthers(report);
    } else if (serving && serving->hasUsd) {
        missed.servingBudget = !serving->isWithinBudget;
        missed.servingRoom = serving->fits == Fits::No;
        if (!serving->meetsDeadline)
            missed.latency = static_cast<double>(serving->lateness);
    }
    const auto& training = report.training.recommended.chosen;
    if (training && training->hasUsd && runsPerMonth > 0) {
        missed.trainingBudget = !training->isWithinBudget;
        missed.trainingRoom = training->fits == Fits::No;
        if (!training->meetsDeadline)
            missed.deadline = static_cast<double>(training->lateness);
    }
    return missed;
}

Quantity runsOf(const Quantity& usd, double runs)
{
    return (usd * runs).because(how(RunsFormula, {usd.value(), runs}));
}

} // namespace

Bill billOf(const Report& report, double runsPerMonth)
{
    Bill bill{.kgCo2e = report.carbon.monthKgCo2e, .carbonLacking = report.carbon.monthLacks};
    if (report.month.total.isAvailable()) {
        bill.usd = report.month.total;
        bill.isWholeMonth = true;
        bill.lacking = report.month.lacking;
    } else if (const auto& option = report.training.recommended.option;
               option && option->usd.isAvailable()) {
        bill.usd = runsOf(option->usd, runsPerMonth);
    } else if (report.training.hereUsd.isAvailable()) {
        bill.usd = runsOf(report.training.hereUsd, runsPerMonth);
    } else {
        bill.usd = Quantity::unavailable(Unit::Usd, "neither the month nor a run has a price");
    }
    bill.runS = report.training.here;
    bill.missed = missedIn(report, runsPerMonth);
    return bill;
}

Saving savingOf(const Bill& before, const Bill& after)
{
    Saving saving;
    const auto isLackingNow = [&](const std::string& item) {
        return std::find(before.lacking.begin(), before.lacking.end(), item) !=
               before.lacking.end();
    };
    const bool isWhole = std::all_of(after.lacking.begin(), after.lacking.end(), isLackingNow);
    saving.usd =
        before.isWholeMonth == after.isWholeMonth && isWhole
            ? difference(before.usd, after.usd)
            : Quantity::unavailable(Unit::Usd, !before.isWholeMonth && after.isWholeMonth
                                                   ? "without it a part of the month has no price"
                                                   : "the two months don't hold the same items");
    saving.percent = percentOf(saving.usd, before.usd);
    saving.kgCo2e = before.carbonLacking == after.carbonLacking
                        ? difference(before.kgCo2e, after.kgCo2e)
                        : Quantity::unavailable(Unit::KilogramsCo2e,
                                                "the two months don't hold the same items");
    saving.timeS = difference(before.runS, after.runS);
    saving.timePercent = percentOf(saving.timeS, before.runS);
    return saving;
}

Saving measuredSaving(const Quantity& ratio, const MeasuredWork& work, const Bill& before)
{
    const Quantity saved = Quantity::within(1 - ratio.value(), 1 - ratio.high(), 1 - ratio.low(),
                                            Unit::One, ratio.basis(), {});
    const auto of = [&](const Quantity& whole, Unit unit) {
        return product(whole, saved, unit)
            .because(how(RatioFormula, {whole.value(), ratio.value()}));
    };
    Saving saving{.usd = of(work.usd, Unit::Usd),
                  .kgCo2e = of(work.kgCo2e, Unit::KilogramsCo2e),
                  .timeS = of(work.timeS, Unit::Seconds),
                  .timePercent =
                      product(saved, Quantity::exact(PerCent, Unit::One, {}), Unit::Percent)
                          .because(how(RatioPercentFormula, {ratio.value()})),
                  .isTimeOfRequest = work.isRequest};
    saving.percent = percentOf(saving.usd, before.usd);
    return saving;
}

namespace {

/// What had a price, or a whole month of prices, has none.
bool isUnpriced(const Bill& before, const Bill& after)
{
    return (before.usd.isAvailable() && !after.usd.isAvailable()) ||
           (before.isWholeMonth && !after.isWholeMonth);
}

} // namespace

Enables enabledBy(const Bill& before, const Bill& after)
{
    if (isUnpriced(before, after) || !after.usd.isAvailable())
        return Enables::Nothing;
    if (!before.usd.isAvailable() || (!before.isWholeMonth && after.isWholeMonth))
        return Enables::Fit;
    const Missed& was = before.missed;
    const Missed& is = after.missed;
    if ((was.trainingRoom && !is.trainingRoom) || (was.servingRoom && !is.servingRoom))
        return Enables::Fit;
    if (was.deadline > 0 && is.deadline <= 0)
        return Enables::Deadline;
    if (was.latency > 0.0 && is.latency == 0.0)
        return Enables::Latency;
    return (was.trainingBudget && !is.trainingBudget) || (was.servingBudget && !is.servingBudget)
               ? Enables::Budget
               : Enables::Nothing;
}

bool breaksMore(const Bill& before, const Bill& after)
{
    const Missed& was = before.missed;
    const Missed& is = after.missed;
    const auto isMore = [](double then, double now) {
        return now > 0 && (then <= 0 || now > Nearly * then);
    };
    return isUnpriced(before, after) || isMore(was.deadline, is.deadline) ||
           (was.latency && is.latency && isMore(*was.latency, *is.latency)) ||
           (!was.trainingBudget && is.trainingBudget) || (!was.servingBudget && is.servingBudget) ||
           (!was.trainingRoom && is.trainingRoom) || (!was.servingRoom && is.servingRoom);
}

bool isWorthwhile(const Saving& saving, const Bill& before)
{
    constexpr double Rounding = 1e-9; // emissions are saved for nothing, or not advised
    const double moneyShare = shareOf(saving.usd, before.usd);
    const double carbonShare = shareOf(saving.kgCo2e, before.kgCo2e);
    const double timeShare =
        saving.timePercent.isAvailable() ? saving.timePercent.value() / 100 : 0;
    const bool isMeasured =
        timeShare >= LeastShare && saving.timePercent.basis() == Basis::Measured;
    return (saving.usd.isAvailable() || !before.usd.isAvailable() || isMeasured) &&
           (moneyShare >= LeastShare || (moneyShare > -Rounding && carbonShare >= LeastShare) ||
            (moneyShare > -LeastShare && timeShare >= LeastShare));
}

Largest largestOf(const Saving& saving, const Bill& before)
{
    const auto isAtLeast = [](const Quantity& q, double least) {
        return q.isAvailable() && q.value() >= least;
    };
    struct Part {
        SavedThing thing;
        double share;
        bool isNotable;
    };
    const std::array parts{
        Part{SavedThing::Money, shareOf(saving.usd, before.usd), isAtLeast(saving.usd, LeastUsd)},
        Part{SavedThing::Time,
             saving.timePercent.isAvailable() ? saving.timePercent.value() / 100 : 0,
             isAtLeast(saving.timeS, saving.isTimeOfRequest ? LeastRequestS : LeastRunS)},
        Part{SavedThing::Carbon, shareOf(saving.kgCo2e, before.kgCo2e),
             isAtLeast(saving.kgCo2e, LeastKg)}};
    // Of several that matter as much, money is what is asked for first, then time.
    Largest largest;
    for (const Part& part : parts) {
        // Emissions alone are no first thing to do.
        const bool isMinor = !part.isNotable || part.thing == SavedThing::Carbon;
        const Level level = isMinor                     ? Level::Low
                            : part.share >= HighShare   ? Level::High
                            : part.share >= MediumShare ? Level::Medium
                                                        : Level::Low;
        const bool isSaid = level > Level::Low || part.share >= LeastShare;
        if (isSaid && (level > largest.priority || largest.share <= 0))
            largest = {part.thing, part.share, level};
        else if (isSaid && level == largest.priority && part.thing != SavedThing::Carbon)
            largest.share = std::max(largest.share, part.share);
    }
    return largest;
}

} // namespace outlay::pricing
