// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/advice/trial.h"

#include "core/experiment/patch.h"
#include "pricing/report/chosen.h"
#include "pricing/report/make_report.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Groups of options that a change may bring to the front, and how many machines of each are looked at.
struct Group {
    std::size_t most = 0;
    bool (*holds)(const Option&) = nullptr;
};

bool isUsable(const Option& o)
{
    return o.hasUsd && o.isAllowed && o.trust != Trust::Doubtful;
}

constexpr std::array<Group, 3> Groups{{
    {16, isGood},
    {8, [](const Option& o) { return isUsable(o) && o.fits == Fits::Yes && !o.meetsDeadline; }},
    {8, [](const Option& o) { return isUsable(o) && o.fits == Fits::No; }},
}};

/// The first machines of each group in the ranking.
void addCheapest(const PriceBook& book, const std::vector<Option>& options,
                 std::vector<std::uint32_t>& machines)
{
    for (const Group& group : Groups) {
        std::vector<std::uint32_t> found;
        for (const Option& option : options) {
            if (found.size() == group.most)
                break;
            const std::uint32_t machine = book.rows()[option.row].machine;
            if (group.holds(option) &&
                std::find(found.begin(), found.end(), machine) == found.end())
                found.push_back(machine);
        }
        machines.insert(machines.end(), found.begin(), found.end());
    }
}

void addChosen(const Catalogs& catalogs, const std::optional<OptionText>& option,
               std::vector<std::uint32_t>& machines)
{
    if (!option)
        return;
    const Machine& m = option->offer.machine;
    const auto rows = catalogs.book->ofInstance(m.provider, m.instance);
    if (!rows.empty())
        machines.push_back(rows.front().machine);
}

/// Those that environments name, whatever their provider.
void addPlanned(const PriceBook& book, const Plan& plan, std::vector<std::uint32_t>& machines)
{
    const auto& all = book.table().machines;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const auto isOf = [&](const Environment& e) { return e.offer.ends_with(all[i].instance); };
        if (std::any_of(plan.environments.begin(), plan.environments.end(), isOf))
            machines.push_back(i);
    }
}

std::vector<std::uint32_t> machinesOf(const Subject& subject, const Report& report,
                                      std::span<const std::uint32_t> also)
{
    const PriceBook& book = *subject.catalogs.book;
    std::vector<std::uint32_t> machines(also.begin(), also.end());
    addCheapest(book, report.training.options, machines);
    addCheapest(book, report.serving.options, machines);
    addChosen(subject.catalogs, report.training.recommended.option, machines);
    addChosen(subject.catalogs, report.serving.recommended.option, machines);
    addPlanned(book, subject.experiment.plan, machines);
    std::sort(machines.begin(), machines.end());
    machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
    return machines;
}

/// Where a design fits nowhere yet, a change may let it fit on any machine.
bool mayFitAnywhere(const Report& report)
{
    return !report.training.recommended.option || !report.serving.recommended.option;
}

} // namespace

Trials::Trials(const Subject& subject, const Report& report, std::span<const std::uint32_t> also)
    : m_experiment(subject.experiment), m_catalogs(subject.catalogs)
{
    if (!mayFitAnywhere(report)) {
        const auto machines = machinesOf(subject, report, also);
        m_catalogs.book = std::make_shared<const PriceBook>(m_catalogs.book->only(machines));
        m_catalogs.devices = m_catalogs.devicesOfBook();
        m_catalogs.priced = m_catalogs.pricesToday();
    }
    m_before = billOf(report, subject.experiment.training.runsPerMonth);
}

Result<Bill> Trials::after(const Json& patch) const
{
    const auto changed = patched(m_experiment, patch);
    if (!changed)
        return failureOf(changed);
    return billOf(costsOf(*changed, m_catalogs), changed->training.runsPerMonth);
}

} // namespace outlay::pricing
