// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/experiment/assumption_keys.h"
#include "core/experiment/field_meaning.h"
#include "core/hardware/flight.h"
#include "core/workload/serving_work.h"
#include "pricing/report/advice/rule.h"
#include "pricing/report/assumption.h"
#include "pricing/report/offers/chosen.h"
#include "pricing/report/offers/running.h"
#include "pricing/report/offers/support.h"
#include "pricing/report/run_hours.h"
#include "pricing/report/sections.h"

#include <algorithm>
#include <cmath>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr auto ForInference = AdviceCategory::Inference;
constexpr auto ForDeployment = AdviceCategory::Deployment;

bool isOnAccelerator(const Situation& s)
{
    const MachineKind* machine = machineOf(s.subject.catalogs, s.report.serving.recommended);
    return machine != nullptr && machine->device.kind != DeviceKind::Cpu;
}

Json nameOf(Engine engine)
{
    return Json(EngineNames.at(static_cast<std::size_t>(engine)));
}

/// Twice and eight times: the service's machines decide which is cheaper within its latency.
std::vector<Proposal> largerBatch(const Situation& s)
{
    // An engine that takes requests in as they come has no batch to enlarge.
    if (takesInRequests(s.subject, s.report))
        return {};
    const std::int64_t now = batchOf(s.subject.experiment.serving);
    std::vector<Proposal> proposals;
    for (const std::int64_t factor : {2, 8}) {
        const std::int64_t batch = now * factor;
        proposals.push_back({.title = "Serve " + std::to_string(batch) + " requests together",
                             .why = "Weights are read once for all requests of a batch (" +
                                    fromTo(static_cast<double>(now), static_cast<double>(batch)) +
                                    "); each of them waits a little longer.",
                             .patch = patchOf(s, {{"/serving/batch", Json(batch)}}),
                             .codeCpp = "auto answers = model->forward(torch::stack(waiting));",
                             .codePython = "answers = model(torch.stack(waiting))"});
    }
    return proposals;
}

/// A batch that is named is answered whole before the next begins.
std::vector<Proposal> asTheyCome(const Situation& s)
{
    const ServingDemand& serving = servedDemand(s.subject, s.report);
    if (!couldBeContinuous(serving) || isContinuous(serving))
        return {};
    const std::string engine = titleOf(serving.engine);
    return {{.title = "Let " + engine + " take in requests as they come",
             .why = "It answers many at once without a batch that all wait for; now " +
                    std::to_string(batchOf(serving.serving)) + " are answered together.",
             .patch = patchOf(s, {{"/serving/batch", Json()}})}};
}

/// Each answer then takes a little longer, and its caches some of the memory.
std::vector<Proposal> moreSlots(const Situation& s)
{
    const ServingDemand& serving = servedDemand(s.subject, s.report);
    const std::int64_t now = slotsOf(serving.engine, serving.serving);
    if (!takesInRequests(s.subject, s.report) || now >= MostSlots)
        return {};
    constexpr std::int64_t More = 4; // times
    const std::int64_t slots = std::min(More * now, MostSlots);
    const char* const divided = serving.engine == Engine::LlamaCpp
                                    ? " Its server divides the whole context among them: give it "
                                      "one that is as many times as long."
                                    : "";
    return {{.title = "Let " + titleOf(serving.engine) + " answer " + std::to_string(slots) +
                      " requests at once",
             .why = "Weights are read once for the tokens of all that are answered (" +
                    fromTo(real(now), real(slots)) + ")." + divided,
             // As many are of that engine alone.
             .patch = patchOf(s, {{"/serving/engine", nameOf(serving.engine)},
                                  {"/serving/slots", Json(slots)}})}};
}

/// Fewer devices to a layer answer more requests, each a little later.
std::vector<Proposal> sharedLayers(const Situation& s)
{
    const Experiment& e = s.subject.experiment;
    if (!e.serving.tensorParallel || !hasMeaning("/serving/tensor_parallel", e))
        return {};
    const std::int64_t now = *e.serving.tensorParallel;
    return {{.title = "Let as many devices share a layer as answer most requests in time",
             .why = now > 1 ? "Now " + std::to_string(now) +
                                  " do, and wait for each other twice in every block; copies of "
                                  "the model beside each other don't."
                            : std::string("Now none do, so that each has to hold the whole model."),
             .patch = patchOf(s, {{"/serving/tensor_parallel", Json()}})}};
}

