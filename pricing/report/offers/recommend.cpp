// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/offers/recommend.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/report/assumption.h"
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/offer_rank.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

std::string money(const Quantity& usd)
{
    return usd.isAvailable() ? plainNumber(usd.value()) + " USD (" + plainNumber(usd.low()) +
                                   " to " + plainNumber(usd.high()) + ")"
                             : "an unknown price";
}

double secondsOf(const Option& training)
{
    return static_cast<double>(training.lateness);
}

/// What of the plan a choice may break, one more at each step when nothing keeps it all.
struct Demands {
    bool keepsBudget = true;
    bool keepsDeadline = true;
    bool keepsPurchase = true;
    std::string_view broken; // sentence
};
constexpr std::array Steps{
    Demands{},
    Demands{false, true, true,
            "Nothing that fits is within the budget, so this is the cheapest that is bought as "
            "planned."},
    Demands{false, false, true,
            "Nothing that fits is fast enough; of the fastest this is the cheapest."},
    Demands{false, false, false,
            "Nothing that fits is for sale in the plan's way of buying, so this is another one."},
};

std::string openEnd(const std::string& it, const Option& option)
{
    return it + " may cost " + plainNumber(option.usd.high) +
           " USD: at its slow end each machine answers next to nothing in time.";
}

class Chooser {
public:
    Chooser(const Subject& subject, const Choosing& choosing)
        : m_plan(subject.experiment.plan), m_book(subject.catalogs.book()), m_choosing(choosing)
    {
    }

    [[nodiscard]] Recommendation recommendation() const;

private:
    [[nodiscard]] const OfferRow& row(const Option& option) const
    {
        return m_book.rows()[option.row];
    }
    /// A cheaper one, to what is better supported or to what is sooner.
    struct GaveWay {
        const Option* option = nullptr;
        bool isForTime = false;
    };
    struct Best {
        const Option* option = nullptr;
        std::vector<GaveWay> gaveWay; // one after the other
        std::string_view broken;
    };
    using IsTaken = std::function<bool(const Option&)>;
    [[nodiscard]] Best best() const;
    [[nodiscard]] const Option* supported(const Option& cheapest, const IsTaken& isTaken) const;
    [[nodiscard]] const Option* worthMore(const Option& cheapest, const IsTaken& isTaken) const;
    [[nodiscard]] const Option* soonest(const IsTaken& isTaken) const;
    [[nodiscard]] const Option* cheapest(const IsTaken& isTaken) const;
    [[nodiscard]] const Option* given() const;
    [[nodiscard]] const Option* alternativeTo(const Option& chosen) const;
    void addReasons(Recommendation& r, const Option& chosen,
                    std::span<const GaveWay> gaveWay) const;
    [[nodiscard]] std::string riskOf(const Option& chosen) const;
    [[nodiscard]] std::string whyNothing() const;
    [[nodiscard]] std::string whyNot(const GaveWay& one, const OptionText& chosen) const;

    const Plan& m_plan;
    const PriceBook& m_book;
    const Choosing& m_choosing;
};

Chooser::Best Chooser::best() const
{
    const auto& options = m_choosing.options;
    for (const Demands& promises : Steps) {
        const auto keeps = [&](const Option& o) {
            return isUsable(o) && (!promises.keepsBudget || o.isWithinBudget) &&
                   (!promises.keepsDeadline || o.meetsDeadline) &&
                   (!promises.keepsPurchase || row(o).purchase == m_plan.purchase);
        };
        const auto found = std::find_if(options.begin(), options.end(), keeps);
        if (found == options.end())
            continue;
        // What is in time is ranked first: here nothing is.
        if (!found->meetsDeadline)
            return {soonest(keeps), {}, promises.broken};
        if (!promises.keepsBudget && promises.keepsDeadline)
            return {cheapest(keeps), {}, promises.broken};
        if (!promises.broken.empty())
            return {&*found, {}, promises.broken};
        Best best{&*found, {}, {}};
        const auto take = [&](const Option* better, bool isForTime) {
            if (better != best.option)
                best.gaveWay.push_back({best.option, isForTime});
            best.option = better;
        };
        take(supported(*best.option, keeps), false);
        take(worthMore(*best.option, keeps), true);
        return best;
    }
    return {};
}

