// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/price_file.h"

#include "core/base/json_scanner.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr std::size_t Purchases = PurchaseNames.size();

/// One column of a table: numbers, or texts.
struct Column {
    std::vector<std::optional<double>> numbers;
    std::vector<std::string> texts;
};
using Columns = std::map<std::string, Column, std::less<>>;

constexpr std::array<std::string_view, 4> TextColumns{"provider", "instance", "family",
                                                      "accelerator"};

bool isTextColumn(std::string_view name)
{
    return std::find(TextColumns.begin(), TextColumns.end(), name) != TextColumns.end();
}

/// Fills the lists as they come; indices are checked when all of them are there.
class Reader {
public:
    explicit Reader(ByteWindow& text) : m_json(text) {}

    Result<PriceFile> read()
    {
        m_json.enterObject();
        while (m_json.nextKey())
            readMember(m_json.key());
        if (!m_json.isBroken())
            check();
        if (const auto outcome = m_json.outcome(); !outcome)
            return failureOf(outcome);
        return std::move(m_file);
    }

private:
    void readMember(const std::string& key)
    {
        if (key == "format")
            m_format = m_json.text();
        else if (key == "version")
            m_version = m_json.number();
        else if (key == "sources")
            readSources();
        else if (key == "regions")
            readTexts(m_file.offers.regions);
        else if (key == "source_sets")
            readSets();
        else if (key == "machines")
            readColumns(m_machines);
        else if (key == "offers")
            readColumns(m_offers);
        else if (key == "earlier")
            readColumns(m_earlier);
        else
            m_json.skip();
    }

    /// Names go into sentences and tables, and a file may have passed through other hands.
    std::string name()
    {
        constexpr std::size_t LongestName = 300;
        return printable(m_json.text(), LongestName);
    }

    void readTexts(std::vector<std::string>& list)
    {
        m_json.enterArray();
        while (m_json.nextItem())
            list.push_back(name());
    }

    void readNumbers(std::vector<std::optional<double>>& list)
    {
        m_json.enterArray();
        while (m_json.nextItem())
            list.push_back(m_json.number());
    }

    void readSources()
    {
        m_json.enterArray();
        while (m_json.nextItem()) {
            PriceSource& source = m_file.offers.sources.emplace_back();
            m_json.enterObject();
            while (m_json.nextKey()) {
                const std::string& key = m_json.key();
                if (key == "name")
                    source.name = name();
                else if (key == "as_of")
                    source.asOf = name();
                else if (key == "doubt")
                    source.doubt = name();
                else
                    m_json.skip();
            }
        }
    }

    void readSets()
    {
        m_json.enterArray();
        while (m_json.nextItem())
            readNumbers(m_sets.emplace_back());
    }

    void readColumns(Columns& columns)
    {
        m_json.enterObject();
        while (m_json.nextKey()) {
            const std::string name = m_json.key();
            isTextColumn(name) ? readTexts(columns[name].texts)
                               : readNumbers(columns[name].numbers);
        }
    }

    void fail(std::string what) { m_json.fail(std::move(what), "import it from its source again"); }

    void check()
    {
        if (m_format != PricesFormat)
            return fail("this is not a price book of Outlay");
        if (m_version != static_cast<double>(PricesVersion))
            return fail("the price book has version " + plainNumber(m_version.value_or(NAN)) +
                        ", and this program reads version " + plainNumber(PricesVersion));
        makeMachines();
        makeOffers();
        makeEarlier();
    }

    /// Index `row` of a column into a list of `size` entries.
    std::uint32_t index(const Columns& columns, std::string_view name, std::size_t row,
                        std::size_t size)
    {
        const auto column = columns.find(name);
        const bool exists = column != columns.end() && row < column->second.numbers.size();
        const double value = exists ? column->second.numbers[row].value_or(-1) : -1;
        if (value >= 0 && value < static_cast<double>(size) && value == std::floor(value))
            return static_cast<std::uint32_t>(value);
        fail("entry " + std::to_string(row) + " of the column '" + std::string(name) +
             "' names nothing in the file");
        return 0;
    }

    static std::optional<double> number(const Columns& columns, std::string_view name,
                                        std::size_t row)
    {
        const auto column = columns.find(name);
        return column != columns.end() && row < column->second.numbers.size()
                   ? column->second.numbers[row]
                   : std::nullopt;
    }

