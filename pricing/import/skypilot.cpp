// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// SkyPilot's catalogs, schemas 5 to 8: a row for each instance and zone, with two prices.
#include "pricing/accelerator_name.h"
#include "pricing/import/csv.h"
#include "pricing/import/importers.h"
#include "pricing/import/joined_machines.h"
#include "pricing/import/offer_collector.h"
#include "pricing/import/python_literal.h"
#include "pricing/provider.h"

#include <istream>
#include <unordered_map>

namespace outlay::pricing {
namespace {

using namespace outlay::core;

constexpr double MibPerGb = 1024;

/// Memory of one accelerator. `TotalGpuMemoryInMiB` isn't used: some catalogs mean one GPU by it, and
/// others all of them.
std::optional<double> memoryIn(std::string_view gpuInfo)
{
    const auto literal = readPythonLiteral(gpuInfo);
    const Json* size = literal ? valueAt(*literal, "/Gpus/0/MemoryInfo/SizeInMiB") : nullptr;
    if (size == nullptr || !size->isNumber() || size->number() <= 0)
        return std::nullopt;
    return size->number() / MibPerGb;
}

class Skypilot {
public:
    Skypilot(CsvReader& csv, const ImportOptions& options)
        : m_csv(csv), m_options(options), m_offers({"SkyPilot catalog", options.asOf, {}})
    {
        const std::array names{"InstanceType", "AcceleratorName", "AcceleratorCount",
                               "vCPUs",        "MemoryGiB",       "GpuInfo",
                               "Price",        "SpotPrice",       "Region"};
        for (std::size_t i = 0; i < names.size(); ++i)
            m_columns.at(i) = csv.column(names.at(i));
    }

    Result<PriceImport> run()
    {
        while (m_csv.next()) {
            ++m_account.rows;
            m_isPart = false;
            const std::string_view why = take();
            if (m_isPart)
                continue; // counted when it is joined
            if (why.empty())
                ++m_account.imported;
            else
                m_account.leaveOut(m_csv.line(), why);
        }
        if (const auto whole = m_csv.outcome(); !whole)
            return failureOf(whole);
        m_joined.join(m_offers, m_account);
        return PriceImport{"SkyPilot catalog", m_offers.take(), std::move(m_account)};
    }

private:
    enum Column { Instance, Accelerator, Count, Vcpus, Memory, Info, Price, SpotPrice, Region };

    [[nodiscard]] std::string_view at(Column column) const
    {
        return m_csv.at(m_columns.at(column));
    }

    /// Why the row is left out; empty when it is taken.
    std::string_view take()
    {
        if (at(Region).empty())
            return "it names no region";
        if (at(Instance).empty())
            return takeAccelerator();
        const std::string_view provider = m_options.provider.empty()
                                              ? providerOf(at(Instance), at(Region))
                                              : std::string_view(m_options.provider);
        if (provider.empty())
            return "its provider isn't known: say whose prices these are (--provider)";
        const ListedPrice price = priceIn(at(Price));
        const ListedPrice spot = priceIn(at(SpotPrice));
        if (!price.usdPerHour && !spot.usdPerHour)
            return price.whyNot;
        const Machine machine = machineOf(provider);
        m_joined.addMachine(machine, {m_csv.line(), at(Region), price.usdPerHour, spot.usdPerHour});
        if (m_isPart = JoinedMachines::isBare(machine); m_isPart)
            return {};
        if (price.usdPerHour)
            m_offers.add(machine, at(Region), Purchase::OnDemand, *price.usdPerHour);
        if (spot.usdPerHour)
            m_offers.add(machine, at(Region), Purchase::Spot, *spot.usdPerHour);
        return {};
    }

    /// Only Google sells them apart from machines.
    std::string_view takeAccelerator()
    {
        if (at(Accelerator).empty())
            return "it names no instance";
        const auto count = amountIn(at(Count));
        const ListedPrice price = priceIn(at(Price));
        const ListedPrice spot = priceIn(at(SpotPrice));
        if (!count || at(Accelerator).starts_with("tpu"))
            return "it is an accelerator without a machine";
        if (!price.usdPerHour && !spot.usdPerHour)
            return price.whyNot;
        m_isPart = true;
        m_joined.addAccelerators(at(Accelerator), *count,
                                 {m_csv.line(), at(Region), price.usdPerHour, spot.usdPerHour});
        return {};
    }

    Machine machineOf(std::string_view provider)
    {
        Machine machine;
        machine.provider = provider;
        machine.instance = at(Instance);
        machine.vcpus = amountIn(at(Vcpus));
        machine.memoryGb = amountIn(at(Memory));
        if (!at(Accelerator).empty()) {
            const AcceleratorName known = acceleratorNamed(at(Accelerator), memory());
            machine.accelerator = known.name;
            machine.acceleratorMemoryGb = known.memoryGb;
            machine.accelerators = amountIn(at(Count)).value_or(1);
        }
        return machine;
    }

    /// The same few dictionaries stand in thousands of rows.
    std::optional<double> memory()
    {
        const auto [place, isNew] = m_memory.try_emplace(std::string(at(Info)));
        if (isNew)
            place->second = memoryIn(at(Info));
        return place->second;
    }

    CsvReader& m_csv;
    const ImportOptions& m_options;
    OfferCollector m_offers;
    JoinedMachines m_joined;
    bool m_isPart = false; // the row is one of a machine or of its accelerators
    ImportAccount m_account;
    std::array<std::size_t, 9> m_columns{};
    std::unordered_map<std::string, std::optional<double>> m_memory;
};

} // namespace

bool looksLikeSkypilot(std::string_view start)
{
    const std::string_view header = start.substr(0, start.find('\n'));
    return header.find("InstanceType") != std::string_view::npos &&
           header.find("Region") != std::string_view::npos &&
           header.find("Price") != std::string_view::npos;
}

Result<PriceImport> importSkypilot(std::istream& file, const ImportOptions& options)
{
    ByteWindow window(file);
    CsvReader csv(window);
    if (const auto header = csv.readHeader(); !header)
        return failureOf(header);
    return Skypilot(csv, options).run();
}

} // namespace outlay::pricing
