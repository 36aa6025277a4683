// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/compare/change.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/provider.h"
#include "pricing/report/make_report.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace core;

/// What stands for the same thing in the Report of either job.
struct BilledJob {
    std::string_view name; // "training", "serving"
    OptionText (*textOf)(const Report&, const Catalogs&, const Option&);
    const std::vector<Option>& (*options)(const Report&);
    const Recommendation& (*recommended)(const Report&);
    Quantity (*amount)(const OptionText&); // of work: hours of machines, or how many serve
};

const BilledJob TrainingJob{
    "training", trainingOptionText,
    [](const Report& r) -> const std::vector<Option>& { return r.training.options; },
    [](const Report& r) -> const Recommendation& { return r.training.recommended; },
    [](const OptionText& text) {
        return text.instances.value() > 1 ? text.hours * text.instances.value() : text.hours;
    }};
const BilledJob ServingJob{
    "serving", servingOptionText,
    [](const Report& r) -> const std::vector<Option>& { return r.serving.options; },
    [](const Report& r) -> const Recommendation& { return r.serving.recommended; },
    [](const OptionText& text) { return text.instances; }};

std::string purchaseName(const OfferRow& row)
{
    std::string name(PurchaseNames.at(static_cast<std::size_t>(row.purchase)));
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string machineName(const Machine& machine)
{
    return std::string(providerTitle(machine.provider)) + " " + machine.instance +
           (machine.accelerator.empty() ? " (processors)" : " (" + machine.accelerator + ")");
}

/// From the offer that was planned to the one that is, one property after the other.
class BillWalk {
public:
    BillWalk(const BilledJob& job, const Report& before, const Report& after,
             const Catalogs& catalogs)
        : m_job(job), m_before(before), m_after(after), m_catalogs(catalogs),
          m_book(catalogs.book())
    {
    }

    /// Nothing where either side has no offer with a price.
    [[nodiscard]] std::vector<ChangeStep> steps(const Report* withTraffic);

private:
    [[nodiscard]] const OfferRow& row(const Option& option) const
    {
        return m_book.rows()[option.row];
    }
    /// In that Report, with a price; null where it has none, or is too small and nobody has named it.
    [[nodiscard]] const Option* priced(const Report& report, const OfferRow& offer) const;
    [[nodiscard]] const Option* find(const Report& report, std::size_t row) const;
    void go(const char* what, double to, std::string from, std::string toName);
    void goByFigure(const char* what, const OptionText& from, const OptionText& to);
    void change(const OfferRow& from, const OfferRow& to);
    [[nodiscard]] std::string whyNot(const Option* old) const;

    const BilledJob& m_job;
    const Report& m_before;
    const Report& m_after;
    const Catalogs& m_catalogs;
    const PriceBook& m_book;
    double m_at = 0;
    std::vector<ChangeStep> m_steps;
};

const Option* BillWalk::find(const Report& report, std::size_t row) const
{
    const std::vector<Option>& options = m_job.options(report);
    const auto found =
        std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.row == row; });
    return found == options.end() ? nullptr : &*found;
}

const Option* BillWalk::priced(const Report& report, const OfferRow& offer) const
{
    const std::vector<Option>& options = m_job.options(report);
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) {
        const OfferRow& at = row(o);
        return at.machine == offer.machine && at.region == offer.region &&
               at.purchase == offer.purchase;
    });
    if (found == options.end() || !found->hasUsd)
        return nullptr;
    // One that is too small is a place all the same for who has named it.
    const auto& chosen = m_job.recommended(report).chosen;
    const bool isChosen = chosen && chosen->row == found->row;
    return found->fits == Fits::No && !isChosen ? nullptr : &*found;
}

void BillWalk::go(const char* what, double to, std::string from, std::string toName)
{
    m_steps.push_back({.what = what,
                       .usd = to - m_at,
                       .from = std::move(from),
                       .to = std::move(toName),
                       .because = {}});
    m_at = to;
}

