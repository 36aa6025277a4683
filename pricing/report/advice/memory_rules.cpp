// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a device holds while it trains: less of it, or more where there is room.
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/field_meaning.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "core/workload/trained.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/offers/training_machines.h"

#include <algorithm>
#include <array>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Bytes of a device where the training is to run, else here.
double memoryThere(const Situation& s, const Training& training)
{
    const auto devices = devicesThere(s);
    return devices ? memoryOn(trainingDemand(s.subject.kinds, training), *devices).value()
                   : trainingMemory(s.subject.kinds, training).total.value();
}

bool memoryIsMostlyActivations(const Situation& s)
{
    const TrainingReport& t = s.report.training;
    const Training& training = s.subject.experiment.training;
    const double memory = memoryThere(s, training);
    if (!t.activations.isAvailable() || memory <= 0)
        return false;
    double states = (t.parameters + t.gradients + t.optimizer).value();
    if (const auto devices = devicesThere(s)) { // each has a part of them
        const Holding held = holdingOn(s.subject.training, *devices);
        const TrainingMemory there =
            statesMemory(*held.pass, held.layout, copiesOf(held.layout, *devices).devices);
        states = (there.parameters + there.gradients + there.optimizer).value();
    }
    const double activations = memory - states;
    return activations > memory / 2;
}

/// Of what a device holds, bytes with a loss in parts, and without: of the same pass, laid out alike.
std::optional<std::pair<double, double>> lossInParts(const Situation& s, const Devices& devices)
{
    const Holding now = holdingOn(s.subject.training, devices);
    Training same = now.pass->training;
    same.chunkedLoss = true;
    const TrainingDemand with = trainingDemand(s.subject.kinds, same);
    const Quantity before = memoryWith(*now.pass, now.layout, devices);
    const Quantity after = memoryWith(with, now.layout, devices);
    if (!before.isAvailable() || !after.isAvailable())
        return std::nullopt;
    return std::pair(after.value(), before.value());
}

std::vector<Proposal> chunkedLoss(const Situation& s)
{
    constexpr double Worth = 0.95;
    const Experiment& e = s.subject.experiment;
    const auto devices = devicesThere(s);
    const bool isOnCpu = devices && devices->device.kind == DeviceKind::Cpu;
    if (e.training.chunkedLoss || !hasMeaning("/training/chunked_loss", e) || isOnCpu)
        return {};
    std::string there; // nothing where it fits nowhere yet
    if (devices) {
        const auto bytes = lossInParts(s, *devices);
        if (!bytes || bytes->first > Worth * bytes->second)
            return {};
        there = " A device needs " + plainNumber(bytes->first / Giga) +
                " GB for the same instead of " + plainNumber(bytes->second / Giga) + ".";
    }
    return {{.title = "Make the loss in parts",
             .why = "The logits of all tokens are there at once, and twice more while the loss is "
                    "made of them; in parts they nearly vanish, so cheaper machines hold the "
                    "training, or larger batches fit." +
                    there,
             .patch = patchOf(s, {{"/training/chunked_loss", Json(true)}}),
             .codeCpp = "",
             .codePython = "loss = LigerFusedLinearCrossEntropyLoss()(lm_head.weight, hidden, "
                           "labels)"}};
}

/// A way to compute less again than all of every block.
struct LessAgain {
    std::string_view title;
    std::string_view why;
    std::int64_t every = 1;
    Recomputed recomputed = Recomputed::Blocks;
    std::string_view codePython;
};
constexpr std::array WaysOfLessAgain{
    LessAgain{"Keep every second product of a block",
              "Results of attention and of every second product wait; norms, activations and the "
              "other products run again.",
              1, Recomputed::BetweenProducts,
              "x = checkpoint(block, x, use_reentrant=False,  # saves attention, every second mm\n"
              "               context_fn=partial(create_selective_checkpoint_contexts, policy))"},
    LessAgain{"Recompute every second block",
              "The others keep all that they made, so half a forward pass runs again.", 2,
              Recomputed::Blocks,
              "x = checkpoint(block, x, use_reentrant=False) if number % 2 else block(x)"},
    LessAgain{"Recompute every fourth block",
              "The others keep all that they made, so a quarter of a forward pass runs again.", 4,
              Recomputed::Blocks,
              "x = checkpoint(block, x, use_reentrant=False) if number % 4 == 3 else block(x)"}};