    static std::string text(const Columns& columns, std::string_view name, std::size_t row)
    {
        const auto column = columns.find(name);
        return column != columns.end() && row < column->second.texts.size()
                   ? column->second.texts[row]
                   : std::string();
    }

    void makeMachines()
    {
        const std::size_t count = m_machines["provider"].texts.size();
        for (std::size_t i = 0; i < count; ++i)
            m_file.offers.machines.push_back(
                {text(m_machines, "provider", i), text(m_machines, "instance", i),
                 text(m_machines, "family", i), text(m_machines, "accelerator", i),
                 number(m_machines, "accelerators", i).value_or(0),
                 number(m_machines, "accelerator_memory_gb", i), number(m_machines, "vcpus", i),
                 number(m_machines, "memory_gb", i)});
    }

    void makeOffers()
    {
        OfferTable& table = m_file.offers;
        const std::size_t count = m_offers["machine"].numbers.size();
        table.rows.reserve(count * Purchases);
        for (std::size_t i = 0; i < count && !m_json.isBroken(); ++i) {
            OfferRow row;
            row.machine = index(m_offers, "machine", i, table.machines.size());
            row.region = index(m_offers, "region", i, table.regions.size());
            const std::uint32_t set = index(m_offers, "source_set", i, m_sets.size());
            for (std::size_t kind = 0; kind < Purchases && !m_json.isBroken(); ++kind) {
                if (kind >= m_sets[set].size() || !m_sets[set][kind])
                    continue;
                row.source = sourceIndex(*m_sets[set][kind]);
                row.purchase = static_cast<Purchase>(kind);
                row.usdPerHour = number(m_offers, PurchaseNames.at(kind), i);
                table.rows.push_back(row);
            }
        }
    }

    std::uint32_t sourceIndex(double value)
    {
        if (value >= 0 && value < static_cast<double>(m_file.offers.sources.size()))
            return static_cast<std::uint32_t>(value);
        fail("a set of sources names one that is not in the file");
        return 0;
    }

    void makeEarlier()
    {
        const OfferTable& table = m_file.offers;
        const std::size_t count = m_earlier["machine"].numbers.size();
        for (std::size_t i = 0; i < count && !m_json.isBroken(); ++i)
            m_file.earlier.push_back(
                {index(m_earlier, "machine", i, table.machines.size()),
                 index(m_earlier, "region", i, table.regions.size()),
                 index(m_earlier, "source", i, table.sources.size()),
                 static_cast<Purchase>(index(m_earlier, "purchase", i, Purchases)),
                 number(m_earlier, "usd_per_hour", i)});
    }

    JsonScanner m_json;
    PriceFile m_file;
    std::string m_format;
    std::optional<double> m_version;
    std::vector<std::vector<std::optional<double>>> m_sets;
    Columns m_machines;
    Columns m_offers;
    Columns m_earlier;
};

} // namespace

Result<PriceFile> readPriceFile(ByteWindow& text)
{
    return Reader(text).read();
}

void describe(FieldVisitor& v, Offer& o)
{
    constexpr double MostUsd = 1e6;
    v.text({.key = "provider", .what = "provider", .presence = Presence::Required},
           o.machine.provider);
    v.text({.key = "instance", .what = "instance", .presence = Presence::Required},
           o.machine.instance);
    v.text({.key = "region", .what = "region", .presence = Presence::Required}, o.region);
    v.text({"family", "family of the instance"}, o.machine.family);
    v.text({"accelerator", "accelerator"}, o.machine.accelerator);
    v.number({"accelerators", "number of accelerators", 0, 65536}, o.machine.accelerators);
    v.number({"accelerator_memory_gb", "memory of one accelerator in GB", 0, 1e6},
             o.machine.acceleratorMemoryGb);
    v.number({"vcpus", "number of virtual processors", 0, 1e6}, o.machine.vcpus);
    v.number({"memory_gb", "memory in GB", 0, 1e7}, o.machine.memoryGb);
    v.choice(Field{"purchase", "way of buying"}, o.purchase, PurchaseNames);
    v.number({"usd_per_hour", "price in USD an hour", 0, MostUsd}, o.usdPerHour);
    v.text({"as_of", "day that the price was valid"}, o.source.asOf);
    v.text({"source", "where the price is from"}, o.source.name);
    v.text({"doubt", "why the price is to be doubted"}, o.source.doubt);
}

} // namespace outlay::pricing
