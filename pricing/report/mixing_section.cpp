// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/twin.h"
#include "pricing/report/sections.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr Formula TokenFormula{"mixing.token", "{0} FLOP of a forward pass / {1} tokens"};
constexpr Formula SequenceFormula{"mixing.sequence", "a forward pass over {0} tokens"};
constexpr Formula StateFormula{"mixing.state",
                               "caches or states after {0} tokens, {1} B for each number"};
constexpr Formula ActivationFormula{
    "mixing.activations", "kept for the backward pass over {0} tokens, {1} B for each number"};
constexpr Formula CrossingFormula{"mixing.crossing",
                                  "the shortest sequence for which attention costs more"};

constexpr std::array<std::string_view, 3> MeasureNames{"flops", "state", "activations"};

MixingCost costOf(const std::vector<LayerCount>& layers, double tokens,
                  const SequenceWidths& widths)
{
    const SequenceWork work = sequenceWork(layers, tokens, widths);
    return {.flopsPerToken = Quantity::exact(work.flops / tokens, Unit::Flops,
                                             how(TokenFormula, {work.flops, tokens})),
            .flopsPerSequence =
                Quantity::exact(work.flops, Unit::Flops, how(SequenceFormula, {tokens})),
            .stateBytes = Quantity::exact(work.stateBytes, Unit::Bytes,
                                          how(StateFormula, {tokens, widths.servingBytes})),
            .activationBytes =
                Quantity::exact(work.activationBytes, Unit::Bytes,
                                how(ActivationFormula, {tokens, widths.trainingBytes}))};
}

Quantity crossing(const Twins& twins, double SequenceWork::*measure, const SequenceWidths& widths)
{
    const auto tokens = crossingOf(twins, measure, widths);
    if (!tokens)
        return Quantity::unavailable(Unit::One, "attention never costs more, up to " +
                                                    std::to_string(MostTokensCompared) + " tokens");
    return Quantity::exact(static_cast<double>(*tokens), Unit::One, how(CrossingFormula));
}

} // namespace

void addMixing(const Subject& subject, Report& report)
{
    constexpr std::int64_t Shortest = 64;
    constexpr std::int64_t Longest = 16'384;
    MixingReport& mixing = report.scaling.mixing;
    const Twins twins = twinsOf(subject.layers);
    mixing.twin = twins.why;
    if (!twins.own)
        return;
    mixing.own = MixingNames.at(static_cast<std::size_t>(*twins.own));
    mixing.twin = *twins.own == Mixing::Recurrent
                      ? "each recurrence is exchanged for self-attention of equal width"
                      : "each self-attention is exchanged for an LSTM of equal width";
    // A cache or a state is as wide as what flows through the served model.
    const Experiment& e = subject.experiment;
    const SequenceWidths widths{bytesPerValue(e.training.precision),
                                std::max(2.0, bytesPerWeight(e.serving.precision))};
    for (std::int64_t length = Shortest; length <= Longest; length *= 2) {
        const auto tokens = static_cast<double>(length);
        mixing.rows.push_back({tokens, costOf(twins.recurrent, tokens, widths),
                               costOf(twins.attention, tokens, widths)});
    }
    for (std::size_t i = 0; i < SequenceMeasures.size(); ++i)
        mixing.crossings.push_back(
            {std::string(MeasureNames.at(i)), crossing(twins, SequenceMeasures.at(i), widths)});
}

} // namespace outlay::pricing
