// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Other forms of the same passes, chosen by the flow's form: a row of the list each.
#include "core/probe/engine/gemm.h"
#include "core/probe/worker/variants/makers.h"

#include <algorithm>
#include <cmath>

namespace outlay::worker {
namespace {

using namespace outlay::core;

constexpr std::int64_t FewSamples = 4; // whose activations stay in the caches

enum class Turn {
    Step,     // an optimizer step
    OneSample // passes of one sample, without the optimizer: what takes too long for a batch
};

struct FormRow {
    std::string_view variant;
    std::string_view name;
    PassForm form;
    Turn turn = Turn::Step;
};

/// About as many stretches as each has steps: the least memory.
std::int64_t stepsApart(std::int64_t steps)
{
    return std::max<std::int64_t>(2, std::llround(std::sqrt(static_cast<double>(steps))));
}

std::string_view fusedLayerName()
{
    return hasDnnl() ? "all steps as one operation, over oneDNN"
                     : "all steps as one operation, over the matrix library";
}

std::vector<FormRow> rowsFor(const Training& training)
{
    using enum Projections;
    using Recurrence::Chunks;
    return {
        {"simple",
         "one sample at a time, four projections in every step",
         {.samplesAtOnce = 1, .projections = FourEachStep},
         Turn::OneSample},
        {"batched",
         "the batch at once, four projections in every step",
         {.projections = FourEachStep}},
        {"fused-projections", "one projection in every step", {.projections = OneEachStep}},
        {"fused-projections", "one projection for all steps", {.projections = One}},
        {"checkpoint-time",
         "states kept every {} steps",
         {.checkpointSteps = stepsApart(training.sequence), .projections = One}},
        {"chunked", "chunks of steps", {.projections = One, .recurrence = Chunks}},
        {"chunked",
         "chunks of steps, 4 samples at a time",
         {.samplesAtOnce = FewSamples, .projections = One, .recurrence = Chunks}},
        {"fused-recurrence",
         "all steps as one operation",
         {.projections = One, .recurrence = Recurrence::Fused}},
        {"fused-recurrence",
         "all steps as one operation, 4 samples at a time",
         {.samplesAtOnce = FewSamples, .projections = One, .recurrence = Recurrence::Fused}},
        {"cell-by-cell",
         "each step by itself instead of LibTorch's layer",
         {.cells = CellForm::Steps}},
        {"fused-layer", fusedLayerName(), {.cells = CellForm::Fused}},
    };
}

Contestant contestant(const Context& c, const PassForm& form, Turn turn, std::int64_t samples)
{
    const Training& t = c.plain.training();
    if (turn == Turn::Step)
        return {[&c, form] {
                    const InForm inForm(c.network(), form);
                    c.plain.step();
                },
                static_cast<double>(t.batch * t.accumulation)};
    return {[&c, form, samples] {
                const InForm inForm(c.network(), form);
                c.plain.passes(samples);
            },
            static_cast<double>(samples)};
}

bool readsBothWays(const Model& model)
{
    const std::vector<Layer> layers = expand(model);
    return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
        const auto* recurrent = std::get_if<Recurrent>(&layer.spec);
        return recurrent != nullptr && recurrent->bidirectional;
    });
}

VariantMeasurement measured(const Context& c, const FormRow& row)
{
    const Training& t = c.plain.training();
    if (t.precision != Precision::Fp32)
        return missing("the passes in other forms are proven and timed in fp32");
    const bool isFused =
        row.form.recurrence == Recurrence::Fused || row.form.cells == CellForm::Fused;
    if (isFused && !c.plain.device().is_cpu())
        return missing("the fused steps run on a CPU");
    if (row.form.checkpointSteps > 0 && readsBothWays(c.job().model))
        return missing("a layer that reads from both ends can't be cut into stretches");
    if (const std::string why = proofObstacle(c); !why.empty())
        return missing(why);
    const VariantMeasurement proof =
        proven(c.reference.differenceIn(row.form), RoundingTolerance, c.reference.sentence());
    const std::int64_t few = row.turn == Turn::OneSample ? 1 : t.batch;
    return timed(c, proof, contestant(c, {}, row.turn, t.batch),
                 contestant(c, row.form, row.turn, few));
}

} // namespace

void addForms(const Context& c, Rows& rows)
{
    const Training& t = c.plain.training();
    for (const FormRow& row : rowsFor(t)) {
        const bool isWhole = row.form.samplesAtOnce > 1 && row.form.samplesAtOnce >= t.batch;
        if (row.variant != c.variant || isWhole)
            continue;
        std::string name(row.name);
        if (const std::size_t at = name.find("{}"); at != std::string::npos)
            name.replace(at, 2, std::to_string(row.form.checkpointSteps));
        rows.add(named(tried([&] { return measured(c, row); }), std::move(name)));
    }
}

} // namespace outlay::worker
