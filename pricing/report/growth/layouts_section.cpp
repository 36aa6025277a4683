// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// How the plan's devices hold the training, what each of them has and does, and what other ways would take.
#include "core/base/units.h"
#include "core/hardware/rates.h"
#include "pricing/report/offers/chosen_machine.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::size_t MostOthers = 8; // that fit
constexpr double Noise = 1e-9;        // of sums

constexpr Formula HeldRestFormula{
    "layout.rest", "{0} B in all - {1} B of weights, gradients and optimizer - {2} B at work"};
constexpr Formula AtWorkFormula{
    "layout.at_work",
    "{0} B of the block at work, the next one and what is in none: from others, or the machine"};
constexpr Formula LayoutPartFormula{"layout.part", "{0} s of {1} s of a step"};

bool isAsked(const Training& t)
{
    return t.sharding || t.tensorParallel || t.pipelineStages || t.pipelineChunks ||
           t.contextParallel || t.expertParallel;
}

Training opened(Training t)
{
    t.sharding.reset();
    t.tensorParallel.reset();
    t.pipelineStages.reset();
    t.pipelineChunks.reset();
    t.contextParallel.reset();
    t.expertParallel.reset();
    return t;
}

/// But for sharding and chunks.
bool isAlike(const Layout& a, const Layout& b)
{
    return a.tensor == b.tensor && a.stages == b.stages && a.context == b.context &&
           a.experts == b.experts;
}

/// The plan's machines, and what a layout makes of them.
class Layouts {
public:
    Layouts(const Subject& subject, const ChosenMachine& machine)
        : m_subject(subject), m_machine(machine), m_on(machine.devices()),
          m_rates(attainableOf(m_on.device, subject.training.training, m_on.calibration))
    {
    }

    void fill(LayoutReport& report) const
    {
        const Holding plan = holdingOn(m_subject.training, m_on);
        report.rows.push_back(rowOf(plan));
        fillHeld(plan, report);
        fillDone(plan, report);
        if (!report.isAsked)
            return addOthers(m_subject.training, report);
        const TrainingDemand open =
            trainingDemand(m_subject.kinds, opened(m_subject.experiment.training));
        addOthers(open, report);
    }

private:
    [[nodiscard]] LayoutRow rowOf(const Holding& holding) const
    {
        const TrainingForecast f = m_machine.forecast(holding);
        const Quantity hours = m_machine.hours(f.runSeconds, f.machines);
        return {.layout = f.layout,
                .batch = f.batch,
                .passes = f.passes,
                .fits = f.fits,
                .memory = f.memory,
                .hostMemory = f.hostMemory,
                .stepSeconds = f.stepSeconds,
                .waitingSeconds = f.waitingSeconds,
                .hours = hours,
                .usd = m_machine.usd(hours, f.machines)};
    }

    [[nodiscard]] StepTime stepOf(const Holding& holding) const
    {
        return stepTime(*holding.pass, m_rates, holding.layout, m_on);
    }

    /// At the moment at which it has most: with the activations, or with the copy that the update makes when they are
    /// gone.
    void fillHeld(const Holding& plan, LayoutReport& report) const
    {
        const Quantity& memory = report.rows.front().memory;
        const std::int64_t sharers = copiesOf(plan.layout, m_on).devices;
        TrainingMemory m = statesMemory(*plan.pass, plan.layout, sharers);
        if (sharers > 1 && mayFreeGradients(plan.pass->training, plan.layout.sharding))
            m.gradients = Quantity::within(m.gradients.value(), 0, m.gradients.high(), Unit::Bytes,
                                           Basis::Forecast, m.gradients.how());
        const Quantity all = m.parameters + m.gradients + m.optimizer;
        const bool isUpdating =
            m.updateBytes > 0 && memory.value() < (all.value() + m.updateBytes) * (1 + Noise);
        const bool hasGradients = m.updateBytes <= 0 || isUpdating;
        const Quantity states = hasGradients ? all : m.parameters + m.optimizer;
        const auto add = [&](std::string_view name, const Quantity& bytes) {
            if (bytes.isAvailable() && bytes.value() > 0)
                report.holds.push_back({name, bytes});
        };
        add("weights", m.parameters);
        if (hasGradients)
            add("gradients", m.gradients);
        add("optimizer", m.optimizer);
        // What an update copies comes when nothing is fetched any more.
        const double gathered =
            isUpdating ? 0 : statesOnEach(*plan.pass, plan.layout, sharers).gathered;
        add("at_work", Quantity::exact(gathered, Unit::Bytes, how(AtWorkFormula, {gathered})));
        if (memory.isAvailable() && states.isAvailable()) {
            const Quantity others = states + Quantity::exact(gathered, Unit::Bytes, {});
            add(isUpdating ? "update_copy" : "activations",
                Quantity::within(
                    memory.value() - others.value(), std::max(0.0, memory.low() - others.low()),
                    std::max(0.0, memory.high() - others.high()), Unit::Bytes, memory.basis(),
                    how(HeldRestFormula, {memory.value(), states.value(), gathered})));
        }
    }

