// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "pricing/report/advice/rule.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// What is to be said of a variant that was measured as faster.
struct Words {
    std::string_view variant; // names of VariantKinds; the last row stands for others
    std::string_view title;
    std::string_view why;
    std::string_view codeCpp;
    std::string_view codePython;
};

constexpr std::array<Words, 11> AllWords{{
    {"batch", "Train with the measured faster batch", "The quality has to be checked.", "", ""},
    {"threads", "Use the measured faster thread count",
     "No setting of an experiment says so: set it in the program.", "torch::set_num_threads(n);",
     "torch.set_num_threads(n)"},
    {"accumulation", "Accumulate smaller batches",
     "The gradients are the same within the tolerance that the probe names.", "",
     "(loss / n).backward()"},
    {"bf16", "Train with products in 16 bits", "Weights and losses stay in fp32.",
     "at::autocast::set_cpu_enabled(true);",
     "with torch.autocast(device_type=\"cpu\", dtype=torch.bfloat16):\n    loss = model(x, y)"},
    {"int8", "Serve with 8-bit weights",
     "Check the quality of the answers; the probe says how far they are from the plain ones.", "",
     "model = torch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear}, "
     "dtype=torch.qint8)"},
    {"kept-memory", "Keep freed memory for the next step",
     "Else glibc gives it back to the system after each step, and each page of it comes anew, set "
     "to zero. jemalloc and tcmalloc keep theirs, too.",
     KeepMemoryCpp, KeepMemoryPython},
    {"chunked", "Compute the recurrence in chunks of steps",
     "Exact up to rounding, whatever the gates are. It is in the worker's sources, to be taken.",
     "// core/probe/worker/network/gated_chunks.{h,cpp}; state is updated\n"
     "outlay::worker::GatedSequence in{query, keys, gate, value}; // [batch, steps, size] each\n"
     "torch::Tensor out = outlay::worker::gatedChunks(in, state);",
     ""},
    {"fused-recurrence", "Compute all steps of the recurrence as one operation",
     "Its backward pass computes the states again, so that it needs less memory too. It is in the "
     "worker's sources, to be taken.",
     "// core/probe/worker/network/gated_recurrence.{h,cpp}; state is updated\n"
     "outlay::worker::GatedSequence in{query, keys, gate, value}; // [batch, steps, size] each\n"
     "torch::Tensor out = outlay::worker::gatedRecurrence(in, state);",
     ""},
    {"composed-engine", "Write the passes for this design, its adjacent maps multiplied once",
     "Exact as long as nothing that isn't linear stands between the maps. The engine is in the "
     "worker's sources and needs no LibTorch.",
     "// core/probe/engine; parameters in the order of the modules, read where they are\n"
     "outlay::worker::GatedEngine<float> engine(design, "
     "outlay::worker::spansOf<float>(parameters));\n"
     "auto [loss, gradients] = engine.trainingPass({sequences, steps, tokens, targets}, threads);",
     ""},
    {"stepwise-fused", "Generate with the recurrence as one operation", "", "", ""},
    {"", "Compute it the measured way", "", "", ""},
}};

const Words& wordsFor(const std::string& variant)
{
    const auto* const found = std::find_if(AllWords.begin(), AllWords.end(),
                                           [&](const Words& w) { return w.variant == variant; });
    return found == AllWords.end() ? AllWords.back() : *found;
}

std::vector<VariantMeasurement> variantsOf(const Situation& s)
{
    const MeasurementPtr m = s.subject.measured.withVariants(s.subject.asked());
    return m == nullptr ? std::vector<VariantMeasurement>() : m->variants;
}

/// Surely faster, by its whole interval.
bool isFaster(const VariantMeasurement& v)
{
    return v.isMeasured() && v.ratio > 0 && v.highRatio < 1;
}

Json patchTo(const Situation& s, const VariantMeasurement& v)
{
    const auto value = readJson(v.value);
    if (v.pointer.empty() || !value)
        return Json::array();
    return patchOf(s, {{v.pointer, *value}});
}