/// The first that published runs support, if it may cost no more than what none does, or a quarter more; else the same.
/// Against an open end half more is paid for less of one: it is the smaller risk to start with less, and to see.
const Option* Chooser::supported(const Option& cheapest, const IsTaken& isTaken) const
{
    constexpr double WorthOfAnEnd = 1.5;
    constexpr double WorthOfRuns = 1.25;
    const auto firstWithin = [&](double most, Support weakest) {
        const auto& options = m_choosing.options;
        const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) {
            return o.usd.value <= most && o.trust <= cheapest.trust && isTaken(o) &&
                   m_choosing.support(o) <= weakest;
        });
        return found == options.end() ? nullptr : &*found;
    };
    const Option* best = &cheapest;
    if (hasOpenEnd(m_choosing.support(*best))) {
        const Option* ended = firstWithin(WorthOfAnEnd * best->usd.value, Support::None);
        best = ended != nullptr ? ended : best;
    }
    const Support support = m_choosing.support(*best);
    if (support == Support::None || support == Support::NoneOpenEnd) {
        const double usd = best->usd.value;
        const double most =
            std::max(WorthOfRuns * usd, std::min<double>(best->usd.high, OpenEndTimes * usd));
        const Option* known = firstWithin(most, Support::PublishedRuns);
        best = known != nullptr ? known : best;
    }
    return best;
}

/// What ends so much sooner that it is worth its price, if anything does.
const Option* Chooser::worthMore(const Option& cheapest, const IsTaken& isTaken) const
{
    const Patience& patience = m_choosing.patience;
    if (!patience.isFelt())
        return &cheapest;
    const auto weight = [&](const Option& o) { return patience.weight(o, m_plan.risk); };
    const bool isWeakToo = isWeak(m_choosing.support(cheapest));
    const Option* best = &cheapest;
    double least = weight(cheapest);
    for (const Option& o : optionsOf(m_choosing.options, Standing::InTime)) {
        if (judged(o.usd, m_plan.risk) >= least || o.lateness >= cheapest.lateness ||
            o.trust > cheapest.trust || weight(o) >= least || !isTaken(o) ||
            (isWeak(m_choosing.support(o)) && !isWeakToo))
            continue;
        least = weight(o);
        best = &o;
    }
    return best;
}

/// Of those that are nearly as soon as can be the cheapest. Weak support counts where nothing has any other.
const Option* Chooser::soonest(const IsTaken& isTaken) const
{
    const auto& options = m_choosing.options;
    const auto of = [&](bool needsSupport) -> const Option* {
        std::vector<std::pair<double, const Option*>> taken;
        double least = HUGE_VAL;
        for (const Option& option : options) {
            if (!isTaken(option) || (needsSupport && isWeak(m_choosing.support(option))))
                continue;
            taken.emplace_back(option.lateness, &option);
            least = std::min(least, taken.back().first);
        }
        const auto found = std::find_if(taken.begin(), taken.end(), [&](const auto& one) {
            return one.first <= Nearly * least;
        });
        return found == taken.end() ? nullptr : found->second;
    };
    const Option* supported = of(true);
    return supported != nullptr ? supported : of(false);
}

/// Whatever the age of its price: what was beyond the budget may be within another.
const Option* Chooser::cheapest(const IsTaken& isTaken) const
{
    const Option* least = nullptr;
    for (const Option& option : m_choosing.options) {
        if (isTaken(option) &&
            (least == nullptr || judged(option.usd, m_plan.risk) < judged(least->usd, m_plan.risk)))
            least = &option;
    }
    return least;
}

/// Without a region the first in the ranking.
const Option* Chooser::given() const
{
    const OfferChoice& wanted = *m_choosing.given;
    const auto found =
        std::find_if(m_choosing.options.begin(), m_choosing.options.end(), [&](const Option& o) {
            const OfferRow& offer = row(o);
            return offer.purchase == wanted.purchase &&
                   m_book.machine(offer).provider == wanted.provider &&
                   m_book.machine(offer).instance == wanted.instance &&
                   m_book.isIn(offer, wanted.region);
        });
    return found == m_choosing.options.end() ? nullptr : &*found;
}

