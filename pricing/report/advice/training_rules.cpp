// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/field_meaning.h"
#include "core/hardware/held_pass.h"
#include "core/hardware/holding.h"
#include "core/workload/trained.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/offers/training_machines.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

std::optional<Devices> devicesThere(const Situation& s)
{
    return chosenDevices(s.subject, s.report.training);
}

/// Seconds of all steps of a run on one device of the recommended offer; nothing where none is.
std::optional<double> runSecondsOn(const Situation& s, const Training& training)
{
    const auto devices = devicesThere(s);
    if (!devices)
        return std::nullopt;
    const Attainable on = attainableOf(devices->device, training, devices->calibration);
    if (!on.isKnown())
        return std::nullopt;
    const TrainingDemand demand = trainingDemand(s.subject.kinds, training);
    if (fitsOn(demand, *devices) == Fits::No)
        return std::nullopt;
    return demand.run.steps * stepSecondsOn(demand, on);
}

/// The batch, of two to sixteen times the present one, that the roofline on the recommended offer
/// prefers: only that one is then compared in full.
std::vector<Proposal> largerBatch(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    if (now.globalBatch) // a pass has what this leaves
        return {};
    const double samples = s.subject.training.run.trainSamples;
    Training best = now;
    auto least = runSecondsOn(s, now);
    for (const std::int64_t factor : {2, 4, 8, 16}) {
        Training larger = now;
        larger.batch = now.batch * factor;
        if (real(larger.batch * larger.accumulation * larger.devices) > samples)
            break;
        const auto seconds = runSecondsOn(s, larger);
        if (!seconds)
            continue;
        constexpr double WorthDoubling = 0.98;
        if (!least || *seconds < WorthDoubling * *least) {
            least = seconds;
            best = larger;
        }
    }
    if (best.batch == now.batch)
        return {};
    const std::string batch = std::to_string(best.batch);
    return {
        {.title = "Train with a batch of " + batch,
         .why = "Each launch and each time step is shared by more samples, and matrix units "
                "fill up (batch " +
                fromTo(real(now.batch), real(best.batch)) +
                "). There are fewer updates in an epoch: the learning rate usually has to grow, "
                "and the quality has to be checked.",
         .patch = patchOf(s, {{"/training/batch", Json(best.batch)}}),
         .codeCpp = "auto loader = torch::data::make_data_loader(std::move(set), " + batch + ");",
         .codePython = "loader = DataLoader(dataset, batch_size=" + batch + ", shuffle=True)"}};
}

std::vector<Proposal> mixedPrecision(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    const auto devices = devicesThere(s);
    const bool isWide = now.precision == Precision::Fp32 || now.precision == Precision::Tf32;
    if (!isWide || !devices)
        return {};
    const bool hasBf16 = devices->device.hasBf16;
    const std::string name = hasBf16 ? "bf16" : "fp16";
    const std::string scaled =
        hasBf16 ? "" : " fp16 needs a scaled loss, or small gradients become zero.";
    return {{.title = "Train in mixed precision (" + name + ")",
             .why = "Products in 16 bits run on faster units and move half of the bytes; weights "
                    "keep an fp32 copy, so memory doesn't halve. " +
                    devices->device.name + " computes in " + name + "." + scaled,
             .patch = patchOf(s, {{"/training/precision", Json(name)}}),
             .codeCpp = "at::autocast::set_enabled(true); // around the forward pass",
             .codePython = "with torch.autocast(device_type=\"cuda\", dtype=torch." +
                           std::string(hasBf16 ? "bfloat16" : "float16") +
                           "):\n    loss = model(x, y)"}};
}

/// Casts take what products gain where these are small, or where nothing fuses them.
std::vector<Proposal> eightBits(const Situation& s)
{
    constexpr double Large = 1e9; // parameters
    const Training& now = s.subject.experiment.training;
    const auto devices = devicesThere(s);
    const bool isHalf = now.precision == Precision::Bf16 || now.precision == Precision::Fp16;
    if (!isHalf || !now.compiled || now.method != Method::Full || !devices ||
        peakRate(devices->device, Precision::Fp8).arithmetic != Arithmetic::Fp8 ||
        s.subject.training.experts > 0 || s.subject.training.parameters < Large)
        return {};
    return {{.title = "Train products in 8 bits (fp8)",
             .why =
                 "The products of blocks run on units that are twice as fast; weights, gradients "
                 "and all else stay in 16 bits. Published runs of 8 B gain 1.25 to 1.29 times on "
                 "NVIDIA's "
                 "devices and 1.15 on AMD's, of 70 B and more 1.4 to 1.5. The loss has to be "
                 "watched beside one in bf16.",
             .patch = patchOf(s, {{"/training/precision", Json("fp8")}}),
             .codeCpp = "",
             .codePython = "from torchao.float8 import convert_to_float8_training\n"
                           "convert_to_float8_training(model.layers)  # the head stays as it is\n"
                           "model = torch.compile(model)"}};
}