Proposal proposalOf(const Situation& s, const VariantMeasurement& v)
{
    const Words& words = wordsFor(v.variant);
    std::string why = "Measured here in turns with the plain way: " + v.name + " takes " +
                      plainNumber(v.ratio) + " of its time (" + plainNumber(v.lowRatio) + " to " +
                      plainNumber(v.highRatio) + ").";
    if (!words.why.empty())
        why += " " + std::string(words.why);
    return {.title = std::string(words.title) + " (" + v.name + ")",
            .why = std::move(why),
            .patch = patchTo(s, v),
            .codeCpp = std::string(words.codeCpp),
            .codePython = std::string(words.codePython),
            .measured = MeasuredRatio{v.ratio, v.lowRatio, v.highRatio, v.subject}};
}

/// The fastest of each kind of variant: `wants` says of which.
template <typename Wants>
std::vector<Proposal> fasterVariants(const Situation& s, const Wants& wants)
{
    std::vector<Proposal> proposals;
    const bool hasGlobalBatch = s.subject.experiment.training.globalBatch.has_value();
    for (const VariantMeasurement& v : variantsOf(s)) {
        // What a step has isn't to be changed, then.
        if (hasGlobalBatch && (v.variant == "batch" || v.variant == "accumulation"))
            continue;
        if (isFaster(v) && wants(v))
            proposals.push_back(proposalOf(s, v));
    }
    return proposals;
}

template <std::size_t Index>
std::vector<Proposal> measuredVariant(const Situation& s)
{
    return fasterVariants(
        s, [](const VariantMeasurement& v) { return v.variant == AllWords.at(Index).variant; });
}

/// Those that have no rule of their own: a recurrence fused, in chunks or composed, or whatever a newer
/// worker tries. Left out are rows that save memory only, and those that count on assumed lengths.
bool isOther(const VariantMeasurement& v)
{
    constexpr std::array<std::string_view, 9> Others{
        "kept-memory", "batch",   "threads",     "accumulation", "bf16",
        "int8",        "buckets", "full-prefix", "checkpointing"};
    return std::find(Others.begin(), Others.end(), v.variant) == Others.end();
}

/// Of several, the one that saves most is advised.
std::vector<Proposal> otherTraining(const Situation& s)
{
    return fasterVariants(s, [](const VariantMeasurement& v) {
        return isOther(v) && v.subject == VariantSubject::Training;
    });
}

std::vector<Proposal> otherServing(const Situation& s)
{
    return fasterVariants(s, [](const VariantMeasurement& v) {
        return isOther(v) && v.subject != VariantSubject::Training;
    });
}

/// The figures already count on stepwise generation, so this one tells what a program that reads the
/// whole prefix again for each token would save.
std::vector<Proposal> stepwise(const Situation& s)
{
    std::vector<Proposal> proposals;
    for (const VariantMeasurement& v : variantsOf(s)) {
        if (v.variant != "full-prefix" || !v.isMeasured() || v.lowRatio <= 1)
            continue;
        proposals.push_back(
            {.title = "Generate with the state kept",
             .why = "Measured here: computing each token from the whole prefix takes " +
                    plainNumber(v.ratio) +
                    " times as long. The costs shown already count on the "
                    "kept state; a program that reads the prefix again pays that much more.",
             .patch = Json::array(),
             .codeCpp = "auto [out, state] = lstm->forward(token, state);",
             .codePython = "out, state = lstm(token, state)",
             .measured = MeasuredRatio{1 / v.ratio, 1 / v.highRatio, 1 / v.lowRatio,
                                       VariantSubject::Generation, true}});
    }
    return proposals;
}

constexpr auto ForTraining = AdviceCategory::Training;
constexpr auto ForInference = AdviceCategory::Inference;
constexpr std::array<Rule, 9> Rules{{
    {"measured-batch", ForTraining, Level::Low, measuredVariant<0>},
    {"threads", ForTraining, Level::Low, measuredVariant<1>},
    {"measured-accumulation", ForTraining, Level::Low, measuredVariant<2>},
    {"measured-bf16", ForTraining, Level::Low, measuredVariant<3>},
    {"quantised-serving", ForInference, Level::Medium, measuredVariant<4>},
    {"measured-memory", ForTraining, Level::Low, measuredVariant<5>},
    {"measured-other", ForTraining, Level::Medium, otherTraining},
    {"measured-serving", ForInference, Level::Medium, otherServing},
    {"stepwise-generation", ForInference, Level::Low, stepwise},
}};

} // namespace

std::span<const Rule> measuredRules()
{
    return Rules;
}

} // namespace outlay::pricing
