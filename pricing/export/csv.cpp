// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/csv_table.h"
#include "pricing/export/export.h"

#include <array>

namespace outlay::pricing {
namespace {

using core::Json;

constexpr std::array<std::string_view, 3> Words{"unit", "basis", "how"};

std::optional<double> numberAt(const Json& json)
{
    return json.isNumber() ? std::optional(json.number()) : std::nullopt;
}

void addFigure(const std::string& pointer, const Json& figure, CsvTable& table)
{
    table.addRow();
    table.set("pointer", std::string_view(pointer));
    for (const std::string_view key : {"value", "low", "high"})
        table.set(key, numberAt(*figure.find(key)));
    for (const std::string_view key : Words) {
        if (const Json* word = figure.find(key); word != nullptr && word->asString() != nullptr)
            table.set(key, std::string_view(*word->asString()));
    }
}

/// Every figure and every other number below a pointer, in the Report's own order.
void addAll(const std::string& pointer, const Json& json, CsvTable& table)
{
    if (json.find("basis") != nullptr && json.find("value") != nullptr &&
        json.find("low") != nullptr) {
        addFigure(pointer, json, table);
    } else if (const Json::Object* object = json.asObject()) {
        for (const core::JsonMember& member : *object)
            addAll(core::childPointer(pointer, member.key), member.value, table);
    } else if (const Json::Array* array = json.asArray()) {
        for (std::size_t i = 0; i < array->size(); ++i)
            addAll(core::childPointer(pointer, i), (*array)[i], table);
    } else if (json.isNumber()) {
        table.addRow();
        table.set("pointer", std::string_view(pointer));
        table.set("value", numberAt(json));
    }
}

} // namespace

std::string csvReport(const ExportInput& input)
{
    CsvTable table({"pointer", "value", "low", "high", "unit", "basis", "how"});
    const Json report = toJson(input.report, input.catalogs);
    for (const core::JsonMember& section : *report.asObject()) {
        if (section.key != "version" && section.key != "assumptions" && section.key != "provenance")
            addAll(core::childPointer("", section.key), section.value, table);
    }
    return table.text();
}

} // namespace outlay::pricing