void BillWalk::goByFigure(const char* what, const OptionText& from, const OptionText& to)
{
    go(what, to.usd.value(), {}, {});
    m_steps.back().fromFigure = m_job.amount(from);
    m_steps.back().toFigure = m_job.amount(to);
}

/// Why the new design isn't on the old machine any more.
std::string BillWalk::whyNot(const Option* old) const
{
    if (old == nullptr)
        return {};
    if (old->fits == Fits::No) {
        const OptionText text = m_job.textOf(m_after, m_catalogs, *old);
        return "it needs " + plainNumber(text.memory.value() / BytesPerGb) +
               " GB, more than can be used of the memory of the one before";
    }
    if (!old->isAllowed)
        return "the plan leaves the one before out";
    if (!old->hasUsd)
        return "what the one before would take isn't known";
    if (!old->meetsDeadline || old->isTooLong)
        return "the one before would be too slow";
    if (!old->isWithinBudget)
        return "the one before would be over the budget";
    return {};
}

/// Machine, way of buying, place; what isn't for sale in between goes with the next.
void BillWalk::change(const OfferRow& from, const OfferRow& to)
{
    OfferRow at = from;
    const auto usdAt = [&](const OfferRow& offer) -> std::optional<double> {
        const Option* option = priced(m_after, offer);
        return option == nullptr
                   ? std::nullopt
                   : std::optional(m_job.textOf(m_after, m_catalogs, *option).usd.value());
    };
    OfferRow next = at;
    next.machine = to.machine;
    const bool isOtherMachine = at.machine != to.machine;
    if (isOtherMachine) {
        // Another provider has other regions: then the place goes along.
        if (!usdAt(next))
            next.region = to.region;
        if (!usdAt(next))
            next.purchase = to.purchase;
        go("machine", usdAt(next).value_or(m_at), machineName(m_book.machine(from)),
           machineName(m_book.machine(to)));
        at = next;
    }
    next.purchase = to.purchase;
    if (at.purchase != to.purchase && usdAt(next)) {
        go("way of buying", *usdAt(next), purchaseName(from), purchaseName(to));
        at = next;
    }
    if (at.region == to.region || !usdAt(to))
        return;
    if (at.purchase == to.purchase)
        go("place", *usdAt(to), m_book.region(from), m_book.region(to));
    else // it isn't for sale that way where it was
        go("way of buying and place", *usdAt(to), purchaseName(from) + " in " + m_book.region(from),
           purchaseName(to) + " in " + m_book.region(to));
}

std::vector<ChangeStep> BillWalk::steps(const Report* withTraffic)
{
    const Recommendation& was = m_job.recommended(m_before);
    const Recommendation& is = m_job.recommended(m_after);
    if (!was.chosen || !is.chosen || !was.option->usd.isAvailable() ||
        !is.option->usd.isAvailable())
        return {};
    m_at = was.option->usd.value();
    OptionText last = *was.option;
    const OfferRow& from = row(*was.chosen);
    const OfferRow& to = row(*is.chosen);
    if (withTraffic != nullptr) {
        if (const Option* option = priced(*withTraffic, from)) {
            const OptionText text = m_job.textOf(*withTraffic, m_catalogs, *option);
            goByFigure("traffic", last, text);
            last = text;
        }
    }
    // The new work on the old machine, else on the new one with its change.
    const Option* here = priced(m_after, from);
    if (here != nullptr) {
        const OptionText now = m_job.textOf(m_after, m_catalogs, *here);
        // A commitment is paid for as a whole: other runs a month share it otherwise.
        const bool isSameWork =
            m_job.amount(last) == m_job.amount(now) ||
            (m_job.amount(last).isAvailable() && m_job.amount(now).isAvailable() &&
             m_job.amount(last).value() == m_job.amount(now).value());
        goByFigure(isSameWork && isCommitment(from.purchase) ? "share of the commitment" : "work",
                   last, now);
    }
    if (was.chosen->row != is.chosen->row) {
        if (here != nullptr)
            change(from, to);
        else
            go("work and machine", is.option->usd.value(), machineName(m_book.machine(from)),
               machineName(m_book.machine(to)));
        const auto machine =
            std::find_if(m_steps.begin(), m_steps.end(), [](const ChangeStep& step) {
                return step.what == "machine" || step.what == "work and machine";
            });
        if (machine != m_steps.end())
            machine->because = whyNot(find(m_after, was.chosen->row));
    }
    if (m_at != is.option->usd.value())
        go("other", is.option->usd.value(), {}, {});
    return m_steps;
}

