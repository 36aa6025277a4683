// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/price_file.h"

#include <cmath>
#include <map>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::size_t WrittenPurchases = PurchaseNames.size();

Json json(const std::optional<double>& value)
{
    if (!value)
        return nullptr;
    if (*value == std::floor(*value) && std::abs(*value) < 1e15)
        return static_cast<std::int64_t>(*value);
    return *value;
}

Json json(std::size_t index)
{
    return static_cast<std::int64_t>(index);
}

Json machinesJson(const std::vector<Machine>& machines)
{
    Json columns = Json::object();
    const auto column = [&](const char* name, const auto& valueOf) {
        Json list = Json::array();
        for (const Machine& machine : machines)
            list.append(valueOf(machine));
        columns.set(name, std::move(list));
    };
    const auto textOrNull = [](const std::string& text) {
        return text.empty() ? Json() : Json(text);
    };
    column("provider", [](const Machine& m) { return Json(m.provider); });
    column("instance", [](const Machine& m) { return Json(m.instance); });
    column("family", [&](const Machine& m) { return textOrNull(m.family); });
    column("vcpus", [](const Machine& m) { return json(m.vcpus); });
    column("memory_gb", [](const Machine& m) { return json(m.memoryGb); });
    column("accelerator", [&](const Machine& m) { return textOrNull(m.accelerator); });
    column("accelerators", [](const Machine& m) { return json(std::optional(m.accelerators)); });
    column("accelerator_memory_gb", [](const Machine& m) { return json(m.acceleratorMemoryGb); });
    return columns;
}

Json sourcesJson(const std::vector<PriceSource>& sources)
{
    Json list = Json::array();
    for (const PriceSource& source : sources) {
        Json entry = Json::object();
        entry.set("name", source.name);
        entry.set("as_of", source.asOf);
        if (!source.doubt.empty())
            entry.set("doubt", source.doubt);
        list.append(std::move(entry));
    }
    return list;
}

/// The up to four prices of a machine in a region.
struct Line {
    std::array<std::optional<double>, WrittenPurchases> usdPerHour;
    std::array<std::optional<double>, WrittenPurchases> sources;
};

void setOffers(const OfferTable& table, Json& file)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, Line> lines;
    for (const OfferRow& row : table.rows) {
        Line& line = lines[{row.machine, row.region}];
        const auto kind = static_cast<std::size_t>(row.purchase);
        line.usdPerHour.at(kind) = row.usdPerHour;
        line.sources.at(kind) = row.source;
    }
    std::map<std::array<std::optional<double>, WrittenPurchases>, std::size_t> sets;
    Json setList = Json::array();
    std::array<Json, 3 + WrittenPurchases> columns;
    columns.fill(Json::array());
    for (const auto& [place, line] : lines) {
        const auto [set, isNew] = sets.try_emplace(line.sources, sets.size());
        if (isNew) {
            Json entry = Json::array();
            for (const auto& source : line.sources)
                entry.append(json(source));
            setList.append(std::move(entry));
        }
        columns[0].append(json(std::size_t{place.first}));
        columns[1].append(json(std::size_t{place.second}));
        columns[2].append(json(set->second));
        for (std::size_t kind = 0; kind < WrittenPurchases; ++kind)
            columns.at(3 + kind).append(json(line.usdPerHour.at(kind)));
    }
    file.set("source_sets", std::move(setList));
    Json offers = Json::object();
    offers.set("machine", std::move(columns[0]));
    offers.set("region", std::move(columns[1]));
    offers.set("source_set", std::move(columns[2]));
    for (std::size_t kind = 0; kind < WrittenPurchases; ++kind)
        offers.set(PurchaseNames.at(kind), std::move(columns.at(3 + kind)));
    file.set("offers", std::move(offers));
}

} // namespace

std::string writePriceFile(const OfferTable& table, std::string_view producer,
                           std::string_view saved)
{
    Json file = Json::object();
    file.set("format", PricesFormat);
    file.set("version", PricesVersion);
    file.set("producer", producer);
    file.set("saved", saved);
    file.set("sources", sourcesJson(table.sources));
    Json regions = Json::array();
    for (const std::string& region : table.regions)
        regions.append(region);
    file.set("regions", std::move(regions));
    file.set("machines", machinesJson(table.machines));
    setOffers(table, file);
    return writeJson(file, JsonStyle::Compact) + '\n';
}

} // namespace outlay::pricing
