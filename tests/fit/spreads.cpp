// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fit/spreads.h"

#include "core/base/units.h"
#include "core/probe/statistics.h"
#include "tests/fit/left_out.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace outlay::tests {
namespace {

using namespace outlay::core;

constexpr double Held = 0.8;

/// Processors have one table: another kind of them is as unknown as before.
bool counts(const Sample& sample, Group group)
{
    return sample.group == group && sample.device->kind != DeviceKind::Cpu;
}

/// What few devices or sources have in common says little of others.
double heldOf(const Samples& samples, Group group)
{
    constexpr std::size_t Few = 3;
    constexpr double OfFew = 0.88; // with 0.9 the first tokens of two sources are held by 93 of 100
    std::set<std::string> sources;
    std::set<std::string> devices;
    for (const Sample* sample : samples) {
        if (sample == nullptr || !counts(*sample, group))
            continue;
        sources.insert(sample->truth.group);
        devices.insert(sample->device->name);
    }
    return sources.size() < Few || devices.size() < Few ? OfFew : Held;
}

/// The factor with which so many are held; several devices widen it. Pairs of source and device count by the root of their
/// rows.
double factorOf(const Calibration& calibration, const Samples& samples, const Misses& misses,
                double held)
{
    std::vector<std::pair<double, double>> rows; // miss, weight
    double all = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (samples[i] == nullptr || !misses[i])
            continue;
        const double doublings = std::log2(real(samples[i]->truth.count));
        const double wider = std::log(calibration.spreads.perDoubling) * doublings;
        rows.emplace_back(std::max(0.0, *misses[i] - wider), samples[i]->weight);
        all += samples[i]->weight;
    }
    std::sort(rows.begin(), rows.end());
    const auto count = static_cast<double>(rows.size());
    double sum = 0;
    for (const auto& [miss, weight] : rows) {
        sum += weight;
        if (sum >= std::min(1.0, held * (count + 1) / count) * all)
            return std::exp(miss);
    }
    return rows.empty() ? 1 : std::exp(rows.back().first);
}

/// In the places of the others is nothing.
template <typename Is>
Samples only(const Samples& samples, const Is& is)
{
    Samples kept(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i)
        kept[i] = is(samples[i]) ? samples[i] : nullptr;
    return kept;
}

/// Of its group.
double factorOf(const Calibration& calibration, const Samples& samples, const Misses& misses,
                Group group)
{
    return factorOf(calibration,
                    only(samples, [&](const Sample* sample) { return counts(*sample, group); }),
                    misses, heldOf(samples, group));
}

/// That of a run is its step's.
KindSpread Spreads::*spreadOf(Group group)
{
    switch (group) {
    case Group::Recurrent: return &Spreads::recurrent;
    case Group::Pass: return &Spreads::pass;
    case Group::Prompt: return &Spreads::prompt;
    case Group::Token: return &Spreads::token;
    case Group::Training:
    case Group::Run: break;
    }
    return &Spreads::training;
}

/// Of a generation that is missed by more than others; of some groups there is none.
double GenerationRates::*ownSpreadOf(Group group)
{
    switch (group) {
    case Group::Training: return &GenerationRates::trainedSpread;
    case Group::Recurrent: return &GenerationRates::recurrentSpread;
    case Group::Pass: return &GenerationRates::passSpread;
    case Group::Prompt:
    case Group::Token:
    case Group::Run: break;
    }
    return nullptr;
}

double rounded(double value)
{
    return std::ceil(value * 100) / 100;
}

/// As the lists of what was seen have it.
std::string seenAs(const Sample& sample)
{
    return sample.demand.serving ? core::seenAs(sample.demand.serving->engine, sample.device->name)
                                 : sample.device->name;
}

/// All tables of one benchmark are one source.
std::string sourceNameOf(const Sample& sample)
{
    const std::string& name = sample.truth.group;
    return name.starts_with("timm ") ? "timm" : name;
}

/// Served by the same engine, with the same kernels of attention; or both trained.
bool isServedAlike(const Sample& a, const Sample& b)
{
    if (!a.demand.serving || !b.demand.serving)
        return a.demand.serving.has_value() == b.demand.serving.has_value();
    return a.demand.serving->engine == b.demand.serving->engine &&
           a.truth.serving.attention == b.truth.serving.attention;
}

