// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "pricing/report/advice/rule.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

/// Three quarters, as a multiple of `step`; nothing smaller than `step`.
std::int64_t threeQuarters(std::int64_t size, std::int64_t step)
{
    return std::max(step, size * 3 / 4 / step * step);
}

/// Processors and matrix units like sizes of a multiple of eight; smaller ones are taken as they are.
std::int64_t smaller(std::int64_t size)
{
    constexpr std::int64_t Multiple = 8;
    return threeQuarters(size, size >= 4 * Multiple ? Multiple : 1);
}

struct Narrower {
    std::string_view pointer;
    Json value;
    std::string what; // "hidden size 256 -> 192"
};

std::optional<Narrower> narrower(const RecurrentDesign& d)
{
    if (d.hidden.empty() || d.projection > 0)
        return std::nullopt; // the projection decides what is handed on
    Json sizes = Json::array();
    for (const std::int64_t size : d.hidden)
        sizes.append(smaller(size));
    const bool isOne = d.hidden.size() == 1;
    return Narrower{"/model/hidden", isOne ? sizes.asArray()->front() : sizes,
                    "hidden size " + fromTo(static_cast<double>(d.hidden.front()),
                                            static_cast<double>(smaller(d.hidden.front())))};
}

std::optional<Narrower> narrower(const GatedRnnDesign& d)
{
    return Narrower{"/model/hidden", Json(smaller(d.hidden)),
                    "hidden size " + fromTo(static_cast<double>(d.hidden),
                                            static_cast<double>(smaller(d.hidden)))};
}

std::optional<Narrower> narrower(const MlpDesign& d)
{
    if (d.hidden.empty())
        return std::nullopt;
    Json sizes = Json::array();
    for (const std::int64_t size : d.hidden)
        sizes.append(smaller(size));
    return Narrower{"/model/hidden", sizes,
                    "first layer " + fromTo(static_cast<double>(d.hidden.front()),
                                            static_cast<double>(smaller(d.hidden.front())))};
}

/// Fewer blocks rather than narrower ones: heads and feed-forwards keep their shape.
std::optional<Narrower> narrower(const TransformerDesign& d)
{
    if (d.layers < 4)
        return std::nullopt;
    return Narrower{"/model/layers", Json(threeQuarters(d.layers, 1)),
                    "layers " + fromTo(static_cast<double>(d.layers),
                                       static_cast<double>(threeQuarters(d.layers, 1)))};
}

std::optional<Narrower> narrower(const LayerListDesign&)
{
    return std::nullopt;
}

std::vector<Proposal> smallerModel(const Situation& s)
{
    // What isn't trained whole was trained before, and has the sizes that it has.
    if (s.subject.experiment.training.method != Method::Full || isTuned(s))
        return {};
    const Model& model = s.subject.experiment.model;
    const auto change = std::visit([](const auto& d) { return narrower(d); }, model.design);
    if (!change)
        return {};
    return {
        {.title = "Try a smaller model (" + change->what + ")",
         .why = "Work and weights fall with the size. It may cost quality, which nothing here "
                "can tell: train both for some epochs and compare the loss on validation data.",
         .patch = patchOf(s, {{change->pointer, change->value}}),
         .codeCpp = "// set the sizes where the module is made, and compare validation losses",
         .codePython = "# set the sizes where the module is made, and compare validation losses"}};
}

constexpr std::array<Rule, 1> Rules{{
    {"smaller-model", AdviceCategory::Model, Level::High, smallerModel},
}};

} // namespace

std::span<const Rule> modelRules()
{
    return Rules;
}

} // namespace outlay::pricing
