// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/offers/recommend.h"
#include "pricing/report/offers/support.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr auto ForDeployment = AdviceCategory::Deployment;

/// Training or serving: the same questions of two lists.
struct Side {
    const std::vector<Option>& options;
    const Recommendation& recommended;
    std::string_view pointer; // of the chosen offer in the experiment
    std::string_view what;
    Support (*support)(const Subject& subject, const Option& option);
    Patience patience;
};

Side trainingSide(const Situation& s)
{
    const TrainingReport& t = s.report.training;
    return {t.options,  t.recommended,   "/plan/training_offer",
            "training", trainingSupport, Patience(s.subject)};
}

Side servingSide(const Situation& s)
{
    const ServingReport& t = s.report.serving;
    return {t.options, t.recommended, "/plan/serving_offer", "serving", servingSupport, {}};
}

/// The good option of least weight that `wants` takes, if it is cheaper than the chosen one; one with an old
/// price only where there is no fresh one, and never in place of a fresh one bought in the same way.
template <typename Wants>
const Option* cheaper(const Situation& s, const Side& side, const Wants& wants)
{
    const auto& chosen = side.recommended.option;
    if (!chosen || !chosen->usd.isAvailable())
        return nullptr;
    const PriceBook& book = s.subject.catalogs.book();
    const bool isFresh = side.recommended.chosen && side.recommended.chosen->trust == Trust::Fresh;
    // What gave way to the chosen one isn't advised in its place.
    const bool needsSupport =
        side.recommended.chosen &&
        side.support(s.subject, *side.recommended.chosen) == Support::PublishedRuns;
    // As the ranking has it.
    const Risk risk = s.subject.experiment.plan.risk;
    const double most = judged(chosen->usd, risk);
    const auto weight = [&](const Option& option) { return side.patience.weight(option, risk); };
    const auto& its = side.recommended.chosen;
    const double mostWeight = most * (its ? side.patience.factor(*its) : 1);
    const Option* fresh = nullptr;
    const Option* stale = nullptr;
    for (const Option& option : optionsOf(side.options, Standing::InTime)) {
        if (judged(option.usd, risk) >= most || !isUsable(option) || !option.meetsDeadline)
            continue;
        const OfferRow& row = book.rows()[option.row];
        if (!wants(option, row) || weight(option) >= mostWeight ||
            (needsSupport && isWeak(side.support(s.subject, option))))
            continue;
        const Option*& best = option.trust == Trust::Fresh ? fresh : stale;
        const bool isBetter = best == nullptr || weight(option) < weight(*best);
        if (isBetter &&
            (option.trust == Trust::Fresh || !isFresh || row.purchase != chosen->offer.purchase))
            best = &option;
    }
    return fresh != nullptr ? fresh : stale;
}

std::string named(const Offer& offer)
{
    return offer.machine.provider + " " + offer.machine.instance + " in " + offer.region;
}

std::vector<Proposal> choosing(const Situation& s, const Side& side, const Option* option,
                               const std::string& title)
{
    if (option == nullptr)
        return {};
    const PriceBook& book = s.subject.catalogs.book();
    const OfferRow& row = book.rows()[option->row];
    const Offer offer = offerOf(book.table(), row);
    const OfferChoice choice{offer.machine.provider, offer.machine.instance, offer.region,
                             offer.purchase};
    std::string why = named(offer) + ": " + plainNumber(option->usd.value) + " USD, against " +
                      plainNumber(side.recommended.option->usd.value()) + " USD on " +
                      named(side.recommended.option->offer) + "; price of " + offer.source.asOf +
                      ".";
    if (option->trust == Trust::Stale)
        why += " That price is old, and has to be asked for again.";
    if (offer.purchase == Purchase::Spot)
        why += " It may be taken back at any time: the time lost by that is in the figure, and "
               "checkpoints are needed.";
    return {{.title = title + ": " + named(offer),
             .why = std::move(why),
             .patch = patchOf(s, {{side.pointer, fieldsOf(choice)}}),
             .offer = option->row}};
}

