// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pricing/export/export.h"

#include <array>

namespace outlay::pricing {
namespace {

core::Result<std::string> writeCostAnalysis(const ExportInput& input)
{
    return core::writeJson(costAnalysis(input)) + "\n";
}

core::Result<std::string> writeCsv(const ExportInput& input)
{
    return csvReport(input);
}

core::Result<std::string> writeMarkdown(const ExportInput& input)
{
    return markdownReport(input);
}

/// FNV-1a, which is enough to tell reports apart and no more.
std::uint64_t hashOf(std::string_view text, std::uint64_t hash)
{
    constexpr std::uint64_t Prime = 0x100000001b3;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * Prime;
    return hash;
}

void appendHex(std::string& out, std::uint64_t value)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    constexpr unsigned Width = 64;
    constexpr unsigned Nibble = 4;
    for (unsigned shift = Width; shift > 0; shift -= Nibble)
        out += Digits.at((value >> (shift - Nibble)) & 0xFU);
}

} // namespace

std::span<const ExportFormat> exportFormats()
{
    static constexpr std::array<ExportFormat, 7> Formats{{
        {"json", "cost_analysis.json", writeCostAnalysis},
        {"csv", "cost_analysis.csv", writeCsv},
        {"md", "cost_analysis.md", writeMarkdown},
        {"application", "application.md", applicationPage},
        {"focus", "focus.csv", focusRows},
        {"emissions", "emissions.csv", emissionsRow},
        {"boamps", "boamps.json", boampsReport},
    }};
    return Formats;
}

core::Result<std::string> applicationPage(const ExportInput& input)
{
    const auto application =
        makeApplication(input.experiment, input.report, input.catalogs, input.application);
    if (!application)
        return core::failureOf(application);
    return applicationMarkdown(*application);
}

RunFootprint runFootprint(const Report& report)
{
    if (report.training.hereKwh.isAvailable())
        return {report.training.hereKwh, report.training.hereKgCo2e};
    return {report.carbon.kwh, report.carbon.kgCo2e};
}

CloudPlace cloudPlaceOf(const core::Site& site)
{
    if (!site.region)
        return {};
    const std::size_t slash = site.region->find('/');
    if (slash == std::string::npos)
        return {{}, *site.region};
    return {site.region->substr(0, slash), site.region->substr(slash + 1)};
}

std::string uuidOf(std::string_view text, std::string_view salt)
{
    constexpr std::uint64_t Offset = 0xcbf29ce484222325;
    const std::uint64_t first = hashOf(text, hashOf(salt, Offset));
    const std::uint64_t second = hashOf(salt, hashOf(text, first));
    std::string hex;
    appendHex(hex, (first & ~0xF000ULL) | 0x8000ULL);
    appendHex(hex, (second & ~(0xC0ULL << 56U)) | (0x80ULL << 56U));
    for (const std::size_t at : {20U, 16U, 12U, 8U})
        hex.insert(at, "-");
    return hex;
}

} // namespace outlay::pricing