/// Its name, where another one has run the same engine: an engine that nobody else has run is unknown without it.
template <typename NameOf>
std::string onlyWithOthers(const Sample& sample, const Samples& all, const NameOf& nameOf)
{
    const std::string name = nameOf(sample);
    const bool hasOther = std::any_of(all.begin(), all.end(), [&](const Sample* other) {
        return nameOf(*other) != name && isServedAlike(*other, sample);
    });
    return hasOther ? name : std::string();
}

/// What a source publishes of a device.
std::string tableOf(const Sample& sample)
{
    return sample.truth.group + "/" + sample.device->name;
}

/// The device, of what is served with its engine, where others tell of its generation and of that engine: else it
/// stands for what was never seen.
std::string deviceOf(const Sample& sample, const Samples& all)
{
    const std::string name = seenAs(sample);
    bool hasGeneration = false;
    bool hasEngine = !sample.demand.serving;
    for (const Sample* other : all) {
        if (!counts(*other, sample.group) || seenAs(*other) == name)
            continue;
        hasGeneration = hasGeneration || other->device->generation == sample.device->generation;
        hasEngine = hasEngine || isServedAlike(*other, sample);
    }
    return hasGeneration && hasEngine ? name : std::string();
}

/// Tokens of other engines, taken for the one that is assumed where none is named.
double factorOfUnknownEngine(const Calibration& calibration, const Samples& fitted)
{
    std::vector<Sample> renamed;
    for (const Sample* sample : fitted) {
        if (sample->group != Group::Token || sample->demand.serving->engine == Engine::Vllm)
            continue;
        renamed.push_back(*sample);
        renamed.back().demand.serving->engine = Engine::Vllm;
    }
    Samples samples;
    Misses misses;
    for (const Sample& sample : renamed) {
        samples.push_back(&sample);
        misses.emplace_back(std::abs(missOf(sample, calibration)));
    }
    return factorOf(calibration, samples, misses, Group::Token);
}

/// Enough runs of its engine were seen on its device to move its constants.
bool hasOwnRates(const Sample& sample, const Calibration& calibration)
{
    return !calibration.ratesOf(sample.demand.serving->engine, sample.device->name).device.empty();
}

bool isServedBy(const Sample& sample, const EngineRates& rates)
{
    return sample.demand.serving &&
           EngineNames.at(static_cast<std::size_t>(sample.demand.serving->engine)) == rates.engine;
}

bool hasOneSource(const Samples& samples)
{
    std::set<std::string> sources;
    for (const Sample* sample : samples) {
        if (sample != nullptr)
            sources.insert(sourceNameOf(*sample));
    }
    return sources.size() == 1;
}

/// Of those that have constants of their own: tokens on their device, or passes of an engine that one source has run.
/// Most have one source, whose rows nearly repeat each other: another machine or version is further away than they say.
void setOwnSpreads(Calibration& calibration, const Samples& fitted, const Misses& misses)
{
    constexpr double Least = 1.15;
    for (EngineRates& rates : calibration.engines) {
        const bool isMeasured = !rates.device.empty();
        const Samples own = only(fitted, [&](const Sample* sample) {
            return isServedBy(*sample, rates) &&
                   counts(*sample, isMeasured ? Group::Token : Group::Pass) &&
                   (!isMeasured || sample->device->name == rates.device);
        });
        const bool isOwn = isMeasured || hasOneSource(own);
        rates.spread =
            isOwn ? std::max(Least, rounded(factorOf(calibration, own, misses, Held))) : 0;
    }
}

/// Of generations that are missed by more than all together; then of what is left.
void setOwnSpreads(Calibration& calibration, const Samples& fitted, const Misses& misses,
                   Group group)
{
    double GenerationRates::*const spread = ownSpreadOf(group);
    constexpr std::ptrdiff_t Enough = 15; // rows
    double& ofAll = (calibration.spreads.*spreadOf(group)).seen;
    for (GenerationRates& rates : calibration.generations) {
        const Samples own = only(fitted, [&](const Sample* sample) {
            return counts(*sample, group) && sample->device->generation == rates.generation;
        });
        const bool isKnown = std::count(own.begin(), own.end(), nullptr) + Enough <=
                             static_cast<std::ptrdiff_t>(own.size());
        const double factor = rounded(factorOf(calibration, own, misses, Held));
        rates.*spread = isKnown && factor > ofAll ? factor : 0;
    }
    const Samples others = only(fitted, [&](const Sample* sample) {
        return counts(*sample, group) &&
               calibration.ratesOf(sample->device->generation).*spread <= 0;
    });
    ofAll = rounded(factorOf(calibration, others, misses, heldOf(fitted, group)));
}