/// Grams of a kWh where an offer's machine stands; nothing where nobody lists them.
std::optional<double> listedGrams(const Situation& s, const Offer& offer)
{
    const CarbonCatalog& catalog = s.subject.catalogs.carbon();
    const Quantity grid = gridIntensity(catalog, placeOf(offer), s.subject.gridBasis);
    return grid.isAvailable() && grid.basis() == Basis::Listed ? std::optional(grid.value())
                                                               : std::nullopt;
}

/// The same machine, bought in the same way and not dearer, where a kWh emits least.
std::vector<Proposal> inCleanerRegion(const Situation& s, const Side& side, const char* verb)
{
    constexpr double SurelyCleaner = 0.8;
    const auto& chosen = side.recommended.option;
    const auto now = chosen ? listedGrams(s, chosen->offer) : std::nullopt;
    if (!now || !chosen->usd.isAvailable())
        return {};
    const PriceBook& book = s.subject.catalogs.book();
    const std::uint32_t machine = book.rows()[side.recommended.chosen->row].machine;
    const Option* best = nullptr;
    double least = SurelyCleaner * *now;
    const bool isFresh = side.recommended.chosen->trust == Trust::Fresh;
    for (const Option& option : optionsOf(side.options, Standing::InTime)) {
        const OfferRow& row = book.rows()[option.row];
        if ((isFresh && option.trust != Trust::Fresh) || row.machine != machine ||
            row.purchase != chosen->offer.purchase || !isUsable(option) || !option.meetsDeadline ||
            option.usd.value > chosen->usd.value())
            continue;
        const auto grams = listedGrams(s, offerOf(book.table(), row));
        if (grams && *grams < least) {
            best = &option;
            least = *grams;
        }
    }
    auto proposals = choosing(s, side, best, std::string(verb) + " in a cleaner region");
    for (Proposal& proposal : proposals)
        proposal.why +=
            " A kWh emits " + plainNumber(least) + " g there, against " + plainNumber(*now) + " g.";
    return proposals;
}

std::vector<Proposal> cleanerTrainingRegion(const Situation& s)
{
    return inCleanerRegion(s, trainingSide(s), "Train");
}

std::vector<Proposal> cleanerServingRegion(const Situation& s)
{
    return inCleanerRegion(s, servingSide(s), "Serve");
}

Purchase purchaseOf(const Side& side)
{
    return side.recommended.option ? side.recommended.option->offer.purchase : Purchase::OnDemand;
}

std::vector<Proposal> cheaperTraining(const Situation& s)
{
    const Side side = trainingSide(s);
    const Purchase kind = purchaseOf(side);
    return choosing(
        s, side,
        cheaper(s, side, [&](const Option&, const OfferRow& row) { return row.purchase == kind; }),
        "Train on a cheaper offer");
}

std::vector<Proposal> cheaperServing(const Situation& s)
{
    const Side side = servingSide(s);
    const Purchase kind = purchaseOf(side);
    return choosing(
        s, side,
        cheaper(s, side, [&](const Option&, const OfferRow& row) { return row.purchase == kind; }),
        "Serve from a cheaper offer");
}

std::vector<Proposal> spotTraining(const Situation& s)
{
    const Side side = trainingSide(s);
    if (purchaseOf(side) == Purchase::Spot)
        return {};
    const Option* option = cheaper(s, side, [&](const Option&, const OfferRow& row) {
        return row.purchase == Purchase::Spot;
    });
    auto proposals = choosing(s, side, option, "Train on a spot machine");
    for (Proposal& p : proposals) {
        constexpr std::int64_t MostToBeHad = 8;
        const std::int64_t machines = s.report.training.forecasts[option->forecast].machines;
        if (machines > MostToBeHad) {
            p.why += " It takes " + plainNumber(real(machines)) +
                     " of them at once, which is more than anybody leaves to chance: ask first.";
            p.most = Level::Medium;
            p.isReluctant = true;
        }
        p.codeCpp = "torch::save(model, path); // every some minutes, with the optimizer";
        p.codePython = "torch.save({\"model\": model.state_dict(), \"optimizer\": "
                       "optimizer.state_dict(), \"step\": step}, path)";
    }
    return proposals;
}

