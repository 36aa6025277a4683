// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/assumption_keys.h"
#include "pricing/provider.h"
#include "pricing/report/assumption.h"
#include "pricing/report/offers/cheapest.h"
#include "pricing/report/offers/environments.h"
#include "pricing/report/offers/serving_ways.h"
#include "pricing/report/offers/support.h"
#include "pricing/report/plan_hours.h"
#include "pricing/report/sections.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula TrainingFormula{"month.training", "{0} runs x {1} USD"};
constexpr Formula MonthBusyFormula{"month.inference", "{0} USD x {1} % of the time at work"};
constexpr Formula MonthIdleFormula{"month.idle", "{0} USD x {1} % of the time waiting"};
constexpr Formula StorageFormula{"month.storage",
                                 "{0} GB of data + {1} checkpoints x {2} GB, {3} USD"};
constexpr Formula TransferFormula{"month.transfer", "{0} requests x {1} kB, {2} USD"};
constexpr Formula EnvironmentsFormula{"month.environments", "sum of {0} environments"};
constexpr Formula TotalFormula{"month.total", "sum of {0} items"};
constexpr Formula NothingFormula{"month.none", "{0} runs a month"};
constexpr Formula SplitFormula{"month.split", "{0} % of {1} USD"};

Quantity none(Note why)
{
    return Quantity::unavailable(Unit::Usd, std::move(why));
}

/// Bytes at a tariff, in whichever unit it counts.
Quantity costOfBytes(const Catalogs& catalogs, const TariffChoice& choice, double bytes)
{
    const auto steps = catalogs.tariffs().steps(choice);
    const bool isBinary = !steps.empty() && steps.front().unit.starts_with("GiB");
    return catalogs.tariffs().cost(choice, bytes / (isBinary ? Gibi : Giga), catalogs.today(),
                                   catalogs.book().drift());
}

Quantity trainingUsd(const Subject& subject, const Report& report)
{
    const double runs = subject.experiment.training.runsPerMonth;
    const Recommendation& recommended = report.training.recommended;
    if (runs <= 0)
        return Quantity::exact(0, Unit::Usd, how(NothingFormula, {runs}));
    if (!recommended.option)
        return none(recommended.reasons.empty() ? "no offer is recommended"
                                                : recommended.reasons.front());
    const Quantity& once = recommended.option->usd;
    return (once * runs).because(how(TrainingFormula, {runs, once.value()}));
}

struct Served {
    Quantity inference;
    Quantity idle;
};

/// Of a service whose machines may turn out to answer hardly anything in time: whoever sees that takes the alternative, which
/// answers.
Quantity serviceUsd(const Subject& subject, const Recommendation& recommended)
{
    const Quantity& usd = recommended.option->usd;
    if (!recommended.alternative || !isOpenEnded(subject, usd.value(), usd.high()))
        return usd;
    const OptionText& other = *recommended.alternative;
    const bool isSafe = other.usd.isAvailable() && other.meetsDeadline &&
                        !isOpenEnded(subject, other.usd.value(), other.usd.high());
    if (!isSafe || other.usd.high() <= usd.value() || other.usd.high() >= usd.high())
        return usd;
    return Quantity::within(usd.value(), usd.low(), other.usd.high(), usd.unit(), usd.basis(),
                            {.note = "at most what " + nameOf(other.offer) +
                                     " costs, which answers where this turns out too slow"});
}

/// A month of the instances, divided by what share of the time they work.
Served servedUsd(const Subject& subject, const Report& report)
{
    const ServingReport& serving = report.serving;
    const Recommendation& recommended = serving.recommended;
    if (serving.requestsPerMonth <= 0) {
        const Quantity nothing =
            Quantity::exact(0, Unit::Usd, how(NothingFormula, {0}, "no requests"));
        return {nothing, nothing};
    }
    if (serving.by != ServedBy::Machines) {
        const bool isFunction = serving.by == ServedBy::Function;
        const ServingWay* way = serving.wayTaken();
        return {way == nullptr ? none(isFunction ? "no function is known"
                                                 : "nobody sells the tokens of just this design")
                               : way->usdPerMonth,
                Quantity::exact(0, Unit::Usd,
                                how(NothingFormula, {0},
                                    isFunction ? "a function doesn't idle"
                                               : "tokens that nobody asks for aren't paid"))};
    }
    if (!recommended.option || !recommended.chosen) {
        const Quantity why = none(recommended.reasons.empty() ? "no offer is recommended"
                                                              : recommended.reasons.front());
        return {why, why};
    }
    const Quantity own = serviceUsd(subject, recommended);
    const double usd = own.value();
    const double share = busyShare(serving).value_or(1);
    const Note note = own.high() < recommended.option->usd.high() ? own.how().note : Note();
    return {(own * share).because(how(MonthBusyFormula, {usd, 100 * share}, note)),
            (own * (1 - share)).because(how(MonthIdleFormula, {usd, 100 * (1 - share)}, note))};
}