Training with(Training training, const LessAgain& way)
{
    training.checkpointing = true;
    training.recomputeEvery = way.every;
    training.recomputed = way.recomputed;
    return training;
}

Json patchOf(const Situation& s, const LessAgain& way)
{
    return patchOf(s, {{"/training/checkpointing", Json(true)},
                       {"/training/recompute_every", Json(way.every)},
                       {"/training/recomputed",
                        Json(RecomputedNames.at(static_cast<std::size_t>(way.recomputed)))}});
}

std::vector<Proposal> checkpointing(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    if (recomputesAll(now) || !memoryIsMostlyActivations(s))
        return {};
    const double before = memoryThere(s, now);
    const auto needs = [&](const Training& training) {
        const double after = memoryThere(s, training);
        return after < before ? "the training needs " + plainNumber(after / Giga) +
                                    " GB instead of " + plainNumber(before / Giga)
                              : std::string();
    };
    std::vector<Proposal> all;
    Training whole = now;
    whole.checkpointing = true;
    whole.recomputeEvery = 1;
    whole.recomputed = Recomputed::Blocks;
    if (const std::string less = needs(whole); !less.empty())
        all.push_back(
            {.title = "Recompute activations instead of keeping them",
             .why = "Activations are most of what a device holds; with checkpointing " + less +
                    ", for one more forward pass of the blocks, so cheaper machines hold it.",
             .patch = patchOf(s, {{"/training/checkpointing", Json(true)},
                                  {"/training/recompute_every", Json(1)},
                                  {"/training/recomputed", Json(RecomputedNames.front())}}),
             .codeCpp = "// LibTorch has no checkpoint(): run a block under NoGradGuard, keep its "
                        "input, and run it again in a custom autograd::Function's backward.",
             .codePython = "x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"});
    for (const LessAgain& way : WaysOfLessAgain) {
        if (const std::string less = needs(with(now, way)); !less.empty())
            all.push_back({.title = std::string(way.title),
                           .why = std::string(way.why) + " With it " + less + '.',
                           .patch = patchOf(s, way),
                           .codeCpp = "",
                           .codePython = std::string(way.codePython)});
    }
    return all;
}

/// Of the ways that compute less again than now, the one that computes least and fits where the training is to run.
std::optional<Proposal> lessAgain(const Situation& s, const Devices& devices)
{
    const Training& now = s.subject.experiment.training;
    const auto aloneS = [&](const TrainingDemand& demand) {
        return stepSecondsOn(demand,
                             attainableOf(devices.device, demand.training, devices.calibration));
    };
    const LessAgain* best = nullptr;
    double bestS = aloneS(s.subject.training);
    for (const LessAgain& way : WaysOfLessAgain) {
        const TrainingDemand demand = trainingDemand(s.subject.kinds, with(now, way));
        const double wayS = aloneS(demand);
        if (wayS < bestS && fitsOn(demand, devices) == Fits::Yes) {
            best = &way;
            bestS = wayS;
        }
    }
    if (best == nullptr)
        return std::nullopt;
    return Proposal{.title = std::string(best->title),
                    .why = std::string(best->why),
                    .patch = patchOf(s, *best),
                    .codeCpp = "",
                    .codePython = std::string(best->codePython)};
}

