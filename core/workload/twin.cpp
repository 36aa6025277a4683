// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/twin.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

/// The size of a head next to what is usual; it divides the width.
std::int64_t headSizeFor(std::int64_t width)
{
    constexpr double Usual = 64;
    std::int64_t best = width;
    const auto distance = [](std::int64_t size) {
        return std::abs(std::log(static_cast<double>(size) / Usual));
    };
    for (std::int64_t divisor = 1; divisor * divisor <= width; ++divisor) {
        if (width % divisor != 0)
            continue;
        for (const std::int64_t size : {divisor, width / divisor})
            best = distance(size) < distance(best) ? size : best;
    }
    return best;
}

void addAttention(const Layer& layer, std::int64_t inputs, std::int64_t width,
                  std::vector<Layer>& twin)
{
    if (inputs != width)
        twin.push_back({layer.name + " input", Dense{.inputs = inputs, .outputs = width},
                        layer.stream, layer.block});
    const std::int64_t size = headSizeFor(width);
    twin.push_back({layer.name + " as attention",
                    Attention{.width = width,
                              .memory = width,
                              .heads = width / size,
                              .kvHeads = width / size,
                              .headSize = size},
                    layer.stream, layer.block});
}

/// Appends what stands for `layer` in the twin. A visitor, so that a new kind of layer is decided upon.
struct Exchange {
    const Layer& layer;
    std::vector<Layer>& twin;

    void operator()(const Recurrent& l) const
    {
        addAttention(layer, l.inputs, l.output() * l.directions(), twin);
    }
    void operator()(const GatedRecurrent& l) const
    {
        addAttention(layer, l.inputs, l.output, twin);
    }
    void operator()(const Attention& l) const
    {
        twin.push_back({layer.name + " as lstm", Recurrent{.inputs = l.width, .hidden = l.width},
                        layer.stream, layer.block});
    }
    void operator()(const RelativeBias&) const {}
    template <typename Other>
    void operator()(const Other&) const
    {
        twin.push_back(layer);
    }
};

bool recurs(const LayerSpec& spec)
{
    return std::holds_alternative<Recurrent>(spec) || std::holds_alternative<GatedRecurrent>(spec);
}

/// Why a design has no twin; nothing if it has one.
std::string_view obstacleOf(const std::vector<Layer>& layers)
{
    bool isRecurrent = false;
    bool isAttention = false;
    for (const Layer& layer : layers) {
        if (std::holds_alternative<Weights>(layer.spec))
            return "the file says how many weights there are, not how they are used; import the "
                   "model's config";
        const auto* attention = std::get_if<Attention>(&layer.spec);
        if (attention != nullptr && attention->isCross)
            return "no recurrence stands for the attention between two stacks";
        isRecurrent = isRecurrent || recurs(layer.spec);
        isAttention = isAttention || attention != nullptr;
    }
    if (isRecurrent && isAttention)
        return "this design has both recurrences and attention";
    return isRecurrent || isAttention ? "" : "no layer of this design looks at several tokens";
}

} // namespace

Twins twinsOf(const std::vector<Layer>& layers)
{
    Twins twins;
    twins.why = obstacleOf(layers);
    if (!twins.why.empty())
        return twins;
    const bool isRecurrent = std::any_of(layers.begin(), layers.end(),
                                         [](const Layer& layer) { return recurs(layer.spec); });
    twins.own = isRecurrent ? Mixing::Recurrent : Mixing::Attention;
    twins.twin.reserve(layers.size() + 1);
    for (const Layer& layer : layers)
        std::visit(Exchange{layer, twins.twin}, layer.spec);
    twins.recurrent = isRecurrent ? layers : twins.twin;
    twins.attention = isRecurrent ? twins.twin : layers;
    return twins;
}

SequenceWork sequenceWork(const LayerKinds& layers, double tokens, const SequenceWidths& widths)
{
    const Pass pass = trainingPass(1, tokens, widths.trainingBytes);
    SequenceWork sum;
    for (const auto& [layer, count] : layers.kinds()) {
        const Work work = workOf(layer, pass);
        sum.flops += count * work.flops;
        sum.activationBytes += count * work.kept;
        sum.stateBytes +=
            count * stateBytes(layer, tokens, tokens, widths.servingBytes, widths.latents);
    }
    return sum;
}

std::optional<std::int64_t> crossingOf(const Twins& twins, double SequenceWork::*measure,
                                       const SequenceWidths& widths)
{
    if (!twins.own)
        return std::nullopt;
    // What attention costs above the recurrence changes its sign once: it grows faster with the length.
    const auto costsMore = [&](std::int64_t length) {
        const auto tokens = static_cast<double>(length);
        return sequenceWork(twins.attention, tokens, widths).*measure >
               sequenceWork(twins.recurrent, tokens, widths).*measure;
    };
    if (!costsMore(MostTokensCompared))
        return std::nullopt;
    std::int64_t less = 0;
    std::int64_t more = MostTokensCompared;
    while (more - less > 1) {
        const std::int64_t middle = less + (more - less) / 2;
        (costsMore(middle) ? more : less) = middle;
    }
    return more;
}

} // namespace outlay::core