/// Where the end is open the first of which it isn't; else of another provider or way of buying.
const Option* Chooser::alternativeTo(const Option& chosen) const
{
    const auto& options = m_choosing.options;
    const auto first = [&](const auto& isTaken) {
        const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) {
            return isUsable(o) && o.meetsDeadline && isTaken(o);
        });
        return found == options.end() ? nullptr : &*found;
    };
    const Option* safe = nullptr;
    if (hasOpenEnd(m_choosing.support(chosen)))
        safe = first([&](const Option& o) {
            return row(o).purchase == row(chosen).purchase && o.trust <= chosen.trust &&
                   m_choosing.support(o) == Support::PublishedRuns;
        });
    if (safe != nullptr)
        return safe;
    return first([&](const Option& o) {
        return row(o).purchase != row(chosen).purchase ||
               m_book.machine(row(o)).provider != m_book.machine(row(chosen)).provider;
    });
}

/// ", and 128 GB of the machine's own memory".
std::string besideText(const OptionText& option)
{
    return option.hostMemory ? ", and " + plainNumber(option.hostMemory->value() / Giga) +
                                   " GB of the machine's own memory"
                             : std::string();
}

/// The last that gave way is the alternative then.
void Chooser::addReasons(Recommendation& r, const Option& chosen,
                         std::span<const GaveWay> gaveWay) const
{
    const auto usable = std::count_if(m_choosing.options.begin(), m_choosing.options.end(),
                                      [](const Option& o) { return isUsable(o); });
    r.reasons.push_back(timesInstances(*r.option) + nameOf(r.option->offer) + ": " +
                        money(r.option->usd) + " for " + std::string(m_choosing.purpose) + "; " +
                        grouped(usable) + " offers fit and are allowed.");
    if (r.option->memory.isAvailable() && r.option->offer.machine.acceleratorMemoryGb)
        r.reasons.push_back("It needs " + plainNumber(r.option->memory.value() / 1e9) +
                            " GB on a device of " +
                            plainNumber(*r.option->offer.machine.acceleratorMemoryGb) + " GB" +
                            besideText(*r.option) + ".");
    for (const GaveWay& one : gaveWay)
        r.reasons.push_back(whyNot(one, *r.option));
    if (gaveWay.empty() && r.alternative)
        r.reasons.push_back("Otherwise " + timesInstances(*r.alternative) +
                            nameOf(r.alternative->offer) + ": " + money(r.alternative->usd) + ".");
    if (hasOpenEnd(m_choosing.support(chosen)))
        r.reasons.push_back(openEnd("It", chosen));
    if (chosen.fits != Fits::Yes)
        r.reasons.emplace_back(chosen.fits == Fits::No ? "The design doesn't fit into its memory."
                                                       : "Whether the design fits isn't known.");
    if (m_plan.risk == Risk::Cautious)
        r.reasons.emplace_back("The plan is cautious: offers are held against it, and against each "
                               "other, by the upper ends of what they may take and cost.");
    if (!chosen.meetsDeadline)
        r.reasons.emplace_back("It takes longer than the plan allows.");
    if (!chosen.isWithinBudget)
        r.reasons.emplace_back("It costs more than the plan's budget.");
}

std::string Chooser::riskOf(const Option& chosen) const
{
    const OfferRow& offer = row(chosen);
    const std::string& asOf = m_book.source(offer).asOf;
    std::string risk;
    if (offer.purchase == Purchase::Spot)
        risk = "The provider may take a spot machine back at any time; keep checkpoints. ";
    if (isCommitment(offer.purchase))
        risk = "A reservation is paid for all its hours, used or not. ";
    if (chosen.trust == Trust::Stale)
        risk += "The price is the " + cheapestKnown(asOf) + ", and may have changed.";
    if (chosen.trust == Trust::Doubtful)
        risk += "The price is doubtful: " + m_book.doubtReason(chosen.row) + ".";
    if (risk.empty())
        return "The time is a forecast; the price is as of " + asOf + ".";
    if (risk.back() == ' ')
        risk.pop_back();
    return risk;
}