/// By kind and by source, in percent.
void print(const char* what, const Samples& samples, const Misses& misses)
{
    std::map<std::string, std::vector<double>> percents;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!misses[i])
            continue;
        const std::string kind(GroupNames.at(static_cast<std::size_t>(samples[i]->group)));
        for (const std::string& key : {kind, kind + ", " + samples[i]->truth.group})
            percents[key].push_back(100 * std::expm1(*misses[i]));
    }
    std::printf("\n%-52s %5s %8s %8s\n", what, "rows", "median", "p90");
    for (const auto& [key, all] : percents) {
        std::printf("%-52s %5zu %8.1f %8.1f\n", key.c_str(), all.size(), percentile(all, 0.5),
                    percentile(all, 0.9));
    }
}

/// What tells that something was seen.
void listSeen(const Samples& fitted, Group group, KindSpread& spread)
{
    std::set<std::string> devices;
    std::set<std::string> generations;
    std::map<std::string, std::set<std::string>> ofMakers;
    for (const Sample* sample : fitted) {
        if (!counts(*sample, group))
            continue;
        devices.insert(seenAs(*sample));
        generations.insert(sample->device->generation);
        ofMakers[sample->device->vendor].insert(sample->device->generation);
    }
    spread.makers.clear();
    for (const auto& [maker, its] : ofMakers) {
        if (its.size() > 2)
            spread.makers.push_back(maker);
    }
    // Cards for players have another power budget, and the same kernels of recurrences.
    if (group == Group::Recurrent && generations.contains("ada"))
        generations.insert("ada_geforce");
    spread.devices.assign(devices.begin(), devices.end());
    spread.generations.assign(generations.begin(), generations.end());
}

/// What each is missed by where something else is left out.
struct LeftOut {
    Misses fifth;
    Misses device;
    Misses table;
    Misses source;
    Misses generation;

    /// Where another has the same engine its source, else a fifth.
    [[nodiscard]] Misses elsewhere() const
    {
        Misses all = fifth;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (source[i])
                all[i] = source[i];
        }
        return all;
    }

    /// Of devices that were seen. Rows of one table repeat each other nearly: a fifth of them left out flatters a latency.
    /// Who trains is another source than all that were seen.
    [[nodiscard]] Misses near(Group group) const
    {
        return group == Group::Pass ? table : group == Group::Training ? elsewhere() : fifth;
    }

    /// The largest, of those that some fit hasn't seen at all.
    [[nodiscard]] Misses either() const
    {
        Misses all(fifth.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (device[i] || source[i])
                all[i] = std::max({fifth[i], device[i], source[i]});
        }
        return all;
    }
};

LeftOut missesOf(const Calibration& calibration, const Samples& fitted)
{
    constexpr std::size_t Folds = 5;
    const auto without = [&](const auto& keyOf) {
        return missesWithout(calibration, fitted, keyOf);
    };
    return {.fifth = without([](const Sample&, std::size_t i) {
                return std::string(1, static_cast<char>('a' + i % Folds));
            }),
            .device = without(
                [&](const Sample& sample, std::size_t) { return deviceOf(sample, fitted); }),
            .table = without([&](const Sample& sample, std::size_t) {
                return counts(sample, Group::Pass) ? onlyWithOthers(sample, fitted, tableOf)
                                                   : std::string();
            }),
            .source = without([&](const Sample& sample, std::size_t) {
                return onlyWithOthers(sample, fitted, sourceNameOf);
            }),
            .generation = without(
                [](const Sample& sample, std::size_t) { return sample.device->generation; })};
}

