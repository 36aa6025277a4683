// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/advice/trial.h"

#include "core/base/units.h"
#include "core/experiment/patch.h"
#include "pricing/report/assumption.h"
#include "pricing/report/make_report.h"
#include "pricing/report/offers/offer_rank.h"
#include "pricing/report/offers/running.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outlay::pricing {

/// What comes into question, by its place in the whole book.
struct AskedOffers {
    std::vector<std::uint32_t> trainers; // of the machines
    std::vector<std::uint32_t> machines;
    std::vector<std::uint32_t> rows;
};

namespace {

using namespace outlay::core;

/// Options that a change may bring to the front, and how many machines of each standing are looked at.
struct Group {
    std::size_t most = 0;
    Standing standing = Standing::InTime;
};

constexpr std::array<Group, 3> Groups{
    {{12, Standing::InTime}, {8, Standing::Late}, {8, Standing::TooSmall}}};

/// What is too small comes in many sizes of plain processors: of accelerators, one machine of a kind says it for all.
bool isOfANewKind(const OfferTable& table, const std::vector<std::uint32_t>& taken,
                  std::uint32_t candidate, std::size_t most)
{
    const Machine& machine = table.machines[candidate];
    const auto alike = std::count_if(taken.begin(), taken.end(), [&](std::uint32_t other) {
        const Machine& its = table.machines[other];
        return its.accelerator == machine.accelerator &&
               (machine.accelerator.empty() || its.accelerators == machine.accelerators);
    });
    return machine.accelerator.empty() ? static_cast<std::size_t>(alike) < most / 4 : alike == 0;
}

/// How many times as much as a device has may be made to fit: of a service by weights in half of their bits, of a training
/// by adapters.
constexpr double ShrunkService = 2.3;
constexpr double ShrunkTraining = 8;

template <typename Forecast>
bool maySoonHold(const MachineKind& machine, const Forecast& forecast, double shrunk)
{
    const auto& gb = machine.device.memoryGb;
    return !gb || !forecast.memory.isAvailable() || forecast.memory.value() <= shrunk * *gb * Giga;
}

/// What a run may take today that a change brings in time: proposals make it at most three times as fast, and 16 bits in the
/// place of 32 up to sixteen times.
double hopefulSeconds(const Subject& subject)
{
    constexpr double Hurried = 3;
    constexpr double HurriedByHalves = 16;
    const Experiment& e = subject.experiment;
    const bool isFull = bytesPerValue(e.training.precision) > 2;
    const double longest =
        std::min(e.plan.deadlineHours.value_or(HUGE_VAL), longestRunHours(subject));
    return (isFull ? HurriedByHalves : Hurried) * longest * SecondsPerHour;
}

/// The first machines of each group in the ranking, of those that are bought as the plan buys. None is later than
/// `latest`, as options tell it.
template <typename Section>
void addCheapest(const Subject& subject, const Section& section, double shrunk, double latest,
                 std::vector<std::uint32_t>& machines)
{
    const std::vector<Option>& options = section.options;
    const PriceBook& book = subject.catalogs.book();
    const std::vector<MachineKind>& kinds = subject.catalogs.devices().kinds();
    for (const Group& group : Groups) {
        std::vector<std::uint32_t> its;
        for (const Option& option : optionsOf(options, group.standing)) {
            const OfferRow& row = book.rows()[option.row];
            if (its.size() == group.most)
                break;
            if (option.isAllowed && option.trust != Trust::Doubtful && option.usd.value > 0 &&
                row.purchase == subject.experiment.plan.purchase &&
                std::find(its.begin(), its.end(), row.machine) == its.end() &&
                (group.standing != Standing::Late ||
                 static_cast<double>(option.lateness) <= latest) &&
                (group.standing != Standing::TooSmall ||
                 (maySoonHold(kinds[option.forecast], section.forecasts[option.forecast], shrunk) &&
                  isOfANewKind(book.table(), its, row.machine, group.most))))
                its.push_back(row.machine);
        }
        machines.insert(machines.end(), its.begin(), its.end());
    }
}

/// Where none is in time, the soonest decide which is recommended.
void addSoonest(const Subject& subject, const std::vector<Option>& options,
                const Recommendation& now, std::vector<std::uint32_t>& machines)
{
    constexpr std::size_t Most = 8;
    if (!now.chosen || now.chosen->meetsDeadline)
        return;
    std::vector<std::pair<float, std::uint32_t>> late;
    for (const Option& option : optionsOf(options, Standing::Late)) {
        if (isUsable(option))
            late.emplace_back(option.lateness, subject.catalogs.book().rows()[option.row].machine);
    }
    std::sort(late.begin(), late.end());
    late.erase(std::unique(late.begin(), late.end()), late.end());
    for (std::size_t i = 0; i < std::min(Most, late.size()); ++i)
        machines.push_back(late[i].second);
}

/// Where a processor trains, a change may be one that brings it to an accelerator, even to one that would be too slow
/// without: of some kinds of them the machine that takes the least for the run, and the one that costs the least an hour.
void addAccelerators(const Subject& subject, const TrainingReport& training,
                     std::vector<std::uint32_t>& machines)
{
    constexpr std::size_t Most = 12;
    const OfferTable& table = subject.catalogs.book().table();
    const auto& rows = subject.catalogs.book().rows();
    const auto& now = training.recommended.chosen;
    if (!now || !table.machines[rows[now->row].machine].accelerator.empty())
        return;
    std::vector<std::pair<std::string_view, const OfferRow*>> cheapest;
    for (const Standing standing : {Standing::InTime, Standing::Late}) {
        for (const Option& option : optionsOf(training.options, standing)) {
            const OfferRow& row = rows[option.row];
            const std::string& kind = table.machines[row.machine].accelerator;
            Option sooner = option;
            sooner.isTooLong = false;
            if (kind.empty() || !isUsable(sooner) ||
                row.purchase != subject.experiment.plan.purchase)
                continue;
            const auto known = std::find_if(cheapest.begin(), cheapest.end(),
                                            [&](const auto& one) { return one.first == kind; });
            if (known != cheapest.end()) {
                if (*row.usdPerHour < *known->second->usdPerHour)
                    known->second = &row;
            } else if (cheapest.size() < Most) {
                cheapest.emplace_back(kind, &row);
                machines.push_back(row.machine);
            }
        }
    }
    for (const auto& [kind, row] : cheapest)
        machines.push_back(row->machine);
}

/// Where a design fits nowhere yet, a change may let it fit on any machine. No requests ask for none.
bool mayFitAnywhere(const Report& report)
{
    const bool serves = report.serving.requestsPerDay > 0;
    return !report.training.recommended.chosen || (serves && !report.serving.recommended.chosen);
}

std::uint32_t machineOf(const PriceBook& book, std::uint32_t row)
{
    return book.rows()[row].machine;
}

void makeSet(std::vector<std::uint32_t>& numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// A service may be brought to any of them: what its own list lacks is often among those to train on.
void addMachines(const Subject& subject, const Report& report, std::span<const std::uint32_t> also,
                 AskedOffers& asked)
{
    const PriceBook& book = subject.catalogs.book();
    std::vector<std::uint32_t>& trainers = asked.trainers;
    if (mayFitAnywhere(report)) {
        trainers.resize(book.table().machines.size());
        std::iota(trainers.begin(), trainers.end(), 0U);
        asked.machines = trainers;
        return;
    }
    const Recommendation& training = report.training.recommended;
    const Recommendation& serving = report.serving.recommended;
    addCheapest(subject, report.training, ShrunkTraining, hopefulSeconds(subject), trainers);
    addAccelerators(subject, report.training, trainers);
    addSoonest(subject, report.training.options, training, trainers);
    if (training.chosen)
        trainers.push_back(machineOf(book, training.chosen->row));
    asked.machines = trainers;
    for (const std::uint32_t offer : also)
        trainers.push_back(machineOf(book, offer));
    makeSet(trainers);
    addCheapest(subject, report.serving, ShrunkService, HUGE_VAL, asked.machines);
    addSoonest(subject, report.serving.options, serving, asked.machines);
    if (serving.chosen)
        asked.machines.push_back(machineOf(book, serving.chosen->row));
    makeSet(asked.machines);
}

/// Of each way of buying a machine the cheapest offer with a fresh and with an old price: no other of its
/// offers would be recommended.
void addBestOffers(const Subject& subject, std::span<const std::uint32_t> machines,
                   std::vector<std::uint32_t>& rows)
{
    const PriceBook& book = subject.catalogs.book();
    const Allowed allowed(subject.experiment.plan, book);
    for (const std::uint32_t machine : machines) {
        std::array<const OfferRow*, 2 * PurchaseNames.size()> best{};
        for (const OfferRow& row : book.ofMachine(machine)) {
            const Trust trust = subject.catalogs.prices().trust(book.indexOf(row));
            if (trust == Trust::Doubtful || !allowed.isAllowed(row))
                continue;
            const std::size_t way =
                2 * static_cast<std::size_t>(row.purchase) + (trust == Trust::Stale ? 1 : 0);
            const OfferRow*& least = best.at(way);
            if (least == nullptr || *row.usdPerHour < *least->usdPerHour)
                least = &row;
        }
        for (const OfferRow* row : best) {
            if (row != nullptr)
                rows.push_back(static_cast<std::uint32_t>(book.indexOf(*row)));
        }
    }
}

/// All of those that environments name, whatever their provider.
void addPlanned(const PriceBook& book, const Plan& plan, std::vector<std::uint32_t>& rows)
{
    const auto& all = book.table().machines;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const std::string part = "/" + all[i].instance + "/";
        const auto isOf = [&](const Environment& e) {
            return ("/" + e.offer + "/").find(part) != std::string::npos;
        };
        if (std::none_of(plan.environments.begin(), plan.environments.end(), isOf))
            continue;
        for (const OfferRow& row : book.ofMachine(i))
            rows.push_back(static_cast<std::uint32_t>(book.indexOf(row)));
    }
}

AskedOffers askedOffers(const Subject& subject, const Report& report,
                        std::span<const std::uint32_t> also)
{
    const PriceBook& book = subject.catalogs.book();
    AskedOffers asked;
    addMachines(subject, report, also, asked);
    asked.rows.assign(also.begin(), also.end());
    addBestOffers(subject, asked.machines, asked.rows);
    for (const Recommendation* now : {&report.training.recommended, &report.serving.recommended}) {
        if (now->chosen)
            asked.rows.push_back(now->chosen->row);
    }
    addPlanned(book, subject.experiment.plan, asked.rows);
    makeSet(asked.rows);
    return asked;
}

/// Kinds to train on, of a book that is a part.
AskedKinds askedKinds(const Catalogs& part, const Catalogs& whole, const AskedOffers& asked)
{
    const std::vector<MachineKind>& kinds = part.devices().kinds();
    AskedKinds its(kinds);
    for (std::size_t i = 0; i < asked.rows.size(); ++i) {
        if (std::binary_search(asked.trainers.begin(), asked.trainers.end(),
                               machineOf(whole.book(), asked.rows[i])))
            its.ask(kinds, part.devices().kindOf(part.book().rows()[i].machine));
    }
    return its;
}

/// Of the machines of a book that is a part: forecasts of each kind as they were made for all. `rows` are its rows in
/// the whole book.
template <typename Each>
std::vector<Each> ofKinds(const Catalogs& part, const Catalogs& whole,
                          std::span<const std::uint32_t> rows, const std::vector<Each>& forecasts)
{
    std::vector<Each> its(part.devices().kinds().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t machine = whole.book().rows()[rows[i]].machine;
        its[part.devices().kindOf(part.book().rows()[i].machine)] =
            forecasts[whole.devices().kindOf(machine)];
    }
    return its;
}

/// What a change leaves alone is taken out for its costs, and put back with them: all of a section, or
/// elsewhere, in another place, plan or by other assumptions, its forecasts.
template <typename Section>
ReusedSection<Section> takenOut(Section& section, bool isElsewhere)
{
    ReusedSection<Section> reused;
    if (isElsewhere)
        reused.forecasts.swap(section.forecasts);
    else
        reused.whole = std::move(section);
    return reused;
}

template <typename Section>
void putBack(Section& from, bool isElsewhere, Section& section)
{
    if (isElsewhere)
        section.forecasts.swap(from.forecasts);
    else
        section = std::move(from);
}

} // namespace

