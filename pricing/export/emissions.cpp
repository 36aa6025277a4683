// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/csv_table.h"
#include "pricing/export/export.h"

#include <array>

namespace outlay::pricing {
namespace {

using namespace core;

/// All columns of CodeCarbon 3.3, in its order: it starts a new file where they differ.
constexpr std::array<std::string_view, 38> EmissionColumns{"timestamp",
                                                           "project_name",
                                                           "run_id",
                                                           "experiment_id",
                                                           "duration",
                                                           "emissions",
                                                           "emissions_rate",
                                                           "cpu_power",
                                                           "gpu_power",
                                                           "ram_power",
                                                           "cpu_energy",
                                                           "gpu_energy",
                                                           "ram_energy",
                                                           "energy_consumed",
                                                           "water_consumed",
                                                           "country_name",
                                                           "country_iso_code",
                                                           "region",
                                                           "cloud_provider",
                                                           "cloud_region",
                                                           "os",
                                                           "python_version",
                                                           "codecarbon_version",
                                                           "cpu_count",
                                                           "cpu_model",
                                                           "gpu_count",
                                                           "gpu_model",
                                                           "longitude",
                                                           "latitude",
                                                           "ram_total_size",
                                                           "tracking_mode",
                                                           "cpu_utilization_percent",
                                                           "gpu_utilization_percent",
                                                           "ram_utilization_percent",
                                                           "ram_used_gb",
                                                           "on_cloud",
                                                           "pue",
                                                           "wue"};

std::optional<double> valueOf(const Quantity& figure)
{
    return figure.isAvailable() ? std::optional(figure.value()) : std::nullopt;
}

void setPlace(const ExportInput& input, CsvTable& table)
{
    const CarbonCatalog& catalog = input.catalogs.carbon();
    const Site& site = input.experiment.site;
    const GridRegion* region = site.region ? catalog.region(*site.region) : nullptr;
    const std::string name = site.country.value_or(region == nullptr ? "" : region->country);
    if (const GridCountry* country = catalog.country(name)) {
        table.set("country_name", std::string_view(country->name));
        table.set("country_iso_code", std::string_view(country->code3));
    }
    const CloudPlace cloud = cloudPlaceOf(site);
    table.set("cloud_provider", std::string_view(cloud.provider));
    table.set("cloud_region", std::string_view(cloud.region));
    table.set("on_cloud", std::string_view(site.region ? "Y" : "N"));
    table.set("pue", valueOf(overheadOf(catalog, site)));
}

/// Of this machine, where the run is here.
void setMachine(const core::HostMachine& here, CsvTable& table)
{
    constexpr double BytesPerGib = 1073741824;
    if (here.cores > 0)
        table.set("cpu_count", std::optional(static_cast<double>(here.cores)));
    table.set("cpu_model", std::string_view(here.processor));
    if (here.memoryBytes > 0)
        table.set("ram_total_size", std::optional(here.memoryBytes / BytesPerGib));
}

} // namespace

Result<std::string> emissionsRow(const ExportInput& input)
{
    const RunFootprint run = runFootprint(input.report);
    if (!run.kwh.isAvailable() || !run.kgCo2e.isAvailable()) {
        const std::string why = (run.kwh.isAvailable() ? run.kgCo2e : run.kwh).how().sentence();
        return inputError("the energy of a training run is unavailable, so emissions.csv would be "
                          "empty" +
                              (why.empty() ? "" : " (" + why + ")"),
                          "probe the design, or give --training-time and /site/power_w");
    }
    const auto duration = valueOf(input.report.training.here);
    CsvTable table(std::vector<std::string_view>(EmissionColumns.begin(), EmissionColumns.end()));
    table.addRow();
    const std::string experiment = writeJson(core::toJson(input.experiment), JsonStyle::Compact);
    table.set("timestamp", input.now.substr(0, input.now.find('Z')));
    table.set("project_name", std::string_view(input.report.name));
    table.set("run_id", std::string_view(uuidOf(experiment, input.now)));
    table.set("experiment_id", std::string_view(uuidOf(experiment, "experiment")));
    table.set("duration", duration);
    table.set("emissions", valueOf(run.kgCo2e));
    if (duration && *duration > 0)
        table.set("emissions_rate", std::optional(run.kgCo2e.value() / *duration));
    table.set("energy_consumed", valueOf(run.kwh));
    table.set("tracking_mode", std::string_view("machine"));
    setPlace(input, table);
    if (!input.experiment.site.region)
        setMachine(input.catalogs.here(), table);
    return table.text();
}

} // namespace outlay::pricing
