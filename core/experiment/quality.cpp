// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/quality.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace outlay::core {
namespace {

constexpr std::string_view CurveKey = "curve";
constexpr std::string_view BetterKey = "better";
constexpr std::array<std::string_view, 5> LossNames{"val_loss", "validation_loss", "eval_loss",
                                                    "loss", "train_loss"};
constexpr std::array<std::string_view, 2> CurveKeys{CurveKey, "log_history"};
constexpr std::string_view EpochName = "epoch";

/// Some write the first epoch as 0, which has been trained too.
void countFromOne(std::vector<LossPoint>& curve)
{
    std::stable_sort(curve.begin(), curve.end(),
                     [](const LossPoint& a, const LossPoint& b) { return a.epoch < b.epoch; });
    if (curve.empty() || curve.front().epoch != 0)
        return;
    for (LossPoint& point : curve)
        point.epoch += 1;
}

/// The loss that any of the objects has, the best kind of them all.
std::string_view lossNameIn(const Json::Array& list)
{
    for (const std::string_view name : LossNames) {
        if (std::any_of(list.begin(), list.end(), [&](const Json& row) {
                return row.find(name) != nullptr && row.find(name)->isNumber();
            }))
            return name;
    }
    return {};
}

/// Entries without a loss are of something else: logs hold many things.
std::vector<LossPoint> curveOf(const Json::Array& list)
{
    const std::string_view name = lossNameIn(list);
    std::vector<LossPoint> curve;
    for (const Json& row : list) {
        const double next = static_cast<double>(curve.size()) + 1;
        if (row.isNumber()) {
            curve.push_back({next, row.number()});
            continue;
        }
        const Json* loss = name.empty() ? nullptr : row.find(name);
        const Json* epoch = row.find(EpochName);
        if (loss != nullptr && loss->isNumber())
            curve.push_back(
                {epoch != nullptr && epoch->isNumber() ? epoch->number() : next, loss->number()});
    }
    countFromOne(curve);
    return curve;
}

Quality qualityOfObject(const Json& json)
{
    Quality quality = qualityOf(json);
    for (const std::string_view key : CurveKeys) {
        const Json* list = json.find(key);
        if (quality.curve.empty() && list != nullptr && list->asArray() != nullptr)
            quality.curve = curveOf(*list->asArray());
    }
    for (const std::string_view name : LossNames) {
        const Json* list = json.find(name);
        if (quality.curve.empty() && list != nullptr && list->asArray() != nullptr)
            quality.curve = curveOf(*list->asArray());
    }
    return quality;
}

std::string trimmed(std::string_view text)
{
    const std::string_view blank = " \t\r\"";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

struct Columns {
    std::size_t loss = 0;
    std::optional<std::size_t> epoch;
    std::size_t firstRow = 0; // after the names
};

std::vector<std::string> cellsOf(const std::string& line, char separator)
{
    std::vector<std::string> cells = split(line, separator);
    for (std::string& cell : cells) {
        cell = trimmed(cell);
        std::transform(cell.begin(), cell.end(), cell.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
    }
    return cells;
}

Result<Columns> columnsOf(const std::vector<std::string>& first)
{
    const auto columnOf = [&](std::string_view name) {
        const auto found = std::find(first.begin(), first.end(), name);
        return found == first.end()
                   ? std::optional<std::size_t>()
                   : std::optional(static_cast<std::size_t>(found - first.begin()));
    };
    if (!first.empty() && numberIn(first.front()))
        return first.size() == 1 ? Columns{} : Columns{.loss = 1, .epoch = 0};
    for (const std::string_view name : LossNames) {
        if (const auto loss = columnOf(name))
            return Columns{.loss = *loss, .epoch = columnOf(EpochName), .firstRow = 1};
    }
    return inputError("the file is no JSON, and its first line names no column of losses",
                      "name a column loss or val_loss, and one epoch");
}

Result<Quality> readCsv(std::string_view text)
{
    const std::vector<std::string> lines = split(text, '\n');
    constexpr std::string_view Separators = "\t;,";
    const auto* separator = std::find_if(Separators.begin(), Separators.end(), [&](char c) {
        return lines.front().find(c) != std::string::npos;
    });
    const char between = separator == Separators.end() ? ',' : *separator;
    const auto columns = columnsOf(cellsOf(lines.front(), between));
    if (!columns)
        return failureOf(columns);
    Quality quality;
    for (std::size_t i = columns->firstRow; i < lines.size(); ++i) {
        const std::vector<std::string> cells = cellsOf(lines[i], between);
        if (cells.size() <= 1 && trimmed(lines[i]).empty())
            continue;
        const auto numberAt = [&](std::size_t column) {
            return column < cells.size() ? numberIn(cells[column]) : std::nullopt;
        };
        const auto loss = numberAt(columns->loss);
        const auto epoch = columns->epoch ? numberAt(*columns->epoch)
                                          : static_cast<double>(quality.curve.size()) + 1;
        if (!loss || !epoch || !std::isfinite(*loss) || !std::isfinite(*epoch))
            return inputError("this line has no number where its loss or epoch should be",
                              "mend it or leave it out", "line " + std::to_string(i + 1));
        quality.curve.push_back({*epoch, *loss});
    }
    countFromOne(quality.curve);
    return quality;
}

} // namespace

Quality qualityOf(const Json& stored)
{
    Quality quality;
    const Json::Object* members = stored.asObject();
    if (members == nullptr)
        return quality;
    for (const JsonMember& member : *members) {
        if (member.value.isNumber())
            quality.figures.push_back(
                {member.key, member.value.number(), betterOf(stored, member.key)});
    }
    const Json* curve = stored.find(CurveKey);
    if (curve != nullptr && curve->asArray() != nullptr)
        quality.curve = curveOf(*curve->asArray());
    return quality;
}

std::optional<Better> betterOf(const Json& stored, std::string_view name)
{
    const Json* all = stored.find(BetterKey);
    const Json* one = all == nullptr ? nullptr : all->find(name);
    const std::string* word = one == nullptr ? nullptr : one->asString();
    for (std::size_t i = 0; word != nullptr && i < BetterNames.size(); ++i) {
        if (*word == BetterNames.at(i))
            return static_cast<Better>(i);
    }
    return std::nullopt;
}

Result<Json> withFigure(Json stored, const QualityFigure& figure)
{
    if (figure.name.empty() || figure.name == CurveKey || figure.name == BetterKey)
        return inputError("a figure of quality can't have the name '" + figure.name + "'",
                          "give a name such as accuracy");
    if (!std::isfinite(figure.value))
        return inputError("a figure of quality has to be a number", "give one such as 0.93");
    stored.set(figure.name, Json(figure.value));
    Json* better = stored.find(BetterKey);
    if (figure.better) {
        if (better == nullptr || better->asObject() == nullptr)
            better = &stored.set(BetterKey, Json::object());
        better->set(figure.name, Json(BetterNames.at(static_cast<std::size_t>(*figure.better))));
    } else if (better != nullptr) {
        better->erase(figure.name);
    }
    return stored;
}

Json withoutFigure(Json stored, std::string_view name)
{
    stored.erase(name);
    Json* better = stored.find(BetterKey);
    if (better == nullptr)
        return stored;
    better->erase(name);
    if (better->asObject() != nullptr && better->asObject()->empty())
        stored.erase(BetterKey);
    return stored;
}

Json withQuality(Json stored, const Quality& read)
{
    for (const QualityFigure& figure : read.figures) {
        // Without a word on it in the file, the direction that is known stays.
        QualityFigure known = figure;
        if (!known.better)
            known.better = betterOf(stored, figure.name);
        if (auto with = withFigure(stored, known))
            stored = std::move(*with);
    }
    if (read.curve.empty())
        return stored;
    Json list = Json::array();
    for (const LossPoint& point : read.curve)
        list.append(Json::Object{{"epoch", Json(point.epoch)}, {"loss", Json(point.loss)}});
    stored.set(CurveKey, std::move(list));
    return stored;
}

Result<Quality> readQuality(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    const bool isJson =
        start != std::string_view::npos && (text[start] == '{' || text[start] == '[');
    Result<Quality> quality;
    if (isJson) {
        const auto json = readJson(text);
        if (!json)
            return failureOf(json);
        quality = json->asArray() != nullptr ? Quality{{}, curveOf(*json->asArray())}
                                             : qualityOfObject(*json);
    } else {
        quality = readCsv(text);
    }
    if (quality && quality->figures.empty() && quality->curve.empty())
        return inputError("the file holds neither figures nor losses",
                          "give a JSON object of numbers, or a list or CSV with epoch and loss");
    return quality;
}

} // namespace outlay::core