Trials::Trials(const Subject& subject, const Report& report, std::span<const std::uint32_t> also)
    : Trials(subject, report, askedOffers(subject, report, also))
{
}

Trials::Trials(const Subject& subject, const Report& report, const AskedOffers& asked)
    : m_experiment(subject.experiment),
      m_catalogs(subject.catalogs.with(subject.catalogs.book().only(asked.rows))),
      m_toTrainOn(askedKinds(m_catalogs, subject.catalogs, asked))
{
    const auto known = [&](const auto& forecasts) {
        return ofKinds(m_catalogs, subject.catalogs, asked.rows, forecasts);
    };
    ReusedSections reused;
    reused.training.forecasts = known(report.training.forecasts);
    reused.serving.forecasts = known(report.serving.forecasts);
    reused.capacities = known(report.serving.capacities);
    m_costs = costsOf(m_experiment, m_catalogs, std::move(reused));
    m_costs.training.corrections = report.training.corrections;
    m_before = billOf(report, subject.experiment.training.runsPerMonth);
}

Result<Bill> Trials::after(const Json& patch)
{
    const auto changed = patched(m_experiment, patch);
    if (!changed)
        return failureOf(changed);
    const Experiment& now = m_experiment;
    const bool isSameModel = changed->model == now.model;
    Training asBefore = changed->training;
    asBefore.checkpointsKept = now.training.checkpointsKept; // which are stored, and take no time
    const bool isSameTraining = isSameModel && asBefore == now.training;
    const bool isSameServing = isSameModel && changed->serving == now.serving;
    const bool isElsewhere = changed->plan != now.plan || changed->site != now.site ||
                             changed->assumptions != now.assumptions;
    ReusedSections reused;
    if (isSameTraining)
        reused.training = takenOut(m_costs.training, isElsewhere);
    // What is promised is part of what machines answer, and depends on when they run.
    const bool promisesAlike =
        isSameServing &&
        (!isElsewhere || (promisedIn(*changed) == promisedIn(now) &&
                          changed->plan.risk == now.plan.risk && assumeAlike(*changed, now)));
    if (promisesAlike)
        reused.serving = takenOut(m_costs.serving, isElsewhere);
    const bool runAlike = isElsewhere && isSameServing && runsAlike(*changed, now);
    if (runAlike)
        reused.capacities.swap(m_costs.serving.capacities);
    reused.asked = m_toTrainOn;
    Report report = costsOf(*changed, m_catalogs, std::move(reused));
    Bill bill = billOf(report, changed->training.runsPerMonth);
    if (isSameTraining)
        putBack(report.training, isElsewhere, m_costs.training);
    if (promisesAlike)
        putBack(report.serving, isElsewhere, m_costs.serving);
    if (runAlike)
        m_costs.serving.capacities.swap(report.serving.capacities);
    return bill;
}

} // namespace outlay::pricing