void setSpread(Calibration& calibration, const Samples& fitted, const LeftOut& misses, Group group)
{
    // What was seen is nearly all NVIDIA's: other makers' and processors are further away than that from each other.
    constexpr double LeastForeign = 2.6;
    constexpr double LeastUnfitted = 1.3;
    KindSpread& spread = calibration.spreads.*spreadOf(group);
    const Samples others = only(fitted, [&](const Sample* sample) {
        return counts(*sample, group) &&
               (group != Group::Token || !hasOwnRates(*sample, calibration));
    });
    spread.seen = rounded(factorOf(calibration, others, misses.near(group), heldOf(others, group)));
    listSeen(fitted, group, spread);
    const Samples ofMakers = only(fitted, [&](const Sample* sample) {
        const std::vector<std::string>& makers = spread.makers;
        return counts(*sample, group) &&
               std::find(makers.begin(), makers.end(), sample->device->vendor) != makers.end();
    });
    spread.unseen =
        std::max(spread.seen,
                 rounded(factorOf(calibration, ofMakers, misses.either(), heldOf(fitted, group))));
    spread.unfitted = std::max(
        {spread.unseen, LeastUnfitted,
         rounded(factorOf(calibration, ofMakers, misses.generation, heldOf(fitted, group)))});
    spread.foreign =
        std::max({spread.unfitted, rounded(factorOf(calibration, fitted, misses.generation, group)),
                  LeastForeign});
}

/// Where its device was seen: that of its forecast.
double seenFactorOf(const Sample& sample, const Calibration& calibration)
{
    const Quantity forecast = forecastOf(
        sample.truth, sample.demand, tests::devicesOf(sample.truth, *sample.device, calibration));
    return forecast.high() / forecast.value();
}

double unseenFactorOf(const Sample& sample, const Calibration& calibration)
{
    const double doublings = std::log2(real(sample.truth.count));
    const std::string& generation = sample.device->generation;
    double factor =
        Spreads::of(calibration.spreads.*spreadOf(sample.group),
                    {.name = {}, .generation = generation, .maker = sample.device->vendor});
    if (double GenerationRates::*const own = ownSpreadOf(sample.group))
        factor = std::max(factor, calibration.ratesOf(generation).*own);
    return factor * std::pow(calibration.spreads.perDoubling, doublings);
}

/// How many of the rows that a fit left out are held by the intervals that were set, weighed: by the rule some 80 of 100, and
/// more where it is more careful. Where nothing was seen: of fits without the device, and of
/// the larger miss without it or without the source, by which the factor was set.
void printHeld(const Calibration& calibration, const Samples& fitted, const LeftOut& misses)
{
    const auto share = [&](const Samples& its, const Misses& missed, const auto& factorFor) {
        double all = 0;
        double held = 0;
        for (std::size_t i = 0; i < its.size(); ++i) {
            if (its[i] == nullptr || !missed[i])
                continue;
            all += its[i]->weight;
            held += *missed[i] <= std::log(factorFor(*its[i])) ? its[i]->weight : 0;
        }
        return all > 0 ? 100 * held / all : 0;
    };
    std::printf("\n%-52s %8s %8s %8s\n", "held by fits that left them out, in %", "seen", "unseen",
                "either");
    for (const Group group :
         {Group::Training, Group::Recurrent, Group::Pass, Group::Prompt, Group::Token}) {
        const Samples its =
            only(fitted, [&](const Sample* sample) { return counts(*sample, group); });
        const auto ofUnseen = [&](const Sample& s) { return unseenFactorOf(s, calibration); };
        std::printf("%-52s %8.1f %8.1f %8.1f\n",
                    std::string(GroupNames.at(static_cast<std::size_t>(group))).c_str(),
                    share(its, misses.near(group),
                          [&](const Sample& s) { return seenFactorOf(s, calibration); }),
                    share(its, misses.device, ofUnseen), share(its, misses.either(), ofUnseen));
    }
}

} // namespace

bool isSeen(const Sample& sample, const Spreads& spreads)
{
    return Spreads::isSeen(spreads.*spreadOf(sample.group), seenAs(sample));
}

void setSpreads(Calibration& calibration, const Samples& fitted)
{
    const LeftOut misses = missesOf(calibration, fitted);
    print("a device left out, of what is served with its engine; in %", fitted, misses.device);
    print("a source left out, in %", fitted, misses.source);
    setOwnSpreads(calibration, fitted, misses.fifth);
    for (const Group group :
         {Group::Training, Group::Recurrent, Group::Pass, Group::Prompt, Group::Token})
        setSpread(calibration, fitted, misses, group);
    for (const Group group : {Group::Training, Group::Recurrent, Group::Pass})
        setOwnSpreads(calibration, fitted, misses.near(group), group);
    calibration.spreads.engineUnknown = rounded(factorOfUnknownEngine(calibration, fitted));
    printHeld(calibration, fitted, misses);
}

} // namespace outlay::tests
