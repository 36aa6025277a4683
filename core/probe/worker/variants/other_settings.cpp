// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The same design under another setting of the training: accumulation, checkpointing, 16 bits.
#include "core/probe/worker/variants/makers.h"

#include <algorithm>

namespace outlay::worker {

using namespace outlay::core;

namespace {

/// Another training, proven by the gradients of the same data.
VariantMeasurement otherTraining(const Context& c, const Training& training,
                                 std::optional<std::uint64_t> seed, std::optional<double> tolerance)
{
    if (!fits(c.job(), training))
        return missing("it needs more memory than is free");
    Trainer trainer(c.plain.sharedNetwork(), training, c.plain.device());
    trainer.takeDataOf(c.plain);
    const double difference = relativeDifference(c.plain.gradients(seed), trainer.gradients(seed));
    const std::string what = "gradients of the same batch";
    const VariantMeasurement proof =
        tolerance ? proven(difference, *tolerance, what)
                  : VariantMeasurement{.difference = difference, .proof = what + ", relative"};
    return timed(c, proof, Context::training(c.plain), Context::training(trainer));
}

} // namespace

void addAccumulation(const Context& c, Rows& rows)
{
    constexpr std::int64_t Parts = 4;
    Training training = c.job().training;
    if (training.batch % Parts != 0)
        return;
    training.batch /= Parts;
    training.accumulation *= Parts;
    VariantMeasurement m =
        tried([&] { return otherTraining(c, training, std::nullopt, RoundingTolerance); });
    m.pointer = "/training/accumulation";
    m.value = std::to_string(training.accumulation);
    rows.add(named(std::move(m), "accumulation " + std::to_string(training.accumulation) +
                                     " x batch " + std::to_string(training.batch)));
}

void addCheckpointing(const Context& c, Rows& rows)
{
    const std::vector<Layer> layers = expand(c.job().model);
    const bool hasBlocks = std::any_of(layers.begin(), layers.end(),
                                       [](const Layer& layer) { return layer.block > 0; });
    Training training = c.job().training;
    if (training.checkpointing || training.method == Method::Head)
        return;
    training.checkpointing = true;
    constexpr std::uint64_t Seed = 7; // the second forward pass must draw the same dropout
    VariantMeasurement m = tried([&] {
        if (!hasBlocks)
            return missing("this design has no repeated blocks to compute again");
        return otherTraining(c, training, Seed, RoundingTolerance);
    });
    m.pointer = "/training/checkpointing";
    m.value = "true";
    rows.add(named(std::move(m), "checkpointing"));
}

void addBf16(const Context& c, Rows& rows)
{
    Training training = c.job().training;
    if (training.precision == Precision::Bf16)
        return;
    training.precision = Precision::Bf16;
    VariantMeasurement m =
        tried([&] { return otherTraining(c, training, std::nullopt, std::nullopt); });
    m.pointer = "/training/precision";
    m.value = "\"bf16\"";
    rows.add(named(std::move(m), "bf16 training (autocast)"));
}

} // namespace outlay::worker
