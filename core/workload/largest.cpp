// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/largest.h"

#include "core/base/units.h"
#include "core/workload/parameters.h"

#include <algorithm>

namespace outlay::core {

double largestMatrix(const LayerSpec& spec, const Trained& trained, const Training& t)
{
    double adapter = 0;
    for (const Linear& linear : trained.adapted)
        adapter = std::max(adapter, real(t.adapterRank * std::max(linear.inputs, linear.outputs)));
    if (!trained.isWhole)
        return adapter;
    struct Largest {
        std::int64_t operator()(const Recurrent& l) const
        {
            return gatesOf(l.cell) * l.hidden * std::max(l.inputs, l.output());
        }
        std::int64_t operator()(const GatedRecurrent& l) const
        {
            return std::max(l.inputs * std::max(l.key, l.value), l.value * l.output);
        }
        std::int64_t operator()(const Dense& l) const { return l.tied ? 0 : l.inputs * l.outputs; }
        std::int64_t operator()(const Attention& l) const
        {
            std::int64_t largest = 0;
            for (const Linear& linear : linearsOf(l))
                largest = std::max(largest, linear.inputs * linear.outputs);
            return largest;
        }
        std::int64_t operator()(const FeedForward& l) const { return l.width * l.inner; }
        std::int64_t operator()(const Experts& l) const { return l.expert.width * l.expert.inner; }
        std::int64_t operator()(const Norm& l) const { return l.width; }
        std::int64_t operator()(const Dropout&) const { return 0; }
        std::int64_t operator()(const Embedding& l) const { return l.rows * l.width; }
        std::int64_t operator()(const RelativeBias& l) const { return l.buckets * l.heads; }
        std::int64_t operator()(const Weights&) const { return 0; }
    };
    return static_cast<double>(std::visit(Largest{}, spec));
}

double largestTensor(const Layer& layer, const Pass& pass)
{
    struct Largest {
        double batch;
        double tokens;

        double perToken(std::int64_t width) const
        {
            return batch * tokens * static_cast<double>(width);
        }
        double operator()(const Recurrent& l) const
        {
            return batch * static_cast<double>(l.hidden);
        }
        double operator()(const GatedRecurrent& l) const
        {
            return batch * static_cast<double>(l.key * l.value);
        }
        double operator()(const Dense& l) const { return perToken(l.outputs); }
        double operator()(const Attention& l) const { return tokens * perToken(l.heads); }
        double operator()(const FeedForward& l) const { return perToken(l.inner); }
        double operator()(const Experts& l) const { return perToken(l.expert.inner); }
        double operator()(const Norm& l) const { return perToken(l.width); }
        double operator()(const Dropout& l) const { return perToken(l.width); }
        double operator()(const Embedding& l) const { return perToken(l.width); }
        double operator()(const RelativeBias&) const { return 0; }
        double operator()(const Weights&) const { return 0; }
    };
    const double tokens = layer.stream == Stream::Sample ? 1 : pass.tokens;
    return std::visit(Largest{pass.batch, tokens}, layer.spec);
}

double stepMatrix(const Recurrent& l)
{
    return real(gatesOf(l.cell) * l.hidden * l.output());
}

double numbersOfAllSteps(const Recurrent& l, const Pass& pass)
{
    return pass.batch * pass.tokens * real(gatesOf(l.cell) * l.hidden);
}

} // namespace outlay::core
