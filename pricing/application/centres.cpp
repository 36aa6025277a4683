// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/application/centres.h"

#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr double MostUnits = 1e9;

void describe(FieldVisitor& v, CentreSource& s)
{
    v.text({.key = "name", .what = "name of the source", .presence = Presence::Required}, s.name);
    v.text({.key = "url", .what = "where it is", .presence = Presence::Required}, s.url);
    v.text({.key = "read", .what = "day it was read", .presence = Presence::Required}, s.read);
}

/// What one field alone can't say.
void checkTogether(const Centre& centre, std::size_t sources, FieldReader& reader)
{
    if (!centre.hasAccelerators() && centre.coresPerNode == 0)
        reader.fail("cores_per_node", "a centre without a device needs its cores",
                    "name the device, or the cores of a node");
    if (centre.per == ChargedPer::Core && centre.coresPerNode == 0)
        reader.fail("per", "cores are charged and their number isn't given", "give cores_per_node");
    for (const auto& [key, index] : {std::pair("source", centre.source),
                                     std::pair("hardware_source", centre.hardwareSource)}) {
        if (index >= static_cast<std::int64_t>(sources))
            reader.fail(key, "there is no such source", "name one of the list");
    }
}

const Json* listIn(const Json& json, std::string_view key)
{
    const Json* list = json.find(key);
    return list != nullptr && list->asArray() != nullptr ? list : nullptr;
}

Result<Centres> readCentres()
{
    auto read = Centres::create(resource("centres.json"));
    if (!read)
        return tl::unexpected<Error>(read.error().in("centres.json"));
    return read;
}

} // namespace

void describe(FieldVisitor& v, ChargeExample& e)
{
    v.integer({"devices", "devices of the example", 1, MostUnits, Presence::Required}, e.devices);
    v.number({"hours", "its hours", 0, MostUnits, Presence::Required}, e.hours);
    v.number({"units", "what it is charged", 0, MostUnits, Presence::Required}, e.units);
}

std::int64_t Centre::nodesOf(std::int64_t devices) const
{
    return (devices + devicesPerNode - 1) / devicesPerNode;
}

double Centre::unitsPerHour(std::int64_t devices) const
{
    switch (per) {
    case ChargedPer::Device: return units * real(devices);
    case ChargedPer::Node: return units * real(nodesOf(devices));
    case ChargedPer::Core: return units * real(nodesOf(devices) * coresPerNode);
    }
    return 0;
}

void describe(FieldVisitor& v, Centre& c)
{
    constexpr double MostPerNode = 4096;
    v.text({.key = "id", .what = "short name", .presence = Presence::Required}, c.id);
    v.text({.key = "name", .what = "name", .presence = Presence::Required}, c.name);
    v.text({.key = "operator", .what = "who runs it", .presence = Presence::Required}, c.runBy);
    v.text({.key = "country", .what = "country", .presence = Presence::Required}, c.country);
    v.text({"device", "accelerator of its nodes"}, c.device);
    v.integer({"devices_per_node", "devices of a node", 1, MostPerNode, Presence::Required},
              c.devicesPerNode);
    v.integer({"cores_per_node", "cores of a node", 1, MostPerNode}, c.coresPerNode);
    v.number({"memory_gb", "memory of a device in GB", 0, MostUnits}, c.memoryGb);
    v.number({"network_gbit_per_s", "network of a node in Gbit/s", 0, MostUnits},
             c.networkGbitPerS);
    v.text({.key = "unit", .what = "unit", .presence = Presence::Required}, c.unit);
    constexpr double LeastUnits = 1e-9;
    v.number({"units", "units of an hour", LeastUnits, MostUnits, Presence::Required}, c.units);
    v.choice(Field{"per", "what is charged for", 0, 0, Presence::Required}, c.per, ChargedPerNames);
    v.text({"note", "what to know about it"}, c.note);
    v.object({"example", "published example"}, c.example);
    v.integer({"source", "index of its source", 0, MostUnits, Presence::Required}, c.source);
    v.integer(
        {"hardware_source", "index of the source of its nodes", 0, MostUnits, Presence::Required},
        c.hardwareSource);
}

Result<Centres> Centres::create(std::string_view json)
{
    const auto document = readJson(json);
    if (!document)
        return failureOf(document);
    const Json* sources = listIn(*document, "sources");
    const Json* rows = listIn(*document, "centres");
    if (sources == nullptr || rows == nullptr)
        return inputError("these are no centres", "install the program again");
    Centres centres;
    for (const Json& row : *sources->asArray()) {
        FieldReader reader(row, childPointer("/sources", centres.m_sources.size()));
        describe(reader, centres.m_sources.emplace_back());
        if (const auto outcome = reader.outcome(); !outcome)
            return failureOf(outcome);
    }
    for (const Json& row : *rows->asArray()) {
        FieldReader reader(row, childPointer("/centres", centres.m_centres.size()));
        Centre& centre = centres.m_centres.emplace_back();
        describe(reader, centre);
        checkTogether(centre, centres.m_sources.size(), reader);
        if (const auto outcome = reader.outcome(); !outcome)
            return failureOf(outcome);
    }
    return centres;
}

const CentreSource& Centres::source(const Centre& centre) const
{
    return m_sources[static_cast<std::size_t>(centre.source)];
}

const CentreSource& Centres::hardwareSource(const Centre& centre) const
{
    return m_sources[static_cast<std::size_t>(centre.hardwareSource)];
}

Result<Centre> Centres::centre(std::string_view id) const
{
    const auto found = std::find_if(m_centres.begin(), m_centres.end(), [&](const Centre& c) {
        return lowerCase(c.id) == lowerCase(id);
    });
    if (found != m_centres.end())
        return *found;
    std::vector<std::string_view> ids;
    for (const Centre& centre : m_centres)
        ids.push_back(centre.id);
    const auto near = nearest(id, ids);
    return usageError("there is no centre '" + printable(id, 40) + "'",
                      near ? "did you mean " + std::string(*near) + "?"
                           : "give any of " + joined(ids, ", "));
}

const Result<Centres>& centres()
{
    static const Result<Centres> Read = readCentres();
    return Read;
}

} // namespace outlay::pricing