/// Nobody has to run a gated recurrence step by step.
Proposal chunks(const Situation& s)
{
    return {.title = "Run the recurrence in chunks",
            .why = "Step by step, a GPU waits for ten small kernels in each position. Kernels that "
                   "take 64 positions at once keep one state of them and make the others again; "
                   "they were timed forward and alone, so the interval is wide.",
            .patch = patchOf(s, {{"/training/compiled", Json(true)}}),
            .codeCpp = "",
            .codePython = "from fla.ops.gla import chunk_gla  # flash-linear-attention\n"
                          "# each [batch, steps, 1, size]\n"
                          "y, state = chunk_gla(q, k, v, gate.log(), scale=1.0, "
                          "output_final_state=True)"};
}

/// The steps of a recurrence stay in the library's own kernels, where it has some.
std::vector<Proposal> compiled(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    if (!now.compiled && s.subject.kinds.has<GatedRecurrent>())
        return {chunks(s)};
    const auto devices = devicesThere(s);
    const auto& groups = s.subject.training.forward;
    const bool isRecurrent = std::any_of(groups.begin(), groups.end(),
                                         [](const KernelGroup& group) { return group.steps > 0; });
    if (now.compiled || isRecurrent || !devices || devices->device.kind == DeviceKind::Cpu)
        return {};
    return {{.title = "Compile the model",
             .why = "What isn't a product runs in fewer kernels, made for the model, that read and "
                    "write less. The first steps wait minutes for the compiler, and again for each "
                    "new shape.",
             .patch = patchOf(s, {{"/training/compiled", Json(true)}}),
             .codeCpp = "",
             .codePython = "model = torch.compile(model)"}};
}

std::vector<Proposal> packed(const Situation& s)
{
    const auto devices = devicesThere(s);
    const Experiment& e = s.subject.experiment;
    if (!devices || !hasMeaning("/training/packed", e) ||
        !waitsForLengths(devices->device, e.training, devices->calibration))
        return {};
    return {{.title = "Pack the samples",
             .why = "Attention asks in each block how long its samples are, and the device waits "
                    "for the answer. In rows that several samples fill, with positions that say "
                    "where each begins, it is known beforehand.",
             .patch = patchOf(s, {{"/training/packed", Json(true)}}),
             .codeCpp = "",
             .codePython = "args = SFTConfig(packing=True, max_length=4096)"}};
}

std::vector<Proposal> earlierStop(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    const auto devices = devicesThere(s);
    if (!now.reentrant || !leavesUnread(s.subject.kinds, now) || !devices ||
        devices->device.kind == DeviceKind::Cpu)
        return {};
    return {{.title = "Recompute only what is read",
             .why = "PyTorch's newer checkpointing stops in each block after the last thing that "
                    "the way back reads: its last product isn't made again.",
             .patch = patchOf(s, {{"/training/reentrant", Json(false)}}),
             .codeCpp = "",
             .codePython = "x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"}};
}

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

std::vector<Proposal> checkpointing(const Situation& s)
{
    const Training& now = s.subject.experiment.training;
    if (now.checkpointing || !memoryIsMostlyActivations(s))
        return {};
    Training with = now;
    with.checkpointing = true;
    const double before = memoryThere(s, now);
    const double after = memoryThere(s, with);
    if (after >= before)
        return {};
    return {{.title = "Recompute activations instead of keeping them",
             .why = "Activations are most of what a device holds; with checkpointing the training "
                    "needs " +
                    plainNumber(after / Giga) + " GB instead of " + plainNumber(before / Giga) +
                    ", for one more forward pass of the blocks, so cheaper machines hold it.",
             .patch = patchOf(s, {{"/training/checkpointing", Json(true)}}),
             .codeCpp = "// LibTorch has no checkpoint(): run a block under NoGradGuard, keep its "
                        "input, and run it again in a custom autograd::Function's backward.",
             .codePython = "x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"}};
}

