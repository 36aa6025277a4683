// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recurrent_rows.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cstdlib>

namespace outlay::tests {
namespace {

using namespace core;

template <std::size_t N>
std::size_t indexOf(const std::array<std::string_view, N>& names, std::string_view name)
{
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

RecurrentRow rowOf(const std::vector<std::string>& values)
{
    constexpr std::array<std::string_view, 3> Cells{"lstm", "gru", "rnn"};
    const auto number = [&](std::size_t i) { return std::strtod(values[i].c_str(), nullptr); };
    const auto whole = [&](std::size_t i) { return static_cast<std::int64_t>(number(i)); };
    RecurrentRow row{.layer = {.cell = static_cast<Cell>(indexOf(Cells, values[0])),
                               .inputs = whole(2),
                               .hidden = whole(2)},
                     .precision = static_cast<Precision>(indexOf(PrecisionNames, values[1])),
                     .batch = whole(3),
                     .steps = whole(4),
                     .seconds = {number(5) * Micro, number(6) * Micro},
                     .groups = {}};
    Training training;
    training.precision = row.precision;
    training.batch = row.batch;
    training.sequence = row.steps;
    training.optimizer = Optimizer::Sgd;
    row.groups =
        trainingDemand(LayerKinds({{"layer", row.layer, Stream::Tokens}}), training).forward;
    return row;
}

} // namespace

bool RecurrentRow::isSetAside() const
{
    constexpr std::uint64_t Prime = 1'000'003;
    std::uint64_t hash = 17;
    for (const std::int64_t value :
         {static_cast<std::int64_t>(layer.cell), static_cast<std::int64_t>(precision), layer.hidden,
          batch, steps})
        hash = (hash * Prime) ^ static_cast<std::uint64_t>(value);
    hash ^= hash >> 29U;
    return hash % 3 == 0;
}

Result<std::vector<RecurrentRow>> recurrentRowsIn(const std::string& path)
{
    const auto text = loadFile(path);
    if (!text)
        return tl::unexpected<Error>(text.error());
    constexpr std::size_t Values = 7;
    std::vector<RecurrentRow> rows;
    for (const std::string& line : split(*text, '\n')) {
        const auto values = split(line, ',');
        if (values.size() == Values && values[0] != "cell")
            rows.push_back(rowOf(values));
    }
    return rows;
}

RecurrentSeconds forecastOf(const RecurrentRow& row, const Device& device,
                            const Calibration& calibration)
{
    Training training;
    training.precision = row.precision;
    const Attainable on = attainableOf(device, training, calibration);
    return {forwardTime(row.groups, on).total(),
            backwardTime(row.groups, on, Again::Nothing).total()};
}

} // namespace outlay::tests