/// What engines read as it is; answers change a little. On processors none reads fp8.
std::vector<Proposal> eightBits(const Situation& s)
{
    const ServingPrecision precision = s.subject.experiment.serving.precision;
    const bool isHalf = precision == ServingPrecision::Bf16 || precision == ServingPrecision::Fp16;
    const ServingDemand& served = servedDemand(s.subject, s.report);
    if (!isHalf || !couldBeContinuous(s.subject.serving) || !couldBeContinuous(served))
        return {};
    const bool isNowhere = !s.report.serving.recommended.chosen;
    std::vector<Proposal> proposals;
    if (isNowhere || isOnAccelerator(s))
        proposals.push_back(
            {.title = "Serve the weights in fp8",
             .why = "They take half of the memory, and half of the bytes that each token reads; "
                    "check the answers of your own cases against 16 bits.",
             .patch = patchOf(s, {{"/serving/precision", Json("fp8")}})});
    if (isNowhere || !isOnAccelerator(s))
        proposals.push_back(
            {.title = "Serve the weights in 4 bits",
             .why = "They take a quarter of the memory, and a quarter of the bytes that each token "
                    "reads; check the answers of your own cases against 16 bits.",
             .patch = patchOf(s, {{"/serving/precision", Json("int4")}})});
    return proposals;
}

/// Which makes every answer in one pass.
std::vector<Proposal> fasterEncoder(const Situation& s, Engine now)
{
    std::vector<Proposal> proposals;
    if (now == Engine::LibTorch)
        proposals.push_back(
            {.title = "Compile the model that answers",
             .why = "What isn't a product runs in fewer kernels, made for the model: 1.07 to 1.37 "
                    "times as fast where vision transformers were timed. The first requests wait "
                    "for the compiler, once for each shape.",
             .patch = patchOf(s, {{"/serving/engine", Json("torch_compile")}}),
             .codePython = "model = torch.compile(model)"});
    if (isPyTorch(now))
        proposals.push_back(
            {.title = "Serve with ONNX Runtime",
             .why = "It runs the exported model in fused kernels, with little work of the "
                    "processor between them: 1.2 to 6.2 times as fast as TorchScript where BERT "
                    "was timed in fp32 on a V100, the most where requests are short and alone.",
             .patch = patchOf(s, {{"/serving/engine", Json("onnxruntime")}}),
             .codePython = "torch.onnx.export(model, inputs, \"model.onnx\")\n"
                           "session = onnxruntime.InferenceSession(\n"
                           "    \"model.onnx\", providers=onnxruntime.get_available_providers())"});
    return proposals;
}

/// So many that most of them hold; a draft is a small model of the same vocabulary, which small ones have none of.
std::vector<Proposal> guessAhead(const Situation& s)
{
    constexpr double Least = 1e9;
    constexpr std::int64_t Guesses = 4;
    const Serving& serving = s.subject.experiment.serving;
    if (!maySpeculate(s.subject.experiment.model, serving) || serving.speculatedTokens ||
        real(s.report.model.parameters) < Least || !isOnAccelerator(s))
        return {};
    const std::string made = plainNumber(madeByPass(Guesses, serving.acceptance));
    const std::string reads =
        s.subject.kinds.has<Experts>()
            ? " of them reads each expert once that any of them needs; if each holds in "
            : " of them reads the weights once, as for one; if each holds in ";
    return {
        {.title = "Decode speculatively",
         .why =
             "A small draft guesses tokens. A pass that checks " + std::to_string(Guesses) + reads +
             plainNumber(100 * serving.acceptance) +
             " % of the cases, which is assumed, it makes " + made +
             ". Answers stay the same. How many hold depends on the texts: count it on your own.",
         .patch = patchOf(s, {{"/serving/speculated_tokens", Json(Guesses)}}),
         .most = Level::Medium}};
}

/// Too few guesses hold, or too many requests are answered at once.
std::vector<Proposal> guessNothing(const Situation& s)
{
    const std::int64_t guesses =
        guessesOf(s.subject.experiment.model, s.subject.experiment.serving);
    if (guesses < 1)
        return {};
    const double acceptance = s.subject.experiment.serving.acceptance;
    return {
        {.title = "Make tokens one by one, without a draft",
         .why =
             "A pass that checks " + std::to_string(guesses) + " guesses makes " +
             plainNumber(madeByPass(guesses, acceptance)) +
             " tokens, but its products, the draft and its memory cost more than that brings here.",
         .patch = patchOf(s, {{"/serving/speculated_tokens", Json()}})}};
}

/// Others don't read llama.cpp's files.
Json keptFormat(const Serving& serving, Engine now)
{
    if (now == Engine::LlamaCpp || !serving.weightFormat)
        return {};
    return Json(WeightFormatNames.at(static_cast<std::size_t>(*serving.weightFormat)));
}

