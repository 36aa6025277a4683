// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/report/compare/sweep_table.h"

#include "pricing/csv_table.h"

namespace outlay::pricing {

using core::Json;

std::string settingText(const Json& value)
{
    const std::string* text = value.asString();
    return text != nullptr ? *text : core::writeJson(value, core::JsonStyle::Compact);
}

Json toJson(const SweepTable& table)
{
    Json points = Json::array();
    for (const SweepRow& row : table.rows) {
        Json set = Json::object();
        for (std::size_t i = 0; i < table.axes.size(); ++i)
            set.set(table.axes[i].pointer, row.values[i]);
        Json figures = Json::object();
        for (const Headline& headline : row.headlines)
            figures.set(headline.key, toJson(headline.figure));
        points.append(Json::Object{{"set", std::move(set)}, {"figures", std::move(figures)}});
    }
    return Json::Object{{"format", "outlay-sweep"}, {"version", 1}, {"points", std::move(points)}};
}

std::string csvOf(const SweepTable& table)
{
    std::vector<std::string_view> columns;
    for (const core::SweepAxis& axis : table.axes)
        columns.push_back(axis.pointer);
    if (!table.rows.empty()) {
        for (const Headline& headline : table.rows.front().headlines)
            columns.push_back(headline.key);
    }
    CsvTable csv(columns);
    for (const SweepRow& row : table.rows) {
        csv.addRow();
        for (std::size_t i = 0; i < table.axes.size(); ++i)
            csv.set(table.axes[i].pointer, std::string_view(settingText(row.values[i])));
        for (const Headline& headline : row.headlines) {
            const core::Quantity& figure = headline.figure;
            csv.set(headline.key,
                    figure.isAvailable() ? std::optional(figure.value()) : std::nullopt);
        }
    }
    return csv.text();
}

} // namespace outlay::pricing
