// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/settings.h"

#include "core/base/text.h"

#include <algorithm>

namespace outlay::core {
namespace {

constexpr double Many = 1e15;
constexpr double MostHours = 1e6;

template <std::size_t Count>
Result<void> checkNames(const std::vector<std::string>& given,
                        const std::array<std::string_view, Count>& names, std::string_view what,
                        std::string_view where)
{
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (std::find(names.begin(), names.end(), given[i]) != names.end())
            continue;
        const auto near = nearest(given[i], names);
        return inputError("no " + std::string(what) + " is called '" + printable(given[i], 60) +
                              "'",
                          near ? "did you mean '" + std::string(*near) + "'?"
                               : "take some of " + joined(names, ", "),
                          std::string(where) + "/" + std::to_string(i));
    }
    return {};
}

} // namespace

bool isSplit(const Training& training)
{
    return training.tensorParallel.value_or(1) > 1 || training.pipelineStages.value_or(1) > 1 ||
           training.contextParallel.value_or(1) > 1 || training.expertParallel.value_or(1) > 1;
}

namespace {

/// What devices share goes together.
Result<void> checkDivision(const Training& t)
{
    if (t.contextParallel.value_or(1) > 1 && t.sequence < 2 * *t.contextParallel)
        return inputError("a sample has fewer positions than two for each device that shares it",
                          "give fewer devices, or longer samples", "/training/context_parallel");
    if (t.offload == Offload::None)
        return {};
    if (isSplit(t))
        return inputError("what waits in the machine's memory isn't forecast together with shared "
                          "layers, stages, positions or experts",
                          "give offload none, or leave tensor_parallel, pipeline_stages, "
                          "context_parallel and expert_parallel out",
                          "/training/offload");
    const Sharding least = t.offload == Offload::Weights ? Sharding::Full : Sharding::Gradients;
    if (t.sharding.value_or(least) < least)
        return inputError("what waits in the machine's memory is divided among devices",
                          t.offload == Offload::Weights
                              ? "give sharding full or hybrid, or leave it out"
                              : "give sharding gradients, full or hybrid, or leave it out",
                          "/training/sharding");
    return {};
}

} // namespace

Result<void> check(const Training& training)
{
    if (training.samples && training.tokens)
        return inputError("both `samples` and `tokens` are given", "give one of them",
                          "/training/tokens");
    if (const auto known = checkNames(training.adapterTargets, AdapterTargetNames, "matrix",
                                      "/training/adapter_targets");
        !known)
        return known;
    if (const auto together = checkDivision(training); !together)
        return together;
    return checkNames(training.trainedWhole, WholeLayerNames, "layer", "/training/trained_whole");
}

bool recomputes(const Training& training)
{
    return training.checkpointing && training.method != Method::Head;
}

bool isComputedAgain(const Training& training, std::int64_t block)
{
    return recomputes(training) && block % training.recomputeEvery == 0;
}

bool recomputesAll(const Training& training)
{
    return recomputes(training) && training.recomputeEvery == 1 &&
           training.recomputed == Recomputed::Blocks;
}

bool recomputeAlike(const Training& a, const Training& b)
{
    return recomputes(a) == recomputes(b) &&
           (!recomputes(a) ||
            (a.recomputeEvery == b.recomputeEvery && a.recomputed == b.recomputed));
}

double bytesPerWeight(ServingPrecision precision)
{
    switch (precision) {
    case ServingPrecision::Fp32: return 4;
    case ServingPrecision::Fp16:
    case ServingPrecision::Bf16: return 2;
    case ServingPrecision::Fp8:
    case ServingPrecision::Int8: return 1;
    case ServingPrecision::Int4: return 0.5;
    }
    return 4;
}