std::vector<Proposal> noCheckpointing(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    if (!now.checkpointing)
        return {};
    std::vector<Proposal> all{{.title = "Keep activations (no checkpointing)",
                               .why = "Memory doesn't bind on the machine that is recommended "
                                      "then, and each step saves what "
                                      "runs again.",
                               .patch = patchOf(s, {{"/training/checkpointing", Json(false)}}),
                               .codeCpp = "x = block->forward(x);",
                               .codePython = "x = block(x)  # without torch.utils.checkpoint"}};
    const auto devices = devicesThere(s);
    if (!devices || s.subject.training.blocksAgain <= 0)
        return all;
    Training without = now;
    without.checkpointing = false;
    if (fitsOn(trainingDemand(s.subject.kinds, without), *devices) == Fits::Yes)
        return all;
    if (auto less = lessAgain(s, *devices))
        all.push_back(*std::move(less));
    return all;
}

std::vector<Proposal> accumulation(const Situation& s)
{
    constexpr std::int64_t Parts = 4;
    const Training& now = s.subject.experiment.training;
    if (now.batch < Parts || now.batch % Parts != 0 || now.globalBatch ||
        !memoryIsMostlyActivations(s))
        return {};
    const std::string parts = std::to_string(Parts * now.accumulation);
    return {
        {.title = "Accumulate " + parts + " smaller batches",
         .why = "The update stays the same (batch " +
                fromTo(real(now.batch), real(now.batch / Parts)) + ", " + parts +
                " passes a step), and activations, most of the memory, shrink with the batch, so "
                "cheaper machines hold it.",
         .patch = patchOf(s, {{"/training/batch", Json(now.batch / Parts)},
                              {"/training/accumulation", Json(now.accumulation * Parts)}}),
         .codeCpp = "(loss / " + parts + ").backward();\nif (++i % " + parts +
                    " == 0) { optimizer.step(); optimizer.zero_grad(); }",
         .codePython = "(loss / " + parts + ").backward()\nif (i + 1) % " + parts +
                       " == 0:\n    optimizer.step()\n    optimizer.zero_grad()"}};
}

std::vector<Proposal> smallOptimizer(const Situation& s)
{
    constexpr double MuchOfMemory = 0.2;
    const Training& now = s.subject.experiment.training;
    const TrainingReport& t = s.report.training;
    const bool isAdam = now.optimizer == Optimizer::Adam || now.optimizer == Optimizer::AdamW;
    if (!isAdam || t.optimizer.value() < MuchOfMemory * t.memory.value())
        return {};
    return {{.title = "Keep the optimizer's moments in 8 bits",
             .why = "They take " + plainNumber(100 * t.optimizer.value() / t.memory.value()) +
                    " % of the memory; with fewer bytes a cheaper machine holds the training.",
             .patch = patchOf(s, {{"/training/optimizer", Json("adamw8bit")}}),
             .codeCpp = "",
             .codePython = "optimizer = bitsandbytes.optim.AdamW8bit(model.parameters(), lr=lr)"}};
}

std::vector<Proposal> adapters(const Situation& s)
{
    const double all = real(s.report.model.parameters);
    Training with = s.subject.experiment.training;
    if (with.method != Method::Full || !isTuned(s))
        return {};
    with.method = Method::Lora;
    with.adapterRank = Training{}.adapterRank;
    with.adapterTargets.clear();
    with.trainedWhole.clear();
    with.frozenWeights = FrozenWeights::Same;
    if (!checkTrained(s.subject.experiment.model, with))
        return {};
    const std::string rank = std::to_string(with.adapterRank);
    return {{.title = "Train adapters instead of everything (LoRA, rank " + rank + ")",
             .why = "They are " + plainNumber(100 * trainableOf(s.subject.kinds, with) / all) +
                    " % of the weights, so gradients and the optimizer's state nearly vanish and "
                    "fewer or smaller devices hold the training: " +
                    plainNumber(memoryThere(s, with) / Giga) +
                    " GB on one. A model that is tuned so is mostly as good; its quality has to be "
                    "checked.",
             .patch = patchOf(s, {{"/training/method", Json("lora")},
                                  {"/training/adapter_rank", Json(with.adapterRank)},
                                  {"/training/adapter_targets", Json::array()},
                                  {"/training/trained_whole", Json::array()},
                                  {"/training/frozen_weights", Json("same")}}),
             .codeCpp = "",
             .codePython = "model = peft.get_peft_model(model, peft.LoraConfig(r=" + rank +
                           ", target_modules=\"all-linear\"))"}};
}

