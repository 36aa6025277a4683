// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/knobs.h"

#include <algorithm>
#include <array>

namespace outlay::tests {
namespace {

using namespace outlay::core;

// How well a constant is known before any whole run is looked at.
constexpr double Firm = 0.05;
constexpr double Fair = 0.2;
constexpr double Loose = 0.5;

void addTraining(Calibration& c, std::vector<Knob>& knobs)
{
    TrainingRates& t = c.training;
    // Forward as in eager serving (15.9, fitted), back as C++ was measured to take (7).
    knobs.push_back({"training host_us", &t.hostUs, 10, Fair});
    knobs.push_back({"training traffic", &t.traffic, 1.2, Firm, 0.8, 3});
    knobs.push_back({"training compiled_traffic", &t.compiledTraffic, 0.63, Fair, 0.3, 2});
    knobs.push_back({"training plain_scores", &t.plainScores, 1.3, Loose, 0.3, 4});
    knobs.push_back({"training fused_scores", &t.fusedScores, 0.12, Loose, 0.02, 1});
    knobs.push_back({"training fused_backward", &t.fusedBackward, 2.9, Fair, 2, 6});
    knobs.push_back({"training step_overhead_ms", &t.stepOverheadMs, 1, Loose, 0.1, 10});
    knobs.push_back({"training update_traffic", &t.updateTraffic, 1.2, Fair, 0.8, 3});
    knobs.push_back({"exposed_exchange", &c.exposedExchange, 0.22, Fair, 0.02, 1});
    knobs.push_back({"shared_layer", &c.sharedLayer, 0.08, Loose, 0, 0.3});
    knobs.push_back({"loss_per_doubling", &c.lossPerDoubling, 0.01, Loose, 0.001, 0.05});
}

/// Of the kernels' share; below one where long products meet the power limit.
struct ProductsPrior {
    std::string_view generation;
    double products;
};
constexpr std::array ProductsPriors{
    ProductsPrior{"volta", 0.91},       ProductsPrior{"turing", 0.86},
    ProductsPrior{"ampere", 1},         ProductsPrior{"ga10x", 1.1},
    ProductsPrior{"ada", 1.1},          ProductsPrior{"ada_geforce", 1.1},
    ProductsPrior{"hopper", 0.86},      ProductsPrior{"blackwell", 0.85},
    ProductsPrior{"blackwell_rtx", 1.1}};

// Since GA10x, chips for graphics exceed the clock that is listed of them where they have power enough, so one tells of the
// others. Cards of Ada for machine rooms haven't that power.
constexpr std::array<std::string_view, 3> Graphics{"ga10x products", "ada_geforce products",
                                                   "blackwell_rtx products"};

// In fp32, where runs tell.
constexpr std::array FullProductsPriors{ProductsPrior{"pascal", 1}, ProductsPrior{"volta", 1},
                                        ProductsPrior{"turing", 1}, ProductsPrior{"ampere", 1},
                                        ProductsPrior{"ada", 1},    ProductsPrior{"hopper", 1}};
// W for each TFLOP/s: with 8.6 a T4 reaches less than it lists, with 16 an RTX 8000 all; A10 4.8, RTX 3090 9.8.
constexpr std::array FullWattsPriors{ProductsPrior{"pascal", 16}, ProductsPrior{"turing", 11},
                                     ProductsPrior{"ga10x", 6}, ProductsPrior{"ada", 3.3}};
// In 16 bits a T4 has 1.08, an RTX 8000 1.99.
constexpr std::array HalfWattsPriors{ProductsPrior{"turing", 1.3}, ProductsPrior{"ada", 1.8}};
// Kernels for any GPU compute with instructions of Ampere; cuDNN's for Hopper are 1.7 to 2.3 times as fast.
constexpr std::array AnyAttentionPriors{ProductsPrior{"hopper", 0.51},
                                        ProductsPrior{"blackwell", 0.51}};

template <std::size_t Count>
void addProducts(GenerationRates& g, const std::array<ProductsPrior, Count>& priors,
                 const char* name, double& factor, double width, std::vector<Knob>& knobs,
                 double high = 1.3)
{
    const auto* prior = std::find_if(priors.begin(), priors.end(), [&](const ProductsPrior& row) {
        return row.generation == g.generation;
    });
    if (prior != priors.end())
        knobs.push_back({g.generation + name, &factor, prior->products, width, 0.3, high});
}

/// As far as each may lie from the others, all may lie from where they are expected.
void tieGraphics(std::vector<Knob>& knobs)
{
    std::vector<Knob*> all;
    for (Knob& knob : knobs) {
        if (std::find(Graphics.begin(), Graphics.end(), knob.name) != Graphics.end())
            all.push_back(&knob);
    }
    for (Knob* knob : all) {
        knob->together = knob->width;
        for (const Knob* other : all) {
            if (other != knob)
                knob->kin.push_back(other->value);
        }
    }
}

void addGenerations(Calibration& c, std::vector<Knob>& knobs)
{
    for (GenerationRates& g : c.generations) {
        addProducts(g, ProductsPriors, " products", g.products, Firm, knobs);
        addProducts(g, FullProductsPriors, " full_products", g.fullProducts, Fair, knobs);
        addProducts(g, FullWattsPriors, " full_watts", g.fullWatts, Fair, knobs, 40);
        addProducts(g, HalfWattsPriors, " half_watts", g.halfWatts, Fair, knobs, 40);
        addProducts(g, AnyAttentionPriors, " any_attention", g.anyAttention, Fair, knobs);
        if (g.generation == "hopper") // H20 has few units for its memory
            knobs.push_back({"hopper unit_gb_per_s", &g.unitGbPerS, 30, Loose, 10, 100});
        if (g.generation != "cdna")
            continue;
        knobs.push_back({g.generation + " served", &g.served, 1, Loose, 0.1, 1.2});
        knobs.push_back({g.generation + " served_prompts", &g.servedPrompts, 1, Loose, 0.05, 1.2});
    }
    tieGraphics(knobs);
}

void addSteps(const std::string& name, StepRates& steps, const StepRates& prior,
              std::vector<Knob>& knobs)
{
    knobs.push_back({name + " share", &steps.share, prior.share, Firm, 0.2, 1});
    knobs.push_back({name + " rows", &steps.rowsToHalf, prior.rowsToHalf, Loose, 1, 400});
    knobs.push_back({name + " width", &steps.widthToHalf, prior.widthToHalf, Loose, 5, 1500});
    knobs.push_back({name + " step_us", &steps.stepUs, prior.stepUs, Loose, 5, 150});
}

void addRecurrence(Calibration& c, std::vector<Knob>& knobs)
{
    struct StepsRow {
        std::string_view name; // of a library
        StepRates prior;
        bool hasHalf = false;
    };
    const std::array rows{
        StepsRow{"cudnn 7", {0.84, 11, 94, 30}, true}, StepsRow{"cudnn 6", {0.84, 60, 94, 61}},
        StepsRow{"cudnn 5", {0.84, 34, 94, 61}}, StepsRow{"miopen", {0.84, 57, 350, 70}}};
    const StepRates half{0.58, 80, 356, 30};
    for (LibraryRates& library : c.recurrent.libraries) {
        for (const StepsRow& row : rows) {
            if (row.name != library.name)
                continue;
            addSteps(library.name, library.steps, row.prior, knobs);
            if (row.hasHalf)
                addSteps(library.name + " half", library.halfSteps, half, knobs);
        }
    }
    RecurrentRates& r = c.recurrent;
    knobs.push_back({"recurrent memory", &r.memoryShare, 0.76, Firm, 0.3, 1});
    knobs.push_back({"recurrent fp32_gradient", &r.fp32Gradient, 0.75, Firm, 0.3, 1});
    knobs.push_back({"recurrent half_gradient", &r.halfGradient, 0.6, Fair, 0.2, 1});
    knobs.push_back({"recurrent call_us", &r.callUs, 90, Loose, 5, 500});
    knobs.push_back({"recurrent layout_passes", &r.layoutPasses, 1.35, Loose, 0.2, 6});
}

/// What an engine is expected to add; 0: it has none of that, and no run says that it has. PyTorch's operations one by one
/// are expected to move what they do in training.
struct EnginePrior {
    std::string_view engine;
    double hostUs, traffic, prompts, memory, overheadMs, sequenceUs, exchangeUs;
};
constexpr std::array EnginePriors{EnginePrior{"libtorch", 18.5, 1.2, 1, 1, 0.1, 0, 20},
                                  EnginePrior{"torch_compile", 6, 0.8, 1, 1, 0.3, 0, 20},
                                  EnginePrior{"onnxruntime", 3, 0.9, 1, 1, 0.2, 0, 20},
                                  EnginePrior{"tensorflow", 6, 1.06, 1, 1, 0.8, 0, 10},
                                  EnginePrior{"fastertransformer", 0, 1, 1, 1, 0.8, 0, 10},
                                  EnginePrior{"transformers", 21, 1.08, 1, 1, 9, 0, 20},
                                  EnginePrior{"vllm", 0, 0.94, 1, 1, 1.4, 45, 15},
                                  EnginePrior{"tensorrt_llm", 0, 0.94, 1, 0.95, 0.8, 5, 15},
                                  EnginePrior{"sglang", 0, 1, 1, 1, 1.4, 45, 15},
                                  EnginePrior{"llama_cpp", 0, 1, 0.65, 0.65, 2.1, 0, 600},
                                  EnginePrior{"deepspeed", 0, 1, 0.3, 0.8, 0.7, 45, 50}};

void addEngines(Calibration& c, std::vector<Knob>& knobs)
{
    for (EngineRates& e : c.engines) {
        if (!e.device.empty())
            continue;
        const auto* prior =
            std::find_if(EnginePriors.begin(), EnginePriors.end(),
                         [&](const EnginePrior& row) { return row.engine == e.engine; });
        if (prior == EnginePriors.end())
            continue;
        const auto add = [&](const char* what, double& value, double expected, double width,
                             double low, double high) {
            if (expected > 0)
                knobs.push_back({e.engine + what, &value, expected, width, low, high});
        };
        add(" host_us", e.hostUs, prior->hostUs, Loose, 1, 100);
        add(" traffic", e.traffic, prior->traffic, Fair, 0.5, 4);
        if (e.scores > 1)
            knobs.push_back({e.engine + " scores", &e.scores, 1.6, Loose, 1.01, 8});
        add(" prompts", e.prompts, prior->prompts, Firm, 0.1, 1.2);
        add(" memory", e.memory, prior->memory, Fair, 0.3, 1.15);
        add(" overhead_ms", e.overheadMs, prior->overheadMs, Loose, 0.02, 30);
        add(" sequence_us", e.sequenceUs, prior->sequenceUs, Loose, 1, 300);
        add(" exchange_us", e.exchangeUs, prior->exchangeUs, Loose, 5, 3000);
    }
}

void addProcessors(Calibration& c, std::vector<Knob>& knobs)
{
    knobs.push_back({"processors share", &c.processors.products.share, 0.6, Loose, 0.2, 1});
}

} // namespace

std::vector<Knob> knobsOf(Calibration& calibration)
{
    std::vector<Knob> knobs;
    addTraining(calibration, knobs);
    addGenerations(calibration, knobs);
    addRecurrence(calibration, knobs);
    addEngines(calibration, knobs);
    addProcessors(calibration, knobs);
    return knobs;
}

std::vector<Knob> knobsOf(EngineRates& e, const EngineRates& others, double served)
{
    std::vector<Knob> knobs;
    const auto add = [&](const char* what, double EngineRates::*value, double width, double low,
                         double high) {
        if (others.*value > 0)
            knobs.push_back({e.engine + " on " + e.device + what, &(e.*value), others.*value, width,
                             low, high});
    };
    add(" traffic", &EngineRates::traffic, Fair, 0.5, 4);
    knobs.push_back(
        {e.engine + " on " + e.device + " repeats", &e.repeats, ExpectedRepeats, 1, 0.001, 10});
    // Requests hardly tell them: what was measured of prompts alone is worth more.
    add(" prompts", &EngineRates::prompts, Firm, 0.05, 1.2);
    add(" tokens", &EngineRates::tokens, Loose, 0.02, 1.5 / served);
    add(" memory", &EngineRates::memory, Fair, 0.2, 1.15 / served);
    add(" overhead_ms", &EngineRates::overheadMs, Loose, 0.02, 30);
    add(" sequence_us", &EngineRates::sequenceUs, Loose, 1, 600);
    add(" exchange_us", &EngineRates::exchangeUs, Loose, 5, 3000);
    return knobs;
}

Knob elsewhereKnob(EngineRates& e)
{
    return {e.engine + " elsewhere memory", &e.memory, e.memory, Loose, 0.3, 1.15};
}

} // namespace outlay::tests
