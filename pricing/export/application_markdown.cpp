// SPDX-FileCopyrightText: 2026 The Outlay authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/base/units.h"
#include "pricing/application/application_content.h"
#include "pricing/export/export.h"
#include "pricing/export/markdown_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace outlay::pricing {
namespace {

/// The figure in larger units, so that it is read and not counted.
std::string amountText(const ContentFigure& row, double value)
{
    constexpr std::array<std::string_view, 5> Prefixes{"", "k", "M", "G", "T"};
    constexpr double Step = 1000;
    const core::Unit unit = row.figure.unit();
    std::size_t prefix = 0;
    if (unit == core::Unit::Bytes) {
        while (std::abs(value) >= Step && prefix + 1 < Prefixes.size()) {
            value /= Step;
            ++prefix;
        }
    }
    const bool isPlain = unit == core::Unit::One || row.kind == ContentKind::Count;
    return core::plainNumber(toThreeDigits(value)) +
           (isPlain ? std::string()
                    : " " + std::string(Prefixes.at(prefix)) + std::string(core::symbol(unit)));
}

std::string amountText(const ContentFigure& row)
{
    return row.figure.isAvailable() ? amountText(row, row.figure.value()) : "unavailable";
}

std::string amountInterval(const ContentFigure& row)
{
    const core::Quantity& figure = row.figure;
    if (!figure.isAvailable() || figure.low() == figure.high())
        return {};
    return amountText(row, figure.low()) + " to " + amountText(row, figure.high());
}

std::string amountTable(const std::vector<ContentFigure>& rows)
{
    std::string out = tableHead({"Figure", "Value", "Interval of 80 %", "Basis", "How"});
    for (const ContentFigure& row : rows)
        out += tableRow({row.label, amountText(row), amountInterval(row), basisText(row.figure),
                         row.figure.how().sentence()});
    return out;
}

std::string heading(std::string_view text)
{
    return "\n## " + std::string(text) + "\n\n";
}

std::string askedText(const ApplicationContent& content)
{
    return content.asked.empty()
               ? "**" + content.askedFor + "**.\n"
               : "**Asked for: " + content.asked + "**, " + content.askedFor + ".\n";
}

std::string measuredText(const ApplicationContent& content)
{
    return heading("The measured step") + content.measuredBy + ".\n" +
           (content.measured.empty() ? "" : "\n" + amountTable(content.measured));
}

/// A bar a row: what the devices do of what they would if nothing were lost.
std::string scalingBars(const std::vector<ApplicationRow>& rows)
{
    constexpr double Width = 40;
    std::string out = "```text\n";
    for (const ApplicationRow& row : rows) {
        std::string count = std::to_string(row.devices);
        count.insert(0, std::to_string(rows.back().devices).size() - count.size(), ' ');
        out += count + " ";
        if (!row.efficiency.isAvailable()) {
            out += row.efficiency.how().note.text() + "\n";
            continue;
        }
        const double percent = row.efficiency.value();
        const auto kept = std::lround(Width * std::min(percent / core::PerCent, 1.0));
        for (long i = 0; i < std::lround(Width); ++i)
            out += i < kept ? "█" : "░";
        out += " " + core::plainNumber(std::round(percent)) + " %\n";
    }
    return out + "```\n";
}

/// In three digits, with its interval.
std::string cellText(const ContentFigure& row)
{
    const std::string interval = amountInterval(row);
    return amountText(row) + (interval.empty() ? "" : " (" + interval + ")");
}

std::string scalingText(const Application& a, const ApplicationContent& content)
{
    if (content.scaling.empty())
        return {};
    std::vector<std::string> columns{"Devices", "Nodes"};
    for (const ContentFigure& figure : content.scaling.front().figures)
        columns.push_back(figure.label);
    std::string out = heading(ScalingHeading) + tableHead(columns);
    for (const ContentRow& row : content.scaling) {
        std::vector<std::string> cells{row.devices, row.nodes};
        for (const ContentFigure& figure : row.figures)
            cells.push_back(cellText(figure));
        out += tableRow(cells);
    }
    if (!content.scalingNote.empty())
        out += "\n" + content.scalingNote + "\n";
    return out + "\nWhat so many devices do of what they would if nothing were lost:\n\n" +
           scalingBars(a.rows);
}

std::string termsTable(const Application& a)
{
    std::string out = heading(AssumptionsHeading) + tableHead({"What", "Value", "Source"});
    for (const ApplicationTerm& term : a.terms)
        out += tableRow({term.what, term.value, term.source});
    for (const AssumptionRow& row : a.assumptions)
        out += tableRow(
            {row.pointer, core::writeJson(row.value, core::JsonStyle::Compact), row.source});
    return out;
}

} // namespace

std::string applicationMarkdown(const Application& a)
{
    const ApplicationContent content = contentOf(a, core::plainNumber);
    return "# " + content.title + "\n\n" + content.subject + ".\n" +
           (content.place.empty() ? "" : "On " + content.place + ".\n") + "\n" +
           askedText(content) + heading(AmountsHeading) + amountTable(content.amounts) +
           measuredText(content) + scalingText(a, content) + heading(NeedsHeading) +
           amountTable(content.needs) + termsTable(a) + "\n" + a.provenance + "\n";
}

} // namespace outlay::pricing