/// Steps that move nothing aren't shown: the last digits of a sum.
void dropIdle(BillChange& bill)
{
    constexpr double Nothing = 1e-6;
    const double largest = std::max(std::abs(bill.before.value()), std::abs(bill.after.value()));
    std::erase_if(bill.steps,
                  [&](const ChangeStep& step) { return std::abs(step.usd) <= Nothing * largest; });
}

BillChange runChange(const Compared& before, const Compared& after, const Catalogs& catalogs)
{
    const auto usdOf = [](const Compared& one) {
        const auto& option = one.report.training.recommended.option;
        return option ? option->usd : Quantity::unavailable(Unit::Usd, "no offer is recommended");
    };
    BillChange bill{"a training run", usdOf(before), usdOf(after), {}};
    bill.steps = BillWalk(TrainingJob, before.report, after.report, catalogs).steps(nullptr);
    return bill;
}

const MonthItem* itemOf(const Report& report, std::string_view name)
{
    const auto& items = report.month.items;
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const MonthItem& item) { return item.item == name; });
    return found == items.end() || !found->usd.isAvailable() ? nullptr : &*found;
}

double usdOf(const Report& report, std::string_view item)
{
    const MonthItem* found = itemOf(report, item);
    return found == nullptr ? 0 : found->usd.value();
}

/// A run's steps as often as there were runs, then other numbers of runs.
void addTraining(const Compared& before, const Compared& after, const BillChange& run,
                 BillChange& month)
{
    const double runs = before.experiment.training.runsPerMonth;
    const double runsNow = after.experiment.training.runsPerMonth;
    const double was = usdOf(before.report, "training");
    double at = was;
    for (ChangeStep step : run.steps) {
        step.what = "training: " + step.what;
        step.usd *= runs;
        at += step.usd;
        month.steps.push_back(std::move(step));
    }
    const double now = usdOf(after.report, "training");
    month.steps.push_back({.what = "training: runs a month",
                           .usd = now - at,
                           .from = plainNumber(runs),
                           .to = plainNumber(runsNow),
                           .because = {}});
}

/// What only the requests are: with these the old design is asked again.
Experiment withTrafficOf(const Compared& before, const Compared& after)
{
    Experiment mixed = before.experiment;
    mixed.serving.requestsPerDay = after.experiment.serving.requestsPerDay;
    mixed.serving.peakFactor = after.experiment.serving.peakFactor;
    mixed.plan.hoursPerDay = after.experiment.plan.hoursPerDay;
    mixed.plan.daysPerMonth = after.experiment.plan.daysPerMonth;
    mixed.plan.running = after.experiment.plan.running;
    return mixed;
}

std::string sentText(const Compared& one)
{
    return grouped(static_cast<std::int64_t>(std::round(one.report.serving.requestsPerMonth))) +
           " requests";
}

