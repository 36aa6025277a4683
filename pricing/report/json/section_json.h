// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of each section, as the contract names its pointers.
#pragma once

#include "pricing/report/report.h"

namespace outlay::pricing {

[[nodiscard]] core::Json toJson(const OptionText& option);
[[nodiscard]] core::Json trainingJson(const Report& report, const Catalogs& catalogs,
                                      Listed listed);
[[nodiscard]] core::Json servingJson(const Report& report, const Catalogs& catalogs, Listed listed);
[[nodiscard]] core::Json scalingJson(const ScalingReport& scaling);
/// `month`, `month_total`, `environments`, `split`.
void setMonth(core::Json& json, const MonthReport& month);
[[nodiscard]] core::Json carbonJson(const CarbonReport& carbon);
[[nodiscard]] core::Json efficiencyJson(const EfficiencyReport& efficiency);
[[nodiscard]] core::Json benchmarksJson(const std::vector<Benchmark>& rows);
/// Null where nothing is measured.
[[nodiscard]] core::Json probeJson(const ProbeReport& probe);
[[nodiscard]] core::Json hostsJson(const std::vector<HostRow>& rows);
[[nodiscard]] core::Json variantsJson(const std::vector<VariantRow>& rows);
[[nodiscard]] core::Json adviceJson(const std::vector<AdviceRow>& rows);
[[nodiscard]] core::Json alertsJson(const std::vector<AlertRow>& rows);
[[nodiscard]] core::Json risksJson(const std::vector<RiskRow>& rows);

} // namespace outlay::pricing