std::string Chooser::whyNothing() const
{
    const auto& all = m_choosing.options;
    const auto count = [&](auto is) { return std::count_if(all.begin(), all.end(), is); };
    const auto allowed = count([](const Option& o) { return o.isAllowed; });
    if (allowed == 0)
        return "No offer is of the plan's providers, regions and software; `outlay prices list` "
               "shows all.";
    const auto tooSmall = count([](const Option& o) { return o.isAllowed && o.fits == Fits::No; });
    if (tooSmall == allowed)
        return "The design fits into none of the " + grouped(allowed) + " offers that are allowed.";
    const auto fits = [](const Option& o) { return o.isAllowed && o.fits == Fits::Yes; };
    const auto fitting = count(fits);
    if (fitting == 0)
        return "None of the " + grouped(allowed) +
               " offers that are allowed is known to fit: " + grouped(tooSmall) +
               " are too small, of " + grouped(allowed - tooSmall) + " nobody says what is inside.";
    const auto soon = std::find_if(all.begin(), all.end(), [&](const Option& o) {
        return fits(o) && o.hasUsd && o.trust != Trust::Doubtful && o.isTooLong;
    });
    if (soon != all.end())
        return m_choosing.tooLong(*soon);
    return "None of the " + grouped(fitting) +
           " offers that fit has both a price to rely on and a forecast.";
}

std::string Chooser::whyNot(const GaveWay& one, const OptionText& chosen) const
{
    const OptionText text = m_choosing.text(*one.option);
    const std::string name =
        std::string("Cheaper by ") +
        (m_plan.risk == Risk::Cautious ? "the upper end of its forecast" : "its forecast") +
        " would be " + timesInstances(text) + nameOf(text.offer);
    if (one.isForTime)
        return name + " at " + money(text.usd) + ", but it takes " +
               plainNumber(text.hours.value()) + " h, not " + plainNumber(chosen.hours.value()) +
               ".";
    if (m_choosing.support(*one.option) == Support::None)
        return name + (text.offer.machine.accelerator.empty()
                           ? std::string(", but few published runs on processors support that.")
                           : ", but no published run of " + text.offer.machine.accelerator +
                                 " or its generation supports that.");
    return openEnd(name + ", but it", *one.option);
}

Recommendation Chooser::recommendation() const
{
    Recommendation r;
    const Best found = best();
    const Option* computed = found.option;
    const Option* chosen = m_choosing.given ? given() : computed;
    if (m_choosing.given && chosen == nullptr) {
        const OfferChoice& wanted = *m_choosing.given;
        r.reasons.push_back("The price book has no offer '" + printable(wanted.provider, 60) + " " +
                            printable(wanted.instance, 60) + " " + printable(wanted.region, 60) +
                            " " + purchaseName(wanted.purchase) + "', which " +
                            std::string(m_choosing.pointer) +
                            " names; `outlay prices list` shows what it has.");
        if (computed != nullptr)
            r.alternative = m_choosing.text(*computed);
        return r;
    }
    if (chosen == nullptr) {
        r.reasons.push_back(whyNothing());
        return r;
    }
    r.chosen = *chosen;
    r.option = m_choosing.text(*chosen);
    const std::span<const GaveWay> gaveWay =
        m_choosing.given ? std::span<const GaveWay>() : std::span<const GaveWay>(found.gaveWay);
    const Option* other = m_choosing.given && computed != nullptr && computed->row != chosen->row
                              ? computed
                          : !gaveWay.empty() ? gaveWay.back().option
                                             : alternativeTo(*chosen);
    if (other != nullptr)
        r.alternative = m_choosing.text(*other);
    addReasons(r, *chosen, gaveWay);
    if (!m_choosing.given && !found.broken.empty())
        r.reasons.emplace_back(found.broken);
    r.risk = riskOf(*chosen);
    return r;
}

} // namespace

Patience::Patience(const Subject& subject)
{
    if (!subject.experiment.plan.deadlineHours)
        m_power = std::log2(1 + valueOf(subject, HalvedTimeWorthPercent) / PerCent);
}

double Patience::factor(const Option& option) const
{
    constexpr double WorkingDayS = 8 * SecondsPerHour;
    if (m_power <= 0)
        return 1;
    return std::pow(std::max(1.0, secondsOf(option) / WorkingDayS), m_power);
}

double Patience::weight(const Option& option, Risk risk) const
{
    return judged(option.usd, risk) * factor(option);
}

Recommendation recommend(const Subject& subject, const Choosing& choosing)
{
    return Chooser(subject, choosing).recommendation();
}

} // namespace outlay::pricing