    void fillDone(const Holding& plan, LayoutReport& report) const
    {
        const Quantity& whole = report.rows.front().stepSeconds;
        if (!whole.isAvailable())
            return;
        const StepTime step = stepOf(plan);
        const double total = step.total();
        const auto add = [&](std::string_view name, double seconds) {
            const double part = seconds / total;
            if (part > 0)
                report.does.push_back(
                    {name,
                     (whole * part)
                         .because(how(LayoutPartFormula, {whole.value() * part, whole.value()}))});
        };
        add("kernels", step.kernels.total());
        add("update", step.updateS + step.overheadS);
        add("within_layers", step.betweenLayersS);
        add("idle_stages", step.idleS);
        add(plan.layout.offload == Offload::None ? "copies" : "fetching", step.waitingS);
    }

    /// Of those that share layers alike, in as many stages, the fastest.
    void addOthers(const TrainingDemand& open, LayoutReport& report) const
    {
        struct Timed {
            Holding holding;
            double seconds = 0;
        };
        std::vector<Timed> splits;
        std::vector<Timed> plain;
        for (const Holding& holding : holdingsOn(open, m_on)) {
            const Layout& layout = holding.layout;
            const Layout& plan = report.rows.front().layout;
            if (layout.isPlain() ? layout == plan : isAlike(layout, plan))
                continue;
            const Timed timed{holding, stepOf(holding).total()};
            const auto same = std::find_if(splits.begin(), splits.end(), [&](const Timed& other) {
                return isAlike(other.holding.layout, layout);
            });
            if (layout.isPlain())
                plain.push_back(timed);
            else if (same == splits.end())
                splits.push_back(timed);
            else if (timed.seconds < same->seconds)
                *same = timed;
        }
        std::stable_sort(splits.begin(), splits.end(),
                         [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
        if (splits.size() > MostOthers)
            splits.resize(MostOthers);
        std::vector<LayoutRow> rows;
        for (const auto* list : {&splits, &plain}) {
            for (const Timed& timed : *list)
                rows.push_back(rowOf(timed.holding));
        }
        const auto rank = [](const LayoutRow& row) {
            return std::pair(row.fits != Fits::Yes,
                             row.hours.isAvailable() ? row.hours.value() : HUGE_VAL);
        };
        std::stable_sort(rows.begin(), rows.end(),
                         [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
        report.rows.insert(report.rows.end(), rows.begin(), rows.end());
    }

    const Subject& m_subject;
    const ChosenMachine& m_machine;
    Devices m_on;
    Attainable m_rates;
};

} // namespace

void addLayouts(const Subject& subject, Report& report)
{
    LayoutReport& layouts = report.scaling.layouts;
    layouts.isAsked = isAsked(subject.training.training);
    const ChosenMachine machine(subject, report);
    layouts.why = machine.why();
    if (!layouts.why.empty())
        return;
    const Devices on = machine.devices();
    layouts.device = on.device.name;
    layouts.machine = machine.name();
    layouts.devices = on.count;
    layouts.memoryGb = on.device.memoryGb.value_or(0);
    const bool isAlone = on.count < 2 && subject.experiment.training.offload == Offload::None;
    if (isAlone || on.device.kind == DeviceKind::Cpu) {
        layouts.why = "the plan trains on one device, which holds all of it";
        return;
    }
    const Training& training = subject.experiment.training;
    if (training.method != Method::Full)
        layouts.untried = "adapters aren't divided otherwise";
    else if (!training.globalBatch)
        layouts.untried = "dividing layers or the depth takes a global batch";
    Layouts(subject, machine).fill(layouts);
}

} // namespace outlay::pricing