/// What was timed of other engines are transformers; a recurrence's kernels are cuDNN's in each.
std::vector<Proposal> fasterEngine(const Situation& s)
{
    const Model& model = s.subject.experiment.model;
    const auto* transformer = std::get_if<TransformerDesign>(&model.design);
    if (transformer == nullptr)
        return {};
    const Engine now = s.subject.serving.engine;
    if (!generates(model))
        return isOnAccelerator(s) ? fasterEncoder(s, now) : std::vector<Proposal>();
    const bool isPlain = isPyTorch(now) || now == Engine::Transformers ||
                         now == Engine::OnnxRuntime || now == Engine::LlamaCpp;
    if (!isPlain || s.subject.serving.laterTokens <= 0)
        return {};
    // vLLM answers with decoders alone.
    const Engine next = transformer->hasEncoder() ? Engine::TensorRtLlm : Engine::Vllm;
    if (next == Engine::Vllm && !isOnAccelerator(s))
        return {}; // it serves none on processors
    const Serving& serving = s.subject.experiment.serving;
    const std::int64_t atOnce =
        isContinuous(s.subject.serving) ? slotsOf(now, serving) : batchOf(serving);
    return {{.title = "Serve with " + titleOf(next),
             .why = "It takes in requests as they come and shares their caches' memory; " +
                    titleOf(now) + " answers " + std::to_string(atOnce) + " at a time.",
             .patch = patchOf(s, {{"/serving/engine", nameOf(next)},
                                  {"/serving/weight_format", keptFormat(serving, now)},
                                  {"/serving/slots", Json()},
                                  {"/serving/batch", Json()},
                                  {"/serving/tensor_parallel", Json()}})}};
}

/// 16 bits are no quantisation: the weights keep their meaning without calibration.
std::vector<Proposal> halfPrecision(const Situation& s)
{
    if (s.subject.experiment.serving.precision != ServingPrecision::Fp32)
        return {};
    return {{.title = "Serve in 16 bits",
             .why = "Weights and caches take half of the bytes that each token reads; check the "
                    "answers once against fp32.",
             .patch = patchOf(s, {{"/serving/precision", Json("bf16")}}),
             .codeCpp = "model->to(torch::kBFloat16);",
             .codePython = "model = model.to(torch.bfloat16)"}};
}

/// What `propose` says of each environment, given the service's option and the environment's pointer.
template <typename F>
std::vector<Proposal> ofEnvironments(const Situation& s, F propose)
{
    const auto& environments = s.subject.experiment.plan.environments;
    const auto& serving = s.report.serving.recommended.option;
    std::vector<Proposal> proposals;
    for (std::size_t i = 0; serving && i < environments.size(); ++i) {
        std::optional<Proposal> proposal =
            propose(environments[i], *serving, childPointer("/plan/environments", i));
        if (proposal)
            proposals.push_back(*std::move(proposal));
    }
    return proposals;
}

/// An environment on the machine that is recommended for the service, if that is another one.
std::vector<Proposal> smallerInstance(const Situation& s)
{
    return ofEnvironments(s,
                          [&s](const Environment& e, const OptionText& serving,
                               const std::string& at) -> std::optional<Proposal> {
                              const std::string& instance = serving.offer.machine.instance;
                              if (e.offer == instance)
                                  return {};
                              return Proposal{
                                  .title = "Run " + printable(e.name, 60) + " on " + instance,
                                  .why = "It holds the design and its traffic by itself; " +
                                         printable(e.offer, 60) + " costs more for the same hours.",
                                  .patch = patchOf(s, {{at + "/offer", Json(instance)}})};
                          });
}

std::vector<Proposal> fewerInstances(const Situation& s)
{
    return ofEnvironments(
        s,
        [&s](const Environment& e, const OptionText& serving,
             const std::string& at) -> std::optional<Proposal> {
            if (e.offer != serving.offer.machine.instance || !serving.instances.isAvailable() ||
                static_cast<double>(e.count) <= serving.instances.high())
                return {};
            const auto enough = static_cast<std::int64_t>(serving.instances.high());
            return Proposal{.title = "Run " + printable(e.name, 60) + " on fewer machines",
                            .why = "The traffic needs " + plainNumber(serving.instances.value()) +
                                   ", at most " + plainNumber(serving.instances.high()) +
                                   " of them; there are " + std::to_string(e.count) + ".",
                            .patch = patchOf(s, {{at + "/count", Json(enough)}})};
        });
}

