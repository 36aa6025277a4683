// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/presets.h"

#include "core/base/resources.h"
#include "core/base/text.h"

namespace outlay::core {
namespace {

Result<Preset> readPreset(const Json& row)
{
    Preset preset;
    FieldReader reader(row, "");
    reader.text({.key = "id", .what = "id", .presence = Presence::Required}, preset.id);
    reader.text({.key = "summary", .what = "summary", .presence = Presence::Required},
                preset.summary);
    reader.text({.key = "source", .what = "source", .presence = Presence::Required}, preset.source);
    const Json* experiment = reader.raw("experiment");
    if (const auto outcome = reader.outcome(); !outcome)
        return failureOf(outcome);
    auto read = readExperiment(experiment == nullptr ? Json() : *experiment);
    if (!read)
        return failureOf(read);
    preset.experiment = std::move(read->experiment);
    return preset;
}

Result<std::vector<Preset>> readPresets()
{
    const auto json = readJson(resource("presets.json"));
    if (!json)
        return tl::unexpected<Error>(json.error().in("presets.json"));
    std::vector<Preset> rows;
    const Json* list = json->find("presets");
    if (list == nullptr || list->asArray() == nullptr)
        return internalError("the presets of this program can't be read", "install it again");
    for (const Json& row : *list->asArray()) {
        auto preset = readPreset(row);
        if (!preset)
            return tl::unexpected<Error>(preset.error().in("presets.json"));
        rows.push_back(std::move(*preset));
    }
    return rows;
}

} // namespace

const Result<std::vector<Preset>>& presets()
{
    static const Result<std::vector<Preset>> Rows = readPresets();
    return Rows;
}

Result<Preset> preset(std::string_view id)
{
    const auto& rows = presets();
    if (!rows)
        return failureOf(rows);
    std::vector<std::string_view> ids;
    for (const Preset& row : *rows) {
        if (row.id == id)
            return row;
        ids.push_back(row.id);
    }
    const auto near = nearest(id, ids);
    return usageError("there is no preset " + inQuotes(id),
                      near ? "did you mean '" + std::string(*near) + "'?"
                           : "`outlay presets` lists them");
}

const Preset* presetLike(const Experiment& experiment)
{
    const auto& rows = presets();
    if (!rows)
        return nullptr;
    const Preset* best = nullptr;
    int most = 0;
    for (const Preset& row : *rows) {
        if (row.experiment.model != experiment.model)
            continue;
        const Training& its = row.experiment.training;
        const Training& own = experiment.training;
        const int alike = 1 + (its.method == own.method ? 1 : 0) +
                          (its.frozenWeights == own.frozenWeights ? 1 : 0) + (its == own ? 1 : 0);
        if (alike > most) {
            best = &row;
            most = alike;
        }
    }
    return best;
}

} // namespace outlay::core