std::vector<Proposal> noCheckpointing(const Situation& s)
{
    if (!s.subject.experiment.training.checkpointing)
        return {};
    return {
        {.title = "Keep activations (no checkpointing)",
         .why =
             "Memory doesn't bind on the machine that is recommended then, and each step saves a "
             "forward pass of the blocks.",
         .patch = patchOf(s, {{"/training/checkpointing", Json(false)}}),
         .codeCpp = "x = block->forward(x);",
         .codePython = "x = block(x)  # without torch.utils.checkpoint"}};
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

struct CurvePoint {
    double epoch = 0;
    double loss = 0;
};

std::vector<CurvePoint> curveOf(const Experiment& experiment)
{
    std::vector<CurvePoint> curve;
    const Json* list = experiment.quality.find("curve");
    if (list == nullptr || list->asArray() == nullptr)
        return curve;
    for (const Json& row : *list->asArray()) {
        const Json* epoch = row.find("epoch");
        const Json* loss = row.find("loss");
        if (epoch != nullptr && loss != nullptr && epoch->isNumber() && loss->isNumber())
            curve.push_back({epoch->number(), loss->number()});
    }
    std::stable_sort(curve.begin(), curve.end(),
                     [](const auto& a, const auto& b) { return a.epoch < b.epoch; });
    return curve;
}

/// The first epoch whose loss lies within a hundredth of the whole fall of the lowest.
std::optional<CurvePoint> wherePlateauBegins(const std::vector<CurvePoint>& curve)
{
    constexpr std::size_t LeastPoints = 3;
    constexpr double Near = 0.01;
    if (curve.size() < LeastPoints)
        return std::nullopt;
    const double lowest =
        std::min_element(curve.begin(), curve.end(), [](const auto& a, const auto& b) {
            return a.loss < b.loss;
        })->loss;
    const double fall = curve.front().loss - lowest;
    if (fall <= 0)
        return std::nullopt;
    return *std::find_if(curve.begin(), curve.end(),
                         [&](const CurvePoint& p) { return p.loss <= lowest + Near * fall; });
}

std::vector<Proposal> earlyStopping(const Situation& s)
{
    const Experiment& e = s.subject.experiment;
    const auto plateau = wherePlateauBegins(curveOf(e));
    if (!plateau || plateau->epoch < 1 || plateau->epoch >= e.training.epochs)
        return {};
    return {
        {.title = "Stop after epoch " + plainNumber(plateau->epoch),
         .why = "By the curve in `quality.curve` the loss is " + plainNumber(plateau->loss) +
                " there, within 1 % of its whole fall from the lowest; epochs " +
                fromTo(e.training.epochs, plateau->epoch) + ".",
         .patch = patchOf(s, {{"/training/epochs", Json(plateau->epoch)}}),
         .codeCpp = "if (loss < best - minDelta) { best = loss; waited = 0; }\nelse if (++waited "
                    "== patience) break;",
         .codePython = "if loss < best - min_delta:\n    best, waited = loss, 0\nelse:\n    waited "
                       "+= 1\n    if waited == patience:\n        break"}};
}

constexpr auto ForTraining = AdviceCategory::Training;
constexpr std::array<Rule, 15> Rules{{
    {"larger-batch", ForTraining, Level::Low, largerBatch, Concern::Runs},
    {"mixed-precision", ForTraining, Level::Low, mixedPrecision, Concern::Runs},
    {"fp8", ForTraining, Level::Medium, eightBits, Concern::Runs},
    {"compiled", ForTraining, Level::Low, compiled, Concern::Runs},
    {"chunked-loss", ForTraining, Level::Low, chunkedLoss, Concern::Runs},
    {"checkpointing", ForTraining, Level::Medium, checkpointing, Concern::Runs},
    {"no-checkpointing", ForTraining, Level::Low, noCheckpointing, Concern::Runs},
    {"packed", ForTraining, Level::Low, packed, Concern::Runs},
    {"earlier-stop", ForTraining, Level::Low, earlierStop, Concern::Runs},
    {"accumulation", ForTraining, Level::Low, accumulation, Concern::Runs},
    {"8-bit-optimizer", ForTraining, Level::Medium, smallOptimizer, Concern::Runs},
    {"adapters", ForTraining, Level::Medium, adapters, Concern::Runs},
    {"offload", ForTraining, Level::Medium, offload, Concern::Runs},
    {"no-offload", ForTraining, Level::Low, noOffload, Concern::Runs},
    {"early-stopping", ForTraining, Level::Low, earlyStopping, Concern::Runs},
}};

} // namespace

std::span<const Rule> trainingRules()
{
    return Rules;
}

} // namespace outlay::pricing