/// A function is paid by the request, an instance for all of its hours.
std::vector<Proposal> serverless(const Situation& s)
{
    const ServingWay* way = s.report.serving.way("serverless");
    if (s.report.serving.by != ServedBy::Machines || way == nullptr ||
        !way->usdPerMonth.isAvailable())
        return {};
    // No machine is given up for what doesn't keep the promise: where none does either, it is sooner.
    if (s.report.serving.recommended.chosen && !way->holdsLatency)
        return {};
    return {{.title = "Serve from a function",
             .why = "This traffic costs " + plainNumber(way->usdPerMonth.value()) +
                    " USD a month there. " + way->why,
             .patch = patchOf(s, {{assumptionAt(ServingWayKey), Json("serverless")}}),
             .codePython = "def handler(event, context):\n    return answer(model, event)"}};
}

/// Who serves published weights as they are may buy their tokens instead. What a plan trains, nobody else sells.
std::vector<Proposal> boughtTokens(const Situation& s)
{
    const ServingWay* way = s.report.serving.way("api");
    const Training& training = s.subject.experiment.training;
    const bool isTrained = training.runsPerMonth > 0 || training.method != Method::Full;
    if (isTrained || s.report.serving.by == ServedBy::Api || way == nullptr ||
        !way->usdPerMonth.isAvailable())
        return {};
    const HostedRow& best = *s.report.serving.hosted.best();
    return {{.title = "Buy the tokens instead of machines",
             .why = "This traffic costs " + plainNumber(way->usdPerMonth.value()) +
                    " USD a month there. " + way->why +
                    " That is so only where they are served unchanged. How soon it answers, and "
                    "what becomes of "
                    "what is sent, has to be asked.",
             .patch = patchOf(s, {{assumptionAt(ServingWayKey), Json("api")}}),
             .codePython =
                 "client = OpenAI(base_url=...)\nanswer = client.chat.completions.create(model=\"" +
                 best.model + "\", messages=messages)"}};
}

/// Machines of one's own that always run.
bool runAlways(const Situation& s)
{
    const ServingReport& serving = s.report.serving;
    return s.subject.experiment.plan.running == Running::Always &&
           serving.by == ServedBy::Machines && serving.recommended.option.has_value();
}

/// "They wait 95 % of their hours."; empty where they don't mostly.
std::string waitingText(const Situation& s)
{
    const auto share = busyShare(s.report.serving);
    const auto waiting = share ? waitingPercent(*share) : std::nullopt;
    return waiting ? "Machines now wait " + plainNumber(*waiting) + " % of their hours. "
                   : std::string();
}

/// Fewer machines beside the peak, and none where nobody asks: only where starting them keeps what is promised.
std::vector<Proposal> withTraffic(const Situation& s)
{
    if (!runAlways(s) || coldShare(s.subject) > MostCold)
        return {};
    const Quantity& instances = s.report.serving.recommended.option->instances;
    const bool areSeveral = instances.isAvailable() && instances.value() > 1;
    return {{.title = "Run machines with the traffic",
             .why = waitingText(s) + "Fewer are enough beside the peak, and none has to run " +
                    plainNumber(valueOf(s.subject, ScaleDownMinutes)) +
                    " minutes after the last request. A start takes " +
                    plainNumber(valueOf(s.subject, StartupMinutes)) +
                    " minutes: it has to come ahead of need, and few may wait for one.",
             .patch = patchOf(s, {{"/plan/running", Json("with_traffic")}}),
             // A single one has little to stop for.
             .most = areSeveral ? Level::Medium : Level::Low,
             .isReluctant = !areSeveral}};
}

/// What nobody waits for takes fewer machines for fewer hours.
std::vector<Proposal> atOnce(const Situation& s)
{
    const Experiment& e = s.subject.experiment;
    // Who promises tokens has somebody who waits for them; to give a promise up is no way to keep it.
    const auto& chosen = s.report.serving.recommended.chosen;
    const bool isAwaited =
        (generates(e.model) && (e.serving.firstTokenP95Ms || e.serving.tokenP95Ms)) ||
        (chosen && !chosen->meetsDeadline);
    const std::string waiting = waitingText(s);
    if (!runAlways(s) || isAwaited || waiting.empty())
        return {};
    return {{.title = "Answer a day's requests at once",
             .why = "Only where nobody waits for an answer. " + waiting +
                    "They would run just until those of a day are answered, as many together as "
                    "they hold.",
             .patch = patchOf(s, {{"/plan/running", Json("at_once")}}),
             .most = Level::Low,
             .isReluctant = true}};
}

