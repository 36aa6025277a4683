// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
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

constexpr Formula PassFormula{"mixing.pass", "{0} s, the median of {1} passes forward and back"};
constexpr Formula GrowthFormula{"mixing.growth", "{0} B that the process grew by in a pass"};
constexpr Formula LongerFormula{
    "mixing.longer", "the shortest measured sequence from which on attention took longer"};

constexpr std::array<std::string_view, 3> MeasureNames{"flops", "state", "activations"};

MixingCost costOf(const LayerKinds& layers, double tokens, const SequenceWidths& widths)
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

/// What was measured of one sequence, or why it wasn't.
void addMeasured(const MeasurementPtr& m, const LengthTiming* timing, MixingCost& cost)
{
    constexpr double Miss = 0.15; // of so few passes
    if (m == nullptr || timing == nullptr || !timing->isMeasured()) {
        const std::string why =
            m == nullptr        ? "sequences of this design weren't measured here; a probe does it "
                                  "(`outlay probe --lengths`)"
            : timing == nullptr ? "this length wasn't measured"
            : timing->unavailable.empty() ? "the stored measurement has no time for it"
                                          : timing->unavailable;
        cost.passSeconds = Quantity::unavailable(Unit::Seconds, why);
        cost.passBytes = Quantity::unavailable(Unit::Bytes, why);
        return;
    }
    const std::string source = "measured on " + m->machine.processor + ", " + m->created;
    const double seconds = timing->passS;
    cost.passSeconds = Quantity::within(
        seconds, seconds * (1 - Miss), seconds * (1 + Miss), Unit::Seconds, Basis::Measured,
        how(PassFormula, {seconds, static_cast<double>(timing->count)}, source));
    cost.passBytes =
        timing->growthBytes
            ? Quantity::within(*timing->growthBytes, *timing->growthBytes, *timing->growthBytes,
                               Unit::Bytes, Basis::Measured,
                               how(GrowthFormula, {*timing->growthBytes}, source))
            : Quantity::unavailable(Unit::Bytes, "its memory can't be seen on this device");
}

const LengthTiming* timingOf(const MeasurementPtr& m, LengthSubject subject, std::int64_t tokens)
{
    if (m == nullptr)
        return nullptr;
    const auto found =
        std::find_if(m->lengths.begin(), m->lengths.end(), [&](const LengthTiming& t) {
            return t.subject == subject && t.tokens == tokens;
        });
    return found == m->lengths.end() ? nullptr : &*found;
}

/// Between the last length for which attention took no longer, and the next one.
Quantity measuredCrossing(const std::vector<MixingRow>& rows)
{
    double last = 0;
    double before = 0;
    double from = 0; // nothing yet
    for (const MixingRow& row : rows) {
        const Quantity& recurrent = row.recurrent.passSeconds;
        const Quantity& attention = row.attention.passSeconds;
        if (!recurrent.isAvailable() || !attention.isAvailable())
            continue;
        if (attention.value() <= recurrent.value()) {
            from = 0;
        } else if (from <= 0) {
            from = row.tokens;
            before = last;
        }
        last = row.tokens;
    }
    if (last == 0) {
        const MixingRow& first = rows.front();
        const bool isAttention = first.recurrent.passSeconds.isAvailable();
        return Quantity::unavailable(
            Unit::One, (isAttention ? first.attention : first.recurrent).passSeconds.how().note);
    }
    if (from <= 0)
        return Quantity::unavailable(Unit::One, "attention took no longer, up to " +
                                                    plainNumber(last) + " tokens");
    return Quantity::within(from, std::max(1.0, before), from, Unit::One, Basis::Measured,
                            how(LongerFormula));
}

} // namespace

void addMixing(const Subject& subject, Report& report)
{
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
                                std::max(2.0, bytesPerWeight(e.serving.precision)),
                                latentsOf(engineOf(e.model, e.serving))};
    const MeasurementPtr measured = subject.measured.withLengths(subject.asked());
    const bool isRecurrent = *twins.own == Mixing::Recurrent;
    for (std::int64_t length = ShortestCompared; length <= LongestCompared; length *= 2) {
        const auto tokens = static_cast<double>(length);
        MixingRow row{tokens, costOf(twins.recurrent, tokens, widths),
                      costOf(twins.attention, tokens, widths)};
        addMeasured(measured, timingOf(measured, LengthSubject::Own, length),
                    isRecurrent ? row.recurrent : row.attention);
        addMeasured(measured, timingOf(measured, LengthSubject::Twin, length),
                    isRecurrent ? row.attention : row.recurrent);
        mixing.rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < SequenceMeasures.size(); ++i)
        mixing.crossings.push_back(
            {std::string(MeasureNames.at(i)), crossing(twins, SequenceMeasures.at(i), widths)});
    mixing.crossings.push_back({"seconds", measuredCrossing(mixing.rows)});
}

} // namespace outlay::pricing