/// Only for a service: a reservation is paid for all of its hours. Where it serves is kept: who calls it is
/// near. What would mostly wait, or may, isn't taken for longer than a year, nor as the first thing to do.
std::vector<Proposal> reservedServing(const Situation& s)
{
    const Side side = servingSide(s);
    if (purchaseOf(side) != Purchase::OnDemand || !side.recommended.chosen)
        return {};
    const PriceBook& book = s.subject.catalogs.book();
    const OfferRow& now = book.rows()[side.recommended.chosen->row];
    const auto busy = [&](const Option& one, const OfferRow& row) {
        return busyShare(s.report.serving, one, row.purchase);
    };
    const auto works = [](const std::optional<double>& share) {
        return share && !waitingPercent(*share);
    };
    const Option* option = cheaper(s, side, [&](const Option& one, const OfferRow& row) {
        return isCommitment(row.purchase) && row.region == now.region &&
               (row.purchase == Purchase::Reserved1y || works(busy(one, row)));
    });
    auto proposals = choosing(s, side, option, "Reserve");
    for (Proposal& proposal : proposals) {
        const OfferRow& row = book.rows()[option->row];
        const std::string& instance = book.machine(row).instance;
        const double years = row.purchase == Purchase::Reserved1y ? 1 : 3;
        const std::string term = years > 1 ? "3 years" : "1 year";
        proposal.title = row.machine == now.machine ? "Reserve " : "Serve from ";
        proposal.title.append(instance)
            .append(row.machine == now.machine ? " for " : ", reserved for ")
            .append(term);
        proposal.why += " It is owed for " + term + ", " +
                        plainNumber(std::round(years * MonthsPerYear * option->usd.value)) +
                        " USD in all.";
        const std::optional<double> share = busy(*option, row);
        if (share && !works(share))
            proposal.why += " " + instance + " waits " + plainNumber(*waitingPercent(*share)) +
                            " % of its hours, and a term fixes that too: see first whether "
                            "something smaller, or what is paid by the request, will do.";
        proposal.most = works(share) ? Level::High : Level::Medium;
        proposal.isReluctant = true;
    }
    return proposals;
}

/// The other kind of device than the chosen one, bought in the same way.
std::vector<Proposal> otherDevice(const Situation& s)
{
    const Side side = trainingSide(s);
    if (!side.recommended.option)
        return {};
    const bool isGpu = !side.recommended.option->offer.machine.accelerator.empty();
    const Purchase kind = purchaseOf(side);
    const PriceBook& book = s.subject.catalogs.book();
    auto proposals = choosing(s, side,
                              cheaper(s, side,
                                      [&](const Option&, const OfferRow& row) {
                                          return row.purchase == kind &&
                                                 book.machine(row).accelerator.empty() == isGpu;
                                      }),
                              isGpu ? "Train on a CPU" : "Train on a GPU");
    for (Proposal& p : proposals)
        p.why += " " + s.report.training.placement.sentence;
    return proposals;
}

constexpr std::array<Rule, 7> Rules{{
    {"cleaner-region", ForDeployment, Level::Medium, cleanerTrainingRegion, Concern::Runs},
    {"cleaner-serving-region", ForDeployment, Level::Medium, cleanerServingRegion},
    {"cheaper-training-offer", ForDeployment, Level::Low, cheaperTraining, Concern::Runs},
    {"cpu-or-gpu", ForDeployment, Level::Low, otherDevice, Concern::Runs},
    {"spot", ForDeployment, Level::Medium, spotTraining, Concern::Runs},
    {"cheaper-serving-offer", ForDeployment, Level::Low, cheaperServing},
    {"reserved", ForDeployment, Level::Medium, reservedServing},
}};

} // namespace

std::span<const Rule> offerRules()
{
    return Rules;
}

} // namespace outlay::pricing
