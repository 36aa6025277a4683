// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/processor_rows.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/hardware/step.h"

#include <cstdlib>

namespace outlay::tests {
namespace {

using namespace core;

/// What a row says of its design; the rest is the same in all of them.
struct Sizes {
    std::int64_t vocabulary = 0; // 0: numbers go in
    std::int64_t hidden = 0;
    std::int64_t layers = 1;
};

RecurrentDesign recurrentOf(Cell cell, const Sizes& sizes)
{
    RecurrentDesign design{.cell = cell,
                           .hidden = {sizes.hidden},
                           .layers = sizes.layers,
                           .outputAt = OutputAt::Every};
    if (sizes.vocabulary > 0) {
        design.vocabulary = sizes.vocabulary;
    } else {
        design.inputs = 5;
        design.outputs = 1;
    }
    return design;
}

Design designOf(const std::string& family, const Sizes& sizes)
{
    constexpr std::int64_t Heads = 4;
    const std::int64_t half = sizes.hidden / 2;
    if (family == "mlp")
        return MlpDesign{.inputs = 100,
                         .hidden = std::vector<std::int64_t>(static_cast<std::size_t>(sizes.layers),
                                                             sizes.hidden),
                         .outputs = 10};
    if (family == "transformer")
        return TransformerDesign{.vocabulary = sizes.vocabulary,
                                 .hidden = sizes.hidden,
                                 .layers = sizes.layers,
                                 .heads = Heads};
    if (family == "gated-rnn")
        return GatedRnnDesign{.vocabulary = sizes.vocabulary,
                              .hidden = sizes.hidden,
                              .key = half,
                              .value = half,
                              .output = sizes.hidden,
                              .layers = sizes.layers};
    return recurrentOf(family == "lstm"  ? Cell::Lstm
                       : family == "gru" ? Cell::Gru
                                         : Cell::Rnn,
                       sizes);
}

ProcessorRow timedRow(const std::vector<std::string>& values)
{
    const auto number = [&](std::size_t i) { return std::strtod(values[i].c_str(), nullptr); };
    const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(number(i)); };
    ProcessorRow row{
        .model = {Convention::PyTorch, designOf(values[0], {whole(1), whole(2), whole(3)})},
        .training = {},
        .stepS = number(7) * Micro,
        .forwardShare = number(8),
        .peakBytes = number(9) * Mega,
        .flopsPerS = number(10) * Giga,
        .bytesPerS = number(11) * Giga,
        .demand = {}};
    row.training.sequence = whole(4);
    row.training.batch = whole(5);
    row.training.keepMemory = whole(6) == 1;
    row.demand = trainingDemand(expand(row.model), row.training);
    return row;
}

} // namespace

bool ProcessorRow::isSetAside() const
{
    constexpr std::uint64_t Prime = 1'000'003;
    std::uint64_t hash = 17;
    for (const double value : {demand.parameters, demand.flopsPerBatch})
        hash = (hash * Prime) ^ static_cast<std::uint64_t>(value);
    hash ^= hash >> 29U;
    return hash % 3 == 0;
}

Result<std::vector<ProcessorRow>> processorRowsIn(const std::string& path)
{
    const auto text = loadFile(path);
    if (!text)
        return tl::unexpected<Error>(text.error());
    constexpr std::size_t Values = 12;
    std::vector<ProcessorRow> rows;
    for (const std::string& line : split(*text, '\n')) {
        const auto values = split(line, ',');
        if (values.size() == Values && values[0] != "family")
            rows.push_back(timedRow(values));
    }
    return rows;
}

Attainable ratesOf(const ProcessorRow& row, const Calibration& calibration)
{
    return attainableAt({.flopsPerS = row.flopsPerS,
                         .bytesPerS = row.bytesPerS,
                         .arithmetic = Arithmetic::Fp32,
                         .isProcessor = true},
                        calibration);
}

double secondsOf(const ProcessorRow& row, const Calibration& calibration)
{
    return stepTime(row.demand, ratesOf(row, calibration)).total();
}

} // namespace outlay::tests
