// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/compare/comparison.h"

#include "core/experiment/quality.h"
#include "pricing/csv_table.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace core;

constexpr double PercentPerOne = 100;

Difference differenceOf(const Quantity& figure, const Quantity* baseline)
{
    Difference cell{figure, {}, {}};
    if (baseline == nullptr || !figure.isAvailable() || !baseline->isAvailable())
        return cell;
    cell.change = figure.value() - baseline->value();
    if (baseline->value() != 0)
        cell.changePercent = *cell.change / baseline->value() * PercentPerOne;
    return cell;
}

ComparisonRow rowOf(const Headline& named, const std::vector<Quantity>& figures)
{
    ComparisonRow row{named.key, named.label, {}};
    for (std::size_t i = 0; i < figures.size(); ++i)
        row.cells.push_back(differenceOf(figures[i], i == 0 ? nullptr : &figures.front()));
    return row;
}

std::vector<ComparisonRow> figureRows(std::span<const Compared> experiments,
                                      const Catalogs& catalogs)
{
    std::vector<std::vector<Headline>> columns;
    for (const Compared& one : experiments)
        columns.push_back(headlinesOf(one.report, catalogs));
    std::vector<ComparisonRow> rows;
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
        std::vector<Quantity> figures;
        for (const std::vector<Headline>& column : columns)
            figures.push_back(column[i].figure);
        rows.push_back(rowOf(columns.front()[i], figures));
    }
    return rows;
}

/// As the first experiment has it that says so.
std::string directionOf(std::span<const Compared> experiments, const std::string& name)
{
    for (const Compared& one : experiments) {
        if (const auto better = betterOf(one.experiment.quality, name))
            return " (" + std::string(BetterNames.at(static_cast<std::size_t>(*better))) +
                   " is better)";
    }
    return {};
}

Quantity qualityOf(const Experiment& experiment, const std::string& name)
{
    const Json* found = experiment.quality.find(name);
    if (found == nullptr || !found->isNumber())
        return Quantity::unavailable(Unit::One, "the experiment doesn't say");
    return Quantity::exact(found->number(), Unit::One, {.note = "/quality of the experiment"});
}

void addQuality(std::span<const Compared> experiments, std::vector<ComparisonRow>& rows)
{
    std::vector<std::string> names;
    for (const Compared& one : experiments) {
        for (const JsonMember& member : *one.experiment.quality.asObject()) {
            if (member.value.isNumber() &&
                std::find(names.begin(), names.end(), member.key) == names.end())
                names.push_back(member.key);
        }
    }
    for (const std::string& name : names) {
        std::vector<Quantity> figures;
        for (const Compared& one : experiments)
            figures.push_back(qualityOf(one.experiment, name));
        rows.push_back(rowOf(
            {"quality/" + name, "quality, " + name + directionOf(experiments, name), {}}, figures));
    }
}

/// All that figures depend on, each section with its defaults written out.
Json settingsOf(const Experiment& e)
{
    return Json::Object{{"model", fieldsOf(e.model)},     {"training", fieldsOf(e.training)},
                        {"serving", fieldsOf(e.serving)}, {"site", fieldsOf(e.site)},
                        {"plan", fieldsOf(e.plan)},       {"assumptions", e.assumptions}};
}

} // namespace

std::vector<SettingRow> settingsThatDiffer(std::span<const Experiment* const> experiments)
{
    std::vector<Json> all;
    std::vector<std::string> pointers;
    for (const Experiment* one : experiments) {
        all.push_back(settingsOf(*one));
        for (const JsonMember& section : *all.back().asObject()) {
            for (const JsonMember& member : *section.value.asObject()) {
                const std::string pointer = childPointer(childPointer("", section.key), member.key);
                if (std::find(pointers.begin(), pointers.end(), pointer) == pointers.end())
                    pointers.push_back(pointer);
            }
        }
    }
    std::vector<SettingRow> rows;
    for (const std::string& pointer : pointers) {
        SettingRow row{pointer, {}};
        for (const Json& settings : all) {
            const Json* value = valueAt(settings, pointer);
            row.values.push_back(value == nullptr ? Json() : *value);
        }
        const bool isSame =
            std::all_of(row.values.begin(), row.values.end(),
                        [&](const Json& value) { return value == row.values.front(); });
        if (!isSame)
            rows.push_back(std::move(row));
    }
    return rows;
}

Comparison compare(std::span<const Compared> experiments, const Catalogs& catalogs)
{
    Comparison comparison;
    std::vector<const Experiment*> settings;
    for (const Compared& one : experiments) {
        settings.push_back(&one.experiment);
        comparison.files.push_back(one.file);
        comparison.names.push_back(one.experiment.name);
    }
    comparison.settings = settingsThatDiffer(settings);
    comparison.rows = figureRows(experiments, catalogs);
    addQuality(experiments, comparison.rows);
    return comparison;
}

Json toJson(const Comparison& comparison)
{
    const auto numberOrNull = [](const std::optional<double>& number) {
        return number ? Json(*number) : Json();
    };
    Json list = Json::array();
    for (std::size_t i = 0; i < comparison.files.size(); ++i) {
        Json settings = Json::object();
        for (const SettingRow& row : comparison.settings)
            settings.set(row.pointer, row.values[i]);
        Json figures = Json::object();
        for (const ComparisonRow& row : comparison.rows) {
            Json figure = toJson(row.cells[i].figure);
            figure.set("change", numberOrNull(row.cells[i].change));
            figure.set("change_percent", numberOrNull(row.cells[i].changePercent));
            figures.set(row.key, std::move(figure));
        }
        list.append(Json::Object{{"file", comparison.files[i]},
                                 {"name", comparison.names[i]},
                                 {"is_baseline", i == 0},
                                 {"settings", std::move(settings)},
                                 {"figures", std::move(figures)}});
    }
    return Json::Object{
        {"format", "outlay-comparison"}, {"version", 1}, {"experiments", std::move(list)}};
}

std::string csvOf(const Comparison& comparison)
{
    CsvTable table({"file", "name", "figure", "value", "low", "high", "unit", "basis", "change",
                    "change_percent"});
    for (std::size_t i = 0; i < comparison.files.size(); ++i) {
        for (const ComparisonRow& row : comparison.rows) {
            const Difference& cell = row.cells[i];
            table.addRow();
            table.set("file", std::string_view(comparison.files[i]));
            table.set("name", std::string_view(comparison.names[i]));
            table.set("figure", std::string_view(row.key));
            if (cell.figure.isAvailable()) {
                table.set("value", std::optional(cell.figure.value()));
                table.set("low", std::optional(cell.figure.low()));
                table.set("high", std::optional(cell.figure.high()));
            }
            table.set("unit", symbol(cell.figure.unit()));
            table.set("basis", name(cell.figure.basis()));
            table.set("change", cell.change);
            table.set("change_percent", cell.changePercent);
        }
    }
    return table.text();
}

} // namespace outlay::pricing