void addServing(const Compared& before, const Compared& after, const Catalogs& catalogs,
                BillChange& month)
{
    const auto billOf = [](const Report& report) {
        return usdOf(report, "inference") + usdOf(report, "idle");
    };
    const double was = billOf(before.report);
    const double is = billOf(after.report);
    const bool areMachines = before.report.serving.by == ServedBy::Machines &&
                             after.report.serving.by == ServedBy::Machines;
    double at = was;
    // Without requests no machine is better than another: there is none to come from or to go to.
    const double requests = before.report.serving.requestsPerMonth;
    const double requestsNow = after.report.serving.requestsPerMonth;
    if (!(requests > 0) || !(requestsNow > 0)) {
        month.steps.push_back({.what = "serving: traffic",
                               .usd = is - was,
                               .from = sentText(before),
                               .to = sentText(after),
                               .because = {}});
        return;
    }
    if (areMachines) {
        const Experiment mixed = withTrafficOf(before, after);
        const bool isOther = mixed != before.experiment;
        const Report traffic = isOther ? costsOf(mixed, catalogs) : Report();
        for (ChangeStep& step : BillWalk(ServingJob, before.report, after.report, catalogs)
                                    .steps(isOther ? &traffic : nullptr)) {
            step.what = "serving: " + step.what;
            at += step.usd;
            month.steps.push_back(std::move(step));
        }
    }
    const auto wayOf = [](const Report& report) {
        switch (report.serving.by) {
        case ServedBy::Function: return "a function";
        case ServedBy::Api: return "a hosted API";
        case ServedBy::Machines: break;
        }
        return "machines";
    };
    month.steps.push_back({.what = areMachines ? "serving: other" : "serving",
                           .usd = is - at,
                           .from = areMachines ? "" : wayOf(before.report),
                           .to = areMachines ? "" : wayOf(after.report),
                           .because = {}});
}

std::string storedText(const Compared& one)
{
    const Training& t = one.experiment.training;
    return plainNumber(t.datasetGb) + " GB of data, " + grouped(t.checkpointsKept) + " checkpoints";
}

std::string machinesText(const Compared& one)
{
    const auto& option = one.report.serving.recommended.option;
    const bool isKnown = option && option->instances.isAvailable();
    if (!isKnown)
        return "no machine";
    const double count = option->instances.value();
    return plainNumber(count) + (count == 1 ? " machine" : " machines");
}

std::string environmentsText(const Compared& one)
{
    std::string names;
    for (const Environment& e : one.experiment.plan.environments)
        names += (names.empty() ? "" : ", ") + e.name + ": " + grouped(e.count) + " x " + e.offer +
                 ", " + plainNumber(e.hoursPerDay) + " h a day";
    return names.empty() ? "none" : names;
}

void addItem(const Compared& before, const Compared& after, std::string_view item,
             std::string (*textOf)(const Compared&), BillChange& month)
{
    month.steps.push_back({.what = std::string(item),
                           .usd = usdOf(after.report, item) - usdOf(before.report, item),
                           .from = textOf(before),
                           .to = textOf(after),
                           .because = {}});
}

BillChange monthChange(const Compared& before, const Compared& after, const BillChange& run,
                       const Catalogs& catalogs)
{
    BillChange month{"a month", before.report.month.total, after.report.month.total, {}};
    if (!month.before.isAvailable() || !month.after.isAvailable())
        return month;
    addTraining(before, after, run, month);
    addServing(before, after, catalogs, month);
    addItem(before, after, "storage", storedText, month);
    addItem(before, after, "transfer", sentText, month);
    addItem(before, after, "load balancer", machinesText, month);
    addItem(before, after, "environments", environmentsText, month);
    return month;
}

} // namespace

std::vector<BillChange> changesOf(const Compared& before, const Compared& after,
                                  const Catalogs& catalogs)
{
    BillChange run = runChange(before, after, catalogs);
    BillChange month = monthChange(before, after, run, catalogs);
    if (run.before.isAvailable() && run.after.isAvailable())
        dropIdle(run);
    if (month.before.isAvailable() && month.after.isAvailable())
        dropIdle(month);
    return {std::move(run), std::move(month)};
}

} // namespace outlay::pricing
