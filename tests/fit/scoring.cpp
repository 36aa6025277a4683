// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/scoring.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace outlay::tests {
namespace {

using namespace outlay::core;

Group groupOf(const TruthCase& truth)
{
    switch (truth.kind) {
    case TruthKind::Training: return Group::Training;
    case TruthKind::Recurrent: return Group::Recurrent;
    case TruthKind::Latency: return truth.serving.outputTokens > 0 ? Group::Token : Group::Pass;
    case TruthKind::Prompt: return Group::Prompt;
    case TruthKind::Decode:
    case TruthKind::Request: return Group::Token;
    case TruthKind::Run: break;
    }
    return Group::Run;
}

} // namespace

std::vector<Sample> samplesOf(std::vector<TruthCase> cases, const HardwareCatalog& catalog,
                              const Calibration& calibration)
{
    std::vector<Sample> samples;
    for (TruthCase& truth : cases) {
        Sample sample{.device = tests::deviceOf(truth, catalog), .group = groupOf(truth)};
        if (sample.device == nullptr)
            continue;
        sample.demand = tests::demandOf(truth);
        sample.truth = std::move(truth);
        const Devices on = tests::devicesOf(sample.truth, *sample.device, calibration);
        if (sample.truth.kind == TruthKind::Request &&
            servingForecast(*sample.demand.serving, on).fits == Fits::No)
            sample.truth.doubt = "more requests than the memory holds: they were answered in turns";
        if (forecastOf(sample.truth, sample.demand, on).isAvailable())
            samples.push_back(std::move(sample));
    }
    std::map<std::string, double> rows;
    for (const Sample& sample : samples)
        rows[sample.truth.group + "/" + sample.device->name] += 1;
    for (Sample& sample : samples)
        sample.weight = 1 / std::sqrt(rows[sample.truth.group + "/" + sample.device->name]);
    return samples;
}

double missOf(const Sample& sample, const Calibration& calibration)
{
    const Devices on = tests::devicesOf(sample.truth, *sample.device, calibration);
    return std::log(forecastOf(sample.truth, sample.demand, on).value() / sample.truth.seconds);
}

namespace {

constexpr std::size_t Enough = 50; // rows of an engine on a device to move its constants

using Samples = std::vector<const Sample*>;

void move(const std::vector<Knob>& knobs, const Samples& samples, const Calibration& calibration,
          int sweeps)
{
    Rows rows;
    for (const Sample* sample : samples)
        rows.weights.push_back(sample->weight);
    rows.miss = [&](std::size_t i) { return missOf(*samples[i], calibration); };
    rows.smooth = 0.05;
    descend(knobs, rows, sweeps);
}

/// Tokens and requests by what served them where, of which there are enough to move its constants.
std::map<std::pair<Engine, std::string>, Samples> servedOn(const Samples& samples)
{
    std::map<std::pair<Engine, std::string>, Samples> all;
    for (const Sample* sample : samples) {
        if (sample->group == Group::Token)
            all[{sample->demand.serving->engine, sample->device->name}].push_back(sample);
    }
    std::erase_if(all, [](const auto& one) { return one.second.size() < Enough; });
    return all;
}

/// Of an engine with constants of its own on some devices, what it reaches of the bandwidth of the generations that have none:
/// nearly all of its rows are of the others.
void fitElsewhere(Calibration& calibration, const Samples& samples, int sweeps)
{
    constexpr std::size_t EnoughElsewhere = 10;
    for (std::size_t i = 0; i < calibration.engines.size(); ++i) {
        EngineRates& rates = calibration.engines[i];
        const auto isItsOwn = [&](const EngineRates& e) {
            return e.engine == rates.engine && !e.device.empty();
        };
        if (!rates.device.empty() ||
            std::none_of(calibration.engines.begin(), calibration.engines.end(), isItsOwn))
            continue;
        Samples rest;
        for (const Sample* sample : samples) {
            if (sample->group != Group::Token)
                continue;
            const EngineRates& near =
                calibration.ratesNear(sample->demand.serving->engine, *sample->device);
            if (&near == &rates)
                rest.push_back(sample);
        }
        if (rest.size() < EnoughElsewhere)
            continue;
        const std::vector<Knob> knobs{elsewhereKnob(rates)};
        move(knobs, rest, calibration, sweeps);
        roundKnobs(knobs);
    }
}

} // namespace

void fit(Calibration& calibration, const Samples& samples, int sweeps)
{
    std::erase_if(calibration.engines, [](const EngineRates& e) { return !e.device.empty(); });
    move(knobsOf(calibration), samples, calibration, sweeps);
    roundKnobs(knobsOf(calibration));
    for (const auto& [served, own] : servedOn(samples)) {
        const EngineRates others = calibration.ratesOf(served.first);
        calibration.engines.push_back(others);
        calibration.engines.back().device = served.second;
        calibration.engines.back().generation = own.front()->device->generation;
        calibration.engines.back().repeats = ExpectedRepeats;
        const double reached = calibration.ratesOf(own.front()->device->generation).served;
        const std::vector<Knob> knobs = knobsOf(calibration.engines.back(), others, reached);
        move(knobs, own, calibration, sweeps);
        roundKnobs(knobs);
    }
    fitElsewhere(calibration, samples, sweeps);
}

void reset(Calibration& calibration)
{
    for (const Knob& knob : knobsOf(calibration))
        *knob.value = knob.prior;
}

} // namespace outlay::tests