Quantity storageUsd(const Subject& subject, const Report& report)
{
    const auto& option = report.training.recommended.option;
    if (!option)
        return none("where to store isn't known, for no offer to train on is recommended");
    const Training& t = subject.experiment.training;
    const Quantity state = checkpointBytes(report.training);
    if (!state.isAvailable())
        return none(state.how().note);
    const auto kept = static_cast<double>(t.checkpointsKept);
    const std::string& id = option->offer.machine.provider;
    const std::string_view hot = provider(id).storage;
    const std::string_view service = subject.assumedText(StorageClassKey, hot);
    const TariffChoice choice{TariffKind::Storage, id, service, option->offer.region};
    const double bytes = t.datasetGb * Giga + kept * state.value();
    // Classes for what is seldom read are paid for each reading, too; a run reads the data once.
    const double read = service == hot ? 0 : t.runsPerMonth * t.datasetGb;
    const double reading = read * valueOf(subject, RetrievalUsdPerGb);
    const Quantity usd = costOfBytes(subject.catalogs, choice, bytes) +
                         Quantity::within(reading, reading, reading, Unit::Usd,
                                          read > 0 ? Basis::Assumed : Basis::Exact, {});
    return usd.because(how(StorageFormula, {t.datasetGb, kept, state.value() / Giga, usd.value()},
                           usd.how().note));
}

Quantity transferUsd(const Subject& subject, const Report& report)
{
    const auto& option = report.serving.recommended.option;
    const double requests = report.serving.requestsPerMonth;
    const double kb = subject.experiment.serving.responseKb;
    if (report.serving.by == ServedBy::Api)
        return Quantity::exact(
            0, Unit::Usd,
            how(TransferFormula, {requests, kb, 0}, "an API sends its answers itself"));
    if (requests * kb <= 0)
        return Quantity::exact(0, Unit::Usd, how(TransferFormula, {requests, kb, 0}));
    if (!option)
        return none("where from isn't known, for no offer to serve on is recommended");
    const Quantity usd = costOfBytes(subject.catalogs,
                                     {TariffKind::Transfer, option->offer.machine.provider,
                                      subject.assumedText(TransferServiceKey, "to the internet"),
                                      option->offer.region},
                                     requests * kb * Kilo);
    return usd.because(how(TransferFormula, {requests, kb, usd.value()},
                           usd.how().note.text() + "; what comes in is free"));
}

/// What the planned machines cost, whatever they do. Those without a price are named.
void addEnvironments(MonthReport& month)
{
    if (month.environments.empty())
        return;
    std::vector<Quantity> known;
    std::string without;
    for (const EnvironmentRow& row : month.environments) {
        if (row.usd.isAvailable()) {
            known.push_back(row.usd);
            continue;
        }
        without += (without.empty() ? "" : ", ") + row.name;
        month.lacking.push_back(row.name);
    }
    if (known.empty())
        return month.items.push_back(
            {"environments", none(month.environments.front().usd.how().note)});
    month.items.push_back(
        {"environments",
         sum(known, Unit::Usd,
             how(EnvironmentsFormula, {static_cast<double>(known.size())},
                 without.empty() ? "" : "without " + without + ", whose price isn't known"))});
}

/// Small items may be missing, and are named; without training, inference or a planned machine there is no total.
void addTotal(MonthReport& month)
{
    std::vector<Quantity> known;
    for (const MonthItem& item : month.items) {
        if (item.usd.isAvailable())
            known.push_back(item.usd);
        else if (item.item != "environments") // each of them is named already
            month.lacking.push_back(item.item);
    }
    std::string lacking;
    for (const std::string& item : month.lacking)
        lacking += (lacking.empty() ? "" : ", ") + item;
    const auto isMissing = [&](std::string_view name) {
        return std::any_of(month.items.begin(), month.items.end(), [&](const MonthItem& item) {
            return item.item == name && !item.usd.isAvailable();
        });
    };
    const bool lacksEnvironment = std::any_of(
        month.environments.begin(), month.environments.end(),
        [](const EnvironmentRow& row) { return !row.usd.isAvailable() && !row.offer.empty(); });
    if (isMissing("training") || isMissing("inference") || lacksEnvironment) {
        month.total = none("no total without " + lacking);
        return;
    }
    month.total = sum(known, Unit::Usd,
                      how(TotalFormula, {static_cast<double>(known.size())},
                          lacking.empty() ? "" : "without " + lacking + ", which isn't known"));
}

void addSplit(const Subject& subject, MonthReport& month)
{
    if (!subject.experiment.plan.split)
        return;
    const ProviderSplit& s = *subject.experiment.plan.split;
    const std::array<std::pair<const char*, double>, 3> shares{
        {{"aws", s.awsPercent}, {"gcp", s.gcpPercent}, {"azure", s.azurePercent}}};
    for (const auto& [provider, percent] : shares) {
        if (percent <= 0)
            continue;
        month.split.push_back({provider, percent,
                               (month.total * (percent / 100))
                                   .because(how(SplitFormula, {percent, month.total.value()},
                                                month.total.how().note))});
    }
}

} // namespace

Quantity checkpointBytes(const TrainingReport& training)
{
    return training.trained + training.optimizer;
}

void addMonth(const Subject& subject, Report& report)
{
    MonthReport& month = report.month;
    const Served served = servedUsd(subject, report);
    month.items = {{"training", trainingUsd(subject, report)},
                   {"inference", served.inference},
                   {"storage", storageUsd(subject, report)},
                   {"transfer", transferUsd(subject, report)},
                   {"idle", served.idle}};
    const auto& option = report.serving.recommended.option;
    if (option && report.serving.by == ServedBy::Machines && option->instances.isAvailable() &&
        option->instances.value() > 1)
        month.items.push_back({"load balancer", loadBalancerUsd(subject, option->instances)});
    month.environments = environmentRows(subject);
    addEnvironments(month);
    addTotal(month);
    addSplit(subject, month);
}

} // namespace outlay::pricing
