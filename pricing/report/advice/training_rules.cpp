// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/field_meaning.h"
#include "core/workload/trained.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/offers/training_machines.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

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
    // Few processors have units for it; what one here gains, a probe tells.
    if (!isWide || !devices || devices->device.kind == DeviceKind::Cpu)
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

/// For who says that attention is one kernel that runs on any GPU: newer frameworks choose another by themselves, but not
/// where samples of several lengths ask for one.
std::vector<Proposal> nativeAttention(const Situation& s)
{
    const auto devices = devicesThere(s);
    const Training& now = s.subject.experiment.training;
    if (!devices || now.attention != AttentionKernel::Fused || !now.packed)
        return {};
    Training native = now;
    native.attention = AttentionKernel::Native;
    const auto reached = [&](const Training& training) {
        const auto attention =
            attainableOf(devices->device, training, devices->calibration).attention;
        return attention ? attention->flopsPerS : 0;
    };
    if (reached(native) <= reached(now))
        return {};
    return {{.title = "Use the device's own attention kernel",
             .why = "A kernel that runs on any GPU leaves out the instructions that are new in " +
                    devices->device.name +
                    "; cuDNN's are 1.7 to 2.3 times as fast on an H100. PyTorch chooses them by "
                    "itself from 2.11 on, where nobody asks for another. The longer samples are, "
                    "the more it matters.",
             .patch = patchOf(s, {{"/training/attention", Json("native")}}),
             .codeCpp = "",
             .codePython = "# PyTorch 2.11 and later, without another attention package\n"
                           "y = F.scaled_dot_product_attention(q, k, v, is_causal=True)"}};
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

/// Where a probe has timed it, its own row says so.
bool isTimed(const Situation& s, std::string_view variant)
{
    const MeasurementPtr m = s.subject.measured.withVariants(s.subject.asked());
    return m != nullptr &&
           std::any_of(m->variants.begin(), m->variants.end(), [&](const VariantMeasurement& v) {
               return v.variant == variant && v.isMeasured();
           });
}

std::vector<Proposal> keptMemory(const Situation& s)
{
    const auto devices = devicesThere(s);
    const ReturnedBytes& returned = s.subject.training.returned;
    const double bytes = returned.ofPass + returned.ofStep;
    if (!devices || devices->device.kind != DeviceKind::Cpu || bytes <= 0 ||
        isTimed(s, "kept-memory"))
        return {};
    return {{.title = "Keep freed memory for the next step",
             .why = "With this batch glibc gives about " + plainNumber(std::round(bytes / Mega)) +
                    " MB back to the system in each step, and each page of it comes anew, set to "
                    "zero. Two variables of the environment keep it; so do jemalloc and tcmalloc. "
                    "`outlay probe --variants kept-memory` measures what that saves.",
             .patch = patchOf(s, {{"/training/keep_memory", Json(true)}}),
             .codeCpp = std::string(KeepMemoryCpp),
             .codePython = std::string(KeepMemoryPython)}};
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
constexpr std::array<Rule, 9> Rules{{
    {"larger-batch", ForTraining, Level::Low, largerBatch, Concern::Runs},
    {"mixed-precision", ForTraining, Level::Low, mixedPrecision, Concern::Runs},
    {"fp8", ForTraining, Level::Medium, eightBits, Concern::Runs},
    {"compiled", ForTraining, Level::Low, compiled, Concern::Runs},
    {"native-attention", ForTraining, Level::Low, nativeAttention, Concern::Runs},
    {"packed", ForTraining, Level::Low, packed, Concern::Runs},
    {"kept-memory", ForTraining, Level::Low, keptMemory, Concern::Runs},
    {"earlier-stop", ForTraining, Level::Low, earlierStop, Concern::Runs},
    {"early-stopping", ForTraining, Level::Low, earlyStopping, Concern::Runs},
}};

} // namespace

std::span<const Rule> trainingRules()
{
    return Rules;
}

} // namespace outlay::pricing
