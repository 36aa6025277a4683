// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/base/version.h"
#include "pricing/export/export.h"
#include "pricing/report/offers/cheapest.h"

namespace outlay::pricing {
namespace {

using namespace core;

Json numberOf(const Quantity& figure, double divisor = 1)
{
    return figure.isAvailable() ? Json(figure.value() / divisor) : Json();
}

/// Of the way of buying that the plan names.
Json cheapestOf(const ExportInput& input, std::string_view provider)
{
    const Option* option = cheapest(
        {input.report.training.options, input.catalogs, input.report.plan.purchase}, provider);
    return option == nullptr ? Json() : numberOf(usdOf(*option, input.catalogs));
}

Json trainingNumbers(const ExportInput& input)
{
    const TrainingReport& t = input.report.training;
    return Json::Object{{"time_hours", numberOf(t.here, SecondsPerHour)},
                        {"energy_kwh", numberOf(t.hereKwh)},
                        {"cost_local_usd", numberOf(t.hereUsd)},
                        {"cost_aws_usd", cheapestOf(input, "aws")},
                        {"cost_azure_usd", cheapestOf(input, "azure")},
                        {"cost_gcp_usd", cheapestOf(input, "gcp")}};
}

/// What the weights take as they are served.
Json modelMegabytes(const ExportInput& input)
{
    const std::string_view precision =
        ServingPrecisionNames.at(static_cast<std::size_t>(input.experiment.serving.precision));
    for (const WeightMemory& row : input.report.model.weights) {
        if (row.precision == precision)
            return numberOf(row.bytes, BytesPerMb);
    }
    return {};
}

/// Of the very emissions that stand beside it.
Json environmentNumbers(const ExportInput& input)
{
    const Quantity kg = runFootprint(input.report).kgCo2e;
    const auto equivalents = equivalentsOf(input.catalogs.carbon(), kg);
    const auto amountOf = [&](std::string_view id) {
        for (const Equivalent& row : equivalents) {
            if (row.id == id)
                return numberOf(row.amount);
        }
        return Json();
    };
    return Json::Object{{"carbon_kg", numberOf(kg)},
                        {"miles_driven", amountOf("car_mile")},
                        {"tree_months", amountOf("tree_month")},
                        {"smartphone_charges", amountOf("smartphone_charge")}};
}

std::string_view effortWord(Level effort)
{
    constexpr std::array<std::string_view, 3> Words{"easy", "medium", "hard"};
    return Words.at(static_cast<std::size_t>(effort));
}

Json recommendationOf(const AdviceRow& row)
{
    return Json::Object{
        {"category", AdviceCategoryNames.at(static_cast<std::size_t>(row.category))},
        {"priority", LevelNames.at(static_cast<std::size_t>(row.priority))},
        {"recommendation", row.title},
        {"expected_improvement", row.why},
        {"implementation_effort", effortWord(row.effort)},
        {"estimated_cost_reduction", numberOf(row.savingPercent)},
        {"code_example", row.codePython.empty() ? row.codeCpp : row.codePython}};
}

} // namespace

Json costAnalysis(const ExportInput& input)
{
    const Report& report = input.report;
    const ServingReport& s = report.serving;
    Json breakdown = Json::Object{
        {"training", trainingNumbers(input)},
        {"inference", Json::Object{{"avg_time_ms", numberOf(s.latencyMs)},
                                   {"p95_time_ms", numberOf(s.p95Ms)},
                                   {"throughput_samples_per_sec", numberOf(s.throughputPerS)},
                                   {"cost_per_1m_usd", numberOf(s.usdPerMillion)}}},
        {"resources", Json::Object{{"model_size_mb", modelMegabytes(input)},
                                   {"parameters", report.model.parameters},
                                   {"peak_memory_mb", numberOf(report.training.memory, BytesPerMb)},
                                   {"average_memory_mb", Json()}}},
        {"environmental", environmentNumbers(input)},
        {"efficiency", Json::Object{{"efficiency_score", numberOf(report.efficiency.score)}}}};
    Json recommendations = Json::array();
    for (const AdviceRow& row : report.advice)
        recommendations.append(recommendationOf(row));
    return Json::Object{{"format", "outlay-cost-analysis"},
                        {"version", 1},
                        {"created", input.now},
                        {"producer", "outlay " + std::string(ProgramVersion)},
                        {"cost_breakdown", std::move(breakdown)},
                        {"recommendations", std::move(recommendations)},
                        {"report", toJson(report, input.catalogs)},
                        {"experiment", core::toJson(input.experiment)}};
}

} // namespace outlay::pricing