/// What a few devices divide may wait in their machine's memory on fewer.
std::vector<Proposal> offload(const Situation& s)
{
    constexpr std::int64_t OfOneMachine = 8;
    const Training& now = s.subject.experiment.training;
    const Sharding least = now.method == Method::Full ? Sharding::Gradients : Sharding::Full;
    if (now.offload != Offload::None || isSplit(s.subject.training.training) ||
        now.sharding.value_or(least) < least)
        return {};
    const auto devices = devicesThere(s);
    if (devices && (devices->device.kind == DeviceKind::Cpu || devices->count < 2 ||
                    devices->count > OfOneMachine))
        return {};
    const TrainingReport& t = s.report.training;
    const Quantity states = t.parameters + t.gradients + t.optimizer;
    const bool isOptimizer = devices && now.method == Method::Full;
    const std::string_view what = isOptimizer ? "optimizer" : "weights";
    return {{.title = isOptimizer ? "Keep gradients and the optimizer in the machine's memory"
                                  : "Keep weights in the machine's memory",
             .why = "Weights, gradients and the optimizer's state are " +
                    plainNumber(states.value() / Giga) +
                    " GB. Machines have memory of their own beside their accelerators: what waits "
                    "there needs no device, so fewer or smaller ones hold the training. It comes "
                    "over PCIe for its work, and the machine's processors make the update: how "
                    "fast differs much between programs, so try it for a few steps.",
             .patch = patchOf(s, {{"/training/offload", Json(what)}}),
             .codeCpp = "",
             .codePython =
                 isOptimizer ? "# DeepSpeed's configuration\n\"zero_optimization\": {\"stage\": 2, "
                               "\"offload_optimizer\": {\"device\": \"cpu\"}}"
                             : "model = FSDP(model, cpu_offload=CPUOffload(offload_params=True))",
             .most = Level::Medium}};
}

std::vector<Proposal> noOffload(const Situation& s)
{
    if (s.subject.experiment.training.offload == Offload::None)
        return {};
    return {{.title = "Keep all that is trained on the devices",
             .why = "What waits in the machine's memory comes over PCIe in each pass, and its "
                    "processors make the update: devices that hold all wait for neither.",
             .patch = patchOf(s, {{"/training/offload", Json("none")}}),
             .codeCpp = "",
             .codePython = "# without offload_optimizer, offload_param or CPUOffload"}};
}

constexpr auto ForTraining = AdviceCategory::Training;
constexpr std::array<Rule, 8> Rules{{
    {"chunked-loss", ForTraining, Level::Low, chunkedLoss, Concern::Runs},
    {"checkpointing", ForTraining, Level::Medium, checkpointing, Concern::Runs},
    {"no-checkpointing", ForTraining, Level::Low, noCheckpointing, Concern::Runs},
    {"accumulation", ForTraining, Level::Low, accumulation, Concern::Runs},
    {"8-bit-optimizer", ForTraining, Level::Medium, smallOptimizer, Concern::Runs},
    {"adapters", ForTraining, Level::Medium, adapters, Concern::Runs},
    {"offload", ForTraining, Level::Medium, offload, Concern::Runs},
    {"no-offload", ForTraining, Level::Low, noOffload, Concern::Runs},
}};

} // namespace

std::span<const Rule> memoryRules()
{
    return Rules;
}

} // namespace outlay::pricing