namespace {

/// How devices divide it.
void describeDivision(FieldVisitor& v, Training& t)
{
    v.choice(Field{"sharding", "sharding among devices (default: the least that fits)"}, t.sharding,
             ShardingNames);
    v.integer({"tensor_parallel",
               "number of devices that share each layer (default: one; with a global batch as many "
               "as fit best)",
               1, 1024},
              t.tensorParallel);
    v.integer({"pipeline_stages",
               "number of stages that the depth is divided into (default: one; with a global "
               "batch as many as fit best)",
               1, 1024},
              t.pipelineStages);
    v.integer({"pipeline_chunks",
               "number of parts of the depth in each stage, which take turns (default: one; where "
               "stages are chosen as many as fit best)",
               1, 64},
              t.pipelineChunks);
    v.integer(
        {"context_parallel",
         "number of devices that share each sample's positions (default: one; where no device "
         "holds a sample as many as fit best)",
         1, 1024},
        t.contextParallel);
    v.integer({"expert_parallel",
               "number of devices that divide the experts of each layer (default: one; with a "
               "global batch as many as fit best)",
               1, 4096},
              t.expertParallel);
    v.choice(Field{"offload",
                   "part that waits in the machine's own memory (optimizer: gradients and "
                   "the optimizer's state; weights: those, too)"},
             t.offload, OffloadNames);
}

} // namespace

void describe(FieldVisitor& v, Training& t)
{
    v.number({"samples", "number of samples in an epoch", 1, Many}, t.samples);
    v.number({"tokens", "number of tokens in an epoch, instead of samples", 1, Many}, t.tokens);
    v.integer({"sequence", "length of a sample in tokens or steps", 1, 16777216}, t.sequence);
    v.integer({"batch", "samples in a pass on each device", 1, 16777216}, t.batch);
    v.number({"epochs", "number of epochs", 0.001, 1e6}, t.epochs);
    v.integer({"accumulation", "passes before an optimizer step", 1, 1e6}, t.accumulation);
    v.integer(
        {"global_batch",
         "samples in an optimizer step on all devices together (default: batch x accumulation "
         "on each)",
         1, 1e9},
        t.globalBatch);
    v.choice(Field{"precision", "precision of training"}, t.precision, PrecisionNames);
    v.flag({"master_weights", "fp32 copies beside weights of 16 bits"}, t.masterWeights);
    v.choice(Field{"optimizer", "optimizer"}, t.optimizer, OptimizerNames);
    v.flag({"checkpointing", "recompute activations instead of keeping them"}, t.checkpointing);
    v.integer({"recompute_every", "number of blocks of which one is computed again (checkpointing)",
               1, 4096},
              t.recomputeEvery);
    v.choice(Field{"recomputed",
                   "part of a block that is computed again (between_products: all but "
                   "attention and every second product)"},
             t.recomputed, RecomputedNames);
    v.flag({"reentrant", "checkpointing that runs all of a block again (PyTorch's use_reentrant)"},
           t.reentrant);
    describeDivision(v, t);
    v.choice(Field{"attention",
                   "attention of the framework (fused: one kernel that runs on any GPU, as "
                   "PyTorch's was until 2.10; native: one that is written for the device; "
                   "default: native where it can be)"},
             t.attention, AttentionKernelNames);
    v.flag({"compiled", "kernels made for the model (torch.compile, or fused by hand)"},
           t.compiled);
    v.flag({"packed", "samples fill rows of one length (else each is as long as it is)"}, t.packed);
    v.flag({"chunked_loss", "loss made with the logits in parts, of which one is there at a time"},
           t.chunkedLoss);
    v.flag({"keep_memory", "freed memory that the next step finds again, on processors (else "
                           "glibc gives it back to the system)"},
           t.keepMemory);
    v.choice(Field{"software", "software of the training"}, t.software, SoftwareNames);
    v.choice(Field{"method", "part of the weights that is trained"}, t.method, MethodNames);
    v.integer({"adapter_rank", "rank of adapters (lora)", 1, 65536}, t.adapterRank);
    v.texts({"adapter_targets",
             "matrices with adapters, as query, key, value, output, gate, up, down, router, dense, "
             "query_down, latent, key_value (none: all)"},
            t.adapterTargets);
    v.texts({"trained_whole", "layers that are trained whole beside adapters, as embedding, norm, "
                              "output (none: adapters alone)"},
            t.trainedWhole);
    v.choice(Field{"frozen_weights", "form of weights that aren't trained"}, t.frozenWeights,
             FrozenWeightsNames);
    v.number({"validation_share", "share of the samples kept for validation", 0, 0.9},
             t.validationShare);
    v.integer({"devices", "number of devices that train together", 1, 65536}, t.devices);
    v.number({"runs_per_month", "training runs in a month", 0, 1e6}, t.runsPerMonth);
    v.number({"dataset_gb", "size of the data set in GB", 0, 1e9}, t.datasetGb);
    v.integer({"checkpoints_kept", "number of checkpoints kept", 0, 1e6}, t.checkpointsKept);
}