/// The cheapest machine that is late by less than a forecast can tell, where it costs much less than what is in time; bought
/// as the plan buys, at a price as fresh.
const Option* nearlyInTime(const Situation& s)
{
    constexpr double MuchLess = 0.8;
    const auto& chosen = s.report.serving.recommended.chosen;
    if (!chosen || !chosen->hasUsd || !chosen->meetsDeadline ||
        s.report.serving.by != ServedBy::Machines)
        return nullptr;
    const PriceBook& book = s.subject.catalogs.book();
    const Option* least = nullptr;
    for (const Option& option : s.report.serving.options) {
        const double most = least != nullptr ? least->usd.value : MuchLess * chosen->usd.value;
        if (isUsable(option) && !option.meetsDeadline && option.usd.value < most &&
            static_cast<double>(option.lateness) <= Nearly && option.trust <= chosen->trust &&
            book.rows()[option.row].purchase == s.subject.experiment.plan.purchase &&
            !isWeak(servingSupport(s.subject, option)))
            least = &option;
    }
    return least;
}

/// A promise is often a round figure: what a little more time would save is worth knowing.
std::vector<Proposal> looserPromise(const Situation& s)
{
    const Option* late = nearlyInTime(s);
    if (late == nullptr)
        return {};
    const Serving& serving = s.subject.experiment.serving;
    const Capacity& capacity = s.report.serving.capacities[late->forecast];
    const PriceBook& book = s.subject.catalogs.book();
    const Machine& machine = book.machine(book.rows()[late->row]);
    struct Promise {
        std::string_view pointer;
        const char* what;
        std::optional<double> ms;
        const Quantity& takes;
    };
    const std::array promises{
        Promise{"/serving/latency_p95_ms", "an answer", serving.latencyP95Ms, capacity.p95Ms},
        Promise{"/serving/first_token_p95_ms", "the first token", serving.firstTokenP95Ms,
                capacity.firstTokenP95Ms},
        Promise{"/serving/token_p95_ms", "a token", serving.tokenP95Ms, capacity.tokenP95Ms}};
    std::vector<Proposal> proposals;
    for (const Promise& promise : promises) {
        if (!promise.ms || !promise.takes.isAvailable())
            continue;
        const double takes = judged(promise.takes, s.subject.experiment.plan.risk);
        if (takes <= *promise.ms)
            continue;
        constexpr double Digits = 1000; // three
        const double step = std::pow(10, std::floor(std::log10(takes))) / (Digits / 10);
        const double ms = std::ceil(takes / step) * step;
        proposals.push_back(
            {.title = std::string("Promise ") + promise.what + " within " + plainNumber(ms) + " ms",
             .why = machine.provider + " " + machine.instance + " costs much less and takes " +
                    plainNumber(takes) + " ms, where the plan promises " +
                    plainNumber(*promise.ms) +
                    ": forecasts hardly tell the two apart. Measure on both before you pay for the "
                    "faster one.",
             .patch = patchOf(s, {{promise.pointer, Json(ms)}}),
             .offer = late->row,
             .most = Level::Medium, // others rely on it
             .isReluctant = true});
    }
    // What misses two of them needs both.
    return proposals.size() == 1 ? std::move(proposals) : std::vector<Proposal>();
}

constexpr std::array<Rule, 16> Rules{{
    {"larger-serving-batch", ForInference, Level::Medium, largerBatch},
    {"requests-as-they-come", ForInference, Level::Low, asTheyCome},
    {"more-slots", ForInference, Level::Medium, moreSlots},
    {"copies-beside", ForInference, Level::Low, sharedLayers},
    {"fp8-serving", ForInference, Level::Medium, eightBits},
    {"faster-engine", ForInference, Level::Medium, fasterEngine},
    {"speculation", ForInference, Level::Medium, guessAhead},
    {"no-speculation", ForInference, Level::Low, guessNothing},
    {"half-precision-serving", ForInference, Level::Low, halfPrecision},
    {"serverless", ForDeployment, Level::Medium, serverless},
    {"bought-tokens", ForDeployment, Level::Medium, boughtTokens},
    {"smaller-instance", ForDeployment, Level::Low, smallerInstance},
    {"fewer-instances", ForDeployment, Level::Low, fewerInstances},
    {"looser-promise", ForDeployment, Level::Low, looserPromise},
    {"with-traffic", ForDeployment, Level::Medium, withTraffic},
    {"at-once", ForDeployment, Level::Medium, atOnce},
}};

} // namespace

std::span<const Rule> servingRules()
{
    return Rules;
}

} // namespace outlay::pricing