void describe(FieldVisitor& v, Serving& s)
{
    v.number({"requests_per_day", "requests in a day", 0, 1e12}, s.requestsPerDay);
    v.number({"peak_factor", "busiest hour over the mean", 1, 1000}, s.peakFactor);
    v.integer({"input_tokens", "tokens or steps in a request", 1, 16777216}, s.inputTokens);
    v.integer({"output_tokens", "tokens that are generated", 0, 16777216}, s.outputTokens);
    v.integer({"shared_tokens", "first tokens that all requests have in common", 0, 16777216},
              s.sharedTokens);
    v.number({"input_spread",
              "standard deviation of a request's own tokens over their mean (log-normal)", 0, 3},
             s.inputSpread);
    v.number({"output_spread",
              "standard deviation of generated tokens over their mean (log-normal)", 0, 3},
             s.outputSpread);
    v.integer({"batch", "requests served as one batch (default: by the engine)", 1, 16777216},
              s.batch);
    v.integer(
        {"slots",
         "number of requests that an engine answers at once at most (default: 4 by llama_cpp, else "
         "256)",
         1, MostSlots},
        s.slotCount);
    v.choice(Field{"precision", "precision of serving"}, s.precision, ServingPrecisionNames);
    v.choice(Field{"weight_format", "format of weights in 4 or 8 bits (default: by the engine)"},
             s.weightFormat, WeightFormatNames);
    v.choice(Field{"engine", "program that answers (default: by the model)"}, s.engine,
             EngineNames);
    v.integer({"tensor_parallel",
               "number of accelerators that share each layer (default: as many as answer most "
               "requests in time)",
               1, 1024},
              s.tensorParallel);
    v.choice(
        Field{"attention",
              "attention of libtorch, torch_compile and onnxruntime (default: fused where it can "
              "be)"},
        s.attention, ServedAttentionNames);
    v.integer({"speculated_tokens",
               "number of guessed tokens that each pass checks (default: none)", 1, 32},
              s.speculatedTokens);
    v.number({"acceptance", "share of guessed tokens that hold, where those before them do", 0, 1},
             s.acceptance);
    v.number({"draft_share", "size of the draft over the model's (0: guessed from the text alone)",
              0, 1},
             s.draftShare);
    v.number({"latency_p95_ms", "latency that 95 % of the requests keep, in ms", 0.001, 1e9},
             s.latencyP95Ms);
    v.number({"first_token_p95_ms",
              "time to the first token that 95 % of the requests keep, in ms (default: no promise)",
              0.001, 1e9},
             s.firstTokenP95Ms);
    v.number({"token_p95_ms",
              "time of a token that 95 % of the answers keep on average, in ms (default: no "
              "promise)",
              0.001, 1e9},
             s.tokenP95Ms);
    v.number({"request_kb", "size of a request in kB", 0, 1e9}, s.requestKb);
    v.number({"response_kb", "size of a response in kB", 0, 1e9}, s.responseKb);
}

void describe(FieldVisitor& v, Site& s)
{
    v.text({"region", "region, as in aws/us-east-1 (default: in no cloud)"}, s.region);
    v.text({"country", "country, as a two- or three-letter code"}, s.country);
    v.number({"electricity_usd_per_kwh", "price of electricity in USD/kWh", 0, 100},
             s.electricityUsdPerKwh);
    v.number({"grid_g_per_kwh", "carbon intensity of the grid in g/kWh", 0, 5000},
             s.gridGramsPerKwh);
    v.number({"pue", "power usage effectiveness", 1, 10}, s.pue);
    v.number({"power_w", "power of this machine under load in W", 0.1, 1e7}, s.powerWatts);
}

void describe(FieldVisitor& v, OfferChoice& o)
{
    v.text({.key = "provider", .what = "provider", .presence = Presence::Required}, o.provider);
    v.text({.key = "instance", .what = "instance", .presence = Presence::Required}, o.instance);
    v.text({"region", "region"}, o.region);
    v.choice(Field{"purchase", "way of buying"}, o.purchase, PurchaseNames);
}

void describe(FieldVisitor& v, Environment& e)
{
    v.text({.key = "name", .what = "name", .presence = Presence::Required}, e.name);
    v.text({"offer", "instance that it runs on"}, e.offer);
    v.integer({"count", "number of instances", 0, 1e6}, e.count);
    v.number({"hours_per_day", "hours in a day", 0, 24}, e.hoursPerDay);
    v.number({"days_per_month", "days in a month", 0, 31}, e.daysPerMonth);
}

void describe(FieldVisitor& v, AcceleratorCount& a)
{
    v.text({.key = "accelerator", .what = "accelerator", .presence = Presence::Required},
           a.accelerator);
    v.integer({"count", "number of accelerators, eight in a machine", 1, 65536}, a.count);
}

void describe(FieldVisitor& v, ProviderSplit& s)
{
    v.number({"aws", "percent on AWS", 0, 100}, s.awsPercent);
    v.number({"gcp", "percent on GCP", 0, 100}, s.gcpPercent);
    v.number({"azure", "percent on Azure", 0, 100}, s.azurePercent);
}

void describe(FieldVisitor& v, Plan& p)
{
    v.choice(Field{"purchase", "way of buying"}, p.purchase, PurchaseNames);
    v.choice(
        Field{"risk", "part of the intervals that offers are chosen by (cautious: the upper ends)"},
        p.risk, RiskNames);
    v.choice(Field{"running", "when machines that serve run (with_traffic: as many as requests ask "
                              "for, none without; at_once: until a day's requests are answered)"},
             p.running, RunningNames);
    v.texts({"providers", "providers to choose from (none: all)"}, p.providers);
    v.texts({"regions", "regions to choose from (none: all)"}, p.regions);
    v.texts({"stacks",
             "software that code is built for, as cuda, cpu, arm, rocm, neuron, tpu, gaudi "
             "(none: cuda and cpu)"},
            p.stacks);
    v.number({"deadline_hours", "longest training run in hours", 0, MostHours}, p.deadlineHours);
    v.number({"budget_usd", "budget in USD", 0, Many}, p.budgetUsd);
    v.integer({"max_machines", "most machines that one training takes", 1, 4096}, p.maxMachines);
    v.number({"hours_per_day", "hours in a day that the service is on", 0, 24}, p.hoursPerDay);
    v.number({"days_per_month", "days in a month (default: a month of 730 h)", 0, 31},
             p.daysPerMonth);
    v.list({"environments", "environments"}, p.environments);
    v.object({"split", "percent of the spending on each provider"}, p.split);
    v.list({"forecast_on", "accelerators to forecast the training on"}, p.forecastOn);
    v.object({"training_offer", "offer to train on (default: the recommended one)"},
             p.trainingOffer);
    v.object({"serving_offer", "offer to serve on (default: the recommended one)"}, p.servingOffer);
}

std::int64_t batchOn(const Training& training, std::int64_t copies)
{
    // No copy has more than its part; beyond as many copies as samples some have none.
    return training.globalBatch
               ? std::clamp<std::int64_t>(*training.globalBatch / copies, 1, training.batch)
               : training.batch;
}

std::int64_t passesOf(std::int64_t globalBatch, std::int64_t batch, std::int64_t copies)
{
    const std::int64_t atOnce = batch * copies;
    return std::max<std::int64_t>(1, (globalBatch + atOnce - 1) / atOnce);
}

Training onDevices(Training training, std::int64_t devices)
{
    if (!training.globalBatch)
        return training;
    training.batch = batchOn(training, devices);
    training.accumulation = passesOf(*training.globalBatch, training.batch, devices);
    training.globalBatch.reset();
    return training;
}

Training resolved(Training training)
{
    if (!training.samples && !training.tokens)
        training.samples = UsualSamples;
    return training;
}

Plan resolved(Plan plan)
{
    if (plan.stacks.empty())
        plan.stacks.assign(UsualStacks.begin(), UsualStacks.end());
    return plan;
}

} // namespace outlay::core
